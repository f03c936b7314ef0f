//! The rules: one row each, with the page that stands beside its check. Whoever lists rules derives the list from here.

use serde::Serialize;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It is wrong whatever the caller does.
    Error,
    /// It is hardly meant.
    Warning,
    /// It is worth knowing, and no reason to fail.
    Note,
}

impl Severity {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }

    /// Whether a finding of it makes a run fail.
    pub const fn fails(self) -> bool {
        !matches!(self, Self::Note)
    }
}

/// What is known of a rule.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Which it is.
    pub code: Code,
    /// The code as printed.
    pub id: &'static str,
    /// A name for machines.
    pub name: &'static str,
    /// How bad its findings are, unless the user says otherwise.
    pub severity: Severity,
    /// What it looks for, in one sentence.
    pub summary: &'static str,
    /// What it looks for, why, and what to do: a page in Markdown.
    pub page: &'static str,
}

macro_rules! rules {
    ($($(#[$doc:meta])* $code:ident, $id:literal, $name:literal, $severity:ident, $summary:literal;)+) => {
        /// The rules by name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($(#[$doc])* $code,)+
        }

        impl Code {
            /// All of them, by id.
            pub const ALL: [Self; [$($id),+].len()] = [$(Self::$code),+];

            /// Its row.
            pub const fn rule(self) -> Rule {
                match self {
                    $(Self::$code => Rule {
                        code: self,
                        id: $id,
                        name: $name,
                        severity: Severity::$severity,
                        summary: $summary,
                        page: include_str!(concat!("check/", $id, ".md")),
                    },)+
                }
            }
        }
    };
}

rules! {
    /// Shape and stride nest differently.
    Incongruent, "RG001", "incongruent-layout", Error,
        "Shape and stride of a layout must be congruent: each extent needs its own stride.";
    /// Two coordinates share an offset.
    Overlap, "RG002", "overlapping-layout", Warning,
        "Two coordinates of a layout share an offset, in a copy atom a bit, though no stride of 0 says that they should.";
    /// A matrix layout misses elements of its tile or hits some too often.
    Uneven, "RG003", "uneven-mma-operand", Error,
        "ALayout, BLayout and CLayout of an MMA_Traits must hit every element of the tile that Shape_MNK spans, and all equally often.";
    /// A matrix layout has another number of threads than `ThrID`.
    Threads, "RG004", "mma-thread-count", Error,
        "ALayout, BLayout and CLayout of an MMA_Traits must have as many threads as ThrID.";
    /// A matrix layout is not the instruction's fragment.
    Fragment, "RG005", "mma-fragment", Error,
        "ALayout, BLayout and CLayout of an MMA_Traits must say which register of the instruction holds which element.";
    /// Two matrices permute the instruction's axis alike.
    Permuted, "RG006", "mma-permutation", Note,
        "Two matrices of an MMA_Traits permute the axis that they share: the product is the same, the fragments are not.";
    /// A tiled copy does not cover its tile exactly once, or its vector does not divide what a thread has.
    TiledCopy, "RG007", "tiled-copy", Error,
        "The thread and value layouts of a make_tiled_copy must be bijections onto [0, size), and its vectors must divide what a thread has.";
    /// A swizzle with |S| below B.
    Swizzle, "RG008", "swizzle-bits", Error,
        "The bits that a Swizzle<B,M,S> reads and those that it changes must be apart: |S| at least B.";
    /// A swizzle that moves elements past the end of its layout.
    SwizzleLeaves, "RG009", "swizzle-past-end", Warning,
        "A swizzled layout must keep its elements below the cosize of the layout inside, by which arrays are made.";
    /// A swizzle of bits that are always 0.
    SwizzleIdle, "RG010", "swizzle-idle-bits", Note,
        "A swizzle reads bits that no offset of its layout has: it is wider than its layout, or does nothing.";
    /// A tensor that reaches past its array.
    SmallArray, "RG011", "tensor-past-array", Error,
        "A tensor in an array of shared memory must not reach past the end of the array.";
    /// An array with as many elements as a layout with gaps has coordinates.
    SizedArray, "RG012", "array-by-size", Warning,
        "An array of shared memory must have cosize elements, not size, where its layout has gaps.";
    /// A composition that CuTe accepts and whose result is another layout.
    Composed, "RG013", "composition-carries", Warning,
        "CuTe accepts some compositions whose result is not the outer layout after the inner one.";
    /// An alignment in bytes where bits are meant.
    AlignmentInBytes, "RG014", "alignment-in-bytes", Warning,
        "AutoVectorizingCopyWithAssumedAlignment takes an alignment in bits, and sizeof counts bytes.";
    /// Rows of an ldmatrix, or lanes of a copy, share banks.
    Banks, "RG015", "bank-conflicts", Note,
        "What an ldmatrix reads at a time, or a warp copies, lies in the same banks of shared memory.";
    /// A swizzle takes the elements of a vector apart.
    SwizzleSplits, "RG016", "swizzle-splits-vector", Warning,
        "A swizzle moves single elements of the vectors that the copy beside it moves as a whole: its M is too small.";
    /// Threads and values are not those of their tile.
    Partition, "RG017", "partition-off-tile", Warning,
        "The threads and values of a TiledCopy must reach every element of its tile, and no other.";
    /// Threads of a partition have gaps.
    LocalPartition, "RG018", "partition-threads", Warning,
        "The thread layout of a local_partition must be a bijection onto [0, number of threads).";
    /// An array begins where the copy engine cannot write.
    Misaligned, "RG019", "smem-alignment", Warning,
        "An array for a layout of the copy engine or wgmma with a swizzle must be aligned to 128 bytes.";
    /// Vectors of a copy that cannot all be aligned.
    Vectors, "RG020", "vector-alignment", Warning,
        "The vectors that a copy moves at once must lie at multiples of a vector from each other.";
    /// A Gluon layout that Triton refuses.
    GluonLayout, "RG021", "gluon-layout", Error,
        "A BlockedLayout, SwizzledSharedLayout or NVMMASharedLayout must have the ranks, orders and numbers that Triton asks for.";
    /// Bases of a Gluon layout that Triton refuses.
    GluonBases, "RG022", "gluon-bases", Error,
        "The bases of a SharedLinearLayout must reach every element once, those of a DistributedLinearLayout every element.";
    /// A swizzle that is not the one that is written.
    GluonSwizzle, "RG023", "gluon-swizzle", Warning,
        "vec, per_phase and max_phase of a SwizzledSharedLayout must be powers of two, or rows are swizzled by something else.";
    /// Slices for threads that a block cannot have.
    Launch, "RG024", "launch-threads", Error,
        "A tiled copy or MMA that is sliced by threadIdx.x must not have more threads than __launch_bounds__ allows.";
    /// Atoms of a tiled MMA have gaps.
    MmaThreads, "RG025", "tiled-mma-atoms", Warning,
        "The atom layout of a TiledMMA must be a bijection onto [0, number of atoms).";
    /// A tile of a tiled MMA that is no whole number of its atoms.
    MmaTile, "RG026", "tiled-mma-tile", Warning,
        "Along M, N and K the tile of a TiledMMA must be a whole number of its atoms.";
    /// A descriptor of the copy engine that the driver refuses.
    TmaLimits, "RG027", "tma-limits", Error,
        "The boxes, strides, element strides and sizes of cuTensorMapEncodeTiled must be within the limits of the copy engine.";
    /// Boxes of a strided copy that do not tile their tensor.
    TmaStrides, "RG028", "tma-strides", Warning,
        "An element stride must divide its box, or not be below it, where the tensor is larger than one box.";
    /// A swizzle of CuTe's DSL that moves nothing, though it is written with bits.
    SwizzleDropped, "RG029", "swizzle-dropped", Note,
        "CuTe DSL makes a swizzle that moves nothing of a make_swizzle(B, M, S) with |S| below B.";
    /// A tiled copy or MMA with more threads than its class.
    ClassThreads, "RG030", "class-threads", Note,
        "A tiled copy or MMA of a class must not have more threads than the class says with kNThreads or MaxThreadsPerBlock.";
    /// A block of a launch that has not the threads that its kernel slices for, or more than it may.
    BlockThreads, "RG031", "launch-block", Error,
        "The block of a launch must have the threads for which its kernel slices tiled copies and MMAs, and no more than __launch_bounds__ or a device allows.";
    /// A block of a launch with threads that no slice is for.
    BlockBeyond, "RG032", "launch-beyond-slices", Warning,
        "The block of a launch must not have more threads than its kernel slices a tiled copy or MMA for, where all of them go on.";
    /// Arrays that begin where their swizzles may not.
    SwizzleBase, "RG033", "swizzle-base", Note,
        "An array for a layout with a swizzle of bytes should begin at a multiple of the bytes after which the swizzle repeats, if wgmma reads it.";
    /// A launch with more dynamic shared memory than its kernel is allowed.
    LaunchShared, "RG034", "launch-shared", Warning,
        "A launch with more than 48 KiB of dynamic shared memory needs a kernel that cudaFuncSetAttribute allows as much.";
    /// A kernel with more static shared memory than any may have.
    StaticShared, "RG035", "static-shared", Error,
        "The __shared__ variables of a kernel must not take more than 48 KiB together: what is larger must be dynamic.";
    /// A tile that does not divide the tensor that it partitions.
    Divided, "RG036", "partition-remainder", Warning,
        "A tile of constants must divide the tensor of constants that partition_* or local_tile divides by it.";
    /// A comment for this auditor that does nothing.
    Directive, "RG901", "useless-directive", Note,
        "A comment `razorgirl: allow(…)` must name rules and give a reason, and a finding must be there that it allows.";
}

impl Code {
    /// The code as printed.
    pub const fn id(self) -> &'static str {
        self.rule().id
    }

    /// A name for machines.
    pub const fn name(self) -> &'static str {
        self.rule().name
    }

    /// What the check looks for, in one sentence.
    pub const fn summary(self) -> &'static str {
        self.rule().summary
    }

    /// How bad it is, unless the user says otherwise.
    pub const fn severity(self) -> Severity {
        self.rule().severity
    }

    /// What the check looks for, why, and what to do: a page in Markdown.
    pub const fn page(self) -> &'static str {
        self.rule().page
    }

    /// The rule of an id or a name.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.id().eq_ignore_ascii_case(word) || code.name() == word)
    }
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_found_by_its_id_and_its_name_and_has_its_page() {
        for code in Code::ALL {
            assert_eq!((Code::of(code.id()), Code::of(code.name())), (Some(code), Some(code)));
            let title = format!("# {} {} ({})\n", code.id(), code.name(), code.severity().word());
            assert!(code.page().starts_with(&title), "{title}");
        }
        assert!(Code::ALL.map(Code::id).is_sorted());
        assert_eq!(Code::of("RG000"), None);
    }
}

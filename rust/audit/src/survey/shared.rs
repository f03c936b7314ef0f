//! Shared memory and what is put into it: swizzles, swizzled layouts, arrays, and compositions of layouts.
//!
//! A [`Spot`] is a place in the text that a check may have something to say about. What stands there is worked out once, or in a
//! template once for each way in which the code base instantiates it.

use razorgirl::{Layout, Swizzle, SwizzledLayout};

use super::copied::Extent;
use super::divided::{Divided, Division};
use super::pairs::Access;
use super::statics::Statics;
use super::storage::{self, Apart};
use super::templates::holds;
use super::tma::Encoded;
use super::{TiledCopy, copied, refused, tiled, vector};
use crate::ast::{DeclId, DeclKind, Expr, ExprId, ScopeId, Site};
use crate::eval::{
    Answer, Context, Evaluator, Instances, Program, Reason, Resolved, Swizzled, TiledMma, Unresolved, Value, layout_of,
    swizzle_of,
};

/// A place that a check may have something to say about.
#[derive(Debug, Clone)]
pub struct Spot {
    /// The expression.
    pub site: Site,
    /// What is declared there, if it is the whole of a declaration.
    pub name: Option<Site>,
    /// The declaration around it.
    pub around: Site,
    /// Where names are looked up.
    pub scope: ScopeId,
    pub(super) what: What,
    /// Whether it hangs on template parameters.
    pub(super) hangs: bool,
    /// Whether it hangs on declarations that differ, as on the sides of an `#if`.
    pub(super) differs: bool,
    /// What stands there, and for which values of template parameters.
    pub facts: Vec<(Fact, String)>,
    /// The same for launches of the kernel, and calls of the function, that it stands in, with the places of those.
    pub launched: Vec<(Fact, String, Vec<By>)>,
    /// What stands there in one of several ways, of which nobody knows which it is: each must be wrong.
    pub ways: Vec<Ways>,
}

/// What stands at a place on each side of some `#if`s, or for each kernel that a launch may mean.
#[derive(Debug, Clone)]
pub struct Ways {
    /// The facts of each way.
    pub each: Vec<Vec<Fact>>,
    /// For which values of template parameters.
    pub holds: String,
    /// The places of launches and calls.
    pub by: Vec<By>,
}

/// A launch or a call that gives what a fact hangs on, and what is said of it.
pub type By = (Site, &'static str);

/// What an expression looks like, before anything is worked out.
#[derive(Debug, Clone, Copy)]
pub(super) enum What {
    /// `Swizzle<B,M,S>`.
    Swizzle(ExprId),
    /// What a declaration says is a layout with a swizzle.
    Swizzled(ExprId),
    /// `make_tensor(make_smem_ptr(storage), layout)`, or of a shape and a stride: the storage and the call.
    Tensor(ExprId, ExprId),
    /// The same, for where its array begins.
    Placed(ExprId, ExprId),
    /// `make_tensor(pointer, shape, stride)`, which makes a layout without its name.
    Laid(ExprId),
    /// `size(layout)` as the extent of an array.
    Sized(ExprId),
    /// `composition(outer, inner)`.
    Composition(ExprId, ExprId),
    /// `AutoVectorizingCopyWithAssumedAlignment<sizeof(T)>`, or of a constant or a product that counts bytes as well.
    Alignment,
    /// `AutoVectorizingCopyWithAssumedAlignment<N>` of something that is worked out.
    Bits(ExprId),
    /// `array_aligned<T, cosize_v<Layout>, bytes>`, by its layout and its alignment.
    Aligned(ExprId, Option<ExprId>),
    /// `logical_divide(outer, tiler)` and its kin.
    Divide(ExprId, ExprId),
    /// A layout, and the copy that belongs to it.
    Pair(ExprId, ExprId),
    /// `TiledCopy<Atom, LayoutTV, Tiler>`.
    Partition(ExprId, ExprId),
    /// `local_partition(tensor, threads, index)`, the tensor where it is partitioned in all modes.
    Local(Option<ExprId>, ExprId, ExprId),
    /// `tiled.get_slice(index)`.
    Slice(ExprId, ExprId),
    /// `slice.partition_S(tensor)`: the slice, the tensor and the call.
    Vectors(ExprId, ExprId, ExprId),
    /// A tensor that a tile divides.
    Divided(Division),
    /// `TiledMMA<…>` or `make_tiled_mma(…)`.
    Mma(ExprId),
    /// `cuTensorMapEncodeTiled(…)`.
    Encode(ExprId),
    /// A tiled copy or MMA of a class, and its `kNThreads`.
    Counted(ExprId, ExprId),
    /// A launch of a kernel.
    Start,
    /// A kernel with static shared memory.
    Statics,
    /// Arrays of a class.
    Arrays(DeclId),
    /// `make_tiled_copy(atom, threads, values)`, or `make_layout_tv(threads, values)`.
    Made(Option<ExprId>, ExprId, ExprId),
}

/// What stands at a place.
#[derive(Debug, Clone)]
pub enum Fact {
    /// A swizzle.
    Swizzle(Swizzle),
    /// A layout with a swizzle, in elements.
    Swizzled(SwizzledLayout),
    /// A layout that nothing names, or the modes that are known of one.
    Laid(Layout),
    /// A tensor in an array of so many elements, which is declared there.
    Tensor {
        /// Elements of the array.
        extent: u64,
        /// At which of them the tensor begins.
        begin: u64,
        /// Where the array is declared.
        array: Site,
        /// Whether it is part of a class that has others behind it.
        behind: bool,
        /// Whether it is the tensor with the rest of its last tiles.
        rounded: bool,
        /// What the tensor needs and what the array has, with types and bytes, where their elements are of two types.
        bytes: Option<(String, String)>,
        /// Where elements of the tensor lie in it.
        layout: SwizzledLayout,
    },
    /// A tensor in dynamic shared memory, of which a launch gives some bytes.
    Dynamic {
        /// Where its elements lie.
        layout: SwizzledLayout,
        /// At which element it begins, at least.
        begin: u64,
        /// Bits of an element.
        bits: u64,
        /// What the launch gives.
        bytes: u64,
    },
    /// A tensor whose swizzle is one of bytes, at the beginning of an array.
    Placed {
        /// The layout.
        layout: SwizzledLayout,
        /// After how many bytes the swizzle repeats.
        period: u64,
        /// The declaration of the array.
        array: Site,
    },
    /// An array with as many elements as this layout has coordinates.
    Sized(SwizzledLayout),
    /// The same, where it surely is one of shared memory.
    Ranged(SwizzledLayout),
    /// A layout with a swizzle, in an array with room for all that it moves.
    Idle(SwizzledLayout),
    /// An array with as many elements as `cosize` counts of a layout with a swizzle of elements.
    Spanned(SwizzledLayout),
    /// An array for a layout whose swizzle is one of bytes, and the bytes to which it is surely aligned.
    Based {
        /// The layout.
        layout: SwizzledLayout,
        /// Bytes.
        bytes: u64,
        /// After how many bytes the swizzle repeats.
        period: u64,
        /// The declaration of the array.
        array: Site,
    },
    /// Pairs of layouts, the second put into the first: one pair, or one for each mode of a tiler.
    Composition(Vec<(Layout, Layout)>),
    /// An alignment in bytes, where bits are asked for; how many and where they are counted, if it is not said in place.
    Alignment(Option<(u64, Site)>),
    /// An alignment that counts nothing else than bits as far as is known.
    Bits,
    /// An array for a layout whose swizzle is one of bytes, and the alignment that its type says.
    Aligned {
        /// The layout.
        layout: SwizzledLayout,
        /// Bytes.
        bytes: Option<u64>,
        /// After how many bytes the swizzle repeats.
        period: u64,
        /// The alignment that its declaration computes.
        computed: Option<u64>,
    },
    /// Two arrays of one class for such layouts, at a distance that is no multiple of what both swizzles repeat after.
    Apart(Apart),
    /// A layout and the copy that goes over it, with the bits of an element.
    Accessed {
        /// The layout.
        layout: SwizzledLayout,
        /// The copy.
        access: Access,
        /// Bits of an element.
        bits: u64,
        /// Whether the copy is made, as the names of the two say or as it stands in a function.
        copied: bool,
    },
    /// Threads and values, and how many elements the tile has that they partition.
    Partition {
        /// (thread, value) to element.
        layout: Layout,
        /// Elements of the tile.
        tile: u64,
    },
    /// A layout with which a tensor is composed, and the layout of the tensor.
    Reaches {
        /// What the tensor is composed with.
        layout: Layout,
        /// The tensor's own layout, without a swizzle.
        tensor: Layout,
    },
    /// Threads by which a tensor is partitioned, and the layout of the tensor where it is known.
    Threads(Layout, Option<Layout>),
    /// A tiled copy or MMA of so many threads, of which each thread of a block takes its own slice, and the most threads that the block
    /// may have.
    Launch {
        /// Threads of the tiled copy or MMA.
        threads: u64,
        /// The bound of `__launch_bounds__`.
        bound: u64,
        /// Where that stands.
        at: Site,
    },
    /// Vectors that a tiled copy moves between registers and a tensor.
    Vectors(Vectors),
    /// A tensor and the tile that divides it.
    Divided(Divided),
    /// A tiled MMA.
    Mma(TiledMma),
    /// A descriptor of the copy engine.
    Encoded(Encoded),
    /// A tiled copy.
    Made(Box<TiledCopy>),
    /// A tiled copy or MMA of a class that says how many threads it has.
    Counted {
        /// Threads of the tiled copy or MMA.
        threads: u64,
        /// What the class says.
        count: u64,
        /// Where it says so.
        at: Site,
    },
    /// The block of a launch, against what the kernel takes it for.
    Started(Started),
    /// Dynamic shared memory of which a launch wants more than every kernel may have.
    Asked {
        /// How much.
        bytes: u64,
        /// Whether it may be more.
        least: bool,
        /// Whether something may allow the kernel more.
        allowed: bool,
    },
    /// Static shared memory of a kernel, more than any may have.
    Static(Statics),
}

impl Fact {
    /// Whether a rule may say something of it, whatever else is known of the place.
    pub(super) fn is_of_itself(&self) -> bool {
        match self {
            Self::Counted { .. }
            | Self::Dynamic { .. }
            | Self::Encoded(_)
            | Self::Launch { .. }
            | Self::Made(_)
            | Self::Mma(_)
            | Self::Started(_)
            | Self::Static(_)
            | Self::Swizzle(_)
            | Self::Asked { .. } => true,
            Self::Tensor { behind, .. } => !behind,
            _ => false,
        }
    }
}

/// The block of a launch, and how many threads the kernel has work for.
#[derive(Debug, Clone, Copy)]
pub struct Started {
    /// Threads of a block along x, y and z.
    pub block: [u64; 3],
    /// Threads of what is sliced by `threadIdx.x`, or the bound of `__launch_bounds__`.
    pub threads: u64,
    /// Whether it is a bound.
    pub bound: bool,
    /// Whether nothing in the kernel may hold threads back.
    pub all: bool,
    /// Whether the threads of a block in rows are numbered through: then they count as one row.
    pub rows: bool,
    /// Where the kernel says so.
    pub at: Site,
}

/// A tensor that a tiled copy partitions.
#[derive(Debug, Clone)]
pub struct Vectors {
    /// Where elements of the tensor lie.
    pub tensor: SwizzledLayout,
    /// (thread, value) to the element of the tile, counted column-major.
    pub copy: Layout,
    /// The extents of the tile.
    pub tile: Vec<u64>,
    /// Bits of a vector.
    pub vector: u64,
    /// Bits of an element.
    pub bits: u64,
    /// Whether fewer bits are moved where fewer lie together.
    pub most: bool,
    /// Whether the tensor is shared memory by its pointer: `make_smem_ptr(…)`.
    pub shared: bool,
    /// How much of it is copied so.
    pub copied: Extent,
    /// Whether vectors that do not lie together, or are not aligned, are split.
    pub splits: bool,
    /// The strides along which blocks take their slices of the tensor: `tensor(_, _, blockIdx.x)`.
    pub steps: Vec<u64>,
}

/// Templates of arrays, whose second argument is the number of elements.
pub(super) const ARRAYS: [&str; 6] =
    ["AlignedArray", "Array", "ArrayEngine", "aligned_array", "array", "array_aligned"];

impl What {
    /// What else a place is looked at for.
    pub(super) fn placed(self) -> Option<Self> {
        match self {
            Self::Tensor(storage, call) => Some(Self::Placed(storage, call)),
            Self::Vectors(slice, tensor, call) => Some(Self::Divided(Division::Copy(slice, tensor, call))),
            _ => None,
        }
    }

    pub(super) fn kind(self) -> u8 {
        match self {
            Self::Swizzle(_) => 0,
            Self::Swizzled(_) => 1,
            Self::Tensor(..) => 2,
            Self::Sized(_) => 3,
            Self::Composition(..) => 4,
            Self::Alignment => 5,
            Self::Divide(..) => 6,
            Self::Pair(..) => 7,
            Self::Partition(..) => 8,
            Self::Local(..) => 9,
            Self::Aligned(..) => 10,
            Self::Slice(..) => 11,
            Self::Vectors(..) => 12,
            Self::Mma(_) => 13,
            Self::Encode(_) => 14,
            Self::Counted(..) => 15,
            Self::Start => 16,
            Self::Arrays(_) => 17,
            Self::Made(..) => 18,
            Self::Bits(_) => 19,
            Self::Placed(..) => 20,
            Self::Laid(_) => 21,
            Self::Statics => 22,
            Self::Divided(_) => 23,
        }
    }
}

impl Spot {
    /// A place of which all is known that is.
    pub fn known(site: Site, name: Option<Site>) -> Self {
        Self { name, ..Self::of_launch(site, ScopeId(0)) }
    }

    /// A launch of a kernel.
    pub(super) fn of_launch(site: Site, scope: ScopeId) -> Self {
        let (facts, launched, ways) = (Vec::new(), Vec::new(), Vec::new());
        let (hangs, differs) = (false, false);
        Self { site, name: None, around: site, scope, what: What::Start, hangs, differs, facts, launched, ways }
    }

    /// The same place, of which nothing is known yet.
    pub(super) fn bare(&self) -> Self {
        let (facts, launched, ways) = (Vec::new(), Vec::new(), Vec::new());
        Self { facts, launched, ways, ..*self }
    }

    /// Whether another is for the same place, or it is a layout and none of shared memory, or a kernel.
    pub fn is_uncounted(&self) -> bool {
        matches!(self.what, What::Placed(..) | What::Laid(_) | What::Statics | What::Divided(_))
    }

    /// The words of the layout of which it is the size, where it is an extent.
    pub(crate) fn sized_by<'p>(&self, program: &'p Program<'_>) -> Option<&'p str> {
        let What::Sized(layout) = self.what else { return None };
        let unit = self.site.unit;
        Some(program.text(Site { unit, span: program.unit(unit).span(layout) }))
    }

    /// Whether it is a launch of which something is known.
    pub fn is_launch(&self) -> bool {
        matches!(self.what, What::Start)
    }

    /// Works out what stands there, outside of any instance.
    pub fn look<'a>(&mut self, program: &'a Program<'a>, evaluator: &mut Evaluator<'a>) {
        let context = Context { unit: self.site.unit, scope: self.scope, env: None };
        let what = self.what;
        let (fact, differs) = evaluator.surely(|evaluator| (Looker { program, evaluator }).fact(what, &context));
        match fact {
            Some(Ok(fact)) => self.facts.extend(fact.map(|fact| (fact, String::new()))),
            Some(Err(why)) => self.hangs = why.reason == Reason::Dependent,
            None => {}
        }
        self.differs = differs && self.facts.is_empty();
        // The threads of a tiled copy are known before its element is.
        if let (What::Made(Some(_), threads, values), true) = (self.what, self.hangs) {
            let bare = (Looker { program, evaluator }).fact(What::Made(None, threads, values), &context);
            self.facts.extend(bare.ok().flatten().map(|fact| (fact, String::new())));
        }
    }

    /// What stands there with some values.
    pub(super) fn fact<'a>(
        &self,
        program: &'a Program<'a>,
        evaluator: &mut Evaluator<'a>,
        context: &Context<'a>,
    ) -> Option<Fact> {
        (Looker { program, evaluator }).fact(self.what, context).ok().flatten()
    }

    /// Works out what stands there in each instance of the templates around it.
    pub fn instantiate<'a>(
        &mut self,
        program: &'a Program<'a>,
        evaluator: &mut Evaluator<'a>,
        instances: &mut Instances<'a>,
        looks: usize,
    ) {
        if !self.hangs && !self.differs {
            return;
        }
        let what = self.what;
        let ask = |evaluator: &mut Evaluator<'a>, context: &Context<'a>| {
            let (fact, differs) = evaluator.surely(|evaluator| (Looker { program, evaluator }).fact(what, context));
            let mut all = vec![fact.unwrap_or(Ok(None))];
            if differs && !matches!(all.as_slice(), [Ok(Some(_))]) {
                // Where one says nothing, they do not all say something; but of what that hangs on.
                let mut first = None;
                all.extend(evaluator.each_way(|evaluator| {
                    let fact = (Looker { program, evaluator }).fact(what, context);
                    let hangs = fact.as_ref().err().filter(|why| why.reason == Reason::Dependent).copied();
                    first = first.or(hangs);
                    let matters = matches!(fact, Ok(Some(_)));
                    (fact, matters)
                }));
                all.extend(first.map(Err));
            }
            let dependent = |fact: &Resolved<Option<Fact>>| {
                fact.as_ref().err().filter(|why| why.reason == Reason::Dependent).map(|why| why.site)
            };
            let needs = all.iter().filter_map(dependent).collect();
            (all, needs)
        };
        let Some(answers) = instances.answers(evaluator, (self.site.unit, self.scope), looks, ask) else { return };
        (self.hangs, self.differs) = (false, false);
        // Values that are only tried may meet in no instance at all.
        for Answer { env, value: mut all } in answers.each {
            let each = all.split_off(all.len().min(1));
            let instance = env.as_ref().is_some_and(|frame| !frame.tried);
            if let (Some(Ok(Some(fact))), true) = (all.pop(), instance) {
                self.facts.push((fact, holds(program, &env)));
                continue;
            }
            // What hangs on no parameter is what it is without any.
            let each: Option<Vec<Vec<Fact>>> = each.into_iter().map(|fact| Some(vec![fact.ok()??])).collect();
            if let Some(each) = each.filter(|each| each.len() > 1 && (instance || env.is_none())) {
                self.ways.push(Ways { each, holds: holds(program, &env), by: Vec::new() });
            }
        }
    }

    /// Where the templates around it are found.
    pub fn hanging(&self) -> Option<(u32, ScopeId)> {
        (self.hangs || self.differs).then_some((self.site.unit, self.scope))
    }
}

pub(super) struct Looker<'e, 'a> {
    pub(super) program: &'a Program<'a>,
    pub(super) evaluator: &'e mut Evaluator<'a>,
}

impl<'a> Looker<'_, 'a> {
    pub(super) fn fact(&mut self, what: What, context: &Context<'a>) -> Resolved<Option<Fact>> {
        Ok(match what {
            What::Swizzle(expr) => {
                let value = self.known(expr, context)?;
                swizzle_of(&value).map(Fact::Swizzle)
            }
            What::Swizzled(expr) => {
                let value = self.known(expr, context)?;
                Swizzled::of(&value).and_then(|swizzled| swizzled.core()).map(Fact::Swizzled)
            }
            What::Sized(expr) => self.stored(expr, context)?.map(Fact::Sized),
            What::Laid(call) => self.laid(call, context)?.map(Fact::Laid),
            What::Tensor(_, at) | What::Encode(at)
                if self.is_dead(self.program.unit(context.unit).span(at), context)? =>
            {
                None
            }
            What::Tensor(storage, call) => {
                let Some(layout) = layout_of(&self.known(call, context)?).and_then(tiled::in_memory) else {
                    return Ok(None);
                };
                let Some((storage, begin)) = self.begin(storage, context)? else { return Ok(None) };
                let found = self.storage(storage, context)?;
                found.map(|(extent, array, behind)| {
                    let rounded = false;
                    Fact::Tensor { extent, begin, array, behind, rounded, bytes: None, layout }
                })
            }
            What::Composition(outer, inner) => self.composition(outer, inner, context)?,
            What::Divide(outer, tiler) => self.division(outer, tiler, context)?,
            What::Pair(layout, copy) => {
                let Some((access, bits)) = copied(&self.known(copy, context)?) else { return Ok(None) };
                self.stored(layout, context)?.map(|layout| Fact::Accessed { layout, access, bits, copied: true })
            }
            What::Partition(layout, tiler) => {
                let Some(layout) = self.layout(layout, context)? else { return Ok(None) };
                tile(&self.known(tiler, context)?).map(|tile| Fact::Partition { layout, tile })
            }
            What::Local(_, _, index) if self.is_made(index, context) => None,
            What::Local(tensor, threads, _) => {
                let Some(threads) = self.layout(threads, context)? else { return Ok(None) };
                // What is not known of the tensor is no obstacle to what is known of the threads.
                let tensor = tensor.and_then(|tensor| self.tensor(tensor, context).ok().flatten());
                Some(Fact::Threads(threads, tensor))
            }
            What::Aligned(of, bytes) => {
                let bytes = match bytes.map(|bytes| self.known(bytes, context)).transpose()? {
                    None => None,
                    Some(Value::Number(number)) => u64::try_from(number.value).ok(),
                    Some(_) => return Ok(None),
                };
                let swizzled = Swizzled::of(&self.known(of, context)?);
                let Some(swizzled) = swizzled.filter(|swizzled| swizzled.swizzle.bits() > 0) else { return Ok(None) };
                // Only what is swizzled by address is aligned for it: a swizzle of elements is nobody's but the kernel's.
                if swizzled.bits.is_none() {
                    return Ok(swizzled.core().map(Fact::Spanned));
                }
                let Some((layout, period)) = swizzled.core().zip(storage::period(swizzled.swizzle)) else {
                    return Ok(None);
                };
                let computed = self.computed_alignment(self.program.unit(context.unit).span(of), context)?;
                Some(Fact::Aligned { layout, bytes, period, computed })
            }
            What::Made(atom, threads, values) => {
                let (threads, values) = (self.known(threads, context)?, self.known(values, context)?);
                let (Value::Layout(threads), Value::Layout(values)) = (threads, values) else { return Ok(None) };
                // What is not known of the atom is no obstacle to what is known of the threads.
                let atom = match atom.map(|atom| self.object(atom, context)).transpose() {
                    Err(why) if why.reason == Reason::Dependent => return Err(why),
                    atom => atom.ok().flatten(),
                };
                let vector = atom.and_then(|atom| vector(&atom));
                let (threads, values) = ((*threads).clone(), (*values).clone());
                Some(Fact::Made(Box::new(TiledCopy { site: threads.site, threads, values, vector })))
            }
            What::Placed(storage, call) => self.placed(storage, call, context)?,
            What::Alignment => Some(Fact::Alignment(None)),
            What::Bits(bits) => self.counted_bytes(bits, context)?,
            What::Slice(tiled, index) => self.launch(tiled, index, context)?,
            What::Vectors(slice, tensor, partition) => {
                if !self.gets_to(self.program.unit(context.unit).span(partition), context) {
                    return Ok(None);
                }
                match self.matrices(slice, tensor, context)? {
                    Some(Fact::Accessed { layout, access, bits, .. }) => {
                        let copied = self.copied(slice, partition, context) > Extent::None;
                        Some(Fact::Accessed { layout, access, bits, copied })
                    }
                    _ => self.vectors(slice, tensor, partition, context)?.map(Fact::Vectors),
                }
            }
            What::Divided(of) => self.divided(of, context)?,
            What::Counted(tiled, count) => self.counted(tiled, count, context)?,
            What::Encode(call) => {
                let unit = self.program.unit(context.unit);
                let file = self.program.sources().get(unit.file).map_or("", |source| source.text.as_str());
                if refused::is_stated(file, unit.span(call).start as usize) {
                    return Ok(None);
                }
                self.encoded(call, context)?.map(Fact::Encoded)
            }
            What::Arrays(class) => self.apart(class, context)?.map(Fact::Apart),
            What::Statics => self.statics(context)?,
            // What is known of a launch is told where it is followed.
            What::Start => None,
            What::Mma(mma) => TiledMma::of(&self.known(mma, context)?).map(Fact::Mma),
        })
    }

    /// The value of an expression, without template parameters that have none.
    pub(super) fn known(&mut self, expr: ExprId, context: &Context<'a>) -> Resolved<Value<'a>> {
        let value = self.evaluator.evaluate(expr, context)?;
        if value.is_dependent() {
            let span = self.program.unit(context.unit).span(expr);
            return Err(Unresolved { reason: Reason::Dependent, site: Site { unit: context.unit, span } });
        }
        Ok(value)
    }

    pub(super) fn layout(&mut self, expr: ExprId, context: &Context<'a>) -> Resolved<Option<Layout>> {
        Ok(match self.known(expr, context)? {
            Value::Layout(layout) => Layout::new(&layout.shape.tuple, &layout.stride.tuple).ok(),
            _ => None,
        })
    }

    /// A layout with or without a swizzle.
    pub(super) fn stored(&mut self, expr: ExprId, context: &Context<'a>) -> Resolved<Option<SwizzledLayout>> {
        Ok(tiled::in_memory(&self.known(expr, context)?))
    }

    /// The layout of a variable that is made by `make_tensor(pointer, layout)`, its swizzle left aside.
    fn tensor(&mut self, expr: ExprId, context: &Context<'a>) -> Resolved<Option<Layout>> {
        let Some((decl, context)) = self.declared(expr, context)? else { return Ok(None) };
        let DeclKind::Variable { init: Some(init), .. } = self.program.decl(decl).kind else { return Ok(None) };
        let unit = self.program.unit(context.unit);
        let Expr::Call(callee, args) = unit.expr(init) else { return Ok(None) };
        let (Expr::Path(path), [_, layout]) = (unit.expr(*callee), args.as_slice()) else { return Ok(None) };
        let name = path.segments.last().map(|part| Site { unit: context.unit, span: part.name });
        if name.is_none_or(|name| self.program.text(name) != "make_tensor") {
            return Ok(None);
        }
        Ok(self.stored(*layout, &context)?.map(|stored| stored.layout().clone()))
    }
}

/// The elements of a tile of integers and layouts; none where a mode is kept as it is.
fn tile(tiler: &Value<'_>) -> Option<u64> {
    match tiler {
        Value::Number(number) => u64::try_from(number.value).ok().filter(|extent| *extent > 0),
        Value::Tuple(modes) => modes.items.iter().try_fold(1_u64, |size, mode| size.checked_mul(tile(mode)?)),
        Value::Layout(layout) => {
            Layout::new(&layout.shape.tuple, &layout.stride.tuple).ok().map(|layout| layout.size())
        }
        _ => None,
    }
}

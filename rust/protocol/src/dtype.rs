//! The types of elements, by their names in CUDA, CUTLASS, JAX, `PyTorch` and Triton.

use razorgirl::tma::DataType;

use crate::code::{Code, Refusal};
use crate::near::{SHOWN, near};

/// The type of an element.
#[derive(Debug, PartialEq, Eq)]
pub struct ElementType {
    /// Its short name.
    pub name: &'static str,
    /// Bits of an element.
    pub bits: u64,
    /// The type of a tensor map for such elements: bytes for those that a tensor map has no type of its own for.
    pub tensor_map: Option<DataType>,
    /// Other names, without case and without the module in front.
    aliases: &'static [&'static str],
}

const fn of(
    name: &'static str,
    bits: u64,
    tensor_map: Option<DataType>,
    aliases: &'static [&'static str],
) -> ElementType {
    ElementType { name, bits, tensor_map, aliases }
}

const U8: Option<DataType> = Some(DataType::U8);
const U16: Option<DataType> = Some(DataType::U16);

impl ElementType {
    /// Every type.
    pub const ALL: [Self; 31] = [
        of("f64", 64, Some(DataType::F64), &["double", "float64", "fp64"]),
        of("f32", 32, Some(DataType::F32), &["float", "float32", "fp32"]),
        of("tf32", 32, Some(DataType::Tf32), &["tfloat32", "tfloat32_t"]),
        of("f16", 16, Some(DataType::F16), &["half", "float16", "fp16", "half_t", "__half", "nv_half"]),
        of("bf16", 16, Some(DataType::Bf16), &["bfloat16", "bfloat16_t", "__nv_bfloat16", "nv_bfloat16"]),
        // CUTLASS and PyTorch make tensor maps of bytes for 8-bit floats
        of("f8", 8, U8, &["fp8", "float8"]),
        of(
            "e4m3",
            8,
            U8,
            &[
                "e4m3fn",
                "f8e4m3",
                "f8e4m3fn",
                "fp8e4m3",
                "fp8_e4m3",
                "fp8e4nv",
                "float8e4nv",
                "float8_e4m3",
                "float8_e4m3fn",
                "float8e4m3",
                "float8e4m3fn",
                "float_e4m3_t",
                "__nv_fp8_e4m3",
            ],
        ),
        of("e4m3fnuz", 8, U8, &["f8e4m3fnuz", "fp8e4b8", "float8e4b8", "float8_e4m3fnuz", "float8e4m3fnuz"]),
        of("e4m3b11fnuz", 8, U8, &["f8e4m3b11fnuz", "fp8e4b15", "float8e4b15", "float8_e4m3b11fnuz"]),
        of(
            "e5m2",
            8,
            U8,
            &[
                "f8e5m2",
                "fp8e5m2",
                "fp8_e5m2",
                "fp8e5",
                "float8e5",
                "float8_e5m2",
                "float8e5m2",
                "float_e5m2_t",
                "__nv_fp8_e5m2",
            ],
        ),
        of("e5m2fnuz", 8, U8, &["f8e5m2fnuz", "fp8e5b16", "float8e5b16", "float8_e5m2fnuz", "float8e5m2fnuz"]),
        of("e8m0", 8, U8, &["ue8m0", "f8e8m0fnu", "float8_e8m0fnu", "float8e8m0fnu", "float_ue8m0_t", "__nv_fp8_e8m0"]),
        of("e3m2", 6, None, &["float6_e3m2fn", "float6e3m2fn", "float_e3m2_t", "__nv_fp6_e3m2"]),
        of("e2m3", 6, None, &["float6_e2m3fn", "float6e2m3fn", "float_e2m3_t", "__nv_fp6_e2m3"]),
        of("e2m1", 4, None, &["f4", "fp4", "float4_e2m1fn", "float4e2m1fn", "float_e2m1_t", "__nv_fp4_e2m1"]),
        of("i64", 64, Some(DataType::I64), &["s64", "int64", "int64_t", "long long"]),
        of("i32", 32, Some(DataType::I32), &["s32", "int32", "int32_t", "int"]),
        of("i16", 16, U16, &["s16", "int16", "int16_t", "short"]),
        of("i8", 8, U8, &["s8", "int8", "int8_t", "char"]),
        of("i4", 4, None, &["s4", "int4", "int4_t", "int4b_t"]),
        of("u64", 64, Some(DataType::U64), &["uint64", "uint64_t", "size_t", "unsigned long long"]),
        of("u32", 32, Some(DataType::U32), &["uint32", "uint32_t", "uint", "unsigned", "unsigned int"]),
        of("u16", 16, U16, &["uint16", "uint16_t", "ushort", "unsigned short"]),
        of("u8", 8, U8, &["uint8", "uint8_t", "uchar", "byte", "unsigned char"]),
        of("u4", 4, None, &["uint4_t", "uint4b_t"]),
        of("bool", 8, U8, &["boolean", "bool_"]),
        of("b128", 128, None, &["i128", "s128", "u128", "f128", "int128", "uint128", "uint128_t", "float128"]),
        of("b64", 64, Some(DataType::U64), &[]),
        of("b32", 32, Some(DataType::U32), &[]),
        of("b16", 16, U16, &[]),
        of("b8", 8, U8, &[]),
    ];

    /// The type of this name: `f16`, `half`, `torch.float16`, `cutlass::half_t`.
    ///
    /// # Errors
    /// [`Code::Parse`] with the names near it, and with all of them.
    ///
    /// ```
    /// use razorgirl_protocol::ElementType;
    ///
    /// assert_eq!(ElementType::named("torch.float16")?.name, "f16");
    /// assert!(ElementType::named("haf").unwrap_err().help[0].starts_with("near it: half"));
    /// # Ok::<(), razorgirl_protocol::Refusal>(())
    /// ```
    pub fn named(word: &str) -> Result<&'static Self, Refusal> {
        static ALL: [ElementType; 31] = ElementType::ALL;
        let plain = word.rsplit(['.', ':']).next().unwrap_or(word).trim().to_lowercase();
        ALL.iter().find(|own| own.names().any(|name| name == plain)).ok_or_else(|| {
            let shown: String = word.chars().take(SHOWN).collect();
            let refusal = Refusal::new(Code::Parse, format!("there is no element type `{shown}`"));
            let near = near(&plain, ALL.iter().flat_map(Self::names));
            let refusal =
                if near.is_empty() { refusal } else { refusal.with_help(format!("near it: {}", near.join(", "))) };
            let names: Vec<&str> = ALL.iter().map(|own| own.name).collect();
            refusal
                .with_help(format!("types: {}, or their names in CUDA, CUTLASS, PyTorch and Triton", names.join(", ")))
        })
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_that_of_one_type() {
        let mut names: Vec<&str> = ElementType::ALL.iter().flat_map(ElementType::names).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "two types have one name");
        for own in &ElementType::ALL {
            for name in own.names() {
                assert_eq!(ElementType::named(name), Ok(own), "{name}");
                assert_eq!(name, name.to_lowercase());
            }
            let bytes = own.tensor_map.map(|of| 8 * of.bytes());
            assert!(bytes.is_none_or(|bits| bits == own.bits), "{}", own.name);
        }
        for of in DataType::ALL {
            assert_eq!(ElementType::named(of.name()).map(|own| own.tensor_map), Ok(Some(of)));
        }
    }

    #[test]
    fn names_of_libraries_are_read() {
        let cases = [
            ("half", "f16"),
            ("torch.bfloat16", "bf16"),
            ("cutlass::half_t", "f16"),
            ("tl.float8e4nv", "e4m3"),
            ("tl.fp8e4nv", "e4m3"),
            ("cutlass.Float8E4M3FN", "e4m3"),
            ("torch.float8_e5m2", "e5m2"),
            ("INT8", "i8"),
            ("float", "f32"),
            ("jnp.float32", "f32"),
            ("s16", "i16"),
            ("unsigned char", "u8"),
            ("e4m3fn", "e4m3"),
            ("", ""),
            ("f12", ""),
            ("_", ""),
        ];
        for (word, name) in cases {
            let read = ElementType::named(word).map_or("", |own| own.name);
            assert_eq!(read, name, "{word}");
        }
    }

    #[test]
    fn another_name_gets_the_nearest_and_the_list() {
        let refusal = ElementType::named("bfloat").unwrap_err();
        assert_eq!(refusal.message, "there is no element type `bfloat`");
        assert!(refusal.help[0].starts_with("near it: float, bfloat16"), "{:?}", refusal.help);
        let far = ElementType::named(&"x".repeat(100_000)).unwrap_err();
        assert!(far.help.len() == 1 && far.help[0].contains("f64, f32") && far.to_string().len() < 100);
    }
}

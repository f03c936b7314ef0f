//! How large the types of C++, CUDA and CUTLASS are, by their names: in bits, as CUTLASS's `sizeof_bits` says it, on a machine of 64 bits.

/// Types by name and their bits, but for CUDA's vectors.
const BITS: [(&str, u64); 58] = [
    ("__half", 16),
    ("__nv_bfloat16", 16),
    ("__nv_fp8_e4m3", 8),
    ("__nv_fp8_e5m2", 8),
    ("bf16", 16),
    ("bfloat16", 16),
    ("bfloat16_t", 16),
    ("bin1_t", 1),
    ("bool", 8),
    ("char", 8),
    ("double", 64),
    ("float", 32),
    ("float_e2m1_t", 4),
    ("float_e2m3_t", 6),
    ("float_e3m2_t", 6),
    ("float_e4m3_t", 8),
    ("float_e5m2_t", 8),
    ("float_ue4m3_t", 8),
    ("float_ue8m0_t", 8),
    ("fp16", 16),
    ("fp32", 32),
    ("half", 16),
    ("half_t", 16),
    ("int", 32),
    ("int16_t", 16),
    ("int2_t", 2),
    ("int2b_t", 2),
    ("int32_t", 32),
    ("int3b_t", 3),
    ("int4_t", 4),
    ("int4b_t", 4),
    ("int64_t", 64),
    ("int6b_t", 6),
    ("int8_t", 8),
    ("nv_bfloat16", 16),
    ("nv_half", 16),
    ("short", 16),
    ("size_t", 64),
    ("tfloat32_t", 32),
    ("type_erased_dynamic_float4_t", 4),
    ("type_erased_dynamic_float6_t", 6),
    ("type_erased_dynamic_float8_t", 8),
    ("uint128_t", 128),
    ("uint16_t", 16),
    ("uint1_t", 1),
    ("uint1b_t", 1),
    ("uint256_t", 256),
    ("uint2_t", 2),
    ("uint2b_t", 2),
    ("uint32_t", 32),
    ("uint3b_t", 3),
    ("uint4_t", 4),
    ("uint4b_t", 4),
    ("uint64_t", 64),
    ("uint6_t", 6),
    ("uint6b_t", 6),
    ("uint8_t", 8),
    ("unsigned", 32),
];

/// The bits of an element of a type, of which several may share a byte.
pub fn bits(name: &str) -> Option<u64> {
    let at = BITS.binary_search_by_key(&name, |(name, _)| name).ok();
    at.and_then(|at| BITS.get(at)).map(|(_, bits)| *bits).or_else(|| vector(name))
}

/// The bits of one of CUDA's vector types, which have two or four of an element each: `uint4`, `float2`, `half2`.
fn vector(name: &str) -> Option<u64> {
    if matches!(name, "half2" | "__half2" | "nv_bfloat162" | "__nv_bfloat162") {
        return Some(32);
    }
    let (element, count) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let bits = match element {
        "char" | "uchar" => 8,
        "short" | "ushort" => 16,
        "int" | "uint" | "float" => 32,
        "longlong" | "ulonglong" | "double" => 64,
        _ => return None,
    };
    match count {
        "2" => Some(bits * 2),
        "4" => Some(bits * 4),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_in_order() {
        assert!(BITS.is_sorted());
        assert_eq!(
            ["half", "float4", "int4_t", "ulonglong2", "mine"].map(bits),
            [Some(16), Some(128), Some(4), Some(128), None]
        );
    }
}

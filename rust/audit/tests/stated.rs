//! What is meant: tests that state a refusal, indices that are made for strides with gaps, and elements that are looked at before they are used.

use crate::common;

use common::codes;
use razorgirl_audit::finding::Code;

#[test]
fn a_refusal_that_a_test_states_is_meant() {
    let encode = "cuTensorMapEncodeTiled(&m, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, nullptr, sizes, strides, box, es,
        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)";
    let test = |stated: &str| {
        format!(
            "TEST(Tma, Box) {{ cuuint64_t sizes[2] = {{64, 4096}}; cuuint64_t strides[1] = {{128}}; cuuint32_t es[2] = {{1, 1}};
             cuuint32_t box[2] = {{64, 257}}; CUtensorMap m; {stated} }}"
        )
    };
    for stated in [
        format!("EXPECT_EQ(CUDA_ERROR_INVALID_VALUE, {encode});"),
        format!("CUresult r = {encode}; ASSERT_NE(r, CUDA_SUCCESS);"),
        format!("REQUIRE({encode} != CUDA_SUCCESS);"),
    ] {
        assert_eq!(codes(&test(&stated)), [], "{stated}");
    }
    let demanded = format!("EXPECT_EQ({encode}, CUDA_SUCCESS);");
    assert_eq!(codes(&test(&demanded)), [Code::TmaLimits]);
    // The same in a function that is given the box.
    let given = |calls: &str| {
        format!(
            "CUtensorMap make(void* p, uint32_t rows) {{ CUtensorMap m; cuuint64_t sizes[2] = {{64, 4096}}, strides[1] = {{128}};
             cuuint32_t box[2] = {{64, rows}}, es[2] = {{1, 1}}; CUresult r = {encode};
             if (r != CUDA_SUCCESS) throw std::runtime_error(\"refused\"); return m; }}
             {}",
            calls.replace("make(", "make(nullptr, ")
        )
    };
    for calls in [
        "TEST(A, B) { EXPECT_THROW(make(257), std::runtime_error); }",
        "TEST(A, B) { auto f = [] { make(257); }; EXPECT_THROW(f(), std::runtime_error); }",
        "TEST(A, B) { EXPECT_TRUE(throws([] { make(257); })); }",
        "TEST(A, B) { try { make(257); FAIL(); } catch (std::runtime_error const&) { SUCCEED(); } }",
        "CUtensorMap any() { try { return make(257); } catch (std::runtime_error const&) { return make(64); } }",
    ] {
        assert_eq!(codes(&given(calls)), [], "{calls}");
    }
    for calls in [
        "CUtensorMap any() { return make(257); }",
        "int main() { try { make(257); } catch (std::exception const& e) { puts(e.what()); return 1; } }",
    ] {
        assert_eq!(codes(&given(calls)), [Code::TmaLimits], "{calls}");
    }
    let launch = |stated: &str| {
        format!(
            "__global__ void __launch_bounds__(128) kernel(float* p) {{
               auto c = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{{}}, Layout<Shape<_32,_4>>{{}}, Layout<Shape<_4,_1>>{{}});
               clear(c.get_slice(threadIdx.x).partition_D(make_tensor(make_gmem_ptr(p), Layout<Shape<_128,_4>>{{}})));
             }}
             TEST(Launch, TooMany) {{ kernel<<<1, 256>>>(nullptr); {stated} }}"
        )
    };
    assert_eq!(codes(&launch("EXPECT_NE(cudaGetLastError(), cudaSuccess);")), []);
    assert_eq!(codes(&launch("EXPECT_EQ(cudaGetLastError(), cudaSuccess);")), [Code::BlockThreads]);
}

#[test]
fn an_index_may_be_made_for_the_strides() {
    let kernel = |index: &str| {
        format!(
            "__global__ void kernel(float* p) {{
               Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<_64,_64>>{{}});
               {index}
               clear(local_partition(g, Layout<Shape<_8,_32>, Stride<_1,_64>>{{}}, idx));
             }}"
        )
    };
    assert_eq!(codes(&kernel("int idx = int(threadIdx.x) % 8 + 64 * (int(threadIdx.x) / 8);")), []);
    assert_eq!(codes(&kernel("int idx = threadIdx.x;")), [Code::LocalPartition]);
    // Another function's variable of that name is none of this one's.
    let other = "}\n__global__ void other() { int idx = 8 * threadIdx.x; f(idx); }\n__global__ void third(int idx) {\n
        Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<_64,_64>>{});";
    assert_eq!(codes(&kernel(other)), [Code::LocalPartition]);
}

#[test]
fn elements_may_be_looked_at_before_they_are_used() {
    let kernel = |used: &str| {
        format!(
            "__global__ void kernel(float* p) {{
               Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<Int<100>,_8>>{{}});
               Tensor t = local_partition(g, Layout<Shape<_32,_8>>{{}}, threadIdx.x);
               {used}
             }}"
        )
    };
    let looked = "Tensor c = make_identity_tensor(shape(g)); Tensor tc = local_partition(c, Layout<Shape<_32,_8>>{}, threadIdx.x);
        for (int i = 0; i < size(t); ++i) if (elem_less(tc(i), shape(g))) t(i) = 0.f;";
    assert_eq!(codes(&kernel(looked)), []);
    assert_eq!(
        codes(&kernel("for (int i = 0; i < size(t); ++i) if (threadIdx.x % 32 + 32 * i < 100) t(i) = 1.f;")),
        []
    );
    assert_eq!(codes(&kernel("for (int i = 0; i < size(t); ++i) t(i) = 1.f;")), [Code::Partition]);
}

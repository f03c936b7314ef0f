"""flashinfer's kernels in Python: the functions that compile them, with the values that their callers pass."""

from __future__ import annotations

from typing import Any

import tracer  # noqa: F401  first: it replaces what the imports below take
import cutlass
import torch
from cuda.bindings import driver

import device
import guess
from guess import Address, Like, Values

FLOAT, INT, BYTES, FP8 = torch.float32, torch.int32, torch.uint8, torch.float8_e4m3fn

Jobs = list[tuple[str, dict[str, Values]]]


def _gdn(batch: int = 4, steps: int = 1, heads: int = 16, value_heads: int = 32, size: int = 128, state: torch.dtype = FLOAT) -> Values:
    """Tensors of a gated delta rule."""
    many = (batch, steps, value_heads)
    return {
        "q": [Like((batch, steps, heads, size))], "k": [Like((batch, steps, heads, size))], "v": [Like((*many, size))],
        "a": [Like(many)], "b": [Like(many)], "A_log": [Like((value_heads,), FLOAT)], "dt_bias": [Like((value_heads,), FLOAT)],
        "output": [Like((*many, size))], "h0_source": [Like((batch * value_heads, size, size), state)],
        "initial_state_source": [Like((batch, value_heads, size, size), state)], "initial_state_indices": [Like((batch,), INT)],
        "intermediate_states": [Like((batch * steps * value_heads, size, size), state)],
        "B": [batch], "T": [steps], "H": [heads], "HV": [value_heads], "K": [size], "V": [size], "scale": [0.088],
        "pool_size": [batch], "cache_steps": [steps], "tile_v": [32, 8, 16, 64], "vec_size": [4],
    }


def _bf16(steps: int = 1) -> Values:
    return _gdn(steps=steps, state=torch.bfloat16)


def gdn() -> Jobs:
    """Gated delta net: decoding."""
    base = "flashinfer.gdn_kernels."
    cached = {"k_cache": [Like((4, 32, 16, 128))], "u_cache": [Like((4, 32, 32, 128))], "g_cache": [Like((4, 32, 32), FLOAT)], "hist_len": [Like((4,), INT)]}
    return [
        (base + "gdn_decode_pretranspose", {"run_pretranspose_decode": {**_gdn(), "B": [4, 64]}}),
        (base + "gdn_decode_nontranspose", {"run_nontranspose_decode": {**_gdn(), "B": [4, 64]}}),
        (base + "gdn_decode_mtp", {"run_mtp_decode": _gdn(steps=4)}),
        (base + "gdn_decode_bf16_state", {"gated_delta_rule_t1_wide_vec": _bf16(), "gated_delta_rule_mtp_wide_vec": _bf16(4), "gated_delta_rule_mtp": _bf16(4)}),
        (base + "gdn_decode_bf16_wy_output_only", {"gated_delta_rule_mtp": _bf16(4)}),
        (base + "gdn_decode_bf16_wy_ucache", {"gated_delta_rule_mtp_ucache": {**_bf16(4), **cached}}),
        (base + "gdn_decode_bf16_wy_ucache_flush", {"gated_delta_rule_mtp_ucache_flush": {**_bf16(4), **cached}}),
    ]


def delta() -> Jobs:
    """The delta rule over long sequences, whole or in chunks."""
    import flashinfer.gdn_kernels.delta_rule_dsl.custom_compile_cache as cache

    # It looks at the instructions of what was compiled.
    cache._sm12x_ptx_check = lambda *_: None
    total, heads, size, sequences = 4096, 16, 128, 2
    rows, state = Like((total, heads, size)), Like((sequences, heads, size, size), FLOAT)
    given: Values = {
        "o": [rows], "q": [rows], "k": [rows], "v": [rows], "state": [state], "init_state": [state, None], "initial_state": [None, state],
        "alpha": [Like((total, heads), FLOAT), None], "beta": [Like((total, heads), FLOAT), None], "scale": [0.088],
        "cu_seqlens": [Like((sequences + 1,), torch.int64), Like((sequences + 1,), INT)], "max_seqlen": [2048], "cp_chunk_len": [None, 1024],
    }
    base, arch = "flashinfer.gdn_kernels.delta_rule_dsl.delta_rule_", f"sm{device.MAJOR}{device.MINOR}"
    return [
        (f"{base}{arch}", {"delta_rule_prefill_dsl" + (f"_{arch}" if device.MAJOR == 9 else ""): given}),
        (f"{base}cp_{arch}", {f"cp_delta_rule_dsl_{arch}": given}),
    ]


def kda() -> Jobs:
    """Kimi delta attention."""
    base = "flashinfer.kda_kernels."
    return [
        (base + "persistent.forward", {"_get_compiled": {"H": [32], "gate2": [0, 1, 2], "cluster_size": [1, 2]}}),
        (base + "packed_kda_decode_cute", {"_get_compiled": {
            "tile_v": [128, 64, 32, 16], "ilp_rows": [4, 8, 2], "qkv_div": [8], "gate_div": [8], "pool_div": [16], "n_stages": [0, 2, 3], "persistent": [False, True]}}),
        (base + "kda_chunked_bt16_small_bh", {
            "_compile_k1": {"d": [128], "h": [8], "seqlen_dtype": [INT]}, "_compile_k2": {"d": [128], "bv": [32, 64, 128, 16], "seqlen_dtype": [INT], "state_dtype": [FLOAT]}}),
        (base + "fused_kda_decode", {"_get_compiled_kernel": {"state_dtype": [FLOAT, torch.bfloat16], "packed_t1": [False, True]}}),
        (base + "fused_kda_decode_multitoken", {"_get_compiled_kernel": {
            "T": [2, 4], "H": [32], "R": [2, 1, 4], "KQ": [16, 32], "bpm": [1, 2], "NCH": [2, 1, 4], "SPLIT": [1, 2]}}),
        (base + "recurrent_kda", {"_get_compiled_kernel": {"NUM_TOKENS": [1, 2], "TILE_ROWS": [16, 8, 32], "DOT_REDUCTION_SCHEDULE": [0, 1],
            **dict.fromkeys(("USE_QK_L2NORM", "USE_GATE_IN_KERNEL", "USE_LOWER_BOUND", "ZERO_PADDED_OUTPUT"), [True, False]),
            **dict.fromkeys(("HAS_DT_BIAS", "USE_CU_SEQLENS", "HAS_INITIAL_STATE_SOURCE", "BETA_IS_LOGIT", "HAS_NUM_ACCEPTED_TOKENS"), [False, True])}}),
    ]


def norm() -> Jobs:
    """Norms and quantization."""
    base = "flashinfer.norm.kernels."
    rows: Values = {"H": [4096, 64, 128, 512, 1024, 7168, 16384]}
    packed: Values = {"K": [4096, 512, 7168], "nvfp4_4over6_config": [None], "threads": [None]}
    return [
        (base + "rmsnorm", {"_get_compiled_rmsnorm_kernel": rows, "_get_compiled_qk_rmsnorm_kernel": {}, "_get_compiled_rmsnorm_quant_kernel": rows}),
        (base + "fused_add_rmsnorm", {"_get_compiled_fused_add_rmsnorm_kernel": rows, "_get_compiled_fused_add_rmsnorm_quant_kernel": rows}),
        (base + "layernorm", {"_get_compiled_layernorm_kernel": rows}),
        (base + "gated_residual_rmsnorm", {"_get_compiled": {
            "vec": [4], "s": [4, 1], "mode": [0, 1, 2], "lowreg": [False, True], "gain_center": [0.0], "mbpm": [1], "cx": [1, 2]}}),
        (base + "gated_residual_next_rmsnorm", {}),
        (base + "rmsnorm_sigmoid_gate", {"_get_compiled": {"x_token_stride": [4096], "gate_token_stride": [4096], "lanes": [32, 8], "warps": [4, 8], "cluster": [1, 2]}}),
        ("flashinfer.quantization.kernels.nvfp4_quantize", {
            "_get_compiled_kernel_nvfp4_tile128x4": packed, "_get_compiled_kernel_nvfp4": packed, "_get_compiled_kernel_nvfp4_per_token": packed, "_get_compiled_kernel_nvfp4_tma": packed}),
        ("flashinfer.quantization.kernels.mxfp4_quantize", {}),
        ("flashinfer.quantization.kernels.mxfp8_quantize", {}),
        ("flashinfer.cute_dsl.rmsnorm_fp4quant", {}),
        ("flashinfer.cute_dsl.add_rmsnorm_fp4quant", {"_get_compiled_kernel": {"launch_config": [(1, 128, 1), (2, 256, 1)]}}),
    ]


def select() -> Jobs:
    """Top-k, attention scores, state space models."""
    score: Values = {"epi_dtype": [device.TYPES[FLOAT]], "output_dtype": [device.TYPES[FLOAT]], "num_epi_subtiles": [1, 2, 4], "block_size": [64], "num_heads": [64, 32], "num_next_n_atoms": [1]}
    ssd: Values = {"chunk_size": [128], "headdim": [64], "dstate": [128], "seq_idx_dtype": [device.TYPES[INT]], "cumsum_dtype": [device.TYPES[FLOAT]]}
    values: Values = {"return_output_values": [True, False]}
    main_ = [(512, 4, 2, 256, 2, False, False), (1024, 2, 1, 256, 4, True, True)]
    return [
        ("flashinfer.topk_varlen.topk_varlen", {
            "_compile_gvr_lb_prepare": {"long_threshold": [8192], "compress_ratio": [1, 4]},
            "_compile_gvr_lb": {**values, "compress_ratio": [1, 4], "max_batch_size": [64], "cluster_size": [4, 8]},
            "_compile_gvr": {**values, "compress_ratio": [1, 4]},
            "_compile_radix": {**values, "compress_ratio": [1], "ctas_per_group": [1, 4], "chunk_size": [4096, 8192]}}),
        ("flashinfer.topk_varlen.kernels.gvr2_topk_decode", {
            "get_compiled": {"tpl": main_}, "get_compiled__reg": {"tpl": [(512, 4, 2, 2, True, False, False, 256), (1024, 8, 1, 1, True, True, False, 256)], "dump_dir": [None]},
            "get_compiled__clus": {"tpl": [(1024, 2, 1, 256, 4)], "scap": [4096], "cmp_": [2048]}, "get_compiled__regclus": {"tpl": [(512, 4, 4), (1024, 8, 8)], "dump_dir": [None]}}),
        ("flashinfer.attn_scores.attn_scores", {"_cached_compile_fp8_kernel": score, "_cached_compile_fp4_kernel": {**score, "head_dim": [128]}}),
        ("flashinfer.mamba.ssd_combined", {"_get_compiled_ssd_kernel": ssd}),
        ("flashinfer.msa_ops.sparse_topk_select", {"_get_compiled_topk": {}}),
        ("flashinfer.msa_ops.sparse_decode", {"_get_compiled_combine": {"partial_dtype": [FLOAT]}}),
        ("flashinfer.msa_ops.sparse_prefill", {"_get_compiled_union": {"tokens_per_tile": [16, 64]}}),
        ("flashinfer.msa_ops.cute_dsl.sparse_decode_nvfp4_sm100", {"_compile_variant": {
            "lowreg": [False, True], "static_nsplit": [2, 1, 4, 8, 3], "scored_geom": [True, False], "cluster_c": [2, 0, 4], "ntg": [4, 2]}}),
    ]


def attention() -> Jobs:
    """Attention of `cute_dsl`, and the latent one."""
    base = "flashinfer.cute_dsl.attention."
    mla: Values = {"kv_lora_rank": [512], "qk_rope_head_dim": [64], "num_heads": [128], "seq_len_q": [1, 2], "page_size": [64, 128],
                   "torch_dtype": [torch.bfloat16, torch.float8_e4m3fn], "skip_correction_threshold": [0.0], "num_qo_heads": [128]}
    fp8 = [torch.float8_e4m3fn]
    heads: Values = {"num_qo_heads": [32], "num_kv_heads": [8], "head_dim": [128, 192], "head_dim_v": [128], "has_window_right": [False], "has_window_left": [False]}
    return [
        (base + "fmha.compile", {
            "compile_cute_dsl_fmha_kernel": {**heads, "v_dtype": [torch.bfloat16, *fp8], "qk_dtype": [torch.bfloat16, *fp8]},
            "compile_cute_dsl_fmha_blockscaled_kernel": {**heads, "qk_mode": ["mxfp8", "nvfp4"], "v_dtype": fp8}}),
        (base + "fmha.sm120.compile", {
            "_compile_sm120_fmha_fp8_ragged_kernel": {**heads, "in_dtype": fp8, "kv_tile": [64, 128], "q_tile": [128, 64]},
            "_compile_sm120_fmha_fp8_paged_kernel": {**heads, "in_dtype": fp8, "kv_tile": [64, 128], "q_tile": [128, 64], "num_tokens_per_page": [64]}}),
        (base + "monolithic.mla_decode", {"_get_compiled_mla_kernel": mla}),
        (base + "wrappers.batch_mla", {"_compile_mla_kernel": mla}),
        (base + "wrappers.batch_hca", {"_compile_hca_kernel": {"page_size_compressed": [64, 128, 32], "q_len": [1, 2]}}),
        (base + "wrappers.batch_decode", {
            "_get_compiled_decode_kernel": {**heads, "prediction": [1, 4], "reduction": ["kernel", "none", "atomic"]},
            "_get_compiled_paged_decode_kernel": {**heads, "prediction": [1, 4], "page_size": [64, 128], "reduction": ["kernel", "none", "atomic"]}}),
        ("flashinfer.experimental.deepseek_v41.decode", {"_compile": {"compressed_k": [64, 128, 16], "split": [False, True], "native_fp4": [False, True]}}),
        ("flashinfer.experimental.cake_mxfp8_megamoe_ep16.csrc.cake_mxfp8_megamoe_ep16.cute.cake_mxfp8_megamoe_ep16_fused", {}),
        ("flashinfer.experimental.cake_mxfp8_megamoe_ep16.csrc.cake_mxfp8_megamoe_ep16.cute.cake_mxfp8_megamoe_ep16_topk_reduce", {}),
    ]


def sparse() -> Jobs:
    """Attention to chosen blocks of keys."""
    base, rows = "flashinfer.cute_dsl.sparse.bsa_attn_", Like((2, 1024, 8, 128))
    given: Values = {"q": [rows], "k": [rows], "v": [rows], "block_sparse_num": [4], "return_lse": [False, True], "kv_splits": [1, 2], "use_clc": [None, True, False]}
    blocks: Values = {**given, "q2k_block_index": [Like((2, 8, 16, 16), INT)]}
    wide: Values = {**given, "q2k_block_index": [Like((2, 8, 8, 8), INT)]}
    few = Like((1024, 4, 128))
    score: Values = {
        "q": [Like((1024, 8, 128)), Like((2, 8, 128)), Like((8, 8, 128))], "k": [few], "cu_seqlens_q": [Like((3,), INT)], "cu_seqlens_k": [Like((3,), INT)],
        "max_seqlen_q": [512, 1, 4], "max_k_tiles": [8], "page_table": [None], "seqused_k": [None], "output": [None], "q_offset": [None], "reduce_heads": [False, True]}
    return [
        (base + "sm100_blk128", {"bsa_attn_sm100_blk128_fwd": wide}), (base + "sm100_blk64", {"bsa_attn_sm100_blk64_fwd": blocks}),
        (base + "sm120", {"bsa_attn_sm120_blk64_fwd": blocks}), ("flashinfer.msa_ops.proxy_score", {"msa_proxy_score": score}),
    ]


def products() -> Jobs:
    """GEMM, of one product and of groups of them, and the layers of experts that are made of them."""
    kind = {"a_dtype": cutlass.Float4E2M1FN, "b_dtype": cutlass.Float4E2M1FN, "sf_dtype": cutlass.Float8E4M3FN}
    groups: Values = {
        **{name: [Address(kind["a_dtype"])] for name in ("a_ptr", "b_ptr")}, **{name: [Address(kind["sf_dtype"])] for name in ("a_sf_ptr", "b_sf_ptr", "c_sf_ptr")},
        **{name: [Address(cutlass.Int32)] for name in ("tile_idx_ptr", "mn_limit_ptr", "permuted_idx_ptr", "num_tiles_ptr", "token_id_ptr")},
        **{name: [Address(cutlass.Float32)] for name in ("alpha_ptr", "token_scales_ptr", "norm_const_ptr", "a_per_token_scale_ptr")},
        **{name: [value] for name, value in kind.items()}, "c_ptr": [Address()], "out_dtype": [cutlass.BFloat16], "c_dtype": [cutlass.BFloat16],
        "final_scale_dtype": [cutlass.Float32], "tile_size": [128, 256], "cluster_shape_mn": [(1, 1), (2, 1)], "raster_along_m": [False], "mma_tiler_mn": [(128, 128), (256, 128)],
        "mma_tiler": [None], "mma_inst_shape": [None], "quantize_output": [False], "vectorized_f32": [True], "sf_vec_size": [16], "stream": [driver.CUstream(0)], "permuted_m": [1024], "orig_m": [256],
        "seq_len": [256], "num_experts": [8], "topk": [8], "max_active_clusters": [device.SMS], "gated": [True], "situ_beta": [None], "situ_linear_beta": [None],
        "swiglu_alpha": [1.0], "swiglu_beta": [0.0], "swiglu_limit": [float("inf")],
    }
    masked: Values = {
        "a_major": ["k"], "b_major": ["k"], "c_major": ["n"], "ab_dtype": [cutlass.Float4E2M1FN], "sf_dtype": [cutlass.Float8E4M3FN], "c_dtype": [cutlass.BFloat16], "alpha_dtype": [None],
        "sf_vec_size": [16], "m": [1024], "n": [1024], "k": [1024], "l": [8], "sm_count": [device.SMS], "sm_version": ["sm_100"], "num_ranks": [1],
        "mma_tiler_mn": [(128, 128), (256, 128), (128, 256)], "cluster_shape_mn": [(1, 1), (2, 1)], "enable_dst_signals": [False], "enable_barrier_flag": [False], "is_combine_fusion": [False],
    }
    contiguous: Values = {
        "a": [Like((1024, 512), FP8)], "b": [Like((4, 512, 512), FP8)], "a_scale": [Like((1024, 4), FLOAT)], "b_scale": [Like((4, 4, 4), FLOAT)],
        "m_indices": [Like((1024,), INT)], "out": [Like((1024, 512))]}
    tokens, size, inner, experts, chosen = 64, 1024, 512, 8, 4
    layer: Values = {
        "hidden_states": [Like((tokens, size)), Like((1, size)), Like((512, size))], "topk_ids": [Like((tokens, chosen), INT)], "topk_weights": [Like((tokens, chosen), FLOAT)],
        "w13": [Like((experts, 2 * inner, size // 2), BYTES)], "w13_sf": [Like((experts, 2 * inner, size // 16), FP8)], "w13_gs": [Like((experts,), FLOAT)],
        "w2": [Like((experts, size, inner // 2), BYTES)], "w2_sf": [Like((experts, size, inner // 16), FP8)], "w2_gs": [Like((experts,), FLOAT)],
        "a13_gs": [Like((1,), FLOAT)], "a2_gs": [Like((1,), FLOAT)], "out": [Like((tokens, size))], "workspace": [None]}
    few: Values = {**layer, "hidden_states": [Like((1, size))], "topk_ids": [Like((1, chosen), INT)], "topk_weights": [Like((1, chosen), FLOAT)], "out": [Like((1, size))]}
    mixed: Values = {
        "weight_ptr": [Address(cutlass.Float4E2M1FN)], "weight_sf_ptr": [Address(cutlass.Float8E4M3FN)], "activation_ptr": [Address()], "output_ptr": [Address()],
        **{name: [Address(cutlass.Int32)] for name in (
            "tile_idx_to_expert_idx_ptr", "tile_idx_to_mn_limit_ptr", "num_non_exiting_tiles_ptr", "permuted_idx_to_expanded_idx_ptr")},
        **{name: [Address(cutlass.Float32)] for name in ("alpha_ptr", "token_final_scales_ptr")},
        "m": [1024], "n": [1024], "k": [1024], "num_tokens": [256], "top_k": [8], "num_local_experts": [256], "max_active_clusters": [device.SMS], "stream": [driver.CUstream(0)],
        "activation_type": [None], "swiglu_alpha": [1.0], "swiglu_beta": [0.0], "swiglu_limit": [float("inf")], "situ_beta": [None], "situ_linear_beta": [None],
        "use_fused_finalize": [False], "use_clc_scheduler": [False], "mma_tiler_mnk": [(128, 64, 128), (256, 64, 128), (128, 128, 128)], "cluster_shape_mn": [(2, 1), (1, 1)], "raster_along_m": [False],
    }
    base, moe = "flashinfer.gemm.kernels.", "flashinfer.fused_moe.cute_dsl."
    return [
        (moe + "blackwell.moe_w4a16", {"_get_compiled_kernel": mixed}), ("flashinfer.gemm.gemm_bf16_fp4_cute_dsl", {"_get_sm100_bf16_fp4_kernel": mixed}),
        ("flashinfer.gemm.gemm_bf16_fp4_cute_dsl", {"_get_cute_dsl_bf16_fp4_gemm": {}, "_get_cute_dsl_bf16_fp4_gemv": {}}),
        ("flashinfer.gemm.gemm_svdquant", {}), ("flashinfer.fused_moe.cute_dsl.blackwell_sm12x.moe_dispatch", {}),
        (base + "grouped_gemm_masked_blackwell", {"get_cute_dsl_compiled_masked_gemm_kernel": masked}),
        (base + "grouped_gemm_contiguous_blackwell", {"grouped_gemm_fp8_nt_groupwise_contiguous_sm100": contiguous}),
        (moe + "blockscaled_contiguous_grouped_gemm_finalize_fusion", {"_get_compiled_finalize_kernel": groups}),
        (moe + "blockscaled_contiguous_gather_grouped_gemm_act_fusion", {"_get_compiled_gather_kernel": groups}),
        *((f"{moe}blackwell_sm12x.moe_nvfp4_{name}", {f"run_moe_{name}": values}) for name in ("w4a4", "w4a16") for values in (layer, few)),
    ]


def chunks() -> Jobs:
    """Delta rules over long sequences, in chunks."""
    rows, state = Like((4096, 16, 128)), Like((2, 16, 128, 128), FLOAT)
    given: Values = {
        "q": [rows, Like((4096, 8, 128))], "k": [rows], "v": [rows], "gate": [Like((4096, 16), FLOAT)], "beta": [Like((4096, 16), FLOAT)], "output": [rows],
        "cu_seqlens": [Like((3,), INT)], "initial_state": [state, None, Like((2, 16, 128, 128))], "output_state": [state, None], "scale": [0.088],
        "cu_checkpoints": [None], "output_checkpoints": [None], "state_indices": [None], "checkpoint_every_n_tokens": [0]}
    few = Like((4, 8, 16, 128))
    verify: Values = {
        "q": [few], "k": [few], "v": [few], "g": [few], "beta": [Like((4, 8, 16))], "initial_state_source": [Like((4, 16, 128, 128))], "A_log": [Like((16,), FLOAT)],
        "dt_bias": [None, Like((2048,), FLOAT)], "use_gate_in_kernel": [False, True], "lower_bound": [None], "output": [None], "backend": ["auto"], "scale": [None]}
    return [("flashinfer.kda_kernels.kda_decode_wy_output_only", {"kda_wy_output_only": verify}), ("flashinfer.gdn_kernels.blackwell.gdn_prefill", {"chunk_gated_delta_rule_sm100": given}), ("flashinfer.kda_kernels.kda_chunked_bt16", {})]


#: By the generation's major number, what has kernels for it.
FAMILIES: dict[int, list[Any]] = {
    9: [delta, gdn, norm, kda, chunks], 10: [gdn, norm, select, attention, kda, sparse, products, chunks], 12: [delta, attention, norm, select, kda, sparse, products, chunks],
}


def main() -> None:
    """Every family that the generation has."""
    import flashinfer  # noqa: F401

    for family in FAMILIES.get(device.MAJOR, []):
        guess.each(family(), limit=6)

"""quack's kernels: norms, softmax, losses, top-k, transforms, and GEMM with the tiles that its autotuner lists."""

from __future__ import annotations

import importlib
import itertools
import os
from collections.abc import Callable
from functools import partial
from typing import Any

os.environ["QUACK_CACHE_ENABLED"] = "0"

import tracer
import torch
from cutlass import BFloat16, Float32, Int64

import device
from device import empty
from guess import plain

#: Row lengths: each crosses a limit at which the code takes more threads or a cluster.
ROWS = (256, 512, 1024, 3072, 4096, 8192, 16384, 32768, 65536, 131072)


def _rows() -> None:
    # The package has functions of these names, which hide the modules.
    loss, norm, softmax = map(importlib.import_module, ("quack.cross_entropy", "quack.rmsnorm", "quack.softmax"))

    for n, dtype in itertools.product(ROWS, (BFloat16, Float32)):
        runs = {
            "rmsnorm": lambda: plain(norm._compile_rmsnorm_fwd)(dtype, dtype, None, Float32, None, None, n, True, False, False, False),
            "rmsnorm, backward": lambda: plain(norm._compile_rmsnorm_bwd)(n, dtype, dtype, dtype, Float32, False, None, None, True),
            "softmax": lambda: plain(softmax.Softmax.compile)(dtype, dtype, n),
            "softmax, backward": lambda: plain(softmax.SoftmaxBackward.compile)(dtype, dtype, dtype, n),
            "cross entropy": lambda: plain(loss.CrossEntropy.compile)(dtype, Int64, None, n, True, False, None, 0),
            "cross entropy, backward": lambda: plain(loss.CrossEntropyBackward.compile)(dtype, Int64, n, None),
        }
        for name, run in runs.items():
            tracer.case(f"{name}, {n} of {dtype.__name__}", run)


def _others() -> None:
    import quack.rotary as rotary
    import quack.topk as topk
    import quack.transform.hadamard as hadamard

    for n, k, dtype in itertools.product((64, 128, 512, 1024, 4096), (8, 32, 128), (BFloat16, Float32)):
        tracer.case(f"top-k, {k} of {n}", lambda: plain(topk.TopK.compile)(dtype, n, k, False))
        tracer.case(f"top-k, backward, {k} of {n}", lambda: plain(topk.TopKBackward.compile)(dtype, dtype, dtype, n, k, True))
    for n in (64, 128, 512, 4096, 32768):
        tracer.case(f"Hadamard, {n}", lambda: plain(hadamard.HadamardTransform.compile)(BFloat16, n))
    kinds = [kind for kind in vars(rotary).values() if isinstance(kind, type) and hasattr(kind, "compile")]
    for kind, size, interleaved in itertools.product(kinds, (64, 128, 256), (True, False)):
        tracer.case(f"rotary, {size}", lambda: plain(kind.compile)(BFloat16, BFloat16, None, None, size, interleaved, False))


def _gemm() -> None:
    import quack.gemm as gemm
    import quack.gemm_config as configs

    seen: set[tuple[Any, ...]] = set()
    for one in configs.get_all_configs():
        key = (one.tile_m, one.tile_n, one.tile_k, one.cluster_m, one.cluster_n, one.pingpong)
        if one.device_capacity != device.MAJOR or key in seen:
            continue
        seen.add(key)
        tile = (one.tile_m, one.tile_n) if one.tile_k is None else (one.tile_m, one.tile_n, one.tile_k)
        cluster = (one.cluster_m, one.cluster_n, one.cluster_k)
        for gather in (False, True) if key[3:5] == (1, 1) else (False,):
            tracer.case(
                f"gemm {key}, gathered {gather}",
                lambda: plain(gemm._compile_gemm)(
                    BFloat16, BFloat16, BFloat16, None, "k", "k", "n", None, tile, cluster, one.pingpong, True, one.is_dynamic_persistent,
                    None, None, 0, 0, 0, False, None, gather, False, gather, False, False, (device.MAJOR, device.MINOR), 0, 0, one.num_warps))


def _interface() -> None:
    """What the package offers around GEMM, with its default tiles: activations, their gradients, norms, symmetric products, splits."""
    import quack.gemm_interface as gemm
    from quack.blockscaled.operand import BlockScaledOperand

    m, n, k = 1024, 1024, 512
    a, b, c, wide = empty(m, k), empty(k, n), empty(m, n), empty(m, 2 * n)
    rows, columns = empty(m, dtype=torch.float32), empty(n, dtype=torch.float32)
    starts, batched = empty(5, dtype=torch.int32), empty(4, k, n)

    def scaled(size: int) -> Any:
        scales = empty(size // 128, k // 128, 32, 4, 4, dtype=torch.float8_e8m0fnu)
        return BlockScaledOperand.from_parts(empty(size, k, dtype=torch.float8_e4m3fn), scales, "mxfp8")

    runs: dict[str, Callable[[], Any]] = {
        "gemm": lambda: gemm.gemm(a, b, tuned=False),
        "gemm, bias": lambda: gemm.gemm(a, b, bias=columns, tuned=False),
        "gemm, sequences": lambda: gemm.gemm(a, batched, cu_seqlens_m=starts, tuned=False),
        "gemm, gathered": lambda: gemm.gemm(a, batched, cu_seqlens_m=starts, A_idx=empty(m, dtype=torch.int32), tuned=False),
        "gemm, dynamic": lambda: gemm.gemm(a, b, dynamic_scheduler=True, tuned=False),
        "gemm, scaled": lambda: gemm.gemm(scaled(m), scaled(n).mT, tuned=False),
        "gemm, scaled result": lambda: gemm.gemm(a, b, out_dtype="mxfp8", tuned=False),
        "gemm, added": lambda: gemm.gemm_add(a, b, c, tuned=False),
        "rms": lambda: gemm.gemm_rms(a, b, norm_weight=columns, tuned=False),
        "rms, residual": lambda: gemm.gemm_rms(a, b, c, tuned=False),
        "symmetric": lambda: gemm.gemm_symmetric(a, a.mT),
    }
    for mode in range(3):
        runs[f"gemm, split {mode}"] = partial(gemm.gemm, a, b, split_k=4, split_k_mode=mode, tuned=False)
    for name in ("relu", "gelu_tanh_approx", "silu"):
        runs[f"act {name}"] = partial(gemm.gemm_act, a, b, activation=name, tuned=False)
        runs[f"act {name}, backward"] = partial(gemm.gemm_dact, a, b, c, activation=name, tuned=False)
        runs[f"norm {name}"] = partial(gemm.gemm_norm_act, a, b, rstd=rows, activation=name, tuned=False)
    for name in ("swiglu", "geglu"):
        runs[f"gated {name}"] = partial(gemm.gemm_act, a, b, activation=name, tuned=False)
        runs[f"gated {name}, backward"] = partial(gemm.gemm_dact, a, b, wide, activation=name, tuned=False)
        runs[f"gated {name}, backward, reduced"] = partial(gemm.gemm_dact, a, b, wide, activation=name, colvec_scale=rows, colvec_reduce=True, tuned=False)
        runs[f"norm {name}"] = partial(gemm.gemm_norm_act, a, b, rstd=rows, activation=name, tuned=False)
    for name, run in runs.items():
        tracer.case(name, run)


def main() -> None:
    """Everything that the generation has."""
    if device.MAJOR in (9, 10, 12):
        with device.fake():
            _interface()
        _gemm()
    if device.MAJOR == 9:
        _rows()
        _others()

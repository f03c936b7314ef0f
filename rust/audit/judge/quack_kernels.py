"""quack's kernels: norms, softmax, losses, top-k, transforms, and GEMM with the tiles that its autotuner lists."""

from __future__ import annotations

import itertools
import os
from typing import Any

os.environ["QUACK_CACHE_ENABLED"] = "0"

import tracer
from cutlass import BFloat16, Float32, Int64

import device
from guess import plain

#: Row lengths: each crosses a limit at which the code takes more threads or a cluster.
ROWS = (256, 512, 1024, 3072, 4096, 8192, 16384, 32768, 65536, 131072)


def _rows() -> None:
    import quack.cross_entropy as loss
    import quack.rmsnorm as norm
    import quack.softmax as softmax

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


def main() -> None:
    """Everything that the generation has."""
    if device.MAJOR in (9, 10, 12):
        _gemm()
    if device.MAJOR == 9:
        _rows()
        _others()

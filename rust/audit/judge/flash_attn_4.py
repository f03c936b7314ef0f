"""FlashAttention-4: forward and backward of its entry points, on tensors without memory."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from functools import partial
from typing import Any

import tracer
import torch

import device
from device import empty

#: Head dimensions of keys and of values.
HEADS = [(64, 64), (96, 96), (128, 128), (192, 128), (192, 192), (256, 256), (64, 512)]
BATCH, LENGTH, QUERY_HEADS = 2, 512, 4


def _plain(interface: Any, head: int, value: int, causal: bool, key_heads: int) -> None:
    q, k = empty(BATCH, LENGTH, QUERY_HEADS, head), empty(BATCH, LENGTH, key_heads, head)
    v, o = empty(BATCH, LENGTH, key_heads, value), empty(BATCH, LENGTH, QUERY_HEADS, value)
    lse = empty(BATCH, QUERY_HEADS, LENGTH, dtype=torch.float32)
    label = f"head {head}, {value}, causal {causal}, {key_heads} key heads"
    tracer.case(f"forward {label}", lambda: interface._flash_attn_fwd(q, k, v, causal=causal, return_lse=True))
    tracer.case(f"backward {label}", lambda: interface._flash_attn_bwd(q, k, v, o, o, lse, causal=causal))


def _varied(interface: Any, head: int, key_heads: int) -> None:
    """Sequences of different lengths, pages, windows, splits, and a learnt sink."""
    q, k, v = empty(BATCH * LENGTH, QUERY_HEADS, head), empty(BATCH * LENGTH, key_heads, head), empty(BATCH * LENGTH, key_heads, head)
    starts = empty(BATCH + 1, dtype=torch.int32)
    dense, keys = empty(BATCH, LENGTH, QUERY_HEADS, head), empty(BATCH, LENGTH, key_heads, head)
    lengths = {"cu_seqlens_q": starts, "cu_seqlens_k": starts, "max_seqlen_q": LENGTH, "max_seqlen_k": LENGTH}
    runs: dict[str, Callable[[], Any]] = {
        "varlen": lambda: interface._flash_attn_fwd(q, k, v, causal=True, return_lse=True, **lengths),
        "varlen backward": lambda: interface._flash_attn_bwd(q, k, v, q, q, empty(QUERY_HEADS, BATCH * LENGTH, dtype=torch.float32), causal=True, **lengths),
        "window": lambda: interface._flash_attn_fwd(dense, keys, keys, window_size_left=128, window_size_right=0),
        "splits": lambda: interface._flash_attn_fwd(dense, keys, keys, num_splits=4, return_lse=True),
        "softcap": lambda: interface._flash_attn_fwd(dense, keys, keys, softcap=15.0),
        "no pack": lambda: interface._flash_attn_fwd(dense, keys, keys, pack_gqa=False),
        "deterministic": lambda: interface._flash_attn_bwd(dense, keys, keys, dense, dense, empty(BATCH, QUERY_HEADS, LENGTH, dtype=torch.float32), deterministic=True),
    }
    for page in (64, 128):
        table = empty(BATCH, LENGTH // page, dtype=torch.int32)
        pages = empty(BATCH * LENGTH // page, page, key_heads, head)
        runs[f"pages of {page}"] = lambda pages=pages, table=table: interface._flash_attn_fwd(
            dense, pages, pages, page_table=table, seqused_k=empty(BATCH, dtype=torch.int32), causal=True)
    for name, run in runs.items():
        tracer.case(f"{name}, head {head}, {key_heads} key heads", run)


def main() -> None:
    """Every case that the device's generation takes; the others refuse."""
    import flash_attn.cute.interface as interface

    with device.fake():
        for (head, value), (causal, key_heads) in itertools.product(HEADS, ((False, 4), (True, 4), (True, 1))):
            _plain(interface, head, value, causal, key_heads)
        _combine(interface)
        for head, key_heads in ((128, 4), (64, 1), (256, 4)):
            _varied(interface, head, key_heads)
        for heads, route in itertools.product((16, 64, 128), "01") if device.MAJOR == 10 else ():
            _latent(interface, heads, route)


def _latent(interface: Any, heads: int, route: str) -> None:
    """Latent attention: 64 of a head are rotated, 512 are keys and values at once; of all keys, or of those that an index gathers."""
    os.environ["FLASH_ATTENTION_MLA_1CTA"] = route
    chosen = 256
    q, qv = empty(BATCH, LENGTH, heads, 64), empty(BATCH, LENGTH, heads, 512)
    k, v = empty(BATCH, LENGTH, 1, 64), empty(BATCH, LENGTH, 1, 512)
    flat, flat_v = empty(BATCH * LENGTH, heads, 64), empty(BATCH * LENGTH, heads, 512)
    keys, values = empty(BATCH * LENGTH, 1, 64), empty(BATCH * LENGTH, 1, 512)
    starts, indices = empty(BATCH + 1, dtype=torch.int32), empty(BATCH, LENGTH, chosen, dtype=torch.int32)
    lengths = {"cu_seqlens_q": starts, "cu_seqlens_k": starts, "max_seqlen_q": LENGTH, "max_seqlen_k": LENGTH}
    lse, p = empty(BATCH, LENGTH, heads, dtype=torch.float32), empty(BATCH, LENGTH, heads, chosen)
    row_max = empty(BATCH, LENGTH, chosen // 128, heads, dtype=torch.float32)
    gathered, forward = {"gather_kv_indices": indices}, interface._flash_attn_fwd
    back = partial(interface._flash_attn_bwd_sparse_mla, q, k, v, qv, qv, qv, lse)
    runs: dict[str, Callable[[], Any]] = {
        "dense": partial(forward, q, k, v, qv=qv, causal=True, return_lse=True),
        "one token": partial(forward, q[:, :1], k, v, qv=qv[:, :1], num_splits=0),
        "splits": partial(forward, q[:, :1], k, v, qv=qv[:, :1], num_splits=4),
        "no rotated part": partial(forward, None, None, v, qv=qv),
        "sequences": partial(forward, flat, keys, values, qv=flat_v, causal=True, **lengths),
        "gathered": partial(forward, q, k, v, qv=qv, **gathered),
        "gathered, scores kept": partial(forward, q.detach().requires_grad_(), k, v, qv=qv, return_lse=True, **gathered),
        "gathered, backward": lambda: back(p, row_max, indices),
        "gathered, backward, scores computed again": lambda: back(None, None, indices, recompute_p=True),
        "8 bits": lambda: forward(*(one.to(torch.float8_e4m3fn) for one in (q, k, v)), qv=qv.to(torch.float8_e4m3fn)),
    }
    for page in (64, 128):
        pages = {"page_table": empty(BATCH, LENGTH // page, dtype=torch.int32), "seqused_k": empty(BATCH, dtype=torch.int32)}
        cut = [empty(BATCH * LENGTH // page, page, 1, size) for size in (64, 512)]
        runs[f"pages of {page}"] = partial(forward, q[:, :1], *cut, qv=qv[:, :1], **pages)
    for name, run in runs.items():
        tracer.case(f"latent, {heads} heads, route {route}, {name}", run)


def _combine(interface: Any) -> None:
    """Combining the splits of keys."""
    for head, splits in itertools.product((64, 128, 256), (2, 16, 64, 128)):
        part = empty(splits, BATCH, LENGTH, QUERY_HEADS, head, dtype=torch.float32)
        lse = empty(splits, BATCH, LENGTH, QUERY_HEADS, dtype=torch.float32)
        tracer.case(f"combine, head {head}, {splits} splits", lambda: interface.flash_attn_combine(part, lse, out_dtype=torch.bfloat16))

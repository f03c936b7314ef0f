"""Calls functions that compile kernels, with arguments that their parameters' names and types suggest.

Many code bases have functions such as `_get_compiled_rmsnorm_kernel(dtype_str, H, enable_pdl, sm_version)`, which make tensors without
memory and compile. A call with values that the function refuses, or that its author never meant, does no harm: what the DSL then makes is
still what the code says for these values.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import os
import typing
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import tracer
import cutlass
import torch

import device

Values = dict[str, list[Any]]


@dataclass(frozen=True)
class Like:
    """A tensor of this shape, made when a call is."""

    shape: tuple[int, ...]
    dtype: torch.dtype = torch.bfloat16

    def made(self) -> torch.Tensor:
        """Inside of `device.fake()`."""
        return device.empty(*self.shape, dtype=self.dtype)


@dataclass(frozen=True)
class Address:
    """A pointer to such elements, made when a call is."""

    dtype: Any = cutlass.BFloat16

    def made(self) -> Any:
        """Inside of `device.fake()`."""
        return device.pointer(self.dtype)


HALF = [torch.bfloat16, torch.float16]
CUTE_HALF = [cutlass.BFloat16, cutlass.Float16]

#: By the parameter's name, values that such parameters have; the first is the usual one.
NAMED: Values = {
    "head_dim": [128, 64, 256], "headdim": [64, 128], "d": [128, 64], "HEAD_DIM": [128, 64],
    "H": [4096, 1024, 8192], "K": [4096, 1024, 7168], "hidden_size": [4096, 2048, 8192], "hidden": [7168, 4096],
    "num_heads": [64, 32, 128], "num_qo_heads": [32, 8], "num_kv_heads": [8, 1], "heads": [32, 64],
    "enable_pdl": [False, True], "use_pdl": [False], "sm_version": [device.MAJOR * 10 + device.MINOR],
    "dtype_str": ["bfloat16", "float16"], "out_dtype_str": ["float8_e4m3fn"], "dtype_key": ["bfloat16", "float16", "float8_e4m3fn"],
    "gamma_dtype_str": ["float32"], "contiguous": [True, False], "weight_bias": [0.0, 1.0], "is_causal": [True, False],
    "arch": [f"sm_{device.MAJOR}{device.MINOR}a"], "device": [torch.device("cuda", 0)], "dev": [torch.device("cuda", 0)],
    "block_size": [16, 32], "scale_format": ["e4m3", "ue8m0"], "topk": [8, 16], "top_k": [512, 1024, 2048], "page_size": [64, 128, 32],
    "num_sms": [device.SMS], "max_active_clusters": [device.SMS], "cute_dtype": [cutlass.BFloat16, cutlass.Float32, cutlass.Float16],
    "io_dtype": CUTE_HALF, "state_dtype": [cutlass.Float32, cutlass.BFloat16], "acc_dtype": [cutlass.Float32],
    "in_dtype": CUTE_HALF, "out_dtype": CUTE_HALF, "torch_dtype": HALF, "torch_out_dtype": HALF, "stream": [None],
    "num_threads": [256, 512, 1024], "N": [4096, 65536], "next_n": [1, 2], "cluster_shape_mn": [(1, 1), (2, 1)],
    "mma_tiler_mn": [(128, 128), (256, 128)], "tile_shape_mnk": [(128, 128, 64)], "options": [None], "options_extra": [""],
    "compute_capability": [(device.MAJOR, device.MINOR)], "device_index": [0], "eps": [1e-6], "norm_eps": [1e-6],
    "m": [256, 16], "n": [4096], "k": [4096], "world_size": [8], "sf_layout": [0, 1, 2], "col_groups": [1],
    "min_blocks_per_mp": [1], "lower_bound": [-5.0, None], "target_key": [((device.MAJOR, device.MINOR), f"sm_{device.MAJOR}{device.MINOR}a")],
}


def _by_type(kind: Any) -> list[Any]:
    text = kind if isinstance(kind, str) else getattr(kind, "__name__", str(kind))
    if "bool" in text:
        return [False, True]
    if "dtype" in text:
        return HALF
    if text == "int":
        return [128, 64]
    if text == "float":
        return [1.0]
    if "Optional" in text or "None" in text:
        return [None]
    if "Numeric" in text:
        return CUTE_HALF
    return []


def values(parameter: inspect.Parameter, given: Values) -> list[Any]:
    """What to try for a parameter; nothing where nothing is known."""
    if parameter.name in given:
        return given[parameter.name]
    default = [] if parameter.default is inspect.Parameter.empty else [parameter.default]
    kind = "" if parameter.annotation is inspect.Parameter.empty else parameter.annotation
    text = kind if isinstance(kind, str) else getattr(kind, "__name__", str(kind))
    named = NAMED.get(parameter.name, [])
    if "dtype" in text and named and not isinstance(named[0], torch.dtype):
        named = []
    tried: list[Any] = []
    for value in default + (named or _by_type(kind)):
        if not any(value is old or (type(value) is type(old) and value == old) for old in tried):
            tried.append(value)
    return tried


def usual(function: Callable[..., Any], given: Values) -> dict[str, list[Any]]:
    """What to try for each parameter, the usual value first."""
    parameters = [one for one in inspect.signature(function).parameters.values() if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
    tried = {one.name: values(one, given) for one in parameters}
    if missing := [name for name, found in tried.items() if not found]:
        raise LookupError(f"no value for {', '.join(missing)}")
    return tried


def climb(label: str, function: Callable[..., Any], given: Values, limit: int, seconds: int) -> None:
    """Calls with the usual values, then with each other value of one parameter; what first traces a kernel is the usual from then on."""
    tried = usual(function, given)
    base = {name: found[0] for name, found in tried.items()}
    others = [(name, value) for name, found in tried.items() for value in found[1:]]
    good, failed, calls = False, Counter[str](), 0
    for name, value in [("", None), *others]:
        if calls >= limit or any(count >= 4 for count in failed.values()):
            break
        arguments = {**base, name: value} if name else base
        with device.fake():
            real = {key: one.made() if isinstance(one, (Like, Address)) else one for key, one in arguments.items()}
            traced, outcome = tracer.case(f"{label}, {name or 'usual'} {value if name else ''}", lambda: function(**real), seconds)
        calls += 1
        if traced and not good:
            good, base = True, arguments
        if not traced and not good:
            failed[outcome] += 1


def plain(function: Any) -> Callable[..., Any]:
    """Without caches, which would keep a kernel that was not traced."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return typing.cast(Callable[..., Any], function)


def compilers(file: Path) -> list[str]:
    """The functions of a module that mention `cute.compile`."""
    tree = ast.parse(file.read_text(encoding="utf-8", errors="replace"))
    return [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(at, ast.Attribute) and at.attr == "compile" and isinstance(at.value, ast.Name) and at.value.id == "cute" for at in ast.walk(node))
    ]


def module(name: str, given: dict[str, Values], limit: int = 12, seconds: int = 60) -> None:
    """Calls the functions of a module that `given` names, with the values there first; without any, every one that compiles."""
    found: list[ModuleType] = []
    tracer.case(f"import {name}", lambda: found.append(importlib.import_module(name)), seconds)
    if not found:
        return
    for function in given or compilers(Path(str(found[0].__file__))):
        label = f"{name.rsplit('.', 1)[-1]}.{function}"
        try:
            climb(label, plain(getattr(found[0], function)), given.get(function, {}), limit, seconds)
        except (LookupError, AttributeError) as error:
            tracer.say(f"{label}: {error}")


def each(jobs: list[tuple[str, dict[str, Values]]], limit: int = 12, seconds: int = 60) -> None:
    """Every module in a process of its own, since some abort; each writes a file of its own beside `$TRACE_OUT`."""
    out = os.environ["TRACE_OUT"]
    for place, (name, given) in enumerate(jobs):
        child = os.fork()
        if child == 0:
            os.environ["TRACE_OUT"] = f"{out}.{name}.{place}.json"
            try:
                module(name, given, limit, seconds)
                tracer.reasons()
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            tracer.say(f"{name}: ended with status {status}")

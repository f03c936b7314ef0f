"""A GPU that is not there: what entry points ask of a device before they compile is answered from `CUTE_DSL_ARCH`."""

from __future__ import annotations

import contextlib
import os
import re
from typing import Any

import tracer  # noqa: F401  first: it replaces what the imports below take
import cutlass
import cutlass.base_dsl.runtime.cuda as helpers
import cutlass.cuda
import cutlass.cute as cute
import cutlass.cute.runtime as runtime
import cutlass.cute.testing
import cutlass.torch
import torch
from cuda.bindings import driver
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

_FOUND = re.fullmatch(r"sm_(\d+)(\d)[af]?", os.environ["CUTE_DSL_ARCH"])
assert _FOUND, "CUTE_DSL_ARCH is sm_90a and the like"
#: Compute capability.
MAJOR, MINOR = int(_FOUND[1]), int(_FOUND[2])
#: Multiprocessors of an H100, or of a B200.
SMS = 132 if MAJOR == 9 else 148


class _Properties:
    major, minor = MAJOR, MINOR
    multi_processor_count = SMS
    name = "a GPU that is not there"
    total_memory = 80 << 30
    max_threads_per_multi_processor = 2048
    shared_memory_per_block_optin = 227 << 10 if MAJOR in (9, 10) else 99 << 10
    shared_memory_per_multiprocessor = 228 << 10 if MAJOR in (9, 10) else 100 << 10
    L2_cache_size = 50 << 20
    warp_size = 32
    regs_per_multiprocessor = 65536


class _Stream:
    cuda_stream = 0
    device = torch.device("cuda", 0)


def _pretend() -> None:
    cuda: Any = torch.cuda
    cuda.is_available = lambda: True
    cuda.is_initialized = lambda: True
    cuda._lazy_init = lambda: None
    cuda.device_count = lambda: 1
    cuda.current_device = lambda: 0
    cuda.get_device_capability = lambda *_, **__: (MAJOR, MINOR)
    cuda.get_device_properties = lambda *_, **__: _Properties()
    cuda.get_device_name = lambda *_, **__: _Properties.name
    cuda.current_stream = lambda *_, **__: _Stream()
    cuda.default_stream = lambda *_, **__: _Stream()
    cuda.synchronize = lambda *_, **__: None
    cuda.set_device = lambda *_, **__: None
    cuda.is_current_stream_capturing = lambda: False
    cuda.empty_cache = lambda: None
    cuda.Stream = _Stream
    cuda.device = lambda *_, **__: contextlib.nullcontext()
    own: Any = cutlass.cuda
    own.initialize_cuda_context = lambda *_, **__: None
    own.default_stream = lambda *_, **__: driver.CUstream(0)
    # All that is asked of it while a kernel is traced is how much shared memory a multiprocessor has.
    helpers.get_device_attribute = lambda *_, **__: _Properties.shared_memory_per_multiprocessor
    hardware: Any = cutlass.utils.HardwareInfo
    hardware.__init__ = lambda self, *_, **__: None
    hardware.get_max_active_clusters = lambda self, cluster_size=1, *_, **__: SMS // cluster_size
    hardware.get_l2_cache_size_in_bytes = lambda self: _Properties.L2_cache_size
    hardware.get_device_multiprocessor_count = lambda self: SMS


    # Numbers that are put into tensors without memory go by way of the CPU then, not of a device.
    FakeTensorMode.avoid_device_init = property(lambda _: True)  # type: ignore[assignment]


_pretend()

#: Element types by torch's names for them.
TYPES: dict[torch.dtype, Any] = {
    torch.bfloat16: cutlass.BFloat16,
    torch.float16: cutlass.Float16,
    torch.float32: cutlass.Float32,
    torch.int8: cutlass.Int8,
    torch.uint8: cutlass.Uint8,
    torch.int32: cutlass.Int32,
    torch.int64: cutlass.Int64,
    torch.bool: cutlass.Boolean,
    torch.float8_e4m3fn: cutlass.Float8E4M3FN,
    torch.float8_e5m2: cutlass.Float8E5M2,
}


class Lent(runtime._FakeTensor):
    """What `from_dlpack` makes of a tensor without memory: the same extents and strides, static until they are marked."""

    @property
    def element_type(self) -> Any:
        """Which may be set: bytes stand in for types that torch does not have."""
        return self._typed_tensor.element_type

    @element_type.setter
    def element_type(self, dtype: Any) -> None:
        self._typed_tensor = type(self._typed_tensor)(dtype, self.shape, self.stride, self.memspace, self._assumed_align)

    def __c_pointers__(self) -> list[int]:
        return [0]

    def mark_layout_dynamic(self, leading_dim: int | None = None) -> Lent:
        shape, stride = tuple(self.shape), tuple(self.stride)
        if leading_dim is None:
            leading_dim = next((mode for mode, step in enumerate(stride) if step == 1), None)
        return _lent(self, [cute.sym_int32() for _ in shape], [1 if mode == leading_dim else cute.sym_int64() for mode in range(len(stride))])

    def mark_compact_shape_dynamic(self, mode: int, stride_order: Any = None, divisibility: int = 1) -> Lent:
        shape, stride = list(self.shape), list(self.stride)
        shape[mode] = cute.sym_int32(divisibility=divisibility)
        # Strides of the modes outside of this one are products with it.
        inner = self.stride[mode]
        for at, step in enumerate(stride):
            outside = not isinstance(step, int) or not isinstance(inner, int) or step > inner
            if at != mode and step != 1 and outside:
                stride[at] = cute.sym_int64(divisibility=divisibility)
        return _lent(self, shape, stride)


def _lent(like: Any, shape: Any, stride: Any) -> Lent:
    return Lent(like.element_type, tuple(shape), stride=tuple(stride), assumed_align=like._assumed_align)


def _from_dlpack(tensor: Any, assumed_align: int | None = None, *_args: Any, **_kwargs: Any) -> Any:
    while hasattr(tensor, "tensor") and not isinstance(tensor, torch.Tensor):
        tensor = tensor.tensor
    return Lent(TYPES[tensor.dtype], tuple(map(int, tensor.shape)), stride=tuple(map(int, tensor.stride())), assumed_align=assumed_align)


runtime.from_dlpack = _from_dlpack
cutlass.torch.from_dlpack = _from_dlpack  # type: ignore[attr-defined]
# Random numbers for tensors that have no memory.
cutlass.torch.convert_cute_tensor = lambda _, tensor, *_args, **_kwargs: tensor
cute.testing.convert = lambda *_, **__: None
# An address that is aligned to everything.
FakeTensor.data_ptr = lambda _: 1 << 20  # type: ignore[assignment,method-assign]


def fake() -> FakeTensorMode:
    """Tensors have shapes, types and strides, and no memory."""
    return FakeTensorMode(allow_non_fake_inputs=True)


def empty(*shape: int, dtype: torch.dtype = torch.bfloat16) -> torch.Tensor:
    """A tensor on the device that is not there; inside of `fake()`."""
    return torch.empty(*shape, dtype=dtype, device="cuda")


def pointer(dtype: Any = cutlass.BFloat16, align: int = 16) -> Any:
    """A pointer into global memory."""
    return runtime.make_ptr(dtype, 16, cute.AddressSpace.gmem, assumed_align=align)

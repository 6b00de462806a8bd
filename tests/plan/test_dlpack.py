#!/usr/bin/env python3
"""Copies between arrays of NumPy and tensors of PyTorch, which hand their memory over as DLPack tensors,
with a version and without; and tensors handed to them.

    test_dlpack.py [LIBCUTLET.so]

PyTorch is used where Python has it, or CUTLET_TORCH names the folder of packages where it is.
"""

import ctypes
import gc
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import dlpack_capsules as capsules
import dlpack_library
import tap

if os.environ.get("CUTLET_TORCH"):
    sys.path.append(os.environ["CUTLET_TORCH"])
try:
    import numpy
except ImportError:
    numpy = None
try:
    import torch
except ImportError:
    torch = None

VERSION = {"max_version": (1, 0)}
KINDS = ("?", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8", "c8", "c16")


def random_view(dice, shape, kind):
    """A view of the shape: axes in any order, gaps, some backwards."""
    order = dice.sample(range(len(shape)), len(shape))
    steps = [dice.choice([1, 1, 2, -1, -2]) for _ in shape]
    base = numpy.zeros([shape[k] * abs(steps[k]) for k in order], kind)
    view = base.transpose([order.index(k) for k in range(len(shape))])
    return base, view[(*[slice(None, None, s) for s in steps], ...)]


def has_versions():
    try:
        return capsules.get_name(numpy.zeros(1).__dlpack__(**VERSION)) == b"dltensor_versioned"
    except TypeError:
        return False


def is_handed_over(kind):
    """NumPy before 1.25 has no DLPack of bools."""
    try:
        numpy.zeros(1, kind).__dlpack__()
    except BufferError:
        return False
    return True


def check_views(report, library, version):
    """Views of every type, of rank 0 to 5."""
    dice = random.Random(11)
    for kind in filter(is_handed_over, KINDS):
        wrong = ""
        for _ in range(40):
            shape = [dice.randint(1, 9) for _ in range(dice.randint(0, 5))]
            _, src = random_view(dice, shape, kind)
            src[...] = numpy.arange(src.size).reshape(shape).astype(kind)
            base, dst = random_view(dice, shape, kind)
            base[...] = 1
            right = base.copy()
            status, message = library.copy(dst, src, **version)
            got = base.copy()
            base[...] = right
            dst[...] = src
            if status or not numpy.array_equal(got, base):
                wrong = wrong or f"{shape} {src.strides} {dst.strides}: {message}"
        report.check(f"views of {kind}{', with a version' if version else ''}", not wrong, wrong)


def check_arrays(report, library):
    for one, other in (("f4", "f2"), ("f8", "f4"), ("f2", "f8"), ("f8", "f2"), ("i1", "f4")):
        src = (numpy.random.default_rng(3).normal(size=(300, 50)) * 30).astype(one)
        dst = numpy.zeros((50, 300), other).T
        status, message = library.copy(dst, src)
        report.check(f"{one} to {other}", status == 0 and numpy.array_equal(dst, src.astype(other)), message)
    for one, other in (("u1", "?"), ("u1", "i1"), ("i4", "u4"), ("c8", "i8"), ("i8", "f8")):
        if not is_handed_over(other):
            continue
        dst = numpy.full(3, 1, other)
        status, message = library.copy(dst, numpy.full(3, 2, one))
        report.check(f"{one} to {other} is no conversion", status and "are not converted" in message and
                     numpy.array_equal(dst, numpy.full(3, 1, other)), message)
    odd = numpy.frombuffer(bytearray(range(8 + 16 * 6)), "c16", offset=8).reshape(2, 3)
    dst = numpy.zeros((2, 3), "c16")
    status, message = library.copy(dst.T, odd.T)
    report.check("complex numbers aligned as their parts are", status == 0 and
                 dst.tobytes() == odd.tobytes(), message)
    report.check("no elements", library.copy(numpy.zeros((0, 3)), numpy.zeros((0, 3)))[0] == 0)
    status, message = library.copy(numpy.zeros((2, 3)), numpy.zeros((3, 2)))
    report.check("shapes differ", status and message == "mode 0: the source has the extent 3, the destination 2",
                 message)
    both = numpy.zeros(10)
    status, message = library.copy(both[1:], both[:-1])
    report.check("memory overlaps", status and "overlap" in message, message)
    dst = numpy.zeros((4, 5))
    status, message = library.copy(dst, numpy.lib.stride_tricks.as_strided(numpy.ones(5), (4, 5), (0, 8)))
    report.check("a row that is repeated", status == 0 and numpy.array_equal(dst, numpy.ones((4, 5))), message)
    status, message = library.copy(numpy.lib.stride_tricks.as_strided(numpy.ones(5), (4, 5), (0, 8)), dst)
    report.check("but not written to", status and "stride 0" in message, message)


def check_read_only(report, library):
    if not has_versions():
        report.skip("read-only arrays", f"NumPy {numpy.__version__} hands over no versions")
        return
    fixed, free = numpy.arange(6.0), numpy.zeros(6)
    fixed.flags.writeable = False
    status, message = library.copy(free, fixed, **VERSION)
    report.check("a read-only source", status == 0 and numpy.array_equal(free, fixed), message)
    status, message = library.copy(fixed, free, **VERSION)
    report.check("a read-only destination", status and message == "tensor: it is read-only", message)
    capsule = free.__dlpack__(**VERSION)
    capsules.opened(capsule).major = 2
    status, message = library.tensor(capsule, 0)
    capsules.opened(capsule).major = 1
    report.check("another version", status is None and message.startswith("tensor: version 2."), message)


def check_released(report, library):
    """What is taken is released once: the array is referred to as often as before."""
    for version in [{}] + [VERSION] * has_versions():
        name = "with a version" if version else "without a version"
        src, dst = numpy.arange(5.0), numpy.zeros(5)
        before = sys.getrefcount(src)
        status, message = library.take(dst, src, **version)
        report.check(f"taken, {name}", status == 0 and numpy.array_equal(dst, src) and
                     sys.getrefcount(src) == before, message)
        status, message = library.take(numpy.zeros(4), src, **version)
        report.check(f"taken in vain, {name}", status and sys.getrefcount(src) == before, message)


def check_given(report, library, module, name):
    """Tensors of ours as arrays of another library: the very memory, until nobody needs it."""
    base = numpy.arange(24, dtype=numpy.float32).reshape(4, 6)
    view = base.T[:, ::2]
    flags = [None] + [0] * (module is not numpy or has_versions())
    for flag in flags:
        released = dlpack_library.Releases()
        back = module.from_dlpack(capsules.Exported(library.give(view, released.function, flag)))
        same = (numpy.array_equal(numpy.asarray(back), view) and
                numpy.asarray(back).strides == view.strides and
                numpy.shares_memory(numpy.asarray(back), base))
        kept = released.count == 0
        del back
        gc.collect()
        report.check(f"given to {name}{'' if flag is None else ', with a version'}", same and kept and
                     released.count == 1, f"{same} {kept} {released.count}")
    for flag in flags:
        released = dlpack_library.Releases()
        given = library.give(view, released.function, flag)
        given.tensor.lanes = 3  # which neither takes
        exported, refused = capsules.Exported(given), False
        try:
            module.from_dlpack(exported)
        except (BufferError, RuntimeError, ValueError):
            refused = True
        exported.end()
        gc.collect()
        report.check(f"refused by {name}{'' if flag is None else ', with a version'}: released once",
                     refused and released.count == 1, f"{refused} {released.count}")
    if module is numpy and has_versions():
        released = dlpack_library.Releases()
        back = numpy.from_dlpack(capsules.Exported(library.give(view, released.function,
                                                                capsules.READ_ONLY)))
        report.check("given to be read only", not back.flags.writeable)


def torch_views(report, library, version):
    """Tensors in any order of dimensions, repeated, sliced; of every type that both know."""
    dice = random.Random(12)
    for kind in ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32",
                 "float64", "complex64", "complex128"):
        wrong = ""
        for _ in range(30):
            shape = [dice.randint(1, 9) for _ in range(dice.randint(0, 5))]
            order = dice.sample(range(len(shape)), len(shape))
            inverse = [order.index(k) for k in range(len(shape))]
            src = torch.arange(120000)[:max(1, numpy.prod(shape, dtype=int))].to(getattr(torch, kind))
            src = src.reshape([shape[k] for k in order]).permute(inverse)
            if shape and dice.random() < 0.3:
                src = src[:1].expand(shape)
            base = torch.ones([2 * n for n in shape], dtype=src.dtype)
            dst = base[tuple(slice(None, None, 2) for _ in shape)]
            right = base.clone()
            right[tuple(slice(None, None, 2) for _ in shape)] = src
            status, message = library.copy(dst, src, **version)
            if status or not torch.equal(base, right):
                wrong = wrong or f"{shape} {src.stride()} {dst.stride()}: {message}"
        report.check(f"tensors of {kind}{', with a version' if version else ''}", not wrong, wrong)


def check_torch(report, library):
    if torch is None:
        report.skip("PyTorch's tensors", "Python has no PyTorch, and CUTLET_TORCH names none")
        return
    torch_views(report, library, {})
    try:
        torch.zeros(1).__dlpack__(**VERSION)
        torch_views(report, library, VERSION)
    except TypeError:
        report.skip("PyTorch's tensors with a version", f"PyTorch {torch.__version__} hands over none")
    for one, other in (("bfloat16", "float32"), ("float32", "bfloat16"), ("float16", "bfloat16"),
                       ("float32", "float16"), ("bfloat16", "float64"), ("int8", "bfloat16")):
        src = torch.randn(70, 90, generator=torch.Generator().manual_seed(1)) * 30
        src = src.to(getattr(torch, one))
        dst = torch.zeros(90, 70, dtype=getattr(torch, other)).t()
        status, message = library.copy(dst, src)
        report.check(f"{one} to {other}", status == 0 and torch.equal(dst, src.to(dst.dtype)), message)
    array = numpy.zeros((3, 4), "f4")
    status, message = library.copy(array, torch.arange(12.0).reshape(4, 3).t())
    report.check("PyTorch's to NumPy's", status == 0 and
                 array.tolist() == torch.arange(12.0).reshape(4, 3).t().tolist(), message)
    tensor = torch.zeros(4, 3)
    status, message = library.copy(tensor, array.T)
    report.check("NumPy's to PyTorch's", status == 0 and tensor.tolist() == array.T.tolist(), message)
    check_given(report, library, torch, "PyTorch")
    meta = capsules.taken(torch.zeros(3).__dlpack__())
    meta.tensor.device_type = 9  # Metal
    held = torch.zeros(3).__dlpack__()
    status, message = library.call("ct_plan_copy_dlpack", library.tensor(held, 1)[0],
                                   ctypes.byref(meta.tensor))
    meta.deleter(ctypes.addressof(meta))
    report.check("another device", status and "device type 9" in message, message)
    if not torch.cuda.is_available():
        report.skip("PyTorch's tensors on a GPU", "no GPU")
        return
    src = torch.arange(6000.0, device="cuda").reshape(60, 100)
    dst = torch.zeros(100, 60, device="cuda").t()
    status, message = library.copy(dst, src, stream=None)
    torch.cuda.synchronize()
    report.check("PyTorch's tensors on a GPU", status == 0 and torch.equal(dst, src), message)
    status, message = library.copy(torch.zeros(60, 100), src)
    report.check("from a GPU to the host", status and "the source is on device 2:0" in message, message)


def main(report, path=""):
    if numpy is None or not path:
        report.skip("copies between NumPy's arrays", "Python has no NumPy" if numpy is None else
                    "a sanitised library does not load into Python")
        return
    library = dlpack_library.Library(path)
    print(f"# NumPy {numpy.__version__}, PyTorch {torch.__version__ if torch else 'none'}")
    check_views(report, library, {})
    if has_versions():
        check_views(report, library, VERSION)
    check_arrays(report, library)
    check_read_only(report, library)
    check_released(report, library)
    check_given(report, library, numpy, "NumPy")
    check_torch(report, library)


tap.main(main)

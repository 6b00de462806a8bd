"""Kernels of PTX on the CPU grid: results in arrays, mistakes as assertions, arguments of each form."""

import os

import pytest

import pycutlet

numpy = pytest.importorskip("numpy")
SOURCE = os.environ.get("CUTLET_SOURCE", os.path.join(os.path.dirname(__file__), "../.."))
TRANSPOSE = os.path.join(SOURCE, "examples/howto/transpose.ptx")
A = numpy.arange(64 * 64, dtype="float32").reshape(64, 64)


def transpose(kernel=TRANSPOSE, block=(32, 32), n=64, to=None, **options):
    to = numpy.zeros((64, 64), "float32") if to is None else to
    found = pycutlet.check_kernel(kernel, (2, 2), block, {"to": to, "from": A, "n": n}, **options)
    return to, found


def test_results():
    to, found = transpose(schedules=2)
    assert (to == A.T).all() and found["status"] == "ok" and found["schedules"] == 2
    assert sum(row["conflicts"] for row in found["access"]) == 3968 and found["costly"][0].startswith("transpose.cu:8, LDS")
    with open(TRANSPOSE, encoding="utf-8") as file:
        text = file.read()
    assert (transpose(text, name="transpose")[0] == A.T).all()
    one = transpose(n=numpy.int32(64))
    assert (one[0] == A.T).all() and found["instructions"] == 2 * one[1]["instructions"] > 0 < found["seconds"]
    to = numpy.zeros((64, 64), "float32")
    pycutlet.check_kernel(TRANSPOSE, (2, 2), (32, 32), [to, A, 64])
    assert (to == A.T).all()


def test_mistakes():
    to = numpy.zeros((64, 64), "float32")
    to.setflags(write=False)
    with pytest.raises(AssertionError, match=r"to is not writable; the access is at to\[0,0\]"):
        transpose(to=to)
    with pytest.raises(AssertionError, match=r"transpose.cu:6: bytes 16128 to 16131 of arg1, which has 16128 bytes"):
        pycutlet.check_kernel(TRANSPOSE, (2, 2), (32, 32), [numpy.zeros((64, 64), "float32"), A[:63], 64])
    for args, message in (([A], "parameter 1 of the kernel"), ([A, A, 0.5], "arg2: `0.5` is no uint32"),
                          ([A, A, numpy.int64(1)], "arg2: it has 8 bytes")):
        with pytest.raises(pycutlet.Error, match=message):
            pycutlet.check_kernel(TRANSPOSE, 1, 32, args)
    with pytest.raises(ValueError, match="arg1: the kernel gets an address, so the array must be contiguous"):
        pycutlet.check_kernel(TRANSPOSE, 1, 32, [A, A[:, ::2], 64])

#!/usr/bin/env python3
"""Triton's kernels by pycutlet.check_kernel, compiled without a GPU: that of docs/howto/triton.md, and others. Those
with several barriers are mistakes without one of them; blocks wait for each other.

    run_triton.py SOURCE BUILD
"""

import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

sys.path.insert(0, os.path.join(sys.argv[2], "python"))
import numpy as np
import pycutlet
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget

TWICE = "another one follows or precedes it, with no copy between"
#: The barriers, waits, commits and fences without which a kernel is right, by its name, architecture and place, and why.
RIGHT = {("product", 80, place): TWICE for place in (6, 7, 11, 12)}
RIGHT |= {("groups", 80, place): TWICE for place in (7, 8, 12, 13)}
RIGHT |= {("attention", 90, 10): "the one before orders the same accesses"}
for arch in (80, 90):
    RIGHT |= {(name, arch, place): "its copies come to the next group, which the same wait is for"
              for name, place in (("attention", 0), ("groups", 1), ("product", 0))}
    RIGHT |= {("column sums", arch, 2): TWICE, ("column sums", arch, 3): TWICE, ("column sums", arch, 4): "nothing follows it",
              ("sums of the last", arch, 0): TWICE, ("sums of the last", arch, 1): TWICE,
              ("sums of the last", arch, 3): "the one before orders the same accesses"}
RANDOM = np.random.default_rng(1)

@triton.jit
def add(out, x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


@triton.jit
def softmax(out, x, cols, BLOCK: tl.constexpr):
    i = tl.program_id(0) * cols + tl.arange(0, BLOCK)
    mask = tl.arange(0, BLOCK) < cols
    v = tl.load(x + i, mask=mask, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + i, e / tl.sum(e, 0), mask=mask)


@triton.jit
def layer_norm(out, x, w, b, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    mask = i < cols
    v = tl.load(x + row * cols + i, mask=mask, other=0.0)
    d = tl.where(mask, v - tl.sum(v, 0) / cols, 0.0)
    r = 1 / tl.sqrt(tl.sum(d * d, 0) / cols + eps)
    tl.store(out + row * cols + i, d * r * tl.load(w + i, mask=mask) + tl.load(b + i, mask=mask), mask=mask)


@triton.jit
def column_sums(out, x, lock, rows, BLOCK: tl.constexpr):
    """Each program adds its rows of x to the same sums, under a lock."""
    i = tl.arange(0, BLOCK)
    own = tl.zeros((BLOCK,), dtype=tl.float32)
    for row in range(tl.program_id(0) * rows, tl.program_id(0) * rows + rows):
        own += tl.load(x + row * BLOCK + i)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(out + i, tl.load(out + i) + own)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def last_sums(out, x, part, count, BLOCK: tl.constexpr, PROGRAMS: tl.constexpr):
    """Each program writes a row of part; the last one adds all up."""
    i = tl.arange(0, BLOCK)
    tl.store(part + tl.program_id(0) * BLOCK + i, tl.load(x + tl.program_id(0) * BLOCK + i) * 2)
    tl.debug_barrier()
    if tl.atomic_add(count, 1) == PROGRAMS - 1:
        tl.debug_barrier()
        sums = tl.zeros((BLOCK,), dtype=tl.float32)
        for row in range(PROGRAMS):
            sums += tl.load(part + row * BLOCK + i)
        tl.store(out + i, sums)


@triton.jit
def matmul(c, a, b, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    pa = a + rm[:, None] * K + rk[None, :]
    pb = b + rk[:, None] * N + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(tl.load(pa), tl.load(pb), acc)
        pa += BK
        pb += BK * N
    tl.store(c + rm[:, None] * N + rn[None, :], acc)


@triton.jit
def dropout(out, x, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    kept = tl.rand(seed, i) >= p
    tl.store(out + i, tl.where(kept, tl.load(x + i, mask=i < n) / (1 - p), 0.0), mask=i < n)


@triton.jit
def attention(out, q, k, v, scale, KEYS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    """A block of rows of softmax(scale q k^T) v, whose maximum and sum grow with each block of keys."""
    rows, columns, d = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, D)
    own = tl.load(q + rows[:, None] * D + d[None, :])
    most, total = tl.full((BM,), float("-inf"), tl.float32), tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), dtype=tl.float32)
    for first in range(0, KEYS, BN):
        at = (first + columns)[:, None] * D + d[None, :]
        s = tl.dot(own, tl.trans(tl.load(k + at))) * scale
        now = tl.maximum(most, tl.max(s, 1))
        p = tl.exp(s - now[:, None])
        total = total * tl.exp(most - now) + tl.sum(p, 1)
        acc = tl.dot(p.to(tl.float16), tl.load(v + at), acc * tl.exp(most - now)[:, None])
        most = now
    tl.store(out + rows[:, None] * D + d[None, :], acc / total[:, None])


@triton.jit
def grouped(c, a, b, rows, groups, PROGRAMS: tl.constexpr, N: tl.constexpr, K: tl.constexpr, BM: tl.constexpr, BK: tl.constexpr):
    """Products of groups of rows of a, each by a matrix of its own: the programs take the tiles of all in turn."""
    tile, first = tl.program_id(0), 0
    rn, rk = tl.arange(0, N), tl.arange(0, BK)
    for g in range(groups):
        m = tl.load(rows + g)
        tiles = tl.cdiv(m, BM)
        while tile < tiles:
            i = tile * BM + tl.arange(0, BM)
            acc = tl.zeros((BM, N), dtype=tl.float32)
            for k in range(0, K, BK):
                x = tl.load(a + (first + i)[:, None] * K + k + rk[None, :], mask=i[:, None] < m, other=0.0)
                acc = tl.dot(x, tl.load(b + (g * K + k + rk)[:, None] * N + rn[None, :]), acc)
            tl.store(c + (first + i)[:, None] * N + rn[None, :], acc, mask=i[:, None] < m)
            tile += PROGRAMS
        tile -= tiles
        first += m


def random_numbers(seed, n):
    """tl.rand: the first word of Philox4x32 with ten rounds, as a float below 1.

    Source: Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3, 2011."""
    c, low = [np.arange(n, dtype="u8")] + [np.zeros(n, "u8")] * 3, 0xffffffff
    key = [seed & low, seed >> 32]
    for _ in range(10):
        x, y = c[0] * 0xd2511f53, c[2] * 0xcd9e8d57
        c = [y >> 32 ^ c[1] ^ key[0], y & low, x >> 32 ^ c[3] ^ key[1], x & low]
        key = [(key[0] + 0x9e3779b9) & low, (key[1] + 0xbb67ae85) & low]
    word = c[0].astype("u4").view("i4")
    return np.where(word < 0, -word - 1, word).astype("f4") * np.float32(4.6566127342e-10)


def compiled(kernel, args, constants, arch):
    """The kernel for such arguments, specialised as a launch of Triton does it."""
    types = {"float32": "*fp32", "float16": "*fp16", "int32": "*i32", float: "fp32", int: "i32"}
    kinds = [types[str(a.dtype) if isinstance(a, np.ndarray) else type(a)] for a in args]
    names = kernel.arg_names
    signature = {name: kinds[k] if k < len(kinds) else "constexpr" for k, name in enumerate(names)}
    aligned = {(k,): [["tt.divisibility", 16]] for k, a in enumerate(args)
               if isinstance(a, np.ndarray) or (isinstance(a, int) and a % 16 == 0)}
    source = triton.compiler.ASTSource(kernel, signature, constexprs=constants, attrs=aligned)
    return triton.compile(source, target=GPUTarget("cuda", arch, 32))


def given(*shape, kind="float32"):
    array = RANDOM.standard_normal(shape).astype(kind)
    array.setflags(write=False)
    return array


def rows():
    """name, kernel, blocks, arguments, constants, the result, its tolerance."""
    x, y, m, w, b = given(1000), given(1000), given(8, 1000), given(1000), given(1000)
    yield "add", add, 4, (np.zeros(1000, "f4"), x, y, 1000), {"BLOCK": 256}, x + y, 0
    e = np.exp(m - m.max(1, keepdims=True))
    yield "softmax", softmax, 8, (np.zeros((8, 1000), "f4"), m, 1000), {"BLOCK": 1024}, e / e.sum(1, keepdims=True), 1e-5
    centred = m - m.mean(1, keepdims=True)
    yield ("layer norm", layer_norm, 8, (np.zeros((8, 1000), "f4"), m, w, b, 1000, 1e-5), {"BLOCK": 1024},
           centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5) * w + b, 1e-4)
    y = RANDOM.integers(-9, 9, (40, 256)).astype("f4")  # whose sums are exact
    yield ("column sums", column_sums, 10, (np.zeros(256, "f4"), y, np.zeros(1, "i4"), 4), {"BLOCK": 256}, y.sum(0), 0)
    yield ("sums of the last", last_sums, 40, (np.zeros(256, "f4"), y, np.zeros((40, 256), "f4"), np.zeros(1, "i4")),
           {"BLOCK": 256, "PROGRAMS": 40}, 2 * y.sum(0), 0)
    a, c = given(128, 256, kind="float16"), given(256, 128, kind="float16")
    yield ("dropout", dropout, 4, (np.zeros(1000, "f4"), x, 1000, 0.25, 7), {"BLOCK": 256},
           np.where(random_numbers(7, 1000) >= np.float32(0.25), x / np.float32(0.75), 0), 0)
    q, k, v = (given(128, 64, kind="float16") for _ in range(3))
    s = np.exp(q.astype("f4") @ k.astype("f4").T / 8)
    yield ("attention", attention, 2, (np.zeros((128, 64), "f4"), q, k, v, 0.125), {"KEYS": 128, "BM": 64, "BN": 64, "D": 64},
           s / s.sum(1, keepdims=True) @ v.astype("f4"), 2e-3)
    sizes, e, f = (100, 0, 33), given(133, 128, kind="float16"), given(3, 128, 64, kind="float16")
    of = np.repeat(range(3), sizes)
    yield ("groups", grouped, 2, (np.zeros((133, 64), "f4"), e, f, np.array(sizes, "i4"), 3),
           {"PROGRAMS": 2, "N": 64, "K": 128, "BM": 64, "BK": 32}, np.einsum("ik,ikn->in", e.astype("f4"), f.astype("f4")[of]), 1e-3)
    yield ("product", matmul, (2, 2), (np.zeros((128, 128), "f4"), a, c, 128, 256), {"BM": 64, "BN": 64, "BK": 32},
           a.astype("f4") @ c.astype("f4"), 1e-3)


def run(report, name, function):
    try:
        function()
        report.check(name, True)
    except Exception as wrong:  # a kernel that is refused, a mistake, a result
        report.check(name, False, f"{type(wrong).__name__}: {wrong}")


def own(args):
    """The arguments, with arrays of their own where a kernel may write."""
    return [a.copy() if isinstance(a, np.ndarray) and a.flags.writeable else a for a in args]


def check_row(kernel, blocks, args, constants, want, tolerance, arch):
    args = own(args)
    pycutlet.check_kernel(compiled(kernel, args, constants, arch), blocks, None, args, schedules=4)
    np.testing.assert_allclose(args[0], want, rtol=tolerance, atol=tolerance)


def removed(text):
    """The PTX without each of its barriers, waits, commits and fences."""
    for found in re.finditer(r"^\s*(bar\.sync|(?:cp\.async|wgmma)\.(?:wait|commit)_group|wgmma\.fence|fence\.proxy)\b[^\n]*\n",
                             text, re.M):
        yield found.group().strip(), text[:found.start()] + text[found.end():]


def check_removed(report, row, arch):
    """Without one of them a kernel is a mistake under one of 16 schedules, or its result is another one."""
    name, kernel, blocks, args, constants, want, tolerance = row
    whole = compiled(kernel, args, constants, arch)
    for place, (what, text) in enumerate(removed(whole.asm["ptx"])):
        out, *others = own(args)
        try:
            pycutlet.check_kernel(text, blocks, 32 * whole.metadata.num_warps, [out, *others, 0, 0], shared=whole.metadata.shared,
                                  schedules=16)
            said = "the result is right" if np.allclose(out, want, tolerance, tolerance) else "another result"
        except AssertionError as mistake:
            said = str(mistake).partition("schedule")[2] or str(mistake)
        report.check(f"sm_{arch}: {name} without {what}, {place}: {said}",
                     (said == "the result is right") == ((name, arch, place) in RIGHT))


def main():
    report = tap.Report()
    with open(os.path.join(sys.argv[1], "docs/howto/triton.md"), encoding="utf-8") as file:
        page = "\n".join(re.findall(r"^```python\n(.*?)^```$", file.read(), re.S | re.M))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.py")
        with open(path, "w", encoding="utf-8") as file:  # Triton reads the source of a kernel again
            file.write(page)
        sys.path.insert(0, folder)
        import page
        tests = [name for name in dir(page) if name.startswith("test_")]
        report.check("the page has a test", len(tests) == 1)
        for name in tests:
            run(report, f"the page's {name}", getattr(page, name))
    listed = list(rows())
    for arch in (80, 90):
        for name, *row in listed:
            run(report, f"{name}, sm_{arch}", lambda row=row, arch=arch: check_row(*row, arch))
        for row in listed:
            check_removed(report, row, arch)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Conversions of Triton's encodings against Triton's own linear layouts.

    against_triton.py LIBRARY

CUTLET_CASES sets how many random layouts are tried, CUTLET_SEED repeats a run.
"""

import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../support")]
import library as lib
import tap

from triton._C.libtriton import gluon_ir, ir
from triton._C.libtriton.linear_layout import LinearLayout
from triton.experimental.gluon.language import _layouts as gluon
from triton.experimental.gluon.language.amd._layouts import AMDMFMALayout

INPUTS = ("register", "lane", "warp", "block")


def power(rng, most):
    return 1 << rng.randrange(most + 1)


class Triton:
    """The linear layouts that Triton makes of its encodings, and the text of those."""

    def __init__(self):
        self.context = ir.context()
        ir.load_dialects(self.context)
        self.builder = gluon_ir.GluonOpBuilder(self.context)

    def encoding(self, layout, shape):
        """The text of an encoding, as Triton's compiler prints it."""
        attribute = layout._to_ir(self.builder)
        if isinstance(layout, gluon.DistributedLayout):
            text = str(self.builder.get_distributed_ty(self.builder.get_half_ty(), shape, attribute))
        else:
            text = str(self.builder.get_shared_mem_desc_ty(self.builder.get_half_ty(), shape, attribute, shape))
        return text

    def linear(self, layout, shape):
        return self.builder.to_linear_layout(layout._to_ir(self.builder), shape)


def rows(text, name):
    """The bases of an input in the text of an encoding."""
    found = re.search(rf"\b{name} = (\[(?:\[[^]]*\](?:, )?)*\])", text)
    return eval(found.group(1), {"__builtins__": {}}) if found else []


def bases_of(linear):
    """The bases of Triton's answer: distributed, or in shared memory."""
    if isinstance(linear, gluon.DistributedLinearLayout):
        return {"register": linear.reg_bases, "lane": linear.lane_bases, "warp": linear.warp_bases,
                "block": linear.block_bases}
    return {"offset": linear.offset_bases, "block": linear.block_bases}


def split(rng, rank, blocks):
    """Bases of blocks: each doubles along a dimension, or repeats the tensor."""
    reached, found = [1] * rank, []
    for _ in range(blocks):
        d = rng.randrange(rank + 1)
        found.append([reached[d] if i == d else 0 for i in range(rank)])
        if d < rank:
            reached[d] *= 2
    return found, reached


def random_blocked(rng):
    rank = rng.choice([1, 2, 2, 2, 3])
    order = rng.sample(range(rank), rank)
    spread = lambda bits: [1 << n for n in deal(rng, rank, bits)]
    cga, _ = split(rng, rank, rng.choice([0, 0, 0, 1, 2]))
    layout = gluon.BlockedLayout([power(rng, 3) for _ in range(rank)], spread(5), spread(rng.randrange(4)), order, cga)
    return layout, [power(rng, 7) if rank < 3 else power(rng, 5) for _ in range(rank)]


def deal(rng, rank, bits):
    counts = [0] * rank
    for _ in range(bits):
        counts[rng.randrange(rank)] += 1
    return counts


def random_swizzled(rng):
    rank = rng.choice([1, 2, 2, 2, 3])
    shape = [power(rng, 7) for _ in range(rank)]
    cga, reached = split(rng, rank, rng.choice([0, 0, 0, 1]))
    shape = [max(s, r) for s, r in zip(shape, reached)]
    d = rng.randrange(rank)
    shape[d] = max(shape[d], 2 * reached[d])  # Triton's Python asks for a basis at least
    return gluon.SwizzledSharedLayout(power(rng, 4), power(rng, 3), power(rng, 4), rng.sample(range(rank), rank), cga), shape


def random_nvmma(rng):
    """Shapes that Triton takes: it ends the process at others."""
    rank, bits, swizzle = rng.choice([2, 2, 2, 3]), rng.choice([8, 16, 32]), rng.choice([0, 32, 64, 128])
    transposed = rank == 2 and rng.random() < 0.5
    columns = max(1, swizzle * 8 // bits)
    shape = [8 * power(rng, 4) for _ in range(rank)]
    inner = 0 if transposed else rank - 1
    shape[inner] = columns * power(rng, 5 if swizzle else 9)
    cga, reached = split(rng, rank, rng.choice([0, 0, 1]))
    shape = [s * r for s, r in zip(shape, reached)]
    return gluon.NVMMASharedLayout(swizzle, bits, rank, transposed, False, cga), shape


def random_mma(rng):
    """Results of mma.sync and of wgmma, in one block or several."""
    rank = rng.choice([2, 2, 2, 3])
    version = 2 if rank == 3 else rng.choice([2, 3])
    instruction = [16, 8] if version == 2 else [16, 8 * power(rng, 5), 16]
    cga, _ = split(rng, rank, rng.choice([0, 0, 0, 1]))
    warps = [1 << n for n in deal(rng, rank, rng.randrange(4))]
    return gluon.NVMMADistributedLayout([version, 0], warps, [1] * (rank - 2) + instruction, cga), random_shape(rng, rank)


def random_shape(rng, rank):
    return [power(rng, 8) if rank < 3 else power(rng, 6) for _ in range(rank)]


def random_dot(rng):
    """Operands of each kind of parent; those of blocked threads have no kWidth."""
    parent, shape = rng.choice([random_mma, random_mfma, random_blocked])(rng)
    if isinstance(parent, gluon.BlockedLayout):
        return (gluon.DotOperandLayout(rng.randrange(2), parent, 0), shape) if len(shape) > 1 else random_dot(rng)
    if isinstance(parent, AMDMFMALayout):
        return gluon.DotOperandLayout(rng.randrange(2), parent, power(rng, 4)), shape
    return gluon.DotOperandLayout(rng.randrange(2) if parent.version[0] == 2 else 0, parent, power(rng, 3)), shape


def random_mfma(rng):
    rank, (m, n, transposed) = rng.choice([2, 2, 2, 3]), rng.choice([(32, 32, 0), (32, 32, 1), (16, 16, 0), (16, 16, 1), (4, 64, 0), (4, 64, 1), (64, 4, 1)])
    cga, _ = split(rng, rank, rng.choice([0, 0, 0, 1]))
    spread = lambda bits: [1 << n for n in deal(rng, rank, rng.randrange(bits))]
    tiles = rng.choice([None, [1] * (rank - 2) + [power(rng, 1), power(rng, 1)]])
    wide = 64 if m == n == 16 and rng.random() < 0.5 else None
    return AMDMFMALayout(rng.randrange(1, 5), [m, n, 16], bool(transposed), spread(4), wide, tiles, cga), random_shape(rng, rank)


def random_slice(rng):
    """A slice, or a slice of one, of each encoding of threads."""
    parent, shape = rng.choice([random_blocked, random_mma, random_dot, random_mfma])(rng)
    while len(shape) > 1 and (isinstance(parent, gluon.SliceLayout) is False or rng.random() < 0.3):
        d = rng.randrange(len(shape))
        shape = shape[:d] + shape[d + 1:]
        parent = gluon.SliceLayout(d, parent)
    return parent, shape


def positional(layout, name=""):
    """A layout of Gluon as a call without the names of its arguments."""
    if isinstance(layout, (gluon.DistributedLayout, gluon.SharedLayout)):
        return f"{name}{type(layout).__name__}({', '.join(positional(v, name) for v in vars(layout).values())})"
    return repr(layout)


def check_encoding(library, triton, layout, shape):
    """The text of an encoding as a linear one, and back: '' where all is as in Triton."""
    text = triton.encoding(layout, shape)
    wanted_layout = triton.linear(layout, shape)
    wanted = bases_of(wanted_layout)
    shared = "offset" in wanted
    got = library.convert(text, "triton-shared_linear" if shared else "triton-linear")
    for name, bases in wanted.items():
        if rows(got, name) != bases:
            return f"{text}\n{name}: {rows(got, name)}\nTriton: {bases}"
    for python in (repr(layout), positional(layout, "gl."), positional(wanted_layout, "ttgl.")):
        if library.convert(python, "triton-shared_linear" if shared else "triton-linear", shape=shape) != got:
            return f"{python}\nis not: {got}"
    kind = {"BlockedLayout": "triton-blocked", "SwizzledSharedLayout": "triton-swizzled_shared",
            "NVMMASharedLayout": "triton-nvmma_shared"}.get(type(layout).__name__)
    if not kind:
        return ""
    back = library.convert(got, kind, bits=getattr(layout, "element_bitwidth", 16))
    if not library.same(back, got, shape=shape)[0]:
        return f"{text}\nback: {back}"
    return ""


# Random linear layouts, and the tensors that they are.

def random_linear(rng, shared):
    """Bases that reach each element: an invertible matrix of bits, or a permutation, cut into inputs."""
    rank = rng.choice([1, 2, 2, 3])
    log = [rng.randrange(5) for _ in range(rank)]
    log[0] = max(log[0], 1)  # without a basis a text has no rank
    bits = sum(log)
    kind = rng.random()
    images = [1 << k for k in range(bits)]
    rng.shuffle(images)
    if kind < 0.4:  # some more XORs: those of a swizzle, or any
        for _ in range(rng.randrange(1, 4)):
            if bits > 1:
                a, b = rng.sample(range(bits), 2)
                images[a] ^= images[b]
    if not shared:  # values and threads that repeat an element
        for _ in range(rng.choice([0, 0, 1, 2])):
            images.insert(rng.randrange(len(images) + 1), 0)
    dims = [f"dim{d}" for d in range(rank)]

    def coordinate(x):
        row = []
        for n in log:
            row.append(x & ((1 << n) - 1))
            x >>= n
        return row

    if shared:
        parts = [("offset", images)]
    else:
        cuts = sorted(rng.randrange(len(images) + 1) for _ in range(2))
        parts = [("register", images[:cuts[0]]), ("lane", images[cuts[0]:cuts[1]][:5]), ("warp", [])]
        used = len(parts[0][1]) + len(parts[1][1])
        parts[2] = ("warp", images[used:])
        parts.append(("block", []))
    bases = [(name, [coordinate(x) for x in part]) for name, part in parts]
    return LinearLayout.from_bases(bases, dims, [1 << n for n in log], True), bases, log


def encoding_text(bases, shared):
    inside = ", ".join(f"{name} = {[list(row) for row in part]}" for name, part in bases)
    return f"#ttg.shared_linear<{{{inside}}}, alignment = 16>" if shared else f"#ttg.generic_linear<{{{inside}}}>"


def index_of(row, log):
    """A coordinate as index in the tensor, its first dimension fastest."""
    index = shift = 0
    for x, n in zip(row, log):
        index |= x << shift
        shift += n
    return index


def expect(linear, bases, log, shared):
    """The offsets of the tensor, counted out with Triton's apply."""
    dims = [f"dim{d}" for d in range(len(log))]
    counts = {name: 1 << len(part) for name, part in bases}
    if shared:
        found = [0] * counts["offset"]
        for offset in range(counts["offset"]):
            row = linear.apply({"offset": offset})
            found[index_of([row[d] for d in dims], log)] = offset
        return found
    found = []
    for register in range(counts["register"]):
        for warp in range(counts["warp"]):
            for lane in range(counts["lane"]):
                row = linear.apply({"register": register, "lane": lane, "warp": warp, "block": 0})
                found.append(index_of([row[d] for d in dims], log))
    return found


def disjoint_behind(images, swizzle):
    seen = 0
    for x in images:
        bits, base, shift = swizzle
        field = x >> (base + max(shift, 0)) & ((1 << bits) - 1)
        x ^= field << (base - min(shift, 0))
        if x & seen:
            return False
        seen |= x
    return True


def is_tensor(offsets):
    """Whether some swizzle makes the offsets of a linear function a layout, by trying all."""
    bits = (len(offsets) - 1).bit_length()
    images = [offsets[1 << k] for k in range(bits)]
    top = max(images, default=0).bit_length()
    return any(disjoint_behind(images, (n, base, shift)) for n in range(top) for by in range(n, top)
               for base in range(top) for shift in (by, -by) if base + n + by <= top)


def moves_twice(bases):
    """Whether a basis of registers, lanes or blocks moves along two dimensions: Triton's verifier refuses it."""
    return any(sum(x > 0 for x in row) > 1 for name, part in bases if name != "warp" for row in part)


def check_linear(library, linear, bases, log, shared):
    """(what is wrong or '', whether a tensor came out)"""
    text = encoding_text(bases, shared)
    wanted = expect(linear, bases, log, shared)
    try:
        tensor = library.convert(text, "cutlet")
    except lib.Refused as reason:
        if "leaves" in str(reason):
            return "", "capacity"
        if not shared and moves_twice(bases):
            return ("" if "dimensions: Triton takes one" in str(reason) else f"{text}\nrefused: {reason}"), "refused"
        wrong = is_tensor(wanted) or "swizzle" not in str(reason)
        return (f"{text}\nrefused: {reason}" if wrong else ""), "refused"
    if not shared and moves_twice(bases):
        return f"{text}\n{tensor}\nTriton's own reader refuses it", ""
    if lib.offsets(tensor) != wanted:
        return f"{text}\n{tensor}\n{lib.offsets(tensor)}\nTriton: {wanted}", ""
    to = "triton-shared_linear" if shared else "triton-linear"
    if not shared and len(bases[1][1]) < 5 and bases[2][1]:
        return "", "a tensor"  # warps of fewer threads: their threads are lanes on the way back
    try:
        back = library.convert(tensor, to, shape=[1 << n for n in log] if not shared else ())
    except lib.Refused as reason:
        return f"{tensor}\nback: {reason}", "a tensor"
    for name, part in bases:
        if rows(back, name) != part:
            return f"{tensor}\nback: {back}\nof: {text}", ""
    return "", "a tensor"


def main():
    if len(sys.argv) != 2:
        tap.die(__doc__)
    library, triton = lib.Library(sys.argv[1]), Triton()
    cases = int(os.environ.get("CUTLET_CASES", "2000" if tap.ALL else "200"))
    seed = int(os.environ.get("CUTLET_SEED", "20"))
    report = tap.Report()
    print(f"# seed {seed}, {cases} cases of each", flush=True)
    for name, make in (("blocked", random_blocked), ("swizzled_shared", random_swizzled), ("nvmma_shared", random_nvmma), ("nvidia_mma", random_mma),
                       ("dot_op", random_dot), ("amd_mfma", random_mfma), ("slice", random_slice)):
        rng, wrong = random.Random(f"{seed} {name}"), []
        for _ in range(cases):
            layout, shape = make(rng)
            problem = check_encoding(library, triton, layout, shape)
            if problem:
                wrong.append(problem)
        report.check(f"{cases} random {name} encodings", not wrong, f"{len(wrong)} wrong\n" + "\n".join(wrong[:2]))
    for shared in (False, True):
        rng, wrong, outcomes = random.Random(f"{seed} {shared}"), [], {}
        for _ in range(cases):
            problem, outcome = check_linear(library, *random_linear(rng, shared), shared)
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
            if problem:
                wrong.append(problem)
        name = "shared memory" if shared else "threads"
        print(f"# linear layouts of {name}: {outcomes}", flush=True)
        report.check(f"{cases} random linear layouts of {name}", not wrong, f"{len(wrong)} wrong\n" + "\n".join(wrong[:2]))
        report.check(f"layouts of {name} that are tensors, and ones that are not", outcomes.get("a tensor", 0) > cases // 4
                     and outcomes.get("refused", 0) > cases // 100, outcomes)
    status = report.finish()
    sys.stdout.flush()
    os._exit(status)  # Triton's bindings complain of what they keep


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the seeds of each fuzz target, one folder for each, and with --zip an archive of each.

    seeds.py OUT [--zip] CHECKS..

CHECKS are the files of assertions: each line, and each of its sides, is a seed of the readers of text.
The other seeds are made here: NumPy files, lists of lanes, generated code, and bytes that the
structured targets take as choices, the same ones each time.
"""

import os
import random
import struct
import sys
import zipfile

CONVERT = ["(4,8):(8,1)", "Sw<3,3,3> o 0 o (64,64):(64,1)", "5@((2,4),8):((8,16),1)", "(4,8):(1@0,1@1)",
           "Layout<Shape<_4,Int<8>>,Stride<Int<8>,_1>>", "make_layout(make_shape(Int<4>{}, 8), GenRowMajor{})",
           "ComposedLayout<Swizzle<3,4,3>,smem_ptr_flag_bits<16>,Layout<Shape<_8,_64>,Stride<_64,_1>>>",
           "Layout<Shape<_4,_8>,Stride<E<0>,ScaledBasis<_3,0,1>>>", "(_6):(_1) o 0 o (_2,_3):(_1,_2)",
           "cute.make_layout(((2, 4), 8), stride=((cute.E(0), cute.E(0) * 2), cute.E([0, 1])))",
           "!cute.composed_layout<\"S<3,4,3> o 0 o (8,64):(64,1)\">",
           "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>",
           "tensor<16x16xf16, #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], "
           "order = [1, 0], CGALayout = [[1, 0]]}>>",
           "#ttg.linear<{register = [[0, 1]], lane = [[0, 2], [1, 0]], warp = [], block = []}>",
           "#ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 4, order = [1, 0]}>",
           "#ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>",
           "#ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 2]]}, alignment = 16>",
           "std::layout_right::mapping<std::extents<int, 4, std::dynamic_extent>>(std::extents<int, 4, 8>(8))",
           "std::layout_stride::mapping<std::extents<int, 4, 8>>({}, std::array<int, 2>{9, 1})",
           "std::layout_left_padded<8>::mapping<std::extents<int, 4, 8>>{}",
           "shape=(4, 8), strides=(16, 2), itemsize=2, offset=4",
           "{'strides': None, 'typestr': '<f4', 'shape': (4, 8), 'version': 3}"]

EVERY = 20  # of the lines of assertions, one in this many is a seed

CODE = """.headerflags @"EF_CUDA_SM90"
Function : k
        /*0010*/ LDG.E.128 R4, desc[UR4][R2.64] ;
        /*0020*/ @!P0 STS.64 [R7+0x10], R4 ;
        /*0030*/ LDGSTS.E.BYPASS.LTC128B.128 [R7], [R2.64] ;
""", """.entry k() {
        ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];
        @%p1 st.shared.b64 [%r1+16], %rd2;
}
"""


PTX = [f"{line};\n" for line in (
    "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d1+16]", "@!%p1 st.shared.b32 [%r1], 0f3F800000", "bra.uni L; L: ret", "call.uni (a), f, (b)",
    "setp.lt.and.f32 %p1|%p2, %f1, %f2, !%p3", "mad.wide.s32 %d1, %r1, -4, %d2", "cvt.rn.satfinite.e4m3x2.f32 %r1, %f1, %f2",
    "cp.async.cg.shared.global [%r1], [%d1], 16", "mov.b64 {%r1, %r2}, %d1", ".shared .align 16 .b8 s[64]; mov.u32 %r1, s", "{ .reg .b32 %x<4>; }",
    "T: .branchtargets A, B; brx.idx %r1, T; A: B: ret", ".loc 1 4 5, function_name f, inlined_at 1 9 1", "atom.global.add.f32 %f1, [%d1], %f2",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4}")]


def assertions(paths):
    """Assertions and their sides."""
    for path in paths:
        with open(path) as source:
            lines = [line.split("#")[0].strip() for line in source]
        for line in [line for line in lines if line][::EVERY]:
            for text in [line, *line.split(" == ")]:
                yield text.encode()


def npy(version, header, data):
    """A NumPy file after the byte that says that any bytes follow."""
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\0\x93NUMPY" + bytes([version, 0]) + length + header + data


def npy_files():
    """Files of each format, kind of element and order, whole and broken."""
    shapes = [(b"()", 1), (b"(5,)", 5), (b"(2, 3)", 6), (b"(2, 1, 2)", 4)]
    types = [(b"'<f4'", 4), (b"'>i2'", 2), (b"'|V3'", 3), (b"'<U2'", 8), (b"'<M8[ns]'", 8),
             (b"[('x', '<f2'), (('t', 'y'), '|u1', (2,))]", 4)]
    for number, (shape, size) in enumerate(shapes):
        for at, (name, bytes_) in enumerate(types):
            order = [b"False", b"True"][(number + at) % 2]
            header = b"{'descr': %s, 'fortran_order': %s, 'shape': %s, }   \n" % (name, order, shape)
            yield npy(1 + (number + at) % 3, header, bytes(range(size * bytes_)))
    yield npy(1, header, b"")
    yield npy(1, header[:20], b"")


def lane_lists():
    """Lists after a kind and a width."""
    lists = ["0,4,8,12", ",".join(str(16 * t) for t in range(32)), "-,0,-,128", "0x10,-",
             ",".join(["0"] * 32), "1,2", "", "-1", ",".join(str(t) for t in range(33))]
    for number, text in enumerate(lists):
        yield bytes([0, number % 8, number % 6]) + text.encode()


def convert_texts():
    """Texts of each system after the bytes that choose a system to write, bits and a shape."""
    systems = 14
    for number, text in enumerate(CONVERT):
        for to in range(0, systems, 3):
            yield bytes([(number + to) % systems, 3, number % 4, 0o45]) + text.encode()


SHARDED = ["shard:0", "shard:1", "cyclic:0:3", "replicate", "shard:0,shard:1", "replicate,shard:0/f", "cyclic:1:2,shard:0",
           "shard:1/(64,1)", "(4,(16,16)):(16@0,(1@0,1@1))", "((2,2),(16,8)):((16@0,8@1),(1@0,1@1))/c",
           "(4,((4,4),16)):(4@0,((1@0,16@0),1@1))/f"]


def sharded_pairs():
    """Pairs of sharded layouts after the bytes of shape and mesh."""
    for i, source in enumerate(SHARDED):
        for k, target in enumerate(SHARDED):
            head = bytes([1, 63 - i, 15 - k % 3, k, 0x80 | 5 if "," in source[:15] and "(" not in source else 0x40 | 3])
            yield head + f"{source}|{target}".encode()


def choices(count, length):
    """Bytes that a structured target takes as choices; the first byte varies evenly."""
    dice = random.Random(1)
    for number in range(count):
        size = dice.randint(4, length)
        yield bytes([number % 256]) + bytes(dice.randrange(256) for _ in range(size))


def all_seeds(checks):
    """Target -> its seeds."""
    texts = list(assertions(checks))
    return {"fuzz_text": texts, "fuzz_eval": texts,
            "fuzz_ptx": [text.encode() for text in PTX],
            "fuzz_sass": [text.encode() for text in CODE],
            "fuzz_expression": list(choices(200, 120)),
            "fuzz_convert": list(convert_texts()),
            "fuzz_npy": [*npy_files(), *choices(60, 80)],
            "fuzz_plan": list(choices(200, 100)),
            "fuzz_redistribute": list(sharded_pairs()),
            "fuzz_lanes": [*lane_lists(), *choices(100, 100)]}


def write(out, checks):
    """A folder of files for each target."""
    for name, seeds in all_seeds(checks).items():
        os.makedirs(os.path.join(out, name))
        for number, seed in enumerate(seeds):
            with open(os.path.join(out, name, str(number)), "wb") as file:
                file.write(seed)


def write_archives(out, checks):
    """An archive for each target, as OSS-Fuzz takes them."""
    for name, seeds in all_seeds(checks).items():
        with zipfile.ZipFile(os.path.join(out, name + "_seed_corpus.zip"), "w") as archive:
            for number, seed in enumerate(seeds):
                archive.writestr(str(number), seed)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    checks = [a for a in sys.argv[2:] if a != "--zip"]
    (write_archives if "--zip" in sys.argv else write)(sys.argv[1], checks)


if __name__ == "__main__":
    main()

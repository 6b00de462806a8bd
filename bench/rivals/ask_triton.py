"""What Triton answers: gluon's bank_conflicts, on the host, without a GPU.

Its words: "We define a bank conflict of N to be the excess number of memory accesses that each
wavefront needs", of "ld.shared/st.shared instructions". So an instruction whose lanes fill P
passes of 128 bytes takes P (N + 1) accesses. It has no count for global memory. Its layouts are
linear over bits; row padding it has apart, and aborts when it is to count that (3.6: "unknown
layout"), so the padded column is asked as the linear layout that it happens to be.

gluon.language.bank_conflicts, the whole of it, is run on the host, from an empty function of our
own: what calls it otherwise is a kernel that is compiled for the GPU at hand. The shared layout is
the identity on the offsets of the pattern; value and lane bits are what the pattern has them be;
the elements that this warp leaves out are given to further warps, for Triton wants a tensor
covered. ldmatrix it does not count: its rows are asked as a load of 128 bits. Triton 3.9 gives the
answers of 3.6.
"""

import importlib.metadata
import json
import subprocess
import sys

from pattern import LANES

LEAST_BYTES = 1024  # Triton 3.6 stops on shared tensors that do not fill the banks


def version():
    return importlib.metadata.version("triton")


class Span:
    """The offsets that some bits reach, by exclusive or."""

    def __init__(self):
        self.basis = []  # descending, each with a highest bit of its own

    def add(self, vector):
        """1 where the vector was not in the span yet."""
        for other in self.basis:
            vector = min(vector, vector ^ other)
        self.basis = sorted(self.basis + [vector] * (vector > 0), reverse=True)
        return vector > 0


def xor_of(bases, index):
    total = 0
    for i, base in enumerate(bases):
        total ^= base * (index >> i & 1)
    return total


def question_of(pattern):
    """The offset of each bit of value and lane, the bits left over, and the size of the tensor;
    None where the offsets are no exclusive or of such bits."""
    values = [pattern.offsets[0][1 << i] - pattern.offsets[0][0]
              for i in range((pattern.values - 1).bit_length())]
    lanes = [pattern.offsets[1 << i][0] for i in range(5)]
    for lane in range(LANES):
        for value in range(pattern.values):
            if xor_of(lanes, lane) ^ xor_of(values, value) != pattern.offsets[lane][value]:
                return None
    highest = max(max(lane) for lane in pattern.offsets)
    size = max(LEAST_BYTES // pattern.elem_bytes, 1 << highest.bit_length())
    span = Span()
    for vector in values + lanes:
        span.add(vector)
    rest = [1 << i for i in range(size.bit_length() - 1) if span.add(1 << i)]
    return {"values": values, "lanes": lanes, "rest": rest, "size": size,
            "elem_bits": pattern.elem_bits}


def semantic():
    """What Triton compiles a kernel with, inside an empty function of a module for an sm_90.
    Triton 3.6 answers without one too, 3.9 does not."""
    from triton._C.libtriton import gluon_ir, ir
    from triton.experimental.gluon.language._semantic import GluonSemantic

    context = ir.context()
    ir.load_dialects(context)
    builder = gluon_ir.GluonOpBuilder(context)
    builder.set_loc("empty", 1, 1)
    module = builder.create_module()
    module.set_attr("ttg.target", builder.get_string_attr("cuda:90"))
    empty = builder.get_or_insert_function(module, "empty", builder.get_function_ty([], []),
                                           "public", False)
    module.push_back(empty)
    builder.set_insertion_point_to_start(empty.add_entry_block())
    return GluonSemantic(builder), (context, module)  # the caller keeps what the builder needs


def answer(question):
    """Triton's number. Run in a process of its own: it aborts on layouts that it does not know."""
    from triton.experimental.gluon import language as gluon

    asked, _kept = semantic()
    size, dtype = question["size"], getattr(gluon, f"int{question['elem_bits']}")
    modes = {name: [[offset] for offset in question[name]] for name in ("values", "lanes", "rest")}
    register = gluon.DistributedLinearLayout(
        reg_bases=modes["values"], lane_bases=modes["lanes"], warp_bases=modes["rest"],
        block_bases=[], shape=[size])
    shared = gluon.SharedLinearLayout(
        offset_bases=[[1 << i] for i in range(size.bit_length() - 1)], block_bases=[])
    return gluon.bank_conflicts(
        gluon.distributed_type(dtype, [size], register),
        gluon.shared_memory_descriptor_type(dtype, [size], shared, [size]),
        _semantic=asked)


def ask(pattern):
    """None where it has no answer; its count, and the conflicts and wavefronts of the instruction
    that its definition makes of it."""
    question = question_of(pattern)
    if pattern.is_global or question is None:
        return None
    run = subprocess.run([sys.executable, __file__, json.dumps(question)], capture_output=True,
                         text=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"{pattern.name}: Triton ended with {run.returncode}: {run.stderr}")
    count = int(run.stdout)
    return {"words": f"{count} per wavefront", "conflicts": pattern.phases * count,
            "wavefronts": pattern.phases * (count + 1)}


if __name__ == "__main__":
    print(answer(json.loads(sys.argv[1])))

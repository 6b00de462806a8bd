"""The memory of a case: both sides as PyTorch tensors of bytes, what PyTorch makes of it, and the
comparison with what a plan makes, gaps and guards too."""

import library as plans

GUARD = 4096  # bytes in front of a side and behind it
PAGE = 4096
FILL = 0xA5
WORDS = 1 << 25  # compared at a time, 256 MiB


class Side:
    """Memory of one side of a case."""

    def __init__(self, device, case, strides, offset):
        torch = device.torch
        self.case, self.strides = case, strides
        self.first, length = case.place(strides, offset)
        size = (2 * GUARD + length * case.size + PAGE - 1) // PAGE * PAGE
        self.memory = torch.empty(size, dtype=torch.uint8, device=device.device)
        self.words = self.memory.view(torch.int64)
        self.at = self.memory.data_ptr() + GUARD + self.first * case.size

    def view(self, torch, strides, first):
        """The elements as PyTorch sees them, with strides from 0 up."""
        kind = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[self.case.size]
        return self.memory.view(kind).as_strided(self.case.shape, strides,
                                                 GUARD // self.case.size + first)


def copy_as_torch(torch, case, dst, src):
    """Copies by PyTorch. Where strides are negative, which it does not have, modes are gone through
    from their other end: on both sides where the destination's is, then by flipping the source."""
    steps, first = [list(src.strides), list(dst.strides)], [src.first, dst.first]
    for k, extent in enumerate(case.shape):
        if steps[1][k] < 0:
            for side in range(2):
                first[side] += (extent - 1) * steps[side][k]
                steps[side][k] = -steps[side][k]
    flips = [k for k, step in enumerate(steps[0]) if step < 0]
    for k in flips:
        first[0] += (case.shape[k] - 1) * steps[0][k]
        steps[0][k] = -steps[0][k]
    there = src.view(torch, steps[0], first[0])
    dst.view(torch, steps[1], first[1]).copy_(there.flip(flips) if flips else there)


def first_difference(torch, words, others):
    """The first word that differs, as (index, ours, the other's); None where none does."""
    for at in range(0, len(words), WORDS):
        ours, expected = words[at:at + WORDS], others[at:at + WORDS]
        if not torch.equal(ours, expected):
            k = int((ours != expected).nonzero()[0])
            return at + k, int(ours[k]), int(expected[k])
    return None


class Memory:
    """Both sides of a case, and a destination that PyTorch filled."""

    def __init__(self, device, case):
        self.device, self.case = device, case
        self.src = Side(device, case, case.src, case.src_offset)
        self.dst = Side(device, case, case.dst, case.dst_offset)
        self.src.words.random_()
        right = Side(device, case, case.dst, case.dst_offset)
        right.memory.fill_(FILL)
        copy_as_torch(device.torch, case, right, self.src)
        self.right = right

    def verify(self, plan):
        """Runs the plan and compares all memory of the destination."""
        self.dst.memory.fill_(FILL)
        plan.run(self.dst.at, self.src.at, self.device.stream)
        self.device.wait()
        wrong = first_difference(self.device.torch, self.dst.words, self.right.words)
        if wrong:
            at, ours, expected = (x & (1 << 64) - 1 for x in wrong)
            raise plans.Failure(
                f"wrong result: byte {at * 8 - GUARD} to {at * 8 - GUARD + 7} of the destination are "
                f"{ours.to_bytes(8, 'little').hex()}, PyTorch's {expected.to_bytes(8, 'little').hex()}")

    def torch_copy(self):
        """PyTorch's copy, to be called; None where strides are negative."""
        if min(self.case.src + self.case.dst) < 0:
            return None
        a = self.src.view(self.device.torch, self.case.src, self.src.first)
        b = self.dst.view(self.device.torch, self.case.dst, self.dst.first)
        return lambda: b.copy_(a)

"""What redistribute.py measures: tensors, sharded layouts, what each rank holds of them."""

import random

RAW, HALF, BFLOAT16, FLOAT, DOUBLE, INT8 = range(6)  # CT_TYPE_...
TYPE_BYTES = {HALF: 2, BFLOAT16: 2, FLOAT: 4, DOUBLE: 8, INT8: 1}
TYPE_NAMES = {RAW: "raw", HALF: "half", BFLOAT16: "bfloat16", FLOAT: "float", DOUBLE: "double",
              INT8: "int8"}
RANKS = 2


class Side:
    """A named form, and where the elements that a rank holds lie in its memory."""

    def __init__(self, form, memory="/c"):
        self.form, self.memory = form, memory

    def text(self):
        """As ct_parse_sharded reads it."""
        return self.form + self.memory

    def coordinates(self, shape, rank):
        """The coordinates of each mode that a rank holds, ascending."""
        kind, *numbers = self.form.split(":")
        held = [range(extent) for extent in shape]
        if kind == "replicate":
            return held
        mode = int(numbers[0])
        extent = shape[mode]
        if kind == "shard":
            chunk = -(-extent // RANKS)
            held[mode] = range(min(rank * chunk, extent), min((rank + 1) * chunk, extent))
        else:
            block = int(numbers[1])
            held[mode] = [i for i in range(extent) if i // block % RANKS == rank]
        return held

    def strides(self, extents):
        """The step in elements of each mode, of a rank that holds this many of each."""
        if self.memory.startswith("/("):
            return [int(step) for step in self.memory[2:-1].split(",")]
        modes = range(len(extents))
        return compact(extents, modes if self.memory == "/f" else reversed(modes))


def compact(extents, order):
    """Strides without gaps, the first mode of the order fastest."""
    strides, step = [0] * len(extents), 1
    for mode in order:
        strides[mode] = step
        step *= max(extents[mode], 1)
    return strides


class Case:
    """A tensor that goes from one sharded layout to another."""

    def __init__(self, name, shape, src, dst, types=(RAW, RAW), raw_bytes=2, scale=None):
        self.name, self.shape, self.src, self.dst = name, tuple(shape), src, dst
        self.types, self.scale = types, scale
        self.bytes = [TYPE_BYTES.get(kind, raw_bytes) for kind in types]
        self.raw_bytes = raw_bytes if types[0] == RAW else 0

    def side(self, which):
        """The source or the destination."""
        return self.dst if which else self.src

    def type_text(self):
        """What the elements are."""
        texts = [TYPE_NAMES[kind] + (str(self.raw_bytes) if kind == RAW else "")
                 for kind in self.types]
        text = texts[0] if texts[0] == texts[1] else "->".join(texts)
        return text if self.scale is None else f"{text} x {self.scale}"

    def text(self):
        """The whole case on one line."""
        shape = "x".join(map(str, self.shape))
        return f"{shape} {self.type_text()} {self.src.text()} -> {self.dst.text()}"

    def dtensor(self):
        """The two placements of DTensor, or None where it has none of these."""
        if self.types[0] != self.types[1] or self.scale is not None:
            return None
        if self.raw_bytes not in (0, 2, 4) or self.src.memory != "/c" or self.dst.memory != "/c":
            return None
        forms = [self.src.form, self.dst.form]
        return None if any(form.startswith("cyclic") for form in forms) else forms


def named():
    """The cases of DTensor that the figures are about."""
    rows, columns, whole = Side("shard:0"), Side("shard:1"), Side("replicate")
    return [
        Case("square bf16", (16384, 16384), rows, columns),
        Case("square float", (16384, 16384), rows, columns, raw_bytes=4),
        Case("three modes bf16", (64, 4096, 4096), rows, columns),
        Case("odd bf16", (16383, 16381), rows, columns),
        Case("square bf16 to replicated", (16384, 16384), rows, whole),
    ]


def blocks():
    """Contiguous blocks: of four each rank keeps two and sends one; this many MiB."""
    return [Case(f"block of {mib} MiB", (4, mib << 18), Side("shard:0"), Side("cyclic:0:1"),
                 raw_bytes=4) for mib in (64, 512, 2048)]


def extents_of(dice, modes, elements):
    """This many extents, uneven, whose product is about that many."""
    extents, left = [], elements
    for mode in range(modes, 0, -1):
        mean = left ** (1 / mode)
        extent = max(3, int(mean * dice.uniform(0.4, 1.6))) if mode > 1 else max(3, int(left))
        extents.append(extent)
        left /= extent
    dice.shuffle(extents)
    return extents


def form_of(dice, shape, besides=None):
    """A form that cuts a mode, another mode than the one besides."""
    mode = dice.choice([k for k in range(len(shape)) if k != besides])
    if dice.random() < 0.5:
        return mode, f"shard:{mode}"
    return mode, f"cyclic:{mode}:{dice.randint(1, max(1, shape[mode] // 3))}"


def memory_of(dice, shape, form):
    """A memory order: rows, columns, or modes in any order."""
    kind = dice.choice(["/c", "/c", "/f", "order"])
    if kind != "order":
        return kind
    side = Side(form)
    extents = [max(len(side.coordinates(shape, rank)[k]) for rank in range(RANKS))
               for k in range(len(shape))]
    order = list(range(len(shape)))
    dice.shuffle(order)
    return "/(" + ",".join(map(str, compact(extents, order))) + ")"


def pairs(count=30, elements=1 << 26, seed=17):
    """Random pairs of rank 2 to 5: uneven, block-cyclic, permuted, converted."""
    dice = random.Random(seed)
    conversions = [(BFLOAT16, FLOAT), (FLOAT, BFLOAT16), (FLOAT, HALF), (HALF, FLOAT),
                   (HALF, BFLOAT16), (INT8, HALF), (FLOAT, INT8)]
    found = []
    for number in range(count):
        shape = extents_of(dice, 2 + number % 4, elements * dice.uniform(0.5, 1.5))
        mode, src = form_of(dice, shape)
        _, dst = form_of(dice, shape, mode)
        if number % 10 == 9:
            dst = "replicate"
        types, scale = (RAW, RAW), None
        if number % 3 == 2:
            types = dice.choice(conversions)
            scale = dice.choice([None, 0.5]) if types[1] != INT8 else None
        found.append(Case(f"pair {number}", shape, Side(src, memory_of(dice, shape, src)),
                          Side(dst, memory_of(dice, shape, dst)), types,
                          dice.choice([1, 2, 2, 4, 8]), scale))
    return found

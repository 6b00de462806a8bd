"""libcutlet from Python, for the tests of conversions: convert.h and what they check it with."""

import ctypes

SYSTEMS = ("", "cutlet", "cute", "cute-print", "cute-dsl", "cute-ir", "triton", "triton-blocked", "triton-linear",
           "triton-swizzled_shared", "triton-nvmma_shared", "triton-shared_linear", "mdspan", "mdspan-padded", "numpy")
RANK, BYTES, MESSAGE = 8, 8192, 640


class Options(ctypes.Structure):
    _fields_ = [("source", ctypes.c_int32), ("to", ctypes.c_int32), ("rank", ctypes.c_int32),
                ("shape", ctypes.c_int64 * RANK), ("element_bits", ctypes.c_int32)]


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int32), ("op", ctypes.c_int32), ("why", ctypes.c_int32),
                ("mode", ctypes.c_int32), ("other", ctypes.c_int32), ("n", ctypes.c_int64 * 3)]


class Diag(ctypes.Structure):
    _fields_ = [("at", ctypes.c_size_t), ("length", ctypes.c_size_t), ("err", Error),
                ("message", ctypes.c_char * MESSAGE)]


class Refused(Exception):
    """A conversion that failed, with its sentence."""


def options(source, to, shape, bits):
    o = Options(SYSTEMS.index(source), SYSTEMS.index(to), len(shape), (ctypes.c_int64 * RANK)(*shape), bits)
    return ctypes.byref(o)


class Library:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.ct_system_name.restype = ctypes.c_char_p
        for i, name in enumerate(SYSTEMS[1:], 1):
            got = self.library.ct_system_name(i, None)
            assert got == name.encode(), f"system {i} is {got}, not {name}"

    def convert(self, text, to, source="", shape=(), bits=0):
        """The text in another system."""
        out, diag = ctypes.create_string_buffer(BYTES), Diag()
        if self.library.ct_convert_layout(text.encode(), options(source, to, shape, bits), out, ctypes.byref(diag)):
            raise Refused(diag.message.decode())
        return out.value.decode()

    def evaluate(self, text):
        """What an expression is, as text."""
        value, out, diag = ctypes.create_string_buffer(1 << 20), ctypes.create_string_buffer(BYTES), Diag()
        if self.library.ct_evaluate(text.encode(), value, ctypes.byref(diag)):
            raise Refused(diag.message.decode())
        self.library.ct_format_value(out, BYTES, value)
        return out.value.decode()

    def same(self, a, b, shape=(), bits=0):
        """Whether two texts are the same function, and the sentence of where they differ."""
        answer, diag = ctypes.c_int(), Diag()
        if self.library.ct_same_layout(a.encode(), b.encode(), options("", "", shape, bits), ctypes.byref(answer), None,
                                ctypes.byref(diag)):
            raise Refused(diag.message.decode())
        return answer.value == 1, diag.message.decode()


# The notation, read once more: shape, stride, offset and swizzle as nested tuples of Python.

def parse(text):
    """(swizzle, offset, shape, stride) of a layout or a tensor in the notation, its strides integers."""
    swizzle, offset = None, 0
    if " o " in text:
        head, middle, text = text.split(" o ")
        swizzle = tuple(int(x) for x in head[3:-1].split(","))
        offset = int(middle)
    elif "@" in text:
        head, text = text.split("@")
        offset = int(head)
    shape, stride = text.split(":")
    nested = [eval(t.replace(")", ",)").replace("(,)", "()"), {"__builtins__": {}}) for t in (shape, stride)]
    return swizzle, offset, *nested


def leaves(t):
    return [x for m in t for x in leaves(m)] if isinstance(t, tuple) else [t]


def size(shape):
    n = 1
    for s in leaves(shape):
        n *= s
    return n


def modes(shape):
    """The size of each mode."""
    return [size(m) for m in shape] if isinstance(shape, tuple) else [shape]


def offsets(text):
    """The offset of each index, counted out."""
    swizzle, offset, shape, stride = parse(text)
    found = [offset]
    for s, d in zip(leaves(shape), leaves(stride)):
        found = [x + i * d for i in range(s) for x in found]
    if swizzle:
        bits, base, shift = swizzle
        mask = (1 << bits) - 1
        if shift >= 0:
            found = [x ^ ((x >> (base + shift) & mask) << base) for x in found]
        else:
            found = [x ^ ((x >> base & mask) << (base - shift)) for x in found]
    return found


# Random layouts.

def spell(t):
    """A nested tuple in the notation."""
    return "(" + ",".join(spell(m) for m in t) + ")" if isinstance(t, tuple) else str(t)


def random_shape(rng, most, depth=2):
    if depth == 0 or rng.random() < (0.3 if depth == 2 else 0.7):
        return rng.choice([s for s in (1, 2, 3, 4, 5, 6, 8) if s <= most])
    found, left = [], most
    for _ in range(rng.choice([1, 2, 2, 3])):
        found.append(random_shape(rng, left, depth - 1))
        left = max(left // size(found[-1]), 1)
    return tuple(found)


def strides_like(shape, values):
    return tuple(strides_like(m, values) for m in shape) if isinstance(shape, tuple) else values.pop()


def random_layout(rng, most=96):
    """A layout in the notation: permuted, padded, overlapping, nested."""
    shape = random_shape(rng, most)
    flat = leaves(shape)
    order, stride, run = list(range(len(flat))), [0] * len(flat), 1
    rng.shuffle(order)
    for k in order:
        stride[k] = run if rng.random() < 0.85 else rng.choice([0, rng.randrange(40)])
        run *= flat[k] * (1 if rng.random() < 0.8 else rng.choice([2, 3]))
    return f"{spell(shape)}:{spell(strides_like(shape, stride[::-1]))}"


def random_swizzled(rng):
    """The same behind a swizzle and an offset."""
    bits = rng.randrange(1, 4)
    return f"Sw<{bits},{rng.randrange(4)},{rng.randrange(bits, 5)}> o {rng.choice([0, 0, 8, 5])} o {random_layout(rng)}"


def random_strided(rng, positive=False):
    """A layout of one stride a mode, each passing over the one before it, or any strides."""
    rank = rng.randrange(1, 5)
    shape, stride, run = [rng.choice([1, 2, 3, 4, 6]) for _ in range(rank)], [0] * rank, 1
    order = rng.choice([list(range(rank)), list(range(rank))[::-1], rng.sample(range(rank), rank)])
    padded = rng.choice([None, None, order[0], rng.randrange(rank)])
    for k in order:
        stride[k] = run
        run *= shape[k] + (rng.randrange(1, 4) if k == padded else 0)
    if not positive and rng.random() < 0.2:
        k = rng.randrange(rank)
        stride[k] = rng.choice([0, stride[k] + 1])
    return f"{spell(tuple(shape))}:{spell(tuple(stride))}"

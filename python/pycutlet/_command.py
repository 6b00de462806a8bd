"""The command's work as functions: its options are keywords, with `_` for `-`, and their values are values."""

from . import _core

for _name in ("message", "status", "operation", "mode", "numbers", "text", "at", "length"):
    setattr(_core.Error, _name, None)  # of an error that the command tells in a line


def _option(name, value):
    """An option; one without a value is True, a list is one option for each item."""
    if isinstance(value, list):
        return [word for item in value for word in _option(name, item)]
    text = f"{value}".replace(" ", "") if isinstance(value, tuple) else f"{value}"
    return [f"--{name.rstrip('_').replace('_', '-')}" + ("" if value is True else f"={text}")]


def command(*words, _wrong=False, **options):
    """What the command prints: command("eval", "(4,8):(8,1)(2,3)"). An option without a value is True, a list repeats it.
    Raises Error."""
    given = [word for name, value in options.items() if value is not None and value is not False for word in _option(name, value)]
    status, out, told = _core._command([*map(str, words), *given], True, True)
    if not status or (_wrong and out):  # on what it found to be wrong
        return out
    error = _core.Error((told or out).rstrip("\n").partition(": ")[2])
    error.message = str(error).partition("\n")[0]
    raise error


def _answer(*words, **options):
    """What it prints as JSON."""
    import json  # whose import takes longer than the package's
    return json.loads(command(*words, json=True, **options))


def convert(text, to, *, source=None, shape=None, type=None):
    """A layout of one system in the text of another, exactly: cute, cute-dsl, triton-linear, mdspan, numpy and others."""
    return command("convert", text, to=to, from_=source, shape=shape, type=type).rstrip("\n")


def explain_copy(**options):
    """What limits the width of a copy, and what would widen it: src, dst, thr, val and the other options."""
    return _answer("explain", "copy", **options)


def explain_descriptor(layout, *, atom, **options):
    """The matrix descriptor of an operand in shared memory, field by field, or the nearest layout that has one."""
    return _answer("explain", "descriptor", layout, atom=atom, **options)


def explain_tma(layout, *, box, **options):
    """The fields of the tensor map that reads a tensor, and the boxes of a tile: box, type, swizzle and the other options."""
    return _answer("explain", "tma", layout, box=box, **options)


def gemm(a, b, *, c=None, bias=None, scale_rows=None, scale_cols=None, **options):
    """activation(scale_rows[i] scale_cols[j] alpha (a b) + beta c + bias[j]) of arrays of NumPy, on the CPU, each element
    within the rounding of one in double: alpha, beta, activation="relu", "gelu" or "silu", transpose_b, no_verify, and
    type="bfloat16" for arrays of two bytes, type="e4m3" for uint8. Vectors are converted to float32. Of int8 it is int32, exact modulo 2^32, with
    a bias of int32 and relu."""
    import os
    import tempfile

    import numpy
    with tempfile.TemporaryDirectory() as folder:
        vectors = {"bias": bias, "scale_rows": scale_rows, "scale_cols": scale_cols}
        of = numpy.int32 if numpy.asarray(a).dtype == numpy.int8 else numpy.float32
        arrays = {"a": a, "b": b, "c": c, **{key: None if x is None else numpy.asarray(x, of) for key, x in vectors.items()}}
        paths = {name: os.path.join(folder, name) for name, array in arrays.items() if array is not None}
        result = os.path.join(folder, "d")
        for name, path in paths.items():
            with open(path, "wb") as file:
                numpy.save(file, arrays[name])
        try:
            command("gemm", paths.pop("a"), paths.pop("b"), output=result, **paths, **options)
        except _core.Error as error:
            raise _core.Error(str(error).replace(folder + os.sep, "")) from None
        product = numpy.load(result)
    return product.view(numpy.asarray(a).dtype) if product.dtype.kind == "V" else product


def report(what, path, **options):
    """Writes a page about a tiled copy or a tiled MMA: report(copy, "copy.html", src=..., dst=...)."""
    command("report", what, output=path, **options)


def compare(rows=None, cols=None, *, copy=None, **options):
    """Copies a matrix with several tiled copies on the CPU grid, verifies them and ranks them: a dictionary. Or counts copies
    of your own: compare(copy=["(16,8):(8,1) x (1,8)", (thr, val)], src="(4096,4096):(4096,1)", type="half")."""
    copies = copy and [one if isinstance(one, str) else " x ".join(map(str, one)) for one in copy]
    return _answer("compare", rows=rows, cols=cols, copy=copies, no_gpu=True, **options)

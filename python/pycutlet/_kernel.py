"""Kernels of PTX on the CPU grid, with the arrays of NumPy: tests without a GPU and without a compiler."""

import os

from . import _core


def _told(*words):
    """What the command prints as JSON, or None, and the exit status and what it tells."""
    import json
    status, out, told = _core._command([*map(str, words), "--json"], True, True)
    return (json.loads(out) if out else None), status, told.rstrip("\n").partition(": ")[2]


def _source(kernel, folder):
    """The file of a kernel: a path, a text of PTX, or what triton.compile returns."""
    text = kernel.asm["ptx"] if hasattr(kernel, "asm") else kernel
    if isinstance(text, str) and "\n" in text:
        path = os.path.join(folder, "kernel.ptx")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path
    return os.fspath(text)


def _extents(value):
    return ",".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)


def _argument(name, value, folder):
    """The text of an argument, and the file of an array, whose results are read again."""
    import numpy
    if not isinstance(value, numpy.ndarray):
        typed = f"{value.dtype.name}:" if isinstance(value, numpy.generic) else ""
        return f"{name}={typed}{value if isinstance(value, (float, numpy.floating)) else int(value)}", None
    if not (value.flags.c_contiguous or value.flags.f_contiguous):
        raise ValueError(f"{name}: the kernel gets an address, so the array must be contiguous")
    path = os.path.join(folder, f"{name}.npy")
    numpy.save(path, value)
    return f"{name}=@{path}" + (f":out@{path}" if value.flags.writeable else ""), path


def check_kernel(kernel, grid, block, args, *, name=None, shared=0, tma=None, schedules=1):
    """Runs a kernel on the CPU grid: its arrays get the results, and a mistake raises AssertionError.

    kernel is a text of PTX, the path of a file, or what triton.compile returns, which has name, shared and, where
    block is None, the threads. grid and block are numbers or tuples of them. args has a value for each parameter, by
    name or in order: arrays, of which the kernel may write those that are writeable, and numbers. tma passes arrays as
    tensor maps: {"a": "box=64x64,swizzle=128"}. schedules is how many orders of threads run. Returns the document of
    `cutlet run --json`: "access" has the cost of each line of the source, "costly" sentences on the worst, and
    "instructions" how many all threads executed, in "seconds".
    """
    import tempfile

    import numpy
    args = dict(args) if hasattr(args, "items") else {f"arg{k}": value for k, value in enumerate(args)}
    with tempfile.TemporaryDirectory() as folder:
        path, meta = _source(kernel, folder), getattr(kernel, "metadata", None)
        if meta is not None and hasattr(kernel, "asm"):
            name, shared = name or meta.name, shared or meta.shared
            block = 32 * meta.num_warps if block is None else block
            (listed, _, told) = _told("run", path, "--list")
            for k in range(len(args), len(next((one["parameters"] for one in (listed or {"kernels": []})["kernels"]
                                                if one["name"] == name), ()))):
                args[f"scratch{k}"] = 0  # Triton's own, which are null where it needs none
        texts = {key: _argument(key, value, folder) for key, value in args.items()}
        words = ["run", path, f"--grid={_extents(grid)}", f"--block={_extents(block)}", f"--shared={shared}",
                 f"--schedules={schedules}", *([f"--kernel={name}"] if name else [])]
        words += [f"--arg={text}" for text, _ in texts.values()]
        words += [f"--tma={key},{box}" for key, box in (tma or {}).items()]
        found, status, told = _told(*words)
        if found is None:
            raise _core.Error(told)
        if status:
            raise AssertionError(found["message"] + (f"; the access is at {found['at']}" if found["at"] else ""))
        for key, (_, file) in texts.items():
            if file and args[key].flags.writeable:
                args[key][...] = numpy.load(file).view(args[key].dtype)
        return found

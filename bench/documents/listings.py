#!/usr/bin/env python3
r"""Compiles the listings of documents 000, 002, 003 and 004 as they stand, and says which ones do not compile.

    listings.py FOLDER --cute INCLUDE [--nvcc NVCC] [--arch ARCH] >../data/documents.tsv

FOLDER holds the documents as text, named 000*.txt and so on; they are not part of the project. INCLUDE is the folder of CuTe's
headers (of the PyPI package nvidia-cutlass 4.2.0: cutlass_library/source/include). A listing goes from one line to another. What
lacks its includes or a function around it gets those in front and behind, and nothing else. `edited` says what was changed to
look further than the first error. Each is compiled by `nvcc -std=c++17 -arch=ARCH -cubin`.
"""

import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

CUTE = "#include <cute/tensor.hpp>\nusing namespace cute;\n"
BODY = (CUTE + "void statements() {\n", "\n(void)tiled_copy;\n}\n")
RUNTIME = ("#include <cstdint>\n", "")
FOUR_VECS = "".join(f"template __global__ void memcpy_kernel<int8_t, {t}>(int8_t*, const int8_t*, size_t);\n"
                    for t in ("uint8_t", "uint16_t", "uint32_t", "uint64_t", "uint4"))
NO_SCALAR = [(r"benchmark_copy<UniversalCopy<float>>\([^;]*;", "")]
TWO_TYPES = [(r"Copy_Atom<UniversalCopy, half_t>", "Copy_Atom<UniversalCopy<half_t>, half_t>")]

# document, what, first line, last line, what stands before and behind it, what was edited, how
LISTINGS = [
    ("000", "program", 56, 128, ("", ""), "", []),
    ("000", "program", 56, 128, ("", ""), "without `UniversalCopy<float>`", NO_SCALAR),
    ("002", "tiled copy of halves", 20, 23, BODY, "", []),
    ("002", "tiled copy of halves", 20, 23, BODY, "`UniversalCopy<half_t>`", TWO_TYPES),
    ("002", "transposed tiled copy", 68, 71, BODY, "", []),
    ("002", "transposed tiled copy", 68, 71, BODY, "`UniversalCopy<half_t>`", TWO_TYPES),
    ("002", "cp.async", 79, 82, BODY, "", []),
    ("002", "cp.async transposed", 88, 91, BODY, "", []),
    ("002", "cp.async half a line", 97, 100, BODY, "", []),
    ("003", "memcpy_kernel", 11, 34, (RUNTIME[0], FOUR_VECS), "", []),
    ("004", "two copies", 24, 42, RUNTIME, "", []),
    ("004", "vector types", 62, 78, (RUNTIME[0] + "void statements() {\n", "\n}\n"), "", []),
    ("004", "alignment", 97, 147, RUNTIME, "", []),
    ("004", "benchmark", 154, 257, RUNTIME, "", []),
    ("004", "relu", 282, 321, RUNTIME, "", []),
    ("004", "gelu", 325, 351, RUNTIME, "", []),
    ("004", "halves", 365, 409, RUNTIME, "", []),
    ("004", "remainders", 424, 458, RUNTIME, "", []),
    ("004", "width by template", 462, 508, RUNTIME, "", []),
    ("004", "sums", 514, 563, RUNTIME, "", []),
    ("004", "structures", 577, 628, RUNTIME, "", []),
    ("004", "shared tile", 637, 666, RUNTIME, "", []),
    ("004", "hints", 672, 696, RUNTIME, "", []),
    ("004", "layer norm", 721, 794, RUNTIME, "", []),
]


def compile_one(o, scratch, listing):
    """The columns of what came of a listing."""
    document, what, first, last, around, edited, edits = listing
    path = glob.glob(os.path.join(o.folder, document + "*.txt"))[0]
    with open(path, encoding="utf-8", errors="replace") as file:
        text = "".join(file.readlines()[first - 1:last])
    for old, new in edits:
        text = re.sub(old, new, text, flags=re.DOTALL)
    source = os.path.join(scratch, "listing.cu")
    with open(source, "w", encoding="utf-8") as file:
        file.write(around[0] + text + around[1])
    done = subprocess.run([o.nvcc, "-std=c++17", "-arch=" + o.arch, "-cubin", "-Xptxas", "-v", "-I" + o.cute, "-o",
                           os.path.join(scratch, "out"), source], capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    error = next((line for line in said.splitlines() if " error: " in line), "")
    error = re.sub(r"^.*?: error: ", "", error.replace("\t", " "))
    # the kernels come in an order of the compiler's: by their names
    used = sorted(re.findall(r"Compiling entry function '(\w+)'.*?Used (\d+) registers", said, re.DOTALL))
    wrapped = " ".join(w for w in (around[0] and "in front", around[1] and "behind") if w)
    return [document, what, f"{first}-{last}", wrapped, edited, "no" if done.returncode else "yes", error,
            " ".join(f"{name}:{count}" for name, count in used)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--cute", required=True)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--arch", default="sm_90")
    o = parser.parse_args()
    version = re.search(r"release ([\d.]+)", subprocess.run([o.nvcc, "--version"], capture_output=True, text=True,
                                                           check=True).stdout).group(1)
    print(f"# bench/documents/listings.py: nvcc {version} -std=c++17 -arch={o.arch} -cubin, CuTe of nvidia-cutlass 4.2.0")
    print("\t".join(("document", "listing", "lines", "added", "edited", "compiles", "error", "registers")))
    with tempfile.TemporaryDirectory() as scratch:
        for listing in LISTINGS:
            print("\t".join(compile_one(o, scratch, listing)), flush=True)
            print(f"{listing[0]} {listing[1]}", file=sys.stderr)


if __name__ == "__main__":
    main()

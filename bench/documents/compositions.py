#!/usr/bin/env python3
"""What CuTe makes of simple compositions: which it refuses when it compiles, and what the others are.

    compositions.py --cute INCLUDE --cuda INCLUDE [--cxx CXX] >../data/compositions.tsv

A is (a,b):(1,100) and B is s:d, static integers, for a, b and s from 2 to 8 and d from 1 to 16, as far as B stays inside A. The
cases are those of tests/algebra/test_composition_grid.c. A case is refused where CXX reports an error from its line, and wrong
where the layout has not the offsets that A gives to the places of B. INCLUDE are the folders of CuTe's headers (of the PyPI package
nvidia-cutlass) and of CUDA's.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

HEAD = """#include <cute/layout.hpp>
#include <cstdio>
using namespace cute;
template <int a, int b, int s, int d> struct one {
    static auto make() {
        return composition(make_layout(Shape<Int<a>, Int<b>>{}, Stride<_1, Int<100>>{}), Layout<Int<s>, Int<d>>{});
    }
    static void show() {
        const auto r = make();
        printf("%d %d %d %d", a, b, s, d);
        for (int i = 0; i < s; ++i) printf(" %d", (int)r(i));
        printf("\\n");
    }
};
int main() {
"""


def cases():
    """(a, b, s, d) of each case."""
    return [(a, b, s, d) for a in range(2, 9) for b in range(2, 9) for s in range(2, 9) for d in range(1, 17)
            if (s - 1) * d < a * b]


def write(path, some):
    """A program with a line for each case; the number of the first of these lines."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(f"    one<{a}, {b}, {s}, {d}>::show();\n" for a, b, s, d in some) + "}\n")
    return HEAD.count("\n") + 1


def refused(o, folder, some):
    """Those whose line an error comes from."""
    source = os.path.join(folder, "all.cpp")
    first = write(source, some)
    said = subprocess.run([*o.command, "-fsyntax-only", "-fmax-errors=0", source], capture_output=True, text=True,
                          check=False).stderr
    lines = {int(n) for n in re.findall(rf"^{re.escape(source)}:(\d+):\d+:\s+required from here", said, re.MULTILINE)}
    return {some[n - first] for n in lines if 0 <= n - first < len(some)}


def results(o, folder, some):
    """Case -> the offsets of CuTe's layout."""
    source, program = os.path.join(folder, "some.cpp"), os.path.join(folder, "some")
    write(source, some)
    subprocess.run([*o.command, "-o", program, source], check=True)
    said = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    rows = [[int(n) for n in line.split()] for line in said.splitlines()]
    return {tuple(row[:4]): row[4:] for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cute", required=True)
    parser.add_argument("--cuda", required=True)
    parser.add_argument("--cxx", default="g++")
    o = parser.parse_args()
    o.command = [o.cxx, "-std=c++17", "-w", "-I" + o.cute, "-I" + o.cuda, "-I" + os.path.join(o.cuda, "cccl")]
    every, accepted, wrong = cases(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for i in range(0, len(every), 400):
            some = every[i:i + 400]
            taken, out = some, {()}
            while out: # what two cases share is reported for the first of them
                out = refused(o, folder, taken)
                taken = [case for case in taken if case not in out]
            found = results(o, folder, taken)
            for a, b, s, d in some:
                offsets = found.get((a, b, s, d))
                wanted = [k * d % a + 100 * (k * d // a) for k in range(s)]
                accepted += offsets is not None
                wrong += offsets is not None and offsets != wanted
            print(f"{i + len(some)} of {len(every)}", file=sys.stderr, flush=True)
    print(f"cases\taccepted\twrong\n{len(every)}\t{accepted}\t{wrong}")


if __name__ == "__main__":
    main()

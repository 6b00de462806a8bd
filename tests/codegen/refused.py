#!/usr/bin/env python3
"""Checks that nvcc and NVRTC refuse each kernel of a file with the reason that the file names, its
numbers, and the line of the constant or of the copy. NVRTC accepts what nvcc or its ptxas alone refuses.

    refused.py NVCC INCLUDES -- FILE.cu

NVCC may be empty. NVRTC is looked for beside it.
"""

import ctypes
import glob
import os
import re
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

ARCH = "sm_90"


def cases(path):
    """number -> (sentence, numbers, line of HERE, whether NVRTC refuses it too)"""
    found = {}
    with open(path) as source:
        text = source.read()
    for match in re.finditer(r"^/\* (nvcc refuses|refused) (\d+): (.*?)\n \* numbers: ([^*]*) \*/$", text, re.S | re.M):
        sentence = re.sub(r"\n \* ", " ", match.group(3))
        kernel = text.index(f"(refused_{match.group(2)},", match.end())
        line = text.count("\n", 0, text.index("HERE", kernel)) + 1
        found[int(match.group(2))] = (sentence, match.group(4).split(), line, match.group(1) == "refused")
    return found


class Nvrtc:
    """The compiler for run time, by its C interface."""

    def __init__(self, nvcc):
        root = os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))
        paths = sorted(glob.glob(os.path.join(root, "lib*", "libnvrtc.so*")))
        self.library = ctypes.CDLL(paths[0]) if paths else None
        self.root = root

    def compile(self, path, arguments):
        """The status and the log."""
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        with open(path, "rb") as source:
            text = source.read()
        name = os.path.basename(path).encode()
        self.library.nvrtcCreateProgram(ctypes.byref(program), text, name, 0, None, None)
        options = [a.encode() for a in arguments]
        status = self.library.nvrtcCompileProgram(program, len(options),
                                                  (ctypes.c_char_p * len(options))(*options))
        self.library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        self.library.nvrtcGetProgramLog(program, log)
        self.library.nvrtcDestroyProgram(ctypes.byref(program))
        return status, log.value.decode(errors="replace")


def refused_late(path):
    """number -> what ptxas says of a kernel that nvcc's front end accepts"""
    with open(path) as source:
        return {int(n): said for n, said in re.findall(r"^/\* ptxas refuses (\d+): (.*) \*/$", source.read(), re.M)}


def faults(output, path, case):
    """What the compiler's words lack."""
    sentence, numbers, line, _ = case
    wanted = [f'static assertion failed with "{sentence} [%m, %o, %a, %b, %c are m, o, a, b, c of ct_failed below]"', *(number for number in numbers),
              f" at line {line} of ", os.path.basename(path)]
    missing = [w for w in wanted if w not in output]
    if output.count("error:") != 1:
        missing.append(f"one error, not {output.count('error:')}")
    return missing


def check(report, name, path, compile_one):
    """compile_one(number) -> status and output, of each case and of the kernel that is right."""
    status, output = compile_one(0)
    report.check(f"{name}: constants that hold compile", status == 0, tap.tail(output))
    for number, case in cases(path).items():
        status, output = compile_one(number)
        if name == "NVRTC" and not case[3]:
            report.check(f"{name}: accepts {number}", status == 0, tap.tail(output))
            continue
        missing = faults(output, path, case)
        report.check(f"{name}: refused {number}", status != 0 and not missing,
                     f"status {status}; missing: {missing}\n{tap.tail(output)}")


def main():
    parts = " ".join(shlex.quote(a) for a in sys.argv[1:]).split(" -- ")
    if len(parts) != 2:
        tap.die(__doc__)
    (nvcc, *includes), (path,) = (shlex.split(p) for p in parts)
    report = tap.Report()
    report.check("the file has cases", len(cases(path)) >= 8 and len(refused_late(path)) == 2, cases(path))
    if not nvcc:
        report.skip("nvcc", "no nvcc found")
        return report.finish()

    def compile_one(number, to="-ptx"):
        return tap.run([nvcc, "-std=c++17", f"-arch={ARCH}", *includes, to, "-o", os.devnull, f"-DREFUSED={number}", path])

    check(report, "nvcc", path, compile_one)  # the front end alone: it is what refuses
    for number, said in refused_late(path).items():
        status, output = compile_one(number, "-cubin")
        report.check(f"ptxas: refused {number}", status != 0 and said in output, tap.tail(output))
    nvrtc = Nvrtc(nvcc)
    if not nvrtc.library:
        report.skip("NVRTC", "no libnvrtc.so found beside nvcc")
        return report.finish()
    source = os.path.join(os.path.dirname(os.path.abspath(path)), "..", "..")
    options = ["--std=c++17", "--gpu-architecture=compute_90", *includes,
               "-I" + os.path.join(source, "src", "driver", "nvrtc", "stand_in")]
    check(report, "NVRTC", path,
          lambda number: nvrtc.compile(path, [*options, f"-DREFUSED={number}"]))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())

"""C++ with the headers of CuTe and libcu++ that packages of PyPI hold, compiled and run on the CPU."""

import glob
import os
import sysconfig

import tap


def folders():
    """The folders of headers in the packages of this Python."""
    site = sysconfig.get_paths()["purelib"]
    found = glob.glob(os.path.join(site, "cutlass_library/source/include")) + \
        glob.glob(os.path.join(site, "nvidia/*/include")) + glob.glob(os.path.join(site, "nvidia/*/include/cccl"))
    return [word for folder in found for word in ("-isystem", folder)]


def run_cpp(report, compiler, folder, source, options=()):
    """The lines that a program prints; None, after a failed test, where it does not compile or run."""
    path, program = os.path.join(folder, "shown.cpp"), os.path.join(folder, "shown")
    with open(path, "w") as out:
        out.write(source)
    status, output = tap.run([*compiler.split(), "-std=c++17", "-O0", "-w", *options, *folders(), path, "-o", program])
    if status == 0:
        status, output = tap.run([program])
    if not report.check("C++ compiles and runs", status == 0, tap.tail(output)):
        return None
    return output.splitlines()

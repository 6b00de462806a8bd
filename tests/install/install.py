#!/usr/bin/env python3
"""Installs into a staging folder, and builds a small outside program against what is there.

    install.py --source DIR --build DIR --scratch DIR --version V --capacity N
               --cc C [--cxx C++] --meson MESON [--pkg-config P] [--cmake CMAKE] [--nm NM] [--awk AWK]
               [--most-bytes N]

The outside program is built with pkg-config (shared, static, and as C++), with CMake's find_package,
in the tree, and as a Meson project with cutlet as its subproject; the program of examples/vector with
pkg-config. symbols.py looks at what the libraries export, capacity.py at programs of other capacities.
"""

import argparse
import glob
import os
import re
import shlex
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

from capacity import capacities
from subproject import in_the_tree, subproject
from symbols import symbols

# What the program of docs/howto/use.md prints.
COMPOSED = "((2,2),3):((24,2),8)"

HERE = os.path.dirname(os.path.abspath(__file__))


class Staged:
    """The staging folder and how to run what is built against it."""

    def __init__(self, args, report):
        self.args, self.report = args, report
        self.stage = os.path.join(args.scratch, "stage")
        self.outside = os.path.join(args.scratch, "outside")
        self.expected = f"cutlet {args.version}, {args.capacity} leaves\n"
        self.prefix = self.libdir = ""
        version = args.version.split(".")
        self.interface = ".".join(version[:2]) if version[0] == "0" else version[0]

    def steps(self, name, *commands, **options):
        """One test: each command succeeds. Returns the output of the last one, or None."""
        output = ""
        for command in commands:
            status, output = tap.run(command, **options)
            if status:
                self.report.check(name, False, f"{shlex.join(command)}\n{tap.tail(output)}")
                return None
        return output

    def program(self, name, *commands, library_path="", **options):
        """One test: the commands succeed, and the last one prints the expected line."""
        env = dict(options.pop("env", os.environ))
        if library_path:
            env["LD_LIBRARY_PATH"] = library_path
        output = self.steps(name, *commands, env=env, **options)
        if output is not None:
            self.report.check(name, output == self.expected, f"it printed {output!r}")


def install(s):
    """meson install, and what it put there."""
    name = "meson install"
    if s.steps(name, [*s.args.meson, "install", "-C", s.args.build, "--no-rebuild", "--quiet",
                      "--destdir", s.stage]) is None:
        return False
    found = glob.glob(os.path.join(s.stage, "**", "libcutlet.so"), recursive=True)
    if not s.report.check(name, len(found) == 1, f"libcutlet.so below {s.stage}: {found}"):
        return False
    s.libdir = os.path.dirname(found[0])
    header = glob.glob(os.path.join(s.stage, "**", "include", "cutlet", "cutlet.h"), recursive=True)
    if not s.report.check("installs the headers", len(header) == 1, str(header)):
        return False
    s.prefix = header[0][: -len("/include/cutlet/cutlet.h")]
    size = sum(os.lstat(os.path.join(folder, name)).st_size for folder, _, names in os.walk(s.stage) for name in names)
    if s.args.most_bytes:
        s.report.check("the installation's bytes", size <= s.args.most_bytes, f"{size} of {s.args.most_bytes}")
    # What -Ddefault_library=both installs beside it is in every build.
    archive = os.path.join(s.libdir, "libcutlet.a")
    s.report.check("installs no static library unless asked", not os.path.exists(archive), archive)
    shutil.copy(os.path.join(s.args.build, "src", "libcutlet.a"), archive)
    wanted = ["lib*/**/libcutlet.so." + s.interface, "lib*/**/pkgconfig/cutlet.pc",
              "lib*/**/cmake/cutlet/cutlet-config.cmake",
              "lib*/**/cmake/cutlet/cutlet-config-version.cmake",
              "include/cutlet/host/text.h", "include/cutlet/device/kernel/kernel.h", "include/cutlet/cutlet.hpp",
              "share/cutlet/images.awk", "share/cutlet/nvrtc/stdint.h",
              "share/doc/cutlet/LICENSE", "share/doc/cutlet/CHANGELOG.md"]
    if s.args.command:
        wanted += ["bin/cutlet", "share/man/man1/cutlet.1", "share/man/man3/cutlet_algebra_composition_h.3",
                   "share/bash-completion/completions/cutlet"]
    for pattern in wanted:
        matches = glob.glob(os.path.join(s.prefix, pattern), recursive=True)
        s.report.check(f"installs {pattern.split('**/')[-1]}", len(matches) == 1,
                       f"below {s.prefix}: {matches}")
    for source in glob.glob(os.path.join(s.args.source, "include", "cutlet", "**", "*.h"),
                            recursive=True):
        below = os.path.relpath(source, os.path.join(s.args.source, "include"))
        if below.startswith(("cutlet/device/kernels/", "cutlet/device/gemm/")):  # those of our own kernels
            continue
        if not os.path.exists(os.path.join(s.prefix, "include", below)):
            s.report.check(f"installs {below}", False, "it is in no list of headers")
    return True


def installed_command(s):
    """The command finds the installed library, wherever the prefix is."""
    env = {key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"}
    output = s.steps("the installed command", [os.path.join(s.prefix, "bin", "cutlet"), "eval", "composition((6,2):(8,2), (4,3):(3,1))"],
                     env=env)
    if output is not None:
        s.report.check("the installed command", output == COMPOSED + "\n", output)


def with_pkg_config(s):
    """Shared and static, C and C++."""
    ways = [("shared", [s.args.cc], "main.c", []), ("static", [s.args.cc], "main.c", ["--static"])]
    if s.args.cxx:
        ways.append(("shared, as C++", [s.args.cxx, "-std=c++17"], "main.cpp", []))
    else:
        s.report.skip("builds with pkg-config, shared, as C++", "no C++ compiler found")
    for way, compiler, source, flags in ways:
        name = f"builds with pkg-config, {way}"
        if not s.args.pkg_config:
            s.report.skip(name, "no pkg-config found")
            continue
        env = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=s.stage,
                   PKG_CONFIG_PATH=os.path.join(s.libdir, "pkgconfig"))
        text = s.steps(name, [s.args.pkg_config, "--cflags", "--libs", *flags, "cutlet"], env=env)
        if text is None:
            continue
        words = shlex.split(text)
        if flags:  # the archive itself, so that the shared library cannot be taken instead
            words = [os.path.join(s.libdir, "libcutlet.a") if w == "-lcutlet" else w for w in words]
        program = os.path.join(s.args.scratch, re.sub(r"\W+", "_", way))
        s.program(name,
                  [*compiler, os.path.join(s.outside, source), "-o", program, *words],
                  [program], library_path="" if flags else s.libdir)


def with_cmake(s):
    """find_package(cutlet)."""
    names = [f"builds with CMake, {kind}" for kind in ("shared", "static")]
    if not s.args.cmake:
        for name in names:
            s.report.skip(name, "no cmake found")
        return
    build = os.path.join(s.args.scratch, "cmake-build")
    if s.steps(names[0], [s.args.cmake, "-S", s.outside, "-B", build,
                          f"-DCMAKE_PREFIX_PATH={s.prefix}", f"-DCMAKE_C_COMPILER={s.args.cc}"],
               [s.args.cmake, "--build", build]) is None:
        return
    s.program(names[0], [os.path.join(build, "with_shared")])
    s.program(names[1], [os.path.join(build, "with_static")])


def example(s):
    """The program of examples/vector, from its folder alone, on the grid."""
    name = "builds examples/vector with the public headers"
    if not (s.args.pkg_config and s.args.awk):
        s.report.skip(name, "no pkg-config or awk found")
        return
    folder = os.path.join(s.args.scratch, "vector")
    shutil.copytree(os.path.join(s.args.source, "examples", "vector"), folder)
    env = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=s.stage,
               PKG_CONFIG_PATH=os.path.join(s.libdir, "pkgconfig"))
    flags = s.steps(name, [s.args.pkg_config, "--cflags", "--libs", "cutlet"], env=env)
    if flags is None:
        return
    output = s.steps(
        name,
        [s.args.awk, "-v", "out=images.c", "-v", "table=vector_images",
         "-f", os.path.join(s.prefix, "share", "cutlet", "images.awk")],
        [s.args.cc, "run.c", "kernels.c", "images.c", "-o", "run", *shlex.split(flags), "-lm"],
        [os.path.join(folder, "run"), "--grid"],
        cwd=folder, env=dict(os.environ, LD_LIBRARY_PATH=s.libdir))
    with open(os.path.join(folder, "run.out"), encoding="utf-8") as expected:
        if output is not None:
            s.report.check(name, output == expected.read(), tap.tail(output))


def how_to(s):
    """The commands of docs/howto/use.md, block by block, in a copy of its folder of examples."""
    with open(os.path.join(s.args.source, "docs", "howto", "use.md"), encoding="utf-8") as file:
        blocks = re.findall(r"^```sh\n(.*?)^```$", file.read(), re.M | re.S)
    folder = os.path.join(s.args.scratch, "use")
    shutil.copytree(os.path.join(s.args.source, "examples", "howto", "use"), folder)
    shutil.copy(os.path.join(s.args.source, "examples", "copy_tiles.cu"), folder)
    tree = os.path.join(s.args.scratch, "tree")
    os.mkdir(tree)
    os.symlink(os.path.join(s.args.source, "include"), os.path.join(tree, "include"))
    os.symlink(s.args.build, os.path.join(tree, "build"))
    env = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=s.stage, LD_LIBRARY_PATH=s.libdir, PREFIX=s.prefix, CUTLET=tree,
               PKG_CONFIG_PATH=os.path.join(s.libdir, "pkgconfig"), CMAKE_PREFIX_PATH=s.prefix)
    nvrtc = any(os.path.exists(os.path.join(cuda, "lib64", "libnvrtc.so"))
                for cuda in (os.environ.get("CUDA_HOME", ""), "/usr/local/cuda"))
    # What a block begins with or names, whether it is here, and what its last line says.
    needs = {"nvcc": (shutil.which("nvcc"), ""), "nvrtc": (nvrtc, "wrote kernel.cubin"),
             "pkg-config": (s.args.pkg_config, COMPOSED), "cmake": (s.args.cmake, COMPOSED),
             "meson": (s.args.pkg_config, COMPOSED)}
    for block in blocks:
        what = next((need for need in needs if need in block), "pkg-config")
        found, expected = needs[what]
        name = f"the commands of docs/howto/use.md: {block.splitlines()[0]}"
        if "meson install" in block:
            continue # what install() did
        if not found:
            s.report.skip(name, f"no {what} found")
            continue
        output = s.steps(name, ["bash", "-ec", block], cwd=folder, env=env)
        if output is not None:
            s.report.check(name, (output.splitlines() or [""])[-1] == expected, output)


def without_where(output):
    """The lines that say where examples/plan.c ran, which depend on the machine, and the others."""
    lines = output.splitlines(keepends=True)
    where = [line for line in lines if line.startswith(("no GPU: ", "the same on "))]
    return where, "".join(line for line in lines if line not in where)


def plan_example(s):
    """examples/plan.c with a C compiler and libcutlet, nothing else; whether there is a GPU or not."""
    name = "builds examples/plan.c"
    if not s.args.pkg_config:
        s.report.skip(name, "no pkg-config found")
        return
    env = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=s.stage,
               PKG_CONFIG_PATH=os.path.join(s.libdir, "pkgconfig"))
    flags = s.steps(name, [s.args.pkg_config, "--cflags", "--libs", "cutlet"], env=env)
    if flags is None:
        return
    words = shlex.split(flags)
    libraries = [word for word in words if word.startswith("-l")]
    s.report.check("examples/plan.c links libcutlet only", libraries == ["-lcutlet"], flags)
    program = os.path.join(s.args.scratch, "plan")
    with open(os.path.join(s.args.source, "examples", "plan.out"), encoding="utf-8") as file:
        expected = file.read()
    env = dict(os.environ, LD_LIBRARY_PATH=s.libdir)
    env.pop("CUTLET_NO_GPU", None)
    output = s.steps(name, [s.args.cc, "-Wall", "-Wextra", "-Werror",
                            os.path.join(s.args.source, "examples", "plan.c"), "-o", program, *words],
                     [program], env=env)
    if output is None:
        return
    where, said = without_where(output)
    s.report.check(name, said == expected and len(where) == 1, output)
    _, output = tap.run([program], env=dict(env, CUTLET_NO_GPU="1"))
    where, said = without_where(output)
    s.report.check("examples/plan.c without a GPU",
                   said == expected and where == ["no GPU: CUTLET_NO_GPU is set\n"], output)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for needed in ("source", "build", "scratch", "version", "capacity", "cc", "meson"):
        parser.add_argument("--" + needed, required=True)
    parser.add_argument("--most-bytes", type=int, default=0)
    for wanted in ("cxx", "pkg-config", "cmake", "nm", "awk", "command"):
        parser.add_argument("--" + wanted, default="")
    args = parser.parse_args()
    args.meson = shlex.split(args.meson)
    args.capacity = int(args.capacity)
    args.source = os.path.realpath(args.source)
    shutil.rmtree(args.scratch, ignore_errors=True)
    os.makedirs(args.scratch)
    report = tap.Report()
    s = Staged(args, report)
    shutil.copytree(os.path.join(HERE, "outside"), s.outside)
    if install(s):
        symbols(s)
        if args.command:
            installed_command(s)
        with_pkg_config(s)
        with_cmake(s)
        example(s)
        plan_example(s)
        how_to(s)
        capacities(s)
    in_the_tree(s)
    subproject(s)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())

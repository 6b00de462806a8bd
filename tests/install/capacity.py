"""Programs of each capacity against the installed libraries, which have one: others do not link."""

import os
import shlex

import tap

CAPACITIES = (8, 16, 32)
LIBRARY = """#include <cutlet/cutlet.h>
#include <cutlet/host/text.h>
#include <stdio.h>

int main(void)
{
    char text[CT_TEXT_BYTES];
    ct_format_layout(text, sizeof text, ct_make_col_major(ct_tuple2(3, 4)));
    puts(text);
    return 0;
}
"""
ALGEBRA = """#include <cutlet/cutlet.h>

int main(void)
{
    return ct_size(ct_make_col_major(ct_tuple2(3, 4))) == 12 ? 0 : 1;
}
"""
CMAKE = """cmake_minimum_required(VERSION 3.16)
project(capacity C)
find_package(cutlet 0.1 REQUIRED CONFIG)
add_executable(program program.c)
target_link_libraries(program PRIVATE cutlet::LIBRARY)
target_compile_options(program PRIVATE -DCT_MAX_LEAVES=LEAVES)
"""


def write(folder, name, text):
    """A file of the folder; returns its path."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def judge(s, name, leaves, built, program):
    """One test: a program of the library's capacity runs, another one's linker says why it does not."""
    status, output = built
    if leaves == s.args.capacity:
        if status == 0:
            status, output = tap.run([program], env=dict(os.environ, LD_LIBRARY_PATH=s.libdir))
        s.report.check(name, status == 0 and output == "(3,4):(1,3)\n", tap.tail(output))
    else:
        s.report.check(name, status != 0 and f"ct_library_of_{leaves}_leaves_is_made_by_meson_Dcapacity_{leaves}" in output,
                       f"status {status}\n{tap.tail(output)}")


def by_compiler(s, folder):
    """C and C++, not optimised and optimised, shared and static, without unused sections too."""
    compilers = [("C", [s.args.cc, "-std=gnu11"], "program.c")]
    if s.args.cxx:
        compilers.append(("C++", [s.args.cxx, "-std=c++17"], "program.cpp"))
    libraries = {"shared": ["-L" + s.libdir, "-lcutlet"],
                 "static": [os.path.join(s.libdir, "libcutlet.a"), "-lm", "-lpthread", "-ldl"]}
    ways = [["-O0"], ["-O2"], ["-O2", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]]
    for language, compiler, source in compilers:
        path = write(folder, source, LIBRARY)
        for kind, library in libraries.items():
            for leaves in sorted({*CAPACITIES, s.args.capacity}):
                for way in ways:
                    program = os.path.join(folder, "program")
                    built = tap.run([*compiler, *way, f"-DCT_MAX_LEAVES={leaves}", path, "-o", program,
                                     "-I" + os.path.join(s.prefix, "include"), *library])
                    judge(s, f"{leaves} leaves, {kind}, {language}, {way[0]}{', sections' * (len(way) > 1)}",
                          leaves, built, program)


def by_pkg_config(s, folder):
    """Its flags, and a number of the user's own after them."""
    if not s.args.pkg_config:
        s.report.skip("capacities by pkg-config", "no pkg-config found")
        return
    env = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=s.stage,
               PKG_CONFIG_PATH=os.path.join(s.libdir, "pkgconfig"))
    flags = s.steps("capacities by pkg-config", [s.args.pkg_config, "--cflags", "--libs", "cutlet"], env=env)
    path, program = write(folder, "program.c", LIBRARY), os.path.join(folder, "program")
    for own in [None, *CAPACITIES] if flags is not None else []:
        leaves = own or s.args.capacity
        given = [] if own is None else ["-UCT_MAX_LEAVES", f"-DCT_MAX_LEAVES={own}"]
        built = tap.run([s.args.cc, path, "-o", program, *shlex.split(flags), *given])
        judge(s, f"{own or 'no'} leaves given, by pkg-config", leaves, built, program)


def by_cmake(s, folder):
    """find_package, and a number of the user's own."""
    if not s.args.cmake:
        s.report.skip("capacities by CMake", "no cmake found")
        return
    other = 32 if s.args.capacity != 32 else 16
    for library in ("cutlet", "cutlet_static"):
        for leaves in (s.args.capacity, other):
            below = os.path.join(folder, f"{library}-{leaves}")
            write(below, "program.c", LIBRARY)
            text = CMAKE.replace("LIBRARY", library).replace("=LEAVES", f"={leaves}")
            write(below, "CMakeLists.txt", text)
            build = os.path.join(below, "build")
            built = tap.run([s.args.cmake, "-S", below, "-B", build, f"-DCMAKE_PREFIX_PATH={s.prefix}",
                             f"-DCMAKE_C_COMPILER={s.args.cc}"])
            built = built if built[0] else tap.run([s.args.cmake, "--build", build])
            judge(s, f"{leaves} leaves, by CMake, {library}", leaves, built, os.path.join(build, "program"))


def algebra(s, folder):
    """What uses the headers alone has any capacity, and needs no library."""
    path, program = write(folder, "algebra.c", ALGEBRA), os.path.join(folder, "algebra")
    for leaves in CAPACITIES:
        name = f"{leaves} leaves, the algebra alone"
        if s.steps(name, [s.args.cc, f"-DCT_MAX_LEAVES={leaves}", path, "-o", program,
                          "-I" + os.path.join(s.prefix, "include")], [program]) is not None:
            s.report.check(name, True)


ARGUMENTS = """#include <cutlet/device/tensor/global.h>
int main(void)
{
    float x[32];
    return ct_make_global(x, 32, ct_layout2(4, 8, 8, 1)).err.status;
}
"""


def arguments(s, folder):
    """What makes arguments of kernels and calls no function needs no library, where it says so."""
    name, program = "arguments of kernels without the library", os.path.join(folder, "arguments")
    path = write(folder, "arguments.c", ARGUMENTS)
    if s.steps(name, [s.args.cc, f"-DCT_MAX_LEAVES={s.args.capacity}", "-DCT_NO_LIBRARY", path, "-o", program,
                      "-I" + os.path.join(s.prefix, "include")], [program]) is not None:
        s.report.check(name, True)


def at_run_time(s, folder):
    """A program that was linked with a library of its capacity does not start with another one."""
    name = "a program of another capacity does not start"
    wanted = f"ct_library_of_{s.args.capacity}_leaves_is_made_by_meson_Dcapacity_{s.args.capacity}"
    other = os.path.join(folder, "other")
    path, program = write(folder, "program.c", LIBRARY), os.path.join(folder, "program")
    built = tap.run([s.args.cc, path, f"-DCT_MAX_LEAVES={s.args.capacity}", "-o", program,
                     "-I" + os.path.join(s.prefix, "include"), "-L" + s.libdir, "-lcutlet"])
    soname = "libcutlet.so." + s.interface
    script = write(other, "map", f"CUTLET_{s.interface} {{ global: ct_*; local: *; }};\n")
    empty = write(other, "empty.c", "int ct_format_layout(void) { return 0; }\n")
    made = tap.run([s.args.cc, "-shared", "-fPIC", "-Wl,-soname," + soname, "-Wl,--version-script=" + script,
                    empty, "-o", os.path.join(other, soname)])
    status, output = tap.run([program], env=dict(os.environ, LD_LIBRARY_PATH=other))
    s.report.check(name, built[0] == 0 and made[0] == 0 and status != 0 and wanted in output, output)


def capacities(s):
    """All of it."""
    folder = os.path.join(s.args.scratch, "capacity")
    by_compiler(s, folder)
    by_pkg_config(s, folder)
    by_cmake(s, folder)
    algebra(s, folder)
    arguments(s, folder)
    at_run_time(s, folder)

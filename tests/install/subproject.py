"""cutlet below the subprojects/ of another Meson project, and in its own tree."""

import json
import os

import tap

# All that a subproject builds: what the library is made of.
LIBRARY = {"static library", "shared library", "custom"}


def targets(s, build):
    """The targets of cutlet in another project's build."""
    status, text = tap.run([*s.args.meson, "introspect", "--targets", build])
    return [] if status else [t for t in json.loads(text) if t.get("subproject") == "cutlet"]


def described(found):
    """Targets, a line each."""
    return "\n".join(f"{t['type']} {t['name']}: {t['filename']}" for t in found)


def library_alone(s, build):
    """No kernels, tests or tools; the command where it is asked for."""
    found = targets(s, build)
    # the kernels for the grid, and the tables of images, which are empty then, are of device/kernels and device/gemm
    more = [t for t in found if t["type"] not in LIBRARY
            or not {"src", "kernels", "gemm"} & set(t["defined_in"].split(os.sep))
            or any(name.endswith(".fatbin") for name in t["filename"])]
    s.report.check("a subproject builds the library alone", found and not more, described(more))
    name = "a subproject builds the command where asked"
    if not s.args.command:
        s.report.skip(name, "this build has no command")
        return
    asked = build + "-asked"
    if s.steps(name, [*s.args.meson, "setup", "--wrap-mode=forcefallback", "-Dcutlet:command=enabled",
                      asked, s.outside]) is None:
        return
    found = targets(s, asked)
    programs = [t for t in found if t["type"] == "executable"]
    s.report.check(name, [t["name"] for t in programs] == ["cutlet"], described(programs))


def subproject(s):
    """The outside program, shared and static."""
    os.makedirs(os.path.join(s.outside, "subprojects"))
    os.symlink(s.args.source, os.path.join(s.outside, "subprojects", "cutlet"))
    build = os.path.join(s.args.scratch, "meson-build")
    compiled = [*s.args.meson, "compile", "-C", build]
    s.program("builds as a Meson subproject",
              [*s.args.meson, "setup", "--wrap-mode=forcefallback",
               f"-Dcutlet:capacity={s.args.capacity}", build, s.outside],
              compiled, [os.path.join(build, "outside")])
    library_alone(s, build)
    s.program("builds as a static Meson subproject",
              [*s.args.meson, "configure", "-Ddefault_library=static",
               "-Dcutlet:default_library=static", build],
              compiled, [os.path.join(build, "outside")])
    if s.args.nm:
        name = "a static subproject is inside the program"
        listing = s.steps(name, [s.args.nm, os.path.join(build, "outside")])
        if listing is not None:
            s.report.check(name, " T ct_format_layout\n" in listing)
            s.report.check("a static subproject leaves out what the program does not use",
                           " ct_npy_write\n" not in listing)


def in_the_tree(s):
    """The same program with the folders of the source and the build, without an installation."""
    program = os.path.join(s.args.scratch, "in_the_tree")
    s.program("builds in the tree",
              [s.args.cc, f"-DCT_MAX_LEAVES={s.args.capacity}",
               "-I" + os.path.join(s.args.source, "include"), os.path.join(s.outside, "main.c"),
               "-o", program, os.path.join(s.args.build, "src", "libcutlet.a"), "-lm", "-lpthread", "-ldl"],
              [program])

"""What the installed libraries export."""

import glob
import os

# What compilers and sanitisers add.
ADDED = ("__asan", "__odr_asan", "_init", "_fini")


def declared(s, name):
    """The names that the public headers declare, and the capacity's; None after a failed test."""
    headers = (glob.glob(os.path.join(s.prefix, "include/cutlet/host/*.h")) +
               glob.glob(os.path.join(s.prefix, "include/cutlet/device/*/*.h")))
    listing = s.steps(name, [s.args.awk, "-v", "list=1", "-v", f"leaves={s.args.capacity}", "-f",
                             os.path.join(s.args.source, "src", "exports.awk"), *headers])
    return None if listing is None else set(listing.split())


def exported(s, name, *command):
    """(names, versions) of what nm lists as defined for others, but for the command's; None after a failed test."""
    listing = s.steps(name, [s.args.nm, "--defined-only", *command])
    if listing is None:
        return None
    rows = [line.split() for line in listing.splitlines()]
    words = [row[-1].split("@") for row in rows
             if len(row) == 3 and not row[-1].startswith(ADDED) and not row[-1].endswith("CUTLET_PRIVATE")]
    return {word[0] for word in words}, {word[-1] for word in words if len(word) > 1}


def one_library(s, wanted, file, *options):
    """One library exports the wanted names, and nothing else. Returns the versions of the names."""
    name = f"{file} exports what the public headers declare"
    found = exported(s, name, *options, os.path.join(s.libdir, file))
    if found is None:
        return set()
    names, versions = found
    names -= versions  # the nodes themselves
    s.report.check(name, wanted == names and wanted,
                   f"declared but not there: {sorted(wanted - names)}\n"
                   f"there but not declared: {sorted(names - wanted)}")
    foreign = sorted(n for n in names if not n.startswith("ct_"))
    s.report.check(f"every name that {file} exports begins with ct_", not foreign, str(foreign))
    return versions


def symbols(s):
    """Both libraries, and the version of the names of the shared one."""
    if not (s.args.nm and s.args.awk):
        s.report.skip("exports what the public headers declare", "no nm or awk found")
        return
    wanted = declared(s, "exports what the public headers declare")
    if wanted is None:
        return
    versions = one_library(s, wanted, "libcutlet.so", "-D", "--with-symbol-versions")
    s.report.check("exported names have the version of the interface",
                   versions == {f"CUTLET_{s.interface}"}, str(versions))
    one_library(s, wanted, "libcutlet.a", "-g")

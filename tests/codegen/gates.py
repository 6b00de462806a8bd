#!/usr/bin/env python3
"""Gates on the code that nvcc generates: no GPU is needed, only its compiler.

    gates.py NVCC SCRATCH INCLUDES -- FILES.cu

NVCC may be empty. Each kernel of a file that a `gate` names is compiled and looked at. The lines
stand in the file, as comments:

    // arch sm_80                            for the whole file; sm_80 unless said
    // gate NAME                             no stack frame, no spill, no local memory, no division
    // gate NAME, division                   division is allowed here
    // gate NAME, registers <= 32
    // gate NAME, instructions <= 60         in the PTX
    // gate NAME, count ld.global.v4 >= 1    PTX lines that match the regular expression
"""

import os
import re
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap

GATE = re.compile(r"^//[ ]*gate[ ]+(\w+)(?:[ ]*,[ ]*(.*?))?[ ]*$")
ARCH = re.compile(r"^//[ ]*arch[ ]+(\w+)[ ]*$")
LIMIT = re.compile(r"^(registers|instructions|count (.+?)) (<=|>=|==) (\d+)$")


def kernels_of_ptx(ptx):
    """name -> the lines of its body."""
    bodies = {}
    for match in re.finditer(r"\.entry\s+(\w+)\s*\(.*?\)[^{]*\{(.*?)^\}", ptx, re.S | re.M):
        bodies[match.group(1)] = [line.strip() for line in match.group(2).splitlines()]
    return bodies


def kernels_of_ptxas(output):
    """name -> (stack frame, spill stores, spill loads, registers), as ptxas -v reports."""
    found = {}
    name = None
    for line in output.splitlines():
        start = re.search(r"Compiling entry function '(\w+)'", line)
        frame = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, "
                          r"(\d+) bytes spill loads", line)
        used = re.search(r"Used (\d+) registers", line)
        if start:
            name = start.group(1)
        elif frame and name:
            found[name] = [int(g) for g in frame.groups()]
        elif used and name in found:
            found[name] = [*found[name][:3], int(used.group(1))]
    return found


def instructions(body):
    """The lines that are instructions."""
    return [line for line in body if line.endswith(";") and not line.startswith((".", "//", "{", "}"))]


def compare(value, relation, limit):
    return {"<=": value <= limit, ">=": value >= limit, "==": value == limit}[relation]


def common_faults(body, resources, division_allowed):
    """What every gate forbids."""
    faults = []
    if resources[0]:
        faults.append(f"a stack frame of {resources[0]} bytes")
    if resources[1] or resources[2]:
        faults.append(f"{resources[1]} bytes of spill stores, {resources[2]} of spill loads")
    local = [line for line in body if re.search(r"\b(ld|st)\.local\b|__local_depot", line)]
    if local:
        faults.append(f"local memory: {local[0]}")
    divisions = [line for line in instructions(body) if re.search(r"\b(div|rem)\.", line)]
    if divisions and not division_allowed:
        faults.append(f"{len(divisions)} divisions, as {divisions[0]}")
    return faults


def check_gate(name, condition, body, resources, division_allowed):
    """The faults found by one gate line."""
    if not condition or condition == "division":
        return common_faults(body, resources, division_allowed)
    limit = LIMIT.match(condition)
    if not limit:
        return [f"no such condition: {condition}"]
    what, pattern, relation, number = limit.groups()
    if what == "registers":
        value = resources[3]
    elif what == "instructions":
        value = len(instructions(body))
    else:
        value = sum(1 for line in instructions(body) if re.search(pattern, line))
    return [] if compare(value, relation, int(number)) else [f"{what}: {value}"]


def compile_file(nvcc, path, scratch, includes):
    """The gates of a file, its PTX and what ptxas said; or a message."""
    with open(path) as source:
        lines = source.read().splitlines()
    arch = next((m.group(1) for m in map(ARCH.match, lines) if m), "sm_80")
    gates = [m.groups() for m in map(GATE.match, lines) if m]
    out = os.path.join(scratch, os.path.basename(path))
    status, output = tap.run([*nvcc, "-std=c++17", f"-arch={arch}", *includes, "-ptx", path,
                              "-o", out + ".ptx"])
    if status == 0:
        status, output = tap.run([*nvcc, f"-arch={arch}", "-cubin", "-Xptxas", "-v", out + ".ptx",
                                  "-o", out + ".cubin"])
    if status:
        return gates, None, output
    with open(out + ".ptx") as source:
        return gates, kernels_of_ptx(source.read()), kernels_of_ptxas(output)


def main():
    parts = " ".join(shlex.quote(a) for a in sys.argv[1:]).split(" -- ")
    if len(parts) != 2:
        tap.die(__doc__)
    first, files = (shlex.split(p) for p in parts)
    nvcc, scratch, includes = shlex.split(first[0]), first[1], first[2:]
    report = tap.Report()
    if not nvcc:
        report.skip("code generation", "no nvcc found")
        return report.finish()
    os.makedirs(scratch, exist_ok=True)
    for path, (gates, bodies, resources) in zip(files, tap.parallel(
            lambda f: compile_file(nvcc, f, scratch, includes), files)):
        title = os.path.basename(path)
        if not report.check(f"{title} compiles", bodies is not None, tap.tail(str(resources))):
            continue
        report.check(f"{title} has gates", bool(gates))
        free = {name for name, condition in gates if condition == "division"}
        for name, condition in gates:
            label = f"{title}: {name}{', ' + condition if condition else ''}"
            if name not in bodies or len(resources.get(name, [])) != 4:
                report.check(label, False, f"the file has no kernel {name}")
                continue
            faults = check_gate(name, condition, bodies[name], resources[name], name in free)
            report.check(label, not faults, "\n".join(faults))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())

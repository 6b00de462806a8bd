#!/usr/bin/env python3
"""Plans and relayouts of CUDA tensors beside PyTorch's own copies, from Python.

    tensors.py [--write FILE]      FILE: bench/data/h100_python_tensors.tsv

Transposes, each compared with PyTorch's result first: milliseconds by CUDA events, the median of the runs,
and GB/s of bytes read and written. Then what a call takes of the host for a tensor of 16 x 16: microseconds,
the least of the rounds, each of calls that are only queued. Needs PyTorch and a GPU.
"""

import os
import statistics
import sys
import time

import torch

import pycutlet

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import events

RUNS, ROUNDS, CALLS = 21, 11, 200
CASES = [(8192, 8192, "float"), (8192, 8192, "half"), (4096, 4096, "float"), (8191, 8193, "float")]


def milliseconds(queue):
    """Of a run, behind some that are not timed."""
    return 1e3 * statistics.median(events.each(torch, queue, RUNS))


def microseconds(call):
    """That a call takes before it returns."""
    found = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for _ in range(CALLS):
            call()
        found.append((time.perf_counter() - begin) / CALLS * 1e6)
        torch.cuda.synchronize()
    return min(found)


def check(name, found, wanted):
    if not torch.equal(found, wanted):
        sys.exit(f"{name}: wrong")


def transposes():
    for m, n, name in CASES:
        a = torch.randn(m, n, device="cuda").to({"float": torch.float32, "half": torch.float16}[name])
        plan = pycutlet.Plan(f"({m},{n}):({n},1)", f"({m},{n}):(1,{m})", name)
        out, other = torch.zeros(n, m, dtype=a.dtype, device="cuda"), torch.zeros(n, m, dtype=a.dtype, device="cuda")
        plan.run(out, a)
        check("plan", out, a.t())
        check("relayout", pycutlet.relayout(a, "f"), a)
        for what, queue in (("plan.run", lambda: plan.run(out, a)), ("relayout", lambda: pycutlet.relayout(a, "f")),
                            ("copy_", lambda: other.copy_(a.t()))):
            ms = milliseconds(queue)
            yield f"{what} {m}x{n} {name}", "GB/s", f"{2 * a.numel() * a.element_size() / ms * 1e-6:.0f}"


def calls():
    a, out = torch.randn(16, 16, device="cuda"), torch.zeros(16, 16, device="cuda")
    plan = pycutlet.Plan("(16,16):(16,1)", "(16,16):(1,16)", "float")
    plan.run(out, a)
    check("plan", out, a.t())
    for what, call in (("plan.run", lambda: plan.run(out, a)), ("copy", lambda: pycutlet.copy(out, a)),
                       ("relayout", lambda: pycutlet.relayout(a, "f")), ("copy_", lambda: out.copy_(a.t()))):
        yield f"call {what}", "us", f"{microseconds(call):.1f}"


def main():
    lines = [f"# bench/python/tensors.py: {torch.cuda.get_device_name()}; Python {sys.version.split()[0]}, PyTorch "
             f"{torch.__version__}", "what\tunit\tvalue"]
    lines += ["\t".join(row) for rows in (transposes(), calls()) for row in rows]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if sys.argv[1:2] == ["--write"]:
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()

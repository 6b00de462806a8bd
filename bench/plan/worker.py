#!/usr/bin/env python3
"""Measures cases on a CUDA device and prints a line of JSON for each: see gpu.py, which starts it.

    worker.py OPTIONS      cases from options["begin"] on
    worker.py OPTIONS create   how long plans take to be made, without PyTorch
"""

import json
import statistics
import sys
import time

import cases
import devices
import library as plans
import memory

BATCH, BATCHES = 200, 41  # launches at a time, fewer than the device's queue holds
AGAIN = 7  # plans that are made once more in the same process


def efforts_of(options):
    """Those asked for."""
    return list(plans.EFFORTS) if options["effort"] == "both" else [options["effort"]]


def make_plans(library, device, case, options, row):
    """The plans by effort; a plan that there is not leaves its message in the row."""
    made = {}
    for effort in efforts_of(options):
        before = time.perf_counter()
        try:
            made[effort] = plans.Plan(library, case, effort, device.backend)
        except plans.Failure as failure:
            row["failed"][effort] = str(failure)
            continue
        row["create_seconds"][effort] = time.perf_counter() - before
        row["plan"][effort] = made[effort].text()
        row["form"] = made[effort].form()
        row["sectors"] = made[effort].sectors()
        device.wait()
        device.release()
    return made


def verified(made, capacity, row):
    """Those of the plans whose result is right."""
    right = {}
    for effort, plan in made.items():
        try:
            capacity.verify(plan)
            right[effort] = plan
        except plans.Failure as failure:
            row["failed"][effort] = str(failure)
    return right


def measure(library, device, case, options):
    """The row of a case."""
    row = {"name": case.name, "elem_bytes": case.size, "shape": case.shape, "src": case.src,
           "dst": case.dst, "bytes": case.bytes(), "failed": {}, "create_seconds": {}, "plan": {},
           "seconds": {}, "spread": {}}
    made = make_plans(library, device, case, options, row)
    if not made:
        return row
    capacity = memory.Memory(device, case)
    right = verified(made, capacity, row)
    capacity.right = None
    device.release()
    dst, src, stream = capacity.dst, capacity.src, device.stream
    ways = {effort: lambda plan=plan: plan.run(dst.at, src.at, stream)
            for effort, plan in right.items()}
    if capacity.torch_copy():
        ways["torch"] = capacity.torch_copy()
    moved = min(case.bytes(), len(src.memory))
    ways["memcpy"] = lambda: device.memcpy(dst.memory.data_ptr(), src.memory.data_ptr(), moved)
    for way, times in device.in_turn(ways, options["rounds"]).items():
        row["seconds"][way] = statistics.median(times)
        row["spread"][way] = [min(times), max(times)]
    ours = row["seconds"].get("estimate", row["seconds"].get("measure"))
    if ours:  # what the tables of the documents are checked against
        row["gb_s"] = 2e-9 * case.bytes() / ours
        row["of_memcpy"] = row["seconds"]["memcpy"] / ours
    return row


def overhead(library, device, case):
    """Host seconds of a run of a plan, beside those of a launch of an empty kernel."""
    torch, plan = device.torch, plans.Plan(library, case, "estimate", device.backend)
    capacity = memory.Memory(device, case)
    capacity.verify(plan)
    scratch = torch.empty(4096, dtype=torch.uint8, device=device.device).data_ptr()
    function = device.empty_kernel()
    runs, launches = [], []
    for _ in range(BATCHES):
        runs.append(plan.seconds(capacity.dst.at, capacity.src.at, device.stream, BATCH))
        device.wait()
        launches.append(library.bench_launch_seconds(device.launch, function, scratch, scratch,
                                                     device.stream, BATCH))
        device.wait()
    if min(launches) < 0:
        raise plans.Failure("a launch of the empty kernel failed")
    return {"run": statistics.median(runs), "launch": statistics.median(launches),
            "plan": plan.text()}


def seconds_of(what):
    """How long it takes to make a thing."""
    before = time.perf_counter()
    what()
    return time.perf_counter() - before


def created(library, backend, todo):
    """What plans take to be made, a first time in this process and again, by name; and the message of
    those that were refused."""
    first, again, failed = {}, {}, {}
    for case in todo:
        try:
            times = [seconds_of(lambda: plans.Plan(library, case, "estimate", backend))
                     for _ in range(1 + AGAIN)]
        except plans.Failure as failure:
            failed[case.name] = str(failure)
            continue
        first[case.name], again[case.name] = times[0], statistics.median(times[1:])
    return {"first": first, "again": again, "failed": failed}


def first_line(failure):
    """Of a message."""
    return str(failure).split("\n", maxsplit=1)[0]


def say(row):
    """One line, at once."""
    print(json.dumps(row), flush=True)


def main():
    options = json.loads(sys.argv[1])
    library = plans.load(options["library"])
    todo = cases.every(options["mib"], options["permuted_mib"], options["only"])
    if len(sys.argv) > 2:
        if not options["dry"]:
            devices.Driver().make_context()
        say(created(library, plans.CPU if options["dry"] else plans.CUDA, todo))
        return
    device = devices.Dry(library) if options["dry"] else devices.Cuda(library)
    if options["begin"] == 0:
        say({"about": device.about() | {"memcpy": device.memcpy_is}})
        for name, n in ("tiny", 32), ("small", 512):
            transposed = cases.Case(name, 4, [n, n], [1, n], [n, 1])
            try:
                say({"overhead": {name: overhead(library, device, transposed)}})
            except (plans.Failure, RuntimeError) as failure:
                say({"overhead": {name: {"failed": str(failure)}}})
    for case in todo[options["begin"]:]:
        say({"begins": case.name})
        try:
            row = measure(library, device, case, options)
        except (plans.Failure, RuntimeError) as failure:  # PyTorch's errors: no memory, mostly
            row = {"name": case.name, "bytes": case.bytes(), "failed": {"case": first_line(failure)}}
        say(row)
        device.release()
        device.wait()  # fails where the device is lost to this process: gpu.py starts another


if __name__ == "__main__":
    main()

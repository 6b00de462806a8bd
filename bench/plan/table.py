"""The table that `plan.py --gpu` prints, a line as soon as a case is measured, and its summary."""

import json
import os
import statistics

import cases

COLUMNS = ("case", "form", "MiB", "plan", "meas.", "memcpy", "torch", "CCCL", "/memcpy", "/bound",
           "/torch", "/CCCL", "est/meas")
FORMAT = "{:44.44} {:10.10} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>7} {:>6} {:>6} {:>6} {:>8}"


def cccl():
    """GB/s of CCCL on an H200 by case, from cccl.tsv."""
    with open(os.path.join(cases.HERE, "cccl.tsv"), encoding="ascii") as lines:
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {row[0]: float(row[1]) for row in rows}


def save(data, path):
    """Writes the figures as JSON, a line for each case."""
    rest = {name: value for name, value in data.items() if name != "results"}
    with open(path, "w", encoding="ascii") as out:
        out.write("{" + "".join(f"{json.dumps(name)}: {json.dumps(value)},\n" for name, value in rest.items()) +
                  '"results": [\n' + ",\n".join(map(json.dumps, data["results"])) + "\n]}\n")


def rates(row):
    """GB/s, bytes read plus bytes written, by way."""
    return {way: 2e-9 * row["bytes"] / seconds for way, seconds in row.get("seconds", {}).items()}


def best_of(rate):
    """The plan that is compared with others: by the model where it was asked for."""
    return rate.get("estimate", rate.get("measure"))


def print_head():
    """The columns' names."""
    print("GB/s, bytes read plus bytes written; plan: effort estimate, meas.: effort measure; /bound: "
          "of memcpy of\nthe 32-byte sectors that must move; CCCL: measured on an H200 before")
    print(FORMAT.format(*COLUMNS), flush=True)


def number(value, digits):
    """A number, or a dash without one."""
    return "-" if value is None else f"{value:.{digits}f}"


def ratio(a, b):
    """a / b where both are there."""
    return a / b if a and b else None


def of_bound(row, rate):
    """The plan against memcpy's speed with all sectors of 32 bytes that must move, gaps in them too."""
    ours = best_of(rate)
    more = 32 * sum(row["sectors"]) / (2 * row["bytes"])
    return ours * more / rate["memcpy"] if ours else None


def print_row(row, device):
    """One case; what failed on lines of its own."""
    rate = rates(row)
    ours = best_of(rate)
    other = cccl().get(row["name"]) if "H200" in device else None
    if rate:
        digits = 0 if rate["memcpy"] > 100 else 2
        print(FORMAT.format(
            row["name"], row["form"], f"{row['bytes'] / 2**20:.0f}",
            number(rate.get("estimate"), digits), number(rate.get("measure"), digits),
            number(rate["memcpy"], digits), number(rate.get("torch"), digits), number(other, 0),
            number(ratio(ours, rate["memcpy"]), 3), number(of_bound(row, rate), 3),
            number(ratio(ours, rate.get("torch")), 2), number(ratio(ours, other), 2),
            number(ratio(rate.get("estimate"), rate.get("measure")), 3)), flush=True)
    for what, message in row["failed"].items():
        print(f"{row['name']}: {what}: {message}", flush=True)


def milliseconds(times):
    """The median and the longest of some seconds."""
    if not times:
        return "-"
    values = list(times.values())
    return (f"{1e3 * statistics.median(values):.3f} ms ({1e3 * values[0]:.3f} the first of all, "
            f"{1e3 * max(values):.3f} at most)")


def print_summary(data):
    """Creation, the cost of a run beside a launch, and how often the model chose well."""
    create = data["create"]
    print()
    print(f"a plan made: first {milliseconds(create['first'])}; cached on disk "
          f"{milliseconds(create['disk'])}; in memory {milliseconds(create['memory'])}")
    for name, cost in data["overhead"].items():
        if "failed" in cost:
            print(f"a run of a {name} plan: {cost['failed']}")
            continue
        more = cost["run"] - cost["launch"]
        print(f"a run of a {name} plan takes its caller {1e6 * cost['run']:.2f} us, a launch of an "
              f"empty kernel {1e6 * cost['launch']:.2f} us: {1e6 * more:+.2f} us")
    both = [rates(row) for row in data["results"]
            if {"estimate", "measure"} <= set(row.get("seconds", {}))]
    if both:
        good = sum(rate["estimate"] >= 0.97 * rate["measure"] for rate in both)
        print(f"estimate reaches 0.97 of measure in {good} of {len(both)} cases")
    failed = [row["name"] for row in data["results"] if row["failed"]]
    print(f"{len(data['results'])} cases, {len(failed)} with failures" +
          (": " + ", ".join(failed) if failed else ""))

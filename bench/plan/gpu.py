"""Copy plans on a CUDA device beside PyTorch's copy_ and the driver's memcpy: `plan.py --gpu`.

A worker process measures the cases and prints a line for each. One that dies, or is silent for too
long, is replaced by another from the next case on: a fault of one case is that row's failure alone.
"""

import datetime
import json
import os
import subprocess
import sys
import tempfile
import threading

import cases
from table import print_row, print_head, print_summary, save

MOST_DEATHS = 6
WORKER = os.path.join(cases.HERE, "worker.py")


def note(text):
    """Progress."""
    print(text, file=sys.stderr, flush=True)


def lines_of(command, limit, environment):
    """What a worker prints, decoded. Raises what it died of, silence of `limit` seconds too."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=environment) as worker:
        said = []
        listener = threading.Thread(target=lambda: said.extend(worker.stderr.readlines()))
        listener.start()
        silent = []

        def stop():
            silent.append(True)
            worker.kill()
        try:
            while True:
                watch = threading.Timer(limit, stop)
                watch.start()
                line = worker.stdout.readline()
                watch.cancel()
                if not line:
                    break
                yield json.loads(line)
            status = worker.wait()
            listener.join()
        finally:
            if worker.poll() is None:
                worker.kill()
    if status:
        last = [line.strip() for line in said if line.strip()][-1:]
        raise RuntimeError(f"silent for {limit} s" if silent else
                           " ".join(["the worker ended with", str(status), *last]))


def creation_times(options, environment, limit):
    """Plans made in two processes one after the other that share a cache, empty for the first."""
    found = {}
    with tempfile.TemporaryDirectory() as cache:
        for which in "empty", "disk":
            note(f"creating every plan, cache: {which}")
            try:
                found[which] = next(lines_of([sys.executable, WORKER, json.dumps(options), "create"],
                                             limit * 4, environment | {"CUTLET_CACHE": cache}))
            except (RuntimeError, StopIteration) as failure:
                found[which] = {"first": {}, "again": {}, "failed": {"all": str(failure)}}
    return {"first": found["empty"]["first"], "disk": found["disk"]["first"],
            "memory": found["empty"]["again"],
            "failed": found["empty"]["failed"] | found["disk"]["failed"]}


class Report:
    """What is known so far, kept in a file as it grows."""

    def __init__(self, path, data):
        self.path, self.data = path, data

    def save(self):
        """Writes it whole or not at all."""
        if not self.path:
            return
        save(self.data, self.path + ".part")
        os.replace(self.path + ".part", self.path)


def take(report, line):
    """One line of a worker's; its row, where it is one."""
    data = report.data
    if "about" in line:
        data["about"] |= line["about"]
        note(f"{data['about']['device']}, driver {data['about']['driver']}")
    elif "overhead" in line:
        data["overhead"] |= line["overhead"]
    elif "begins" not in line:
        data["results"].append(line)
        print_row(line, data["about"]["device"])
        return line
    return None


def give_up(report, name, why):
    """The row of a case that was not measured."""
    report.data["results"].append({"name": name, "failed": {"case": why}})
    print_row(report.data["results"][-1], report.data["about"]["device"])
    report.save()


def measure_all(report, options, names, environment, limit):
    """Workers one after the other, until every case has its row."""
    rows, deaths = report.data["results"], 0
    while len(rows) < len(names) and deaths < MOST_DEATHS:
        options["begin"] = len(rows)
        note(f"a worker begins with case {len(rows) + 1} of {len(names)}")
        began = False
        try:
            for line in lines_of([sys.executable, WORKER, json.dumps(options)], limit, environment):
                if "begins" in line:
                    began = True
                    note(f"{len(rows) + 1}/{len(names)} {line['begins']}")
                elif take(report, line):
                    began = False
                    report.save()
        except RuntimeError as failure:
            deaths += 1
            note(f"{failure}")
            if not rows and not began:
                raise
            if began:
                give_up(report, names[len(rows)], str(failure))
    for name in names[len(rows):]:
        give_up(report, name, "not tried: too many workers died")


def main(args):
    """The measurement that the options of plan.py ask for. The exit status."""
    options = {"library": os.path.abspath(args.library), "dry": args.dry, "mib": args.mib or 0,
               "permuted_mib": args.mib or 1024, "only": args.only, "effort": args.effort,
               "rounds": args.runs or 15, "begin": 0}
    names = [case.name for case in cases.every(options["mib"], options["permuted_mib"], args.only)]
    about = {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
             "device": "unknown", "driver": "unknown", "python": sys.version.split()[0]}
    report = Report(args.json, {"about": about, "options": options, "create": {}, "overhead": {},
                                "results": []})
    environment = dict(os.environ)
    with tempfile.TemporaryDirectory() as cache:
        environment.setdefault("CUTLET_CACHE", cache)
        report.data["create"] = creation_times(options, environment, args.limit)
        print_head()
        try:
            measure_all(report, options, names, environment, args.limit)
        except RuntimeError as failure:
            note(f"nothing could be measured: {failure}")
            report.save()
            return 1
    report.save()
    print_summary(report.data)
    done = sum(1 for row in report.data["results"] if not row["failed"])
    return 0 if done == len(names) else 1

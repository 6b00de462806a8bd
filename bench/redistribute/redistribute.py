#!/usr/bin/env python3
"""Redistribution between two GPUs of one host beside NCCL and PyTorch's DTensor, in one run.

    redistribute.py BUILD OUT.tsv [--seconds 115] [--runs 20] [--pairs 30] [--only SECTION,..] [--dry]
                    [--ways KIND,..] [--before OTHER]

BUILD is the folder of a build with bench/redistribute. --ways adds ways of peer memory to the pairs: direct,
staged. --before is the library of an older build, beside which the pairs and cases are measured. Every result is verified element by element before
it is timed. The sections: prepare, named,
messages, torch, pairs, blocks, copies. --dry runs small cases on
two threads of the CPU with NumPy, to try this script. A row of OUT.tsv is written when it is known.

NVLink multicast stays off: NCCL_NVLS_ENABLE=0.
"""

import argparse
import concurrent.futures
import ctypes
import faulthandler
import json
import os
import queue
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback

os.environ.setdefault("NCCL_NVLS_ENABLE", "0")
os.environ.setdefault("TORCH_SYMM_MEM_DISABLE_MULTICAST", "1")
os.environ.setdefault("CUTLET_CACHE", tempfile.mkdtemp(prefix="cutlet"))

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import cases
import events
import library as lib
import memory

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = ["section", "case", "detail", "way", "sent_bytes", "seconds", "best_seconds", "wall_seconds",
           "gb_per_second", "runs", "verified", "note"]
PAIR_CHUNK, NAMED_CHUNK, BLOCK_CHUNK = 64 << 20, 256 << 20, 2048 << 20
STAGE_CHUNK, STAGE_SCRATCH = 4 << 20, 1 << 30  # of peer memory
BEFORE = "before: "  # of a kind of the older library


class Table:
    """The rows, on the screen and in a file."""

    def __init__(self, path):
        self.rows, self.out = [], open(path, "w", encoding="utf-8")
        self.began = time.perf_counter()
        self.out.write("\t".join(COLUMNS) + "\n")

    def add(self, section, case, way, detail="", sent=0, times=None, walls=None, verified="", note=""):
        """A measurement, or the reason why it failed. times: of the device; walls: of the caller."""
        shown = times or walls
        middle = statistics.median(shown) if shown else 0
        row = {"section": section, "case": case, "detail": detail, "way": way,
               "sent_bytes": sent or "", "seconds": f"{middle:.7f}" if shown else "",
               "best_seconds": f"{min(shown):.7f}" if shown else "",
               "wall_seconds": f"{statistics.median(walls):.7f}" if walls else "",
               "gb_per_second": f"{sent / middle / 1e9:.1f}" if shown and sent else "",
               "runs": len(shown) if shown else "", "verified": verified,
               "note": re.sub(r"\s+", " ", str(note))[:400]}
        self.rows.append(row)
        self.out.write("\t".join(str(row[name]) for name in COLUMNS) + "\n")
        self.out.flush()
        print(f"{time.perf_counter() - self.began:6.1f} s  {section:9} {case:28} {way:24} "
              f"{row['gb_per_second']:>8} GB/s  {row['seconds']:>10} s  {row['verified']} "
              f"{row['note']}", flush=True)

    def rate(self, section, case, way):
        """The GB/s of a row, or None."""
        for row in self.rows:
            if (row["section"], row["case"], row["way"]) == (section, case, way):
                return float(row["gb_per_second"] or 0) or None
        return None


class Rank(threading.Thread):
    """The thread of one rank, which its GPU belongs to."""

    def __init__(self, rank, begin):
        super().__init__(daemon=True, name=f"rank {rank}")
        self.rank, self.begin, self.jobs = rank, begin, queue.Queue()
        self.start()

    def run(self):
        while True:
            work, done = self.jobs.get()
            try:
                self.begin(self.rank)
                done.set_result(work(self.rank))
            except BaseException as failure:
                done.set_exception(failure)

    def submit(self, work):
        """Starts work(rank)."""
        done = concurrent.futures.Future()
        self.jobs.put((work, done))
        return done


def carries_by_nccl(kind):
    """Whether a kind uses a communicator."""
    return kind.removeprefix(BEFORE) in ("nccl", "messages")


class Bench:
    """The devices, the library and the table."""

    def __init__(self, args):
        self.args, self.table = args, Table(args.out)
        self.deadline = time.perf_counter() + args.seconds
        self.library, self.nccl, self.streams = None, None, [None] * cases.RANKS
        self.older = lib.Library(args.before) if args.before else None
        self.memory = memory.Host() if args.dry else memory.Gpu()
        self.torch = None if args.dry else self.memory.torch
        self.ranks = [Rank(rank, self.begin) for rank in range(cases.RANKS)]
        self.engines = {}

    def left(self):
        """The seconds that are left."""
        return self.deadline - time.perf_counter()

    def begin(self, rank):
        """Makes the device that of the calling thread."""
        if self.torch:
            self.torch.cuda.set_device(rank)
            self.torch.cuda.current_stream().synchronize()

    def both(self, work, limit=60):
        """work(rank) in the threads of both ranks; the results. Raises what one raised."""
        waits = [rank.submit(work) for rank in self.ranks]
        done = concurrent.futures.wait(waits, timeout=limit)
        if done.not_done:
            faulthandler.dump_traceback(file=sys.stderr)
            raise lib.Failure(f"a rank has not answered within {limit} s")
        return [wait.result() for wait in waits]

    def wait(self):
        """Until both devices are idle."""
        for rank in range(cases.RANKS):
            if self.torch:
                self.torch.cuda.synchronize(rank)

    def events(self, rank, work):
        """Seconds of the device and of the caller for each run in the rank's stream."""
        torch, found = self.torch, []
        with torch.cuda.stream(self.streams[rank]):
            for number in range(self.args.runs + 2):
                before = time.perf_counter()
                took = events.seconds(events.mark(torch, work))
                if number >= 2:
                    found.append((took, time.perf_counter() - before))
        return found

    def slower(self, both):
        """Of each run the times of the slower rank."""
        return [[max(run[k] for run in runs) for runs in zip(*both)] for k in range(2)]

    # ---- what is there

    def check(self):
        """Says what this runs on, and that a small redistribution is right."""
        args = self.args
        found = [os.path.join(args.build, "bench", "redistribute", name)
                 for name in ("libbench_redistribute.so", "bench_redistribute.so")]
        path = next((name for name in found if os.path.exists(name)), found[0])
        self.library = lib.Library(path)
        print(f"library {path}", flush=True)
        if self.torch:
            torch = self.torch
            print(f"torch {torch.__version__}, CUDA {torch.version.cuda}, NCCL "
                  f"{'.'.join(map(str, torch.cuda.nccl.version()))}, {torch.cuda.device_count()} GPUs",
                  flush=True)
            for device in range(torch.cuda.device_count()):
                print(f"GPU {device}: {torch.cuda.get_device_name(device)}, free and all memory "
                      f"{[n >> 20 for n in torch.cuda.mem_get_info(device)]} MiB", flush=True)
            if torch.cuda.device_count() < cases.RANKS:
                raise lib.Failure("there are fewer than two GPUs")
            print(f"peer access {torch.cuda.can_device_access_peer(0, 1)}", flush=True)
            self.streams = [torch.cuda.Stream(rank) for rank in range(cases.RANKS)]
            self.nccl = Nccl()
            print(f"NCCL library {self.nccl.path}", flush=True)
            os.environ.setdefault("CUTLET_NCCL", self.nccl.path)
        small = cases.Case("small", (61, 37), cases.Side("shard:0"), cases.Side("cyclic:1:3", "/f"))
        for kind in self.kinds():
            self.measure("self", small, kind, PAIR_CHUNK, runs=3)

    def kinds(self, section=""):
        """The engines that are compared."""
        if self.args.dry:
            return ["threads"]
        kinds = ["peer", "nccl"] if section == "pairs" else ["peer", "kernels", "nccl"]
        if section == "pairs" and self.args.ways:
            kinds += self.args.ways.split(",")
        return kinds + [BEFORE + kind for kind in ("peer", "nccl") if section and self.older]

    def way(self, kind):
        """The library of a kind, its name there, how it carries, and scratch of a plan with chunks."""
        library = self.older if kind.startswith(BEFORE) else self.library
        name = kind.removeprefix(BEFORE)
        if name in ("nccl", "messages"):
            return library, name, lib.MESSAGES
        if library is self.older or name == "threads" or name == "kernels":
            return library, name, lib.DIRECT
        return library, name, {"direct": lib.DIRECT, "staged": lib.STAGED}.get(name, lib.AUTO)

    def struct(self, case, kind, chunk_bytes):
        """The case for a kind."""
        carry = self.way(kind)[2]
        backend = lib.CPU if self.args.dry else lib.CUDA
        if carry in (lib.AUTO, lib.STAGED):
            return lib.Library.struct(case, cases.RANKS, carry, backend, STAGE_CHUNK, STAGE_SCRATCH)
        return lib.Library.struct(case, cases.RANKS, carry, backend, chunk_bytes)

    def engine(self, kind):
        """The engines of both ranks, opened where they are not."""
        if kind not in self.engines:
            library, name, _ = self.way(kind)
            group = library.call("group", cases.RANKS)
            comms = self.nccl.comms() if name in ("nccl", "messages") else [None] * cases.RANKS
            self.engines[kind] = self.both(
                lambda rank: library.call("engine", group, rank, name.encode(), comms[rank]))
        return self.engines[kind]

    # ---- ours

    def plans(self, case, kind, chunk_bytes):
        """The prepared plans of both ranks."""
        library, _, carry = self.way(kind)
        struct = self.struct(case, kind, chunk_bytes)

        def make(rank):
            before = time.perf_counter()
            plan = library.call("plan", ctypes.byref(struct), rank)
            between = time.perf_counter()
            try:
                library.call("prepare", plan, carry)
            except lib.Failure:
                library.c.bench_plan_drop(plan)
                raise
            return plan, between - before, time.perf_counter() - between, struct

        return self.both(make)

    def measure(self, section, case, kind, chunk_bytes, runs=None):
        """Verifies and times one case by one engine. True where it is right."""
        name, plans, taken, library = f"cutlet {kind}", [], [], self.way(kind)[0]
        try:
            plans = self.plans(case, kind, chunk_bytes)
            spans = [library.spans(plans[rank][3], rank) for rank in range(cases.RANKS)]
            taken = [[self.memory.take(case, which, spans[rank][which], rank) for which in range(2)]
                     for rank in range(cases.RANKS)]
            self.both(lambda rank: self.memory.fill(case, 0, rank, taken[rank][0]))
            self.wait()
            engines = self.engine(kind)
            streams = [stream.cuda_stream if stream else None for stream in self.streams]

            def run(rank, times):
                src, dst = (self.memory.address(memory) for memory in taken[rank])
                return library.run(plans[rank][0], engines[rank], dst, src, streams[rank], times)

            self.both(lambda rank: run(rank, 2))
            self.wait()
            wrong = self.both(lambda rank: self.memory.wrong(case, 1, rank, taken[rank][1]))
            numbers = [library.numbers(plan[0]) for plan in plans]
            sent = max(number.sent for number in numbers)
            note = (f"all {numbers[0].all} least {numbers[0].least} plan {plans[0][1] * 1e3:.1f} ms "
                    f"prepare {plans[0][2] * 1e3:.0f} ms")
            if any(wrong):
                self.table.add(section, case.name, name, case.text(), sent, verified="WRONG",
                               note=f"{wrong} elements of the ranks are wrong; {note}")
                print(library.describe(plans[0][0]), flush=True)
                return False
            times = self.both(lambda rank: run(rank, runs or self.args.runs))
            walls = [max(run) for run in zip(*times)]
            self.table.add(section, case.name, name, case.text(), sent, walls=walls, verified="yes",
                           note=note)
            return True
        except Exception as failure:  # a row says it, and the others are measured
            self.table.add(section, case.name, name, case.text(), note=f"failed: {failure}")
            if not isinstance(failure, lib.Failure):
                traceback.print_exc()
            self.engines.pop(kind, None)  # a group that has failed carries nothing more
            if self.nccl and carries_by_nccl(kind):
                self.nccl.made = None  # it has aborted its communicator
            return False
        finally:
            for plan in plans:
                library.c.bench_plan_drop(plan[0])
            del taken
            if self.torch:
                self.torch.cuda.empty_cache()

    # ---- the sections

    def copies(self):
        """The driver's copy to the other GPU, one way and both ways."""
        torch = self.torch
        for mib in (64, 512, 2048):
            if self.left() < 5:
                return
            blocks = [[torch.full((mib << 18,), rank + 1, dtype=torch.int32, device=f"cuda:{rank}")
                       for rank in range(2)] for _ in range(2)]

            def push(rank):
                return self.events(rank, lambda: blocks[1][1 - rank].copy_(blocks[0][rank],
                                                                          non_blocking=True))
            self.wait()
            one = self.ranks[0].submit(push).result(60)
            wrong = int((blocks[1][1] != 1).sum())
            self.table.add("copies", f"block of {mib} MiB", "torch copy, one way", sent=mib << 20,
                           times=[t[0] for t in one], walls=[t[1] for t in one],
                           verified="WRONG" if wrong else "yes")
            times, walls = self.slower(self.both(push))
            self.table.add("copies", f"block of {mib} MiB", "torch copy, both ways", sent=mib << 20,
                           times=times, walls=walls, verified="")

    def send(self, sent):
        """Seconds of NCCL's send and receive of this many bytes each way, and whether it is right."""
        torch = self.torch
        src = [torch.full((sent,), rank + 1, dtype=torch.int8, device=f"cuda:{rank}")
               for rank in range(2)]
        dst = [torch.zeros_like(block) for block in src]
        comms = self.nccl.comms()
        self.wait()

        def exchange(rank):
            stream = self.streams[rank].cuda_stream
            return self.events(rank, lambda: self.nccl.exchange(
                comms[rank], 1 - rank, dst[rank].data_ptr(), src[rank].data_ptr(), sent, stream))

        times, walls = self.slower(self.both(exchange))
        wrong = [int((dst[rank] != 2 - rank).sum()) for rank in range(2)]
        return times, walls, not any(wrong)

    def messages(self):
        """NCCL's send and receive of blocks."""
        for mib in (64, 512, 2048):
            times, walls, right = self.send(mib << 20)
            self.table.add("messages", f"block of {mib} MiB", "ncclSend and ncclRecv", sent=mib << 20,
                           times=times, walls=walls, verified="yes" if right else "WRONG")

    def blocks(self):
        """Contiguous blocks by our engines."""
        for case in cases.blocks() if not self.args.dry else cases.blocks()[:0]:
            for kind in self.kinds("blocks"):
                if self.left() > 6:
                    self.measure("blocks", case, kind, BLOCK_CHUNK)

    def named(self):
        """The cases of DTensor."""
        if self.args.dry:
            for case in (cases.Case("square", (96, 64), cases.Side("shard:0"), cases.Side("shard:1")),
                         cases.Case("odd", (63, 61), cases.Side("shard:0"), cases.Side("shard:1"))):
                self.measure("named", case, "threads", PAIR_CHUNK)
            return
        for case in cases.named():
            for kind in self.kinds("named"):
                if self.left() > 10:
                    self.measure("named", case, kind, NAMED_CHUNK)

    def prepare_all(self):
        """Compiles the kernels of all cases at the same time: the cache has them for the plans to come."""
        if self.args.dry:
            return
        before = time.perf_counter()

        def make(case, rank, kind, chunk_bytes):
            if self.left() < 45:
                return
            self.begin(rank)
            library, _, carry = self.way(kind)
            struct = self.struct(case, kind, chunk_bytes)
            plan = library.call("plan", ctypes.byref(struct), rank)
            try:
                library.call("prepare", plan, carry)
            finally:
                library.c.bench_plan_drop(plan)

        wanted = [(case, NAMED_CHUNK) for case in cases.named()]
        wanted += [(case, PAIR_CHUNK) for case in cases.pairs(self.args.pairs)]
        with concurrent.futures.ThreadPoolExecutor(max(4, min(24, os.cpu_count() or 4))) as pool:
            waits = [pool.submit(make, case, rank, kind, chunk) for case, chunk in wanted
                     for kind in self.kinds("pairs") for rank in range(cases.RANKS)]
            concurrent.futures.wait(waits)
        failures = {str(wait.exception()) for wait in waits if wait.exception()}
        self.table.add("prepare", "all", "compile", walls=[time.perf_counter() - before],
                       note=f"{len(waits)} plans; {'; '.join(sorted(failures))}")

    def pairs(self):
        """Random pairs, and NCCL's send and receive of the same bytes."""
        wanted = cases.pairs(self.args.pairs, 1 << (12 if self.args.dry else 26))
        if self.args.dry:
            wanted = [case for case in wanted if cases.BFLOAT16 not in case.types]
        for case in wanted:
            if self.left() < 6:
                self.table.add("pairs", case.name, "", case.text(), note="not measured: time is over")
                continue
            for kind in self.kinds("pairs"):
                self.measure("pairs", case, kind, PAIR_CHUNK, runs=min(self.args.runs, 10))
            self.beside(case)

    def beside(self, case):
        """NCCL's send and receive of what a rank sends in a pair."""
        sent = max([row["sent_bytes"] or 0 for row in self.table.rows
                    if row["section"] == "pairs" and row["case"] == case.name] or [0])
        if not sent or self.args.dry:
            return
        try:
            times, walls, right = self.send(sent)
            self.table.add("pairs", case.name, "ncclSend and ncclRecv", case.text(), sent, times, walls,
                           "yes" if right else "WRONG")
        except Exception as failure:
            self.table.add("pairs", case.name, "ncclSend and ncclRecv", note=f"failed: {failure}")

    def torch_processes(self):
        """DTensor and PyTorch's messages, in processes of their own."""
        limit = min(40, self.left() - 25) if not self.args.only else self.left()
        options = {"pairs": self.args.pairs, "runs": self.args.runs, "seconds": limit - 15}
        command = [sys.executable, os.path.join(HERE, "dtensor.py"), json.dumps(options)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              start_new_session=True) as child:
            watch = threading.Timer(limit, lambda: os.killpg(child.pid, signal.SIGKILL))
            watch.start()
            for line in child.stdout:
                self.take(line)
            child.wait()
            watch.cancel()
        if child.returncode:
            self.table.add("torch", "all", "DTensor", note=f"failed: ended with {child.returncode}")

    def take(self, line):
        """A line of dtensor.py."""
        try:
            row = json.loads(line)
        except ValueError:
            print("   torch:", line.rstrip(), flush=True)
            return
        if "failed" in row:
            self.table.add(row["section"], row["case"], "DTensor", note=f"failed: {row['failed']}")
            return
        self.table.add(row["section"], row["case"], row["way"], row["detail"], row["bytes"],
                       [row["seconds"]], [row["wall"]], "yes" if row["wrong"] == 0 else "WRONG",
                       f"median of {row['runs']}, best {row['best']:.7f} s")

    def summary(self):
        """Ours beside the others, for each case."""
        print("\ncase: GB/s sent by a rank", flush=True)
        names = []
        for row in self.table.rows:
            key = (row["section"], row["case"])
            if row["section"] in ("blocks", "named", "pairs") and key not in names:
                names.append(key)
        for section, case in names:
            ways = ["ncclSend and ncclRecv", "DTensor"] + sorted(
                {row["way"] for row in self.table.rows if row["way"].startswith("cutlet")})
            rates = [self.table.rate(section, case, way) for way in ways]
            if section == "blocks":
                rates[0] = self.table.rate("messages", case, ways[0])
            if any(rates):
                print(f"  {section:7} {case:28} " + "  ".join(
                    f"{way.removeprefix('cutlet ')} {rate}" for way, rate in zip(ways, rates) if rate),
                      flush=True)


class Nccl:
    """The functions of NCCL, in the library that PyTorch has loaded."""

    def __init__(self):
        with open("/proc/self/maps", encoding="utf-8") as maps:
            loaded = re.findall(r"(/\S*libnccl\.so\S*)", maps.read())
        self.path = loaded[0] if loaded else "libnccl.so.2"
        self.c = ctypes.CDLL(self.path)
        for name in ("ncclSend", "ncclRecv"):
            getattr(self.c, name).argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int,
                                              ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
        self.made = None

    def check(self, result, name):
        """Raises what NCCL refused."""
        if result:
            raise lib.Failure(f"{name}: NCCL result {result}")

    def comms(self):
        """Communicators of both GPUs, made once."""
        if not self.made:
            made = (ctypes.c_void_p * cases.RANKS)()
            self.check(self.c.ncclCommInitAll(made, cases.RANKS, None), "ncclCommInitAll")
            self.made = list(made)
        return self.made

    def exchange(self, comm, other, dst, src, size, stream):
        """Sends and receives one block."""
        self.check(self.c.ncclGroupStart(), "ncclGroupStart")
        self.check(self.c.ncclSend(src, size, 1, other, comm, stream), "ncclSend")
        self.check(self.c.ncclRecv(dst, size, 1, other, comm, stream), "ncclRecv")
        self.check(self.c.ncclGroupEnd(), "ncclGroupEnd")


def main():
    """Runs the sections that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build")
    parser.add_argument("out")
    parser.add_argument("--seconds", type=float, default=115)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--only", default="")
    parser.add_argument("--ways", default="")
    parser.add_argument("--before", default="")
    parser.add_argument("--dry", action="store_true")
    args = parser.parse_args()
    faulthandler.dump_traceback_later(args.seconds + 15, exit=True)
    bench = Bench(args)
    try:
        bench.check()
    except Exception as failure:
        bench.table.add("self", "all", "", note=f"failed: {failure}")
        traceback.print_exc()
        os._exit(1)
    sections = {"prepare": bench.prepare_all, "named": bench.named, "messages": bench.messages,
                "torch": bench.torch_processes, "pairs": bench.pairs, "blocks": bench.blocks,
                "copies": bench.copies}
    if args.dry:
        sections = {"named": bench.named, "pairs": bench.pairs}
    for name, section in sections.items():
        if args.only and name not in args.only.split(","):
            continue
        try:
            section()
        except Exception as failure:
            bench.table.add(name, "all", "", note=f"failed: {type(failure).__name__}: {failure}")
            traceback.print_exc()
    bench.summary()
    wrong = sum(row["verified"] == "WRONG" for row in bench.table.rows)
    failed = sum(row["note"].startswith("failed") for row in bench.table.rows)
    print(f"{len(bench.table.rows)} rows, {wrong} wrong, {failed} failed", flush=True)
    sys.stdout.flush()
    os._exit(1 if wrong else 0)  # threads of a rank that hangs are not waited for


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What PyTorch reaches between two GPUs, a process each: DTensor's redistribute, all_to_all, and sends and
receives in one batch. redistribute.py starts it.

    dtensor.py OPTIONS     a line of JSON for each measurement

OPTIONS is JSON: {"pairs": how many random pairs, "runs": how often each, "seconds": the most in all}
"""

import json
import os
import socket
import statistics
import sys
import time
import traceback

os.environ.setdefault("NCCL_NVLS_ENABLE", "0")
os.environ.setdefault("TORCH_SYMM_MEM_DISABLE_MULTICAST", "1")

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import cases
import events
import memory


def free_port():
    """A port that nobody listens at."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Worker:
    """One rank."""

    def __init__(self, rank, options):
        import torch
        import torch.distributed as dist
        self.torch, self.dist, self.rank, self.options = torch, dist, rank, options
        self.memory = memory.Gpu()
        self.began = time.perf_counter()
        torch.cuda.set_device(rank)
        dist.init_process_group("nccl", rank=rank, world_size=cases.RANKS,
                                device_id=torch.device("cuda", rank))

    def say(self, **row):
        """A line, of the first rank."""
        if self.rank == 0:
            print(json.dumps(row), flush=True)

    def time_is_over(self):
        """Whether to end now: the same answer on both ranks."""
        over = self.torch.tensor([time.perf_counter() - self.began > self.options["seconds"]],
                                 dtype=self.torch.int32, device="cuda")
        self.dist.all_reduce(over)
        return bool(over.item())

    def times(self, work):
        """Seconds of each run: by the clock, and by events; the slower rank's."""
        torch = self.torch
        for _ in range(3):
            work()
        found = []
        for _ in range(self.options["runs"]):
            torch.cuda.synchronize()
            self.dist.barrier()
            torch.cuda.synchronize()
            before = time.perf_counter()
            marked = events.mark(torch, work)
            torch.cuda.synchronize()
            found.append([time.perf_counter() - before, events.seconds(marked)])
        both = torch.tensor(found, dtype=torch.float64, device="cuda")
        self.dist.all_reduce(both, op=self.dist.ReduceOp.MAX)
        return both.cpu().tolist()

    def report(self, section, name, detail, way, sent, work, wrong):
        """Measures and says it."""
        times = self.times(work)
        wall, events = ([row[k] for row in times] for k in range(2))
        self.say(section=section, case=name, detail=detail, way=way, bytes=sent,
                 seconds=statistics.median(events), wall=statistics.median(wall), best=min(events),
                 runs=len(times), wrong=wrong)

    def try_to(self, section, name, work):
        """Goes on where something fails, in the same place on both ranks."""
        try:
            work()
        except Exception as failure:  # what PyTorch refuses is a result
            self.say(section=section, case=name, failed=f"{type(failure).__name__}: {failure}"[:300])
            traceback.print_exc()

    # ---- messages

    def messages(self, mib):
        """A block to the other rank and one from it, in two ways."""
        torch, dist, other = self.torch, self.dist, 1 - self.rank
        count = mib << 18
        src = torch.full((cases.RANKS * count,), self.rank + 1, dtype=torch.int32, device="cuda")
        dst = torch.zeros_like(src)

        def exchange():
            wait = dist.batch_isend_irecv([dist.P2POp(dist.isend, src[:count], other),
                                           dist.P2POp(dist.irecv, dst[:count], other)])
            for request in wait:
                request.wait()

        def all_to_all():
            dist.all_to_all_single(dst, src)

        exchange()
        wrong = int((dst[:count] != other + 1).sum())
        self.report("messages", f"block of {mib} MiB", "", "torch isend and irecv", 4 * count,
                    exchange, wrong)
        dst.zero_()
        all_to_all()
        wrong = sum(int((dst[r * count:(r + 1) * count] != r + 1).sum()) for r in range(cases.RANKS))
        self.report("messages", f"block of {mib} MiB", "", "torch all_to_all", 4 * count, all_to_all,
                    wrong)

    # ---- DTensor

    def redistribute(self, section, case):
        """DTensor's way from one placement to another."""
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.tensor import DTensor, Replicate, Shard
        if not hasattr(self, "mesh"):
            self.mesh = init_device_mesh("cuda", (cases.RANKS,))
        kind = {1: cases.INT8, 2: cases.BFLOAT16, 4: cases.FLOAT}[case.bytes[0]]
        typed = cases.Case(case.name, case.shape, case.src, case.dst, (kind, kind))
        from_form, to_form = ([Shard(int(form.split(":")[1]))] if form.startswith("shard") else
                              [Replicate()] for form in case.dtensor())
        local = self.memory.values(typed, 0, self.rank).contiguous()
        shape = self.torch.Size(case.shape)
        stride = tuple(cases.compact(case.shape, reversed(range(len(case.shape)))))
        source = DTensor.from_local(local, self.mesh, from_form, run_check=False, shape=shape,
                                    stride=stride)

        def work():
            return source.redistribute(self.mesh, to_form).to_local()

        got = work()
        if hasattr(got, "wait"):
            got = got.wait()
        right = self.memory.values(typed, 1, self.rank)
        wrong = int((got != right).sum()) if got.shape == right.shape else -1
        del got, right
        sent = local.numel() * local.element_size()
        if case.dtensor()[1] != "replicate":
            sent //= cases.RANKS
        self.report(section, case.name, case.text(), "DTensor", sent, work, wrong)

    def run(self):
        """Everything, as long as there is time."""
        for mib in (64, 512, 2048):
            self.try_to("messages", f"block of {mib} MiB", lambda mib=mib: self.messages(mib))
            self.torch.cuda.empty_cache()
        for section, all_cases in (("named", cases.named()),
                                   ("pairs", cases.pairs(self.options["pairs"]))):
            for case in all_cases:
                if not case.dtensor():
                    continue
                if self.time_is_over():
                    self.say(section=section, case=case.name, failed="not measured: time is over")
                    continue
                self.try_to(section, case.name, lambda c=case, s=section: self.redistribute(s, c))
                self.torch.cuda.empty_cache()
        self.dist.destroy_process_group()


def start(rank, options):
    """A process of one rank."""
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "127.0.0.1", str(options["port"])
    Worker(rank, options).run()


def main():
    """Starts both ranks."""
    import torch.multiprocessing as mp
    options = {"pairs": 30, "runs": 20, "seconds": 40} | json.loads(sys.argv[1] if sys.argv[1:] else "{}")
    options["port"] = free_port()
    mp.spawn(start, args=(options,), nprocs=cases.RANKS)


if __name__ == "__main__":
    main()

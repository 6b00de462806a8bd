"""Tensors of PyTorch that are cut over GPUs, cut another way: cutlet beside DTensor, a process for each GPU.

    redistribute.py [peer|nccl] [--ranks 2]

Each result is compared with DTensor's, element by element. It needs the package cutlet with kernels, PyTorch,
and as many GPUs as ranks.
"""

import argparse
import os
import socket
import statistics
import time

import pycutlet
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Replicate, Shard

#: Shape, type, and both placements in the words of each.
CASES = [
    ((4096, 4096), torch.bfloat16, "shard:0", "shard:1", Shard(0), Shard(1)),
    ((4097, 4099), torch.float32, "shard:1", "shard:0", Shard(1), Shard(0)),
    ((64, 512, 1024), torch.float16, "shard:0", "shard:2", Shard(0), Shard(2)),
    ((1000, 3000), torch.float64, "shard:0", "replicate", Shard(0), Replicate()),
    ((1001, 501), torch.int64, "replicate", "shard:0", Replicate(), Shard(0)),
]
RUNS = 10


# part: run
def redistribute(local, source, target, shape, engine):
    """What this rank holds of a tensor by another sharded layout."""
    plan = pycutlet.Redistribution(source, target, shape, engine.ranks, local.element_size(), rank=engine.rank)
    return plan(local, engine, torch.cuda.current_stream().cuda_stream)


# end


def seconds(work):
    """The median of some runs, by the clock, of the slowest rank."""
    found = []
    for _ in range(RUNS):
        torch.cuda.synchronize()
        dist.barrier()
        torch.cuda.synchronize()
        begun = time.perf_counter()
        work()
        torch.cuda.synchronize()
        found.append(time.perf_counter() - begun)
    slowest = torch.tensor(statistics.median(found), device="cuda")
    dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
    return slowest.item()


def check(rank, ranks, mesh, engine, case):
    """One case, by DTensor and by cutlet."""
    shape, kind, source, target, placed, wanted = case
    count = torch.Size(shape).numel()
    whole = (torch.arange(count, device="cuda") % 4093).reshape(shape).to(kind)
    before = DTensor.from_local(whole, mesh, [Replicate()], run_check=False).redistribute(mesh, [placed])
    local = before.to_local().contiguous()
    right = before.redistribute(mesh, [wanted]).to_local()
    right = right.wait() if hasattr(right, "wait") else right
    got = redistribute(local, source, target, shape, engine)
    same = got.shape == right.shape and bool((got == right).all())
    plan = pycutlet.Redistribution(source, target, shape, ranks, local.element_size(), rank=rank)
    stream = torch.cuda.current_stream().cuda_stream
    ours = seconds(lambda: plan.run(got, local, engine, stream))
    same = same and bool((got == right).all())
    theirs = seconds(lambda: before.redistribute(mesh, [wanted]).to_local())
    all_same = torch.tensor(int(same), device="cuda")
    dist.all_reduce(all_same, op=dist.ReduceOp.MIN)
    if rank == 0:
        print(f"{'x'.join(map(str, shape))} {str(kind)[6:]} {source} to {target}: "
              f"{'the same as DTensor' if all_same.item() else 'WRONG'}, {ours * 1e3:.3f} ms, DTensor "
              f"{theirs * 1e3:.3f} ms", flush=True)
    return bool(all_same.item())


def work(rank, ranks, way, port):
    """One rank."""
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "127.0.0.1", str(port)
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=ranks, device_id=torch.device("cuda", rank))
    mesh = init_device_mesh("cuda", (ranks,))
    right = True
    # part: engine
    with pycutlet.Engine.peer() if way == "peer" else pycutlet.Engine.nccl() as engine:
        # end
        if rank == 0:
            print(engine, flush=True)
        for case in CASES:
            right = check(rank, ranks, mesh, engine, case) and right
        torch.cuda.synchronize()
        dist.barrier()  # what others write here stays until all engines are closed
    dist.barrier()
    dist.destroy_process_group()
    if not right:
        raise SystemExit(1)


def main():
    """Starts a process for each GPU."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("way", nargs="?", choices=["peer", "nccl"], default="peer")
    parser.add_argument("--ranks", type=int, default=2)
    args = parser.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    mp.spawn(work, args=(args.ranks, args.way, port), nprocs=args.ranks)


if __name__ == "__main__":
    main()

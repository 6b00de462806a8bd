"""A matrix product in Triton, by mma.sync, as a peer: the fastest of some tiles."""

import os

os.environ["DISABLE_MMA_V3"] = "1"  # no wgmma

import torch   # noqa: E402  pylint: disable=wrong-import-position
import triton  # noqa: E402  pylint: disable=wrong-import-position
import triton.language as tl  # noqa: E402  pylint: disable=wrong-import-position

# rows, columns and depth of a tile, warps, stages
TILES = ((128, 256, 32, 8, 4), (128, 256, 64, 8, 3), (128, 128, 32, 4, 4), (128, 128, 64, 4, 3),
         (256, 128, 32, 8, 4), (256, 128, 64, 8, 3))


@triton.jit
def product(a, b, d, m, n, k, step_a, step_b, step_d, rows: tl.constexpr, columns: tl.constexpr,
            depth: tl.constexpr):
    """D = A B, A (m,k) and B (n,k); k a multiple of depth."""
    high, wide = tl.cdiv(m, rows), tl.cdiv(n, columns)
    group = tl.program_id(0) // (8 * wide)
    inside = tl.program_id(0) % (8 * wide)
    size = min(high - 8 * group, 8)
    i = (8 * group + inside % size) * rows + tl.arange(0, rows)
    j = inside // size * columns + tl.arange(0, columns)
    at = tl.arange(0, depth)
    from_a = a + (i % m)[:, None] * step_a + at[None, :]
    from_b = b + (j % n)[None, :] * step_b + at[:, None]
    total = tl.zeros((rows, columns), dtype=tl.float32)
    for _ in range(0, tl.cdiv(k, depth)):
        total = tl.dot(tl.load(from_a), tl.load(from_b), total)
        from_a += depth
        from_b += depth
    tl.store(d + i[:, None] * step_d + j[None, :], total.to(d.dtype.element_ty),
             mask=(i[:, None] < m) & (j[None, :] < n))


def fastest(a, b, d):
    """What it is called, and the call that runs it."""
    (m, k), n, found = a.shape, b.shape[0], []
    for rows, columns, depth, warps, stages in TILES:
        def run(rows=rows, columns=columns, depth=depth, warps=warps, stages=stages):
            grid = (triton.cdiv(m, rows) * triton.cdiv(n, columns),)
            return product[grid](a, b, d, m, n, k, a.stride(0), b.stride(0), d.stride(0), rows, columns,
                                 depth, num_warps=warps, num_stages=stages)
        if "wgmma" in run().asm["ptx"]:
            raise RuntimeError("Triton used wgmma although it was told not to")
        torch.cuda.synchronize()
        found.append((triton.testing.do_bench(run, warmup=10, rep=40), rows, columns, depth, run))
    best = min(found, key=lambda f: f[0])
    return f"Triton {best[1]}x{best[2]}x{best[3]}", best[4]

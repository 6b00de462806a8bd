/**
 * The tile plan: which thread copies what of a tile, as coordinates that are known when the kernel
 * is compiled.
 *
 * A tile lies in memory with one mode contiguous, the inner one, and the other mode, the outer one,
 * a leading dimension apart. A plan speaks of inner and outer only, so one kernel text serves
 * row-major data (inner = n) and column-major data (inner = m). The leading dimension is no part of
 * it: at run time that number is multiplied with constants, and a thread has one base pointer and
 * constant steps.
 *
 *     CT_STATIC(ct_tile_plan, plan,
 *               ct_plan_tiled_copy(ct_layout2(16, 8, 8, 1), ct_layout2(1, 8, 1, 1),
 *                                  ct_make_plan_job(CT_PLAN_CP_ASYNC, 2, CT_ROW_MAJOR, 64, 64)));
 */
#ifndef CUTLET_DEVICE_TILE_H
#define CUTLET_DEVICE_TILE_H

#include <cutlet/copy_width.h>
#include <cutlet/partition.h>
#include <cutlet/tiled_copy.h>

/** Which mode of a matrix (m,n) is the inner one, contiguous in memory. */
enum { CT_COL_MAJOR = 0, CT_ROW_MAJOR = 1 };

/** What moves an access from global to shared memory. */
enum {
    CT_PLAN_ELEMENT,  /* registers, element by element */
    CT_PLAN_VECTOR,   /* registers, the widest access that a thread's values allow */
    CT_PLAN_CP_ASYNC, /* cp.async, just as wide; 1 and 2 bytes go through registers */
    CT_PLAN_PARTITION /* as ELEMENT, of what local_partition gives a thread */
};

/** The most accesses of one thread in a tile, and the widest one. */
#define CT_PLAN_ACCESSES 64
#define CT_PLAN_BYTES 16

typedef struct ct_tile_plan {
    ct_error err;
    int32_t atom;         /* CT_ATOM_... of the way from global to shared memory */
    int32_t elem_bytes;
    int32_t access_bytes; /* of one access: a power of two from elem_bytes to CT_PLAN_BYTES */
    int32_t threads;
    int32_t accesses;     /* of one thread in the whole tile */
    int32_t accesses_once; /* of them, those in the first of the blocks that fill the tile ... */
    int32_t block_inner;  /* ... the block that the threads cover at once, in elements */
    int32_t block_outer;
    int32_t tile_inner;   /* the tile, in elements */
    int32_t tile_outer;
    ct_layout thread_inner, thread_outer; /* thread -> coordinate of its first element */
    ct_layout thread_shared;              /* the same -> its offset in the tile in shared memory */
    ct_layout access_inner, access_outer; /* access -> coordinate of its first one, from there */
    int32_t inner[CT_PLAN_ACCESSES + 1];  /* the same counted out, in the order of memory: what */
    int32_t outer[CT_PLAN_ACCESSES + 1];  /* unrolled loops use */
} ct_tile_plan;

/** The failed plan that carries e. */
CT_FN ct_tile_plan ct_plan_fail(ct_error e)
{
    ct_tile_plan p = CT_ZERO;
    p.err = e;
    return p;
}

/** The part of a coordinate layout that runs along mode k: its strides there, 0 elsewhere. */
CT_FN ct_layout ct_along(ct_layout L, int k)
{
    CT_FOR(i, L.profile.leaves) {
        if (L.basis[i] != (uint32_t)(k + 1)) L.stride[i] = 0;
        L.basis[i] = CT_INTEGER;
    }
    return L;
}

/** inner + outer * width of two layouts of one shape, with as few modes as can be. */
CT_FN ct_layout ct_shared_of(ct_layout inner, ct_layout outer, int64_t width)
{
    CT_FOR(i, inner.profile.leaves) inner.stride[i] += outer.stride[i] * width;
    return ct_coalesce(inner);
}

/** How many elements from the first on a coordinate layout passes one by one along mode k. */
CT_FN int64_t ct_run_along(ct_layout values, int k)
{
    const ct_layout L = ct_coalesce(values);
    return L.basis[0] == (uint32_t)(k + 1) && L.stride[0] == 1 ? L.shape[0] : 1;
}

/** The tile as the blocks that fill it, the inner mode first: block -> coordinate of its origin. */
CT_FN ct_layout ct_blocks_of(ct_tuple block, int order, int64_t tile_m, int64_t tile_n)
{
    const int64_t m = tile_m / block.value[0], n = tile_n / block.value[1];
    const ct_layout along_m = ct_make_layout(ct_int(m), ct_basis(block.value[0], 0));
    const ct_layout along_n = ct_make_layout(ct_int(n), ct_basis(block.value[1], 1));
    return order == CT_COL_MAJOR ? ct_make_layout2(along_m, along_n)
                                 : ct_make_layout2(along_n, along_m);
}

/** The width of one access: the whole run of a thread's values, as far as there is an
 *  instruction. */
CT_FN int32_t ct_plan_width(int how, int32_t elem_bytes, int64_t run)
{
    const int wide = how == CT_PLAN_VECTOR || how == CT_PLAN_CP_ASYNC;
    return wide ? (int32_t)ct_power_of_two(run * elem_bytes, CT_PLAN_BYTES) : elem_bytes;
}

/** The atom for a width: cp.async moves 4, 8 or 16 bytes, past L1 only 16. */
CT_FN int32_t ct_plan_atom(int how, int32_t bytes)
{
    if (how != CT_PLAN_CP_ASYNC || bytes < 4) return CT_ATOM_UNIVERSAL;
    return bytes == 16 ? CT_ATOM_CP_ASYNC_CG : CT_ATOM_CP_ASYNC_CA;
}

/** What a plan is for: the tile (tile_m, tile_n), the order and the size of its elements, and how
 *  they are moved. */
typedef struct ct_plan_job {
    int32_t how;        /* CT_PLAN_... */
    int32_t elem_bytes; /* 1, 2, 4, 8 or 16 */
    int32_t order;      /* CT_ROW_MAJOR or CT_COL_MAJOR */
    int32_t tile_m, tile_n;
} ct_plan_job;

/** The job from its numbers. */
CT_FN ct_plan_job ct_make_plan_job(int32_t how, int32_t elem_bytes, int32_t order, int32_t tile_m,
                                   int32_t tile_n)
{
    ct_plan_job job = CT_ZERO;
    job.how = how;
    job.elem_bytes = elem_bytes;
    job.order = order;
    job.tile_m = tile_m;
    job.tile_n = tile_n;
    return job;
}

/** Fills the table of a plan's accesses. In the order of memory, so that the address in a kernel
 *  only steps forward, and no earlier one is worth a register. */
CT_FN ct_tile_plan ct_plan_count_out(ct_tile_plan p)
{
    for (int i = 0; i < p.accesses; ++i) {
        const int32_t inner = (int32_t)ct_offset(&p.access_inner, i);
        const int32_t outer = (int32_t)ct_offset(&p.access_outer, i);
        int k = i;
        for (; k > 0; --k) {
            if (p.outer[k - 1] < outer || (p.outer[k - 1] == outer && p.inner[k - 1] < inner)) break;
            p.inner[k] = p.inner[k - 1];
            p.outer[k] = p.outer[k - 1];
        }
        p.inner[k] = inner;
        p.outer[k] = outer;
    }
    return p;
}

/**
 * The plan of a block that the threads cover once: thread -> (m,n) of its first element, value ->
 * (m,n) relative to it, repetition of the block -> (m,n) relative to that.
 *
 * Ensures:  over all threads and accesses, each element of the tile is met exactly once, when that
 *           holds for the block and its repetitions.
 * Fails:    CT_E_ARGUMENT when the block does not divide the tile, or a thread would have more than
 *           CT_PLAN_ACCESSES accesses.
 */
CT_FN ct_tile_plan ct_plan_coordinates(ct_layout thread, ct_layout value, ct_layout repeat,
                                       ct_tuple block, ct_plan_job job)
{
    const int inner = job.order == CT_ROW_MAJOR ? 1 : 0, outer = 1 - inner;
    const int64_t tile[2] = {job.tile_m, job.tile_n};
    for (int k = 0; k < 2; ++k) {
        if (block.err.status == CT_OK && tile[k] % block.value[k] != 0)
            return ct_plan_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_SIZE_DIVIDES, k,
                                              tile[k], block.value[k]));
    }
    ct_tile_plan p = CT_ZERO;
    p.elem_bytes = job.elem_bytes;
    p.access_bytes = ct_plan_width(job.how, job.elem_bytes, ct_run_along(value, inner));
    p.atom = ct_plan_atom(job.how, p.access_bytes);
    const ct_layout vector = ct_layout1(p.access_bytes / job.elem_bytes, 1);
    const ct_layout once = ct_mode(ct_logical_divide(value, vector), 1);
    const ct_layout all = ct_make_layout2(once, repeat);
    if (thread.err.status) return ct_plan_fail(thread.err);
    if (all.err.status) return ct_plan_fail(all.err);
    if (ct_size(all) > CT_PLAN_ACCESSES)
        return ct_plan_fail(ct_make_error(CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_VALUES, 0,
                                          ct_size(all), CT_PLAN_ACCESSES));
    p.threads = (int32_t)ct_size(thread);
    p.accesses = (int32_t)ct_size(all);
    p.accesses_once = (int32_t)ct_size(once);
    p.block_inner = (int32_t)block.value[inner];
    p.block_outer = (int32_t)block.value[outer];
    p.tile_inner = (int32_t)tile[inner];
    p.tile_outer = (int32_t)tile[outer];
    p.thread_inner = ct_along(thread, inner);
    p.thread_outer = ct_along(thread, outer);
    p.thread_shared = ct_shared_of(p.thread_inner, p.thread_outer, p.tile_inner);
    p.access_inner = ct_along(all, inner);
    p.access_outer = ct_along(all, outer);
    return ct_plan_count_out(p);
}

/**
 * The plan of a tiled copy: the values of each thread (m,n) -> value, the threads (m,n) -> thread,
 * and the block that they cover together repeated until it fills the tile.
 *
 * Fails:    as ct_make_tiled_copy and ct_plan_coordinates.
 */
CT_FN ct_tile_plan ct_plan_tiled_copy(ct_layout thr, ct_layout val, ct_plan_job job)
{
    const ct_copy_atom element = ct_copy_atom_universal(8 * job.elem_bytes, 8 * job.elem_bytes);
    const ct_tiled_copy copy = ct_make_tiled_copy(element, thr, val);
    if (copy.atom.err.status) return ct_plan_fail(copy.atom.err);
    const ct_tuple block = ct_tiled_copy_shape(copy);
    const ct_layout tv = ct_composition(ct_make_identity_layout(block), copy.tv);
    return ct_plan_coordinates(ct_mode(tv, 0), ct_mode(tv, 1),
                               ct_blocks_of(block, job.order, job.tile_m, job.tile_n), block, job);
}

/**
 * The plan of local_partition: the threads, laid out (m,n) -> thread, cover the tile again and
 * again, each with one element at a time. A thread's elements lie as far apart as thr is wide, so
 * that no access is wider than one of them.
 *
 * Fails:    as ct_local_partition and ct_plan_coordinates.
 */
CT_FN ct_tile_plan ct_plan_local_partition(ct_layout thr, ct_plan_job job)
{
    const ct_tuple block = ct_product_each(ct_shape(thr));
    const ct_layout thread = ct_composition(ct_make_identity_layout(block), ct_right_inverse(thr));
    const ct_layout tile = ct_make_identity_layout(ct_tuple2(job.tile_m, job.tile_n));
    const ct_tensor part = ct_local_partition(ct_make_tensor(tile), thr, 0);
    return ct_plan_coordinates(thread, ct_layout1(1, 0), part.layout, block, job);
}

#endif

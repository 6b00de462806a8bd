/* cp.async: copies from global to shared memory that go on while the thread does something else. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/register/values.h>
#include <cutlet/device/pipeline/pipeline_cp_async.h>
#include <cutlet/device/kernel/static.h>

typedef struct reverse_args {
    const float *src;
    float *dst;
    int32_t wait;
} reverse_args;

/* part: wait */
/* Reverses 512 floats: each thread fetches four, and stores the four at the other end. The accesses
 * are written out, for this kernel shows the instruction that ct_copy makes of a cp.async atom. */
CT_KERNEL_THREADS(reverse, 128, reverse_args, args)
{
    CT_SHARED(float, tile, 512);
    const int from = 4 * (int)threadIdx.x;
    ct_cp_async_cg(tile + from, args.src + from, 16);
    ct_cp_async_commit();
    if (args.wait) ct_cp_async_wait_all(); /* my own copies are there */
    __syncthreads();                       /* and so are those of the others */
    CT_FRAGMENT(float, x, 4);
    CT_FRAGMENT(float, y, 4);
    ct_load_shared(x, tile + 508 - from, 128);
    for (int k = 0; k < 4; ++k) y[k] = x[3 - k];
    ct_store_global(args.dst + from, y, 128);
}
/* end */

typedef struct twice_args {
    ct_global src, dst; /* n:1, made on the host */
} twice_args;

/* part: pipeline */
/* A tile of 512 floats, four of them for each of 128 threads. */
CT_FN ct_partition four_each(ct_copy_atom atom, ct_memory src, ct_memory dst)
{
    const ct_tiled_copy copy = ct_make_tiled_copy(atom, ct_layout1(128, 1), ct_layout1(4, 1));
    return ct_make_partition(copy, ct_tuple1(512), src, dst);
}

/* Doubles floats, three stages: while one tile is worked on, two are on their way. */
CT_KERNEL_THREADS(twice, 128, twice_args, args)
{
    enum { STAGES = 3 };
    CT_STATIC(ct_memory, stage, ct_in_shared_plain(ct_layout1(512, 1)));
    CT_STATIC(ct_copy_atom, async, ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 128, 32));
    CT_STATIC(ct_partition, fetch, four_each(async, ct_in_global(0), stage));
    CT_STATIC(ct_copy_atom, widest, ct_copy_atom_auto(32));
    CT_STATIC(ct_partition, take, four_each(widest, stage, ct_in_registers()));
    CT_STATIC(ct_partition, out, four_each(widest, ct_in_registers(), ct_in_global(0)));
    CT_SHARED(float, tile, STAGES * 512);
    const int tiles = (int)ct_tiles_along(&args.src, &fetch, 0);
    ct_stages s = ct_stages_begin(STAGES);
    for (int i = 1 - STAGES; i < tiles; ++i) { /* the first two rounds only fetch */
        const int next = i + STAGES - 1;
        if (i >= 0) ct_cp_async_stage_wait(STAGES); /* tile i is here, for every thread */
        if (next < tiles)
            ct_copy(&fetch, ct_view_tile(&args.src, &fetch, ct_index1(next)),
                    ct_view_stage(&fetch.dst, tile, ct_stages_write(&s)));
        ct_cp_async_commit(); /* a group in each round, empty or not */
        if (i < 0) continue;
        CT_REGISTERS(float, x, take);
        ct_copy(&take, ct_view_stage(&take.src, tile, ct_stages_read(&s)), x);
        CT_EACH(k, x) ct_put(x, k, 2 * ct_val(x, k));
        ct_copy(x, ct_view_tile(&args.dst, &out, ct_index1(i)));
    }
}
/* end */

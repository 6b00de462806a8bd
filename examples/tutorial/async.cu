/* cp.async: copies from global to shared memory that go on while the thread does something else. */
#include "atoms.h"
#include "pipeline_cp_async.h"

typedef struct async_args {
    const float *src;
    float *dst;
    int32_t tiles, wait;
} async_args;

/* part: wait */
/* Reverses 512 floats: each thread fetches four, and stores the four at the other end. */
CT_KERNEL_THREADS(reverse, 128, async_args, args)
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
/* part: pipeline */
/* Doubles tiles of 512 floats, three stages: while one tile is worked on, two are on their way. */
CT_KERNEL_THREADS(twice, 128, async_args, args)
{
    enum { STAGES = 3, TILE = 512 };
    CT_SHARED(float, tile, STAGES * TILE);
    const int mine = 4 * (int)threadIdx.x;
    ct_stages s = ct_stages_begin(STAGES);
    for (int i = 0; i < STAGES - 1; ++i) {
        ct_cp_async_cg_if(i < args.tiles, tile + ct_stages_write(&s) * TILE + mine,
                          args.src + i * TILE + mine, 16);
        ct_cp_async_commit();
    }
    for (int i = 0; i < args.tiles; ++i) {
        const int next = i + STAGES - 1;
        ct_cp_async_stage_wait(STAGES); /* tile i is here, for every thread */
        ct_cp_async_cg_if(next < args.tiles, tile + ct_stages_write(&s) * TILE + mine,
                          args.src + next * TILE + mine, 16);
        ct_cp_async_commit(); /* a group in each round, empty or not */
        CT_FRAGMENT(float, x, 4);
        ct_load_shared(x, tile + ct_stages_read(&s) * TILE + mine, 128);
        for (int k = 0; k < 4; ++k) x[k] *= 2;
        ct_store_global(args.dst + i * TILE + mine, x, 128);
    }
}
/* end */

/* Named barriers: two halves of a block hand a word to and fro, and mistakes in that. */
#include <cutlet/device/arch/load_store.h>
#include <cutlet/device/arch/warpgroup.h>

#include "named_barriers.h"

/* Each half adds 1 to the word in its turn: the first half when barrier 1 says so, the second at 2. */
CT_KERNEL_THREADS(named_turns, 128, named_args, args)
{
    CT_SHARED(int32_t, word, 1);
    const int half = (int)(threadIdx.x / 64), own = 1 + half, other = 2 - half;
    int32_t x = 0;
    ct_store_shared_if(threadIdx.x == 0, word, &x, 32);
    if (args.wrong == WRONG_THREADS || args.wrong == WRONG_GROUPS) {
        ct_named_barrier_sync(1, args.wrong == WRONG_THREADS ? 100 : 64);
        return;
    }
    if (half == 1 && args.wrong != WRONG_EARLY)
        ct_named_barrier_sync(args.wrong == WRONG_ID ? 16 : own, 128);
    for (int round = 0; round < 3; ++round) {
        if (half == 0 && round > 0) ct_named_barrier_sync(own, 128);
        if (half == 1 && round > 0)
            ct_named_barrier_sync(own, args.wrong == WRONG_COUNT ? 96 : 128);
        const int mine = threadIdx.x % 64 == 0;
        ct_load_shared_if(mine, &x, word, 32);
        x += 1;
        ct_store_shared_if(mine, word, &x, 32);
        if (half == 0 && args.wrong == WRONG_NO_ARRIVAL && round == 1) return;
        if (args.wrong == WRONG_NO_BARRIER) continue;
        if (half == 0 || round < 2) ct_named_barrier_arrive(other, 128);
    }
    ct_store_global_if(half == 1 && threadIdx.x % 64 == 0, args.out, &x, 32);
}

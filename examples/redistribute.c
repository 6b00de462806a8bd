/* A matrix that is cut by rows over ranks becomes one that is cut by columns: what DTensor does from
 * Shard(0) to Shard(1), MPI_Alltoallw with derived types, or NCCL by a kernel that packs, ncclSend and
 * ncclRecv, and a kernel that unpacks. Here each rank is a thread; an engine for other links is another
 * ct_engine, and the rest stays. Links libcutlet only.
 *
 *     redistribute [RANKS [FROM [TO]]]      redistribute 6 shard:0 cyclic:1:2 */
#include <cutlet/host/redistribute.h>
#include <stdio.h>
#include <stdlib.h>

enum { M = 10, N = 12 };

/* What all ranks know. */
typedef struct job {
    ct_redistribute_desc desc;
    int right; /* elements that arrived where they have to */
} job;

/* One rank: its part of the matrix, its plan, its run. */
static ct_status rank_main(void *user, ct_engine *engine, char message[CT_MESSAGE_BYTES])
{
    job *all = user;
    const ct_sharded *from = &all->desc.src.layout, *to = &all->desc.dst.layout;
    const int rank = engine->rank;
    float *src = calloc((size_t)ct_sharded_span(from, rank) + 1, sizeof *src);
    float *dst = calloc((size_t)ct_sharded_span(to, rank) + 1, sizeof *dst);
    for (int64_t i = 0; i < M; ++i)
        for (int64_t j = 0; j < N; ++j) {
            const int64_t at = ct_sharded_offset(from, rank, (int64_t[CT_SHARDED_MODES]){i, j});
            if (at >= 0) src[at] = (float)(100 * i + j);
        }

    /* part: plan */
    ct_redistribute *plan = NULL;
    ct_status bad = ct_redistribute_create(&all->desc, rank, &plan, message);
    if (!bad) bad = ct_redistribute_run(plan, engine, dst, src, NULL, message);
    ct_redistribute_destroy(plan);
    /* end */

    int right = 0;
    for (int64_t i = 0; i < M && !bad; ++i)
        for (int64_t j = 0; j < N; ++j) {
            const int64_t at = ct_sharded_offset(to, rank, (int64_t[CT_SHARDED_MODES]){i, j});
            if (at >= 0) right += dst[at] == (float)(100 * i + j);
        }
    __atomic_fetch_add(&all->right, right, __ATOMIC_RELAXED);
    free(src);
    free(dst);
    return bad;
}

int main(int argc, char **argv)
{
    const int ranks = argc > 1 ? atoi(argv[1]) : 4;
    char message[CT_MESSAGE_BYTES], text[4096];
    job all = {0};
    const ct_tuple shape = ct_tuple2(M, N), mesh = ct_tuple1(ranks);
    all.desc.src.type = all.desc.dst.type = CT_TYPE_FLOAT;
    ct_redistribute *plan = NULL;
    if (ct_parse_sharded(argc > 2 ? argv[2] : "shard:0", shape, mesh, &all.desc.src.layout,
                         message) ||
        ct_parse_sharded(argc > 3 ? argv[3] : "shard:1", shape, mesh, &all.desc.dst.layout,
                         message) ||
        ct_redistribute_create(&all.desc, 0, &plan, message)) {
        fprintf(stderr, "%s\n", message);
        return EXIT_FAILURE;
    }
    ct_redistribute_describe(plan, 0, text, sizeof text); /* of rank 0; no GPU, no network */
    ct_redistribute_destroy(plan);
    fputs(text, stdout);

    ct_thread_group *group = NULL;
    ct_status bad = ct_thread_group_create(ranks, &group, message);
    if (!bad) bad = ct_thread_group_run(group, rank_main, &all, message);
    ct_thread_group_destroy(group);
    if (bad) fprintf(stderr, "%s\n", message);
    else printf("%d elements are where they have to be\n", all.right);
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}

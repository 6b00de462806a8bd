/* The registers that a thread only reads, by their names in PTX. */
#include "run.h"

#include <string.h>

/* clang-format off */
/* Those with three parts, and the others. */
enum { TRIPLES = 8, LANEID = 24 };
static const char *const triples[TRIPLES] = {
    "%tid.", "%ntid.", "%ctaid.", "%nctaid.", "%cluster_ctaid.", "%cluster_nctaid.", "%clusterid.", "%nclusterid."};
static const char *const singles[] = {
    "%laneid", "%warpid", "%nwarpid", "%cluster_ctarank", "%cluster_nctarank", "%lanemask_eq", "%lanemask_le",
    "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%dynamic_smem_size", "%total_smem_size", "%nsmid", "WARP_SZ",
    "%is_explicit_cluster", "%clock", "%clock64", "%globaltimer", "%smid", "%gridid", "%clock_hi", NULL};
/* clang-format on */

static int is_text(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

int ct_grid_special(const char *text, size_t length)
{
    for (int i = 0; length > 2 && i < TRIPLES; ++i)
        if (is_text(triples[i], text, length - 1) && text[length - 1] >= 'x' &&
            text[length - 1] <= 'z')
            return 3 * i + text[length - 1] - 'x';
    for (int i = 0; singles[i]; ++i)
        if (is_text(singles[i], text, length)) return LANEID + i;
    return -1;
}

/* Clusters lie along x. */
static uint32_t of_block(const ct_thread *t, int triple, int i)
{
    const ct_grid_block_indices *const l = t->indices.launch;
    const uint32_t cluster = i ? 1 : (uint32_t)t->grid->cluster;
    const ct_dim3 all[] = {t->indices.thread, l->block_dim, l->block, l->grid_dim,
                           {0, 0, 0},         {1, 1, 1},    l->block, l->grid_dim};
    const uint32_t here = i == 0 ? all[triple].x : i == 1 ? all[triple].y : all[triple].z;
    if (triple == 4) return i ? 0 : (uint32_t)(t->rank % t->grid->cluster);
    return triple == 5 ? cluster : triple > 5 ? here / cluster : here;
}

/* A clock has the number of barriers so far. */
uint64_t ct_grid_special_value(const ct_thread *t, int special)
{
    const ct_grid_state *const r = t->grid;
    const uint32_t own = 1u << t->lane;
    /* clang-format off */
    const uint64_t values[] = {
        (uint64_t)t->lane, (uint64_t)(t->index % r->block_threads / WARP_LANES),
        (uint64_t)((r->block_threads + WARP_LANES - 1) / WARP_LANES), (uint64_t)(t->rank % r->cluster), (uint64_t)r->cluster, own,
        own | (own - 1), own - 1, ~(own - 1), ~(own | (own - 1)), r->dynamic_bytes, r->dynamic_bytes + r->static_bytes,
        1, WARP_LANES, r->cluster > 1, r->tick, r->tick, r->tick, 0, 0, 0};
    /* clang-format on */
    return special < LANEID ? of_block(t, special / 3, special % 3) : values[special - LANEID];
}

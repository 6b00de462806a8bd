/* The boxes of GPU plans on the CPU grid: copies of many tiles, ragged and whole, by every way of
 * cutting them, against loops; guards and gaps too. */
#include "test.h"

#include "all_cases.h"
#include "plan/gpu/gpu.h"

enum { GUARD = 64, RANK = 12 };

/* A copy of extents, first mode fastest in the source; `order` has the modes as the destination has
 * them; gaps after the first mode of either side, in elements. */
typedef struct copy {
    int rank;
    int64_t extent[RANK];
    int order[RANK];
    int64_t src_gap, dst_gap;
} copy;

static const copy copies[] = {
    {2, {133, 70}, {1, 0}, 0, 0},       /* a transpose with ragged ends */
    {2, {256, 128}, {1, 0}, 0, 0},      /* a whole one */
    {3, {66, 5, 130}, {2, 1, 0}, 0, 0}, /* reversed */
    {3, {64, 8, 64}, {2, 1, 0}, 0, 0},
    {2, {15, 900}, {1, 0}, 0, 0}, /* a small mode in the source */
    {3, {17, 32, 40}, {1, 2, 0}, 0, 0},
    {3, {32, 8, 90}, {1, 2, 0}, 0, 8}, /* padded rows in the destination */
    {3, {8, 33, 65}, {0, 2, 1}, 0, 0}, /* short rows, then a transpose */
    {2, {24, 300}, {0, 1}, 104, 104},  /* padded rows on both sides */
    {3, {57, 9, 31}, {0, 1, 2}, 1, 1}, /* rows at odd places */
    {4, {7, 6, 11, 13}, {3, 1, 0, 2}, 0, 0},
    {5, {3, 4, 5, 6, 7}, {4, 2, 0, 3, 1}, 0, 0},
    {4, {12, 1, 40, 9}, {2, 3, 0, 1}, 4, 0},
    {1, {5000}, {0}, 0, 0},
    /* more modes than a way has, those of wide accesses among them */
    {10, {16, 2, 2, 2, 2, 2, 2, 2, 2, 2}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, 0, 0},
    {12, {4, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 4}, {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, 0, 0},
    {3, {65, 70, 3}, {0, 1, 2}, 0, 1}, /* rows among which there are few gaps */
    {3, {287, 5, 9}, {0, 2, 1}, 0, 0},
};
enum { COPIES = sizeof copies / sizeof *copies };

typedef struct side {
    int64_t stride[RANK], elements;
} side;

static side side_of(const copy *c, const int *order, int64_t gap)
{
    side s = {{0}, 0};
    int64_t run = 1;
    for (int i = 0; i < c->rank; ++i) {
        const int k = order ? order[i] : i;
        s.stride[k] = run;
        run *= c->extent[k];
        if (i == 0) run += gap;
    }
    s.elements = run;
    return s;
}

static ct_layout layout_of(const copy *c, const side *s)
{
    ct_layout L = CT_ZERO;
    L.profile = ct_profile_flat(c->rank);
    for (int k = 0; k < c->rank; ++k) {
        L.shape[k] = c->extent[k];
        L.stride[k] = s->stride[k];
    }
    return L;
}

/* What the destination is to hold. */
static void loops(const copy *c, const side *from, const side *to, unsigned char *dst,
                  const unsigned char *src, int bytes)
{
    int64_t at[RANK] = {0};
    for (;;) {
        int64_t i = 0, o = 0;
        int k = 0;
        for (int m = 0; m < c->rank; ++m) {
            i += at[m] * from->stride[m];
            o += at[m] * to->stride[m];
        }
        memcpy(dst + o * bytes, src + i * bytes, (size_t)bytes);
        while (k < c->rank && ++at[k] == c->extent[k]) at[k++] = 0;
        if (k == c->rank) return;
    }
}

/* Of the ways, all or every eighth one: each takes long. */
static int some(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return 4;
#endif
    return all_cases() ? 1 : 8;
}

static int64_t seen[CT_GPU_RUN + 1];

static void one(const copy *c, int bytes, int shift, int way)
{
    char message[CT_MESSAGE_BYTES];
    const side from = side_of(c, NULL, c->src_gap), to = side_of(c, c->order, c->dst_gap);
    const size_t src_bytes = (size_t)(from.elements * bytes),
                 dst_bytes = (size_t)(to.elements * bytes);
    unsigned char *const src_all = aligned_alloc(64, (src_bytes + 3 * GUARD) / 64 * 64);
    unsigned char *const dst_all = aligned_alloc(64, (dst_bytes + 3 * GUARD) / 64 * 64);
    unsigned char *const right = malloc(dst_bytes + 2 * GUARD);
    unsigned char *const src = src_all + GUARD + shift, *const dst = dst_all + GUARD + shift;
    for (size_t i = 0; i < src_bytes; ++i) src[i] = (unsigned char)(i * 2654435761u >> 11);
    memset(dst - GUARD, 0xa5, dst_bytes + 2 * GUARD);
    memset(right, 0xa5, dst_bytes + 2 * GUARD);
    loops(c, &from, &to, right + GUARD, src, bytes);
    ct_plan_desc desc = {0};
    ct_plan *plan = NULL;
    desc.backend = CT_BACKEND_GRID;
    desc.src = ct_plan_side_raw(layout_of(c, &from), bytes);
    desc.dst = ct_plan_side_raw(layout_of(c, &to), bytes);
    if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message)) fail_msg("%s", message);
    ct_gpu_launch launch;
    if (ct_gpu_launch_of(plan, 16, 16, way, &launch, message) == CT_OK) {
        ++seen[launch.kind];
        plan->choice.variant = way;
        if (ct_plan_run(plan, dst, src, NULL, message))
            fail_msg("copy %d, %d bytes, way %d: %s", (int)(c - copies), bytes, way, message);
        if (memcmp(right, dst - GUARD, dst_bytes + 2 * GUARD) != 0)
            fail_msg("copy %d, %d bytes, %d past an aligned address, way %d: wrong",
                     (int)(c - copies), bytes, shift, way);
    }
    ct_plan_destroy(plan);
    free(src_all);
    free(dst_all);
    free(right);
}

TEST(test_ways)
{
    for (int c = 0; c < COPIES; ++c)
        for (int bytes = 1; bytes <= 16; bytes *= 2)
            for (int way = (c + bytes) % some(); way < ct_gpu_variants(); way += some())
                one(&copies[c], bytes, way % 3 == 1 ? bytes % 16 : 0, way);
    assert_true(seen[CT_GPU_BOXES] > 100 / some() && seen[CT_GPU_TRANSPOSE] > 10 / some() &&
                seen[CT_GPU_VECTORS] > 3 / some() && seen[CT_GPU_MISALIGNED] > 5 / some() &&
                seen[CT_GPU_SECTORS] > 20 / some());
}

/* A partition's threads and accesses have room for all of the box, and fit what they may be. */
static void check_partition(const ct_gpu_launch *l, const ct_partition *p, int64_t elements)
{
    assert_true(p->threads <= (int)l->threads && l->threads <= 512 && l->threads % 32 == 0);
    assert_true((int64_t)p->threads * p->values >= elements);
    assert_true(p->src.accesses * p->src.width == p->values);
    assert_true(p->dst.accesses * p->dst.width == p->values);
    assert_true(p->src.width * p->elem_bits <= 128 && p->dst.width * p->elem_bits <= 128);
}

/* A plan that names a box is what it says: the tiles cover each mode, its accesses fit. */
TEST(test_plans)
{
    for (int c = 0; c < COPIES; ++c) {
        for (int way = 0; way < ct_gpu_variants(); ++way) {
            char message[CT_MESSAGE_BYTES], line[256];
            const side from = side_of(&copies[c], NULL, copies[c].src_gap);
            const side to = side_of(&copies[c], copies[c].order, copies[c].dst_gap);
            ct_plan_desc desc = {0};
            ct_plan *plan = NULL;
            ct_gpu_launch l;
            desc.backend = CT_BACKEND_GRID;
            desc.src = ct_plan_side_of(layout_of(&copies[c], &from), CT_TYPE_FLOAT);
            desc.dst = ct_plan_side_of(layout_of(&copies[c], &to), CT_TYPE_FLOAT);
            assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), 0);
            if (ct_gpu_launch_of(plan, 16, 16, way, &l, message) == 0 && l.kind == CT_GPU_BOXES) {
                int64_t elements = 1, all = 1, tiles[CT_AXES] = {1, 1, 1, 1, 1, 1, 1, 1};
                for (int k = 0; k < l.box.modes; ++k) {
                    const ct_box_mode *const m = &l.box.mode[k];
                    all *= m->extent;
                    if (m->axis < 0) continue;
                    assert_int_equal(m->tile, tiles[m->axis] * l.box.axis[m->axis].tile);
                    tiles[m->axis] *= m->extent;
                }
                for (int a = 0; a < l.box.in.axes; ++a) {
                    const ct_box_mode *const m = &l.box.axis[a];
                    const int64_t needed = ct_ceil_div_int(m->extent, m->tile);
                    elements *= m->tile;
                    assert_true(tiles[a] == needed || (a == l.box.past && tiles[a] > needed));
                }
                assert_int_equal(all, l.grid[0]);
                check_partition(&l, &l.box.in, elements);
                if (l.box.staged) check_partition(&l, &l.box.out, elements);
                assert_true(l.shared_bytes <= 48 * 1024);
                assert_true(ct_gpu_say(&l, line, sizeof line) < (int)sizeof line);
            }
            ct_plan_destroy(plan);
        }
    }
}

GROUP("plan boxes", NULL, NULL)

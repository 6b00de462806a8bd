/* The traffic of random tiled copies, ragged, swizzled, nested, through buffers that are shorter
 * than the tensor: against coordinates counted out plainly. With a visitor each tile is walked,
 * without one those that repeat others are not: the sums are the same. */
#include "test.h"

#include <cutlet/host/traffic.h>

#include "dice.h"

enum { CASES = 1500, STEPS_MAX = 1 << 16 };

static dice rolls = {411};

static int64_t any(int64_t low, int64_t high) { return dice_int(&rolls, low, high); }

/* A memory of two modes of two leaves each. */
typedef struct memory {
    int64_t shape[4], stride[4]; /* m: 0 and 1; n: 2 and 3 */
    int swizzle[3];
    int64_t base;
} memory;

typedef struct sample {
    int64_t thr[2], val[2]; /* extents */
    int thr_rows, val_rows; /* whether the order is row-major */
    int elem_bytes, width;
    int64_t shape[2];
    memory memory;
} sample;

/* What an instruction is. */
typedef struct step {
    int kind, bits, tile;
    int64_t offset[32];
} step;

static step naive[STEPS_MAX], told[STEPS_MAX];
static int naive_count, told_count;

/* Extents of at least the tile or the tensor, strides in a random order, the values contiguous. */
static void make_memory(sample *s)
{
    memory *m = &s->memory;
    const int inner = s->val_rows ? 2 : 0; /* the leaf along which values lie */
    int order[4] = {inner, 0, 0, 0}, n = 1;
    int64_t reach = 1;
    for (int mode = 0; mode < 2; ++mode) {
        const int64_t tile = s->thr[mode] * s->val[mode];
        const int64_t extent =
            any(0, 2) ? (s->shape[mode] + tile - 1) / tile * tile : tile * any(1, 2); /* a buffer */
        int64_t first = any(0, 1) ? extent : any(0, 1) ? tile : any(1, extent);
        while (extent % first != 0 || (mode == s->val_rows && first % s->width != 0)) ++first;
        m->shape[2 * mode] = first;
        m->shape[2 * mode + 1] = extent / first;
    }
    for (int i = 0; i < 4; ++i) {
        if (i != inner) order[n++] = i;
    }
    for (int i = 3; i > 1; --i) {
        const int k = (int)any(1, i), other = order[i];
        order[i] = order[k];
        order[k] = other;
    }
    for (int i = 0; i < 4; ++i) {
        m->stride[order[i]] = reach;
        reach *= m->shape[order[i]];
        if (any(0, 2) == 0) reach += (any(0, 9) ? s->width : 1) * any(1, 4);
    }
    if (any(0, 1)) {
        m->swizzle[0] = (int)any(1, 3);
        m->swizzle[1] = any(0, 9) ? (int)any(3, 5) : (int)any(0, 2);
        m->swizzle[2] = (int)any(m->swizzle[0], 4) * (any(0, 2) ? 1 : -1);
    }
    m->base = any(0, 2) ? 0 : s->elem_bytes * s->width * any(1, 9);
}

static sample make_sample(void)
{
    static const int64_t threads[][2] = {{8, 4}, {4, 8}, {16, 2}, {8, 8}, {6, 6}, {1, 40}, {16, 8}};
    sample s;
    memset(&s, 0, sizeof s);
    const int64_t *thr = threads[any(0, 6)];
    s.thr[0] = thr[0];
    s.thr[1] = thr[1];
    s.thr_rows = (int)any(0, 1);
    s.val_rows = (int)any(0, 1);
    s.elem_bytes = 1 << any(0, 3);
    s.width = 1 << any(0, s.elem_bytes == 8 ? 1 : 2);
    s.val[s.val_rows] = s.width * any(1, 2);
    s.val[!s.val_rows] = any(1, 2);
    for (int mode = 0; mode < 2; ++mode) {
        const int64_t tile = s.thr[mode] * s.val[mode];
        s.shape[mode] = any(0, 1) ? tile * any(1, 4) : any(1, (mode || any(0, 9) ? 3 : 60) * tile);
    }
    make_memory(&s);
    return s;
}

/* ---- counted out ----------------------------------------------------------------------------- */

static int64_t swizzled(const int *z, int64_t x)
{
    int64_t y = x;
    for (int i = 0; i < z[0]; ++i) {
        const int low = z[1] + i;
        const int from = z[2] > 0 ? low + z[2] : low, to = z[2] > 0 ? low : low - z[2];
        if (x >> from & 1) y ^= (int64_t)1 << to;
    }
    return y;
}

/* The byte of a coordinate; -1: it is beyond the tensor. */
static int64_t byte_at(const sample *s, const int64_t *at)
{
    const memory *m = &s->memory;
    int64_t element = 0;
    for (int mode = 0; mode < 2; ++mode) {
        const int64_t *shape = m->shape + 2 * mode, *stride = m->stride + 2 * mode;
        if (at[mode] >= s->shape[mode]) return -1;
        const int64_t c = at[mode] % (shape[0] * shape[1]);
        element += c % shape[0] * stride[0] + c / shape[0] * stride[1];
    }
    return m->base + s->elem_bytes * swizzled(m->swizzle, element);
}

static void digits(int64_t i, const int64_t *extent, int rows, int64_t *out)
{
    out[rows] = i % extent[rows];
    out[!rows] = i / extent[rows];
}

/* The byte of value v of a thread in the tile (m,n). */
static int64_t value_byte(const sample *s, const int64_t *tile, int64_t thread, int64_t v)
{
    int64_t t[2], x[2], at[2];
    if (thread >= s->thr[0] * s->thr[1]) return -1;
    digits(thread, s->thr, s->thr_rows, t);
    digits(v, s->val, s->val_rows, x);
    for (int k = 0; k < 2; ++k) at[k] = (tile[k] * s->thr[k] + t[k]) * s->val[k] + x[k];
    return byte_at(s, at);
}

/* The instructions of one access of a warp. 0 where it is no access. */
static int count_access(const sample *s, const int64_t *tile, int tile_number, int64_t warp,
                        int64_t first)
{
    const int bytes = s->elem_bytes * s->width;
    step all[33];
    for (int k = 0; k <= s->width; ++k) { /* the whole accesses, then each value of partial ones */
        all[k].kind = CT_ACCESS_LDG;
        all[k].bits = 8 * (k ? s->elem_bytes : bytes);
        all[k].tile = tile_number;
        for (int t = 0; t < 32; ++t) all[k].offset[t] = CT_LANE_OFF;
    }
    for (int t = 0; t < 32; ++t) {
        int64_t at[32];
        int inside = 0;
        for (int k = 0; k < s->width; ++k) {
            at[k] = value_byte(s, tile, 32 * warp + t, first + k);
            inside += at[k] >= 0;
            if (k > 0 && at[k] >= 0 && at[k - 1] >= 0 && at[k] != at[k - 1] + s->elem_bytes)
                return 0;
        }
        if (inside == s->width && at[0] % bytes != 0) return 0;
        if (inside == s->width) all[0].offset[t] = at[0];
        for (int k = 0; inside < s->width && k < s->width; ++k)
            all[k + 1].offset[t] = at[k] >= 0 ? at[k] : CT_LANE_OFF;
    }
    for (int k = 0; k <= s->width; ++k) {
        int any_lane = 0;
        for (int t = 0; t < 32; ++t) any_lane |= all[k].offset[t] != CT_LANE_OFF;
        if (any_lane) naive[naive_count++] = all[k];
        assert_true(naive_count < STEPS_MAX);
    }
    return 1;
}

static int count_out(const sample *s)
{
    const int64_t tm = s->thr[0] * s->val[0], tn = s->thr[1] * s->val[1];
    int number = 0;
    naive_count = 0;
    for (int64_t n = 0; n * tn < s->shape[1]; ++n) {
        for (int64_t m = 0; m * tm < s->shape[0]; ++m, ++number) {
            const int64_t tile[2] = {m, n};
            for (int64_t w = 0; 32 * w < s->thr[0] * s->thr[1]; ++w) {
                for (int64_t v = 0; v < s->val[0] * s->val[1]; v += s->width) {
                    if (!count_access(s, tile, number, w, v)) return 0;
                }
            }
        }
    }
    return 1;
}

/* ---- both ------------------------------------------------------------------------------------ */

static void on_step(void *user, const ct_traffic_step *q)
{
    step *to = &told[told_count++];
    (void)user;
    assert_true(told_count < STEPS_MAX);
    memset(to, 0, sizeof *to);
    to->kind = q->access.kind;
    to->bits = q->access.bits;
    to->tile = q->tile;
    memcpy(to->offset, q->access.offset, sizeof to->offset);
}

static ct_layout compact(const int64_t *extent, int rows)
{
    return rows ? ct_layout2(extent[0], extent[1], extent[1], 1)
                : ct_layout2(extent[0], extent[1], 1, extent[0]);
}

static int check_sample(const sample *s)
{
    char message[CT_MESSAGE_BYTES] = "";
    const memory *m = &s->memory;
    const int bits = 8 * s->elem_bytes * s->width;
    const ct_tiled_copy copy =
        ct_make_tiled_copy(ct_copy_atom_universal(bits, 8 * s->elem_bytes),
                           compact(s->thr, s->thr_rows), compact(s->val, s->val_rows));
    const ct_layout L =
        ct_make_layout2(ct_layout2(m->shape[0], m->shape[1], m->stride[0], m->stride[1]),
                        ct_layout2(m->shape[2], m->shape[3], m->stride[2], m->stride[3]));
    ct_traffic_side side = {.kind = CT_ACCESS_LDG,
                            .elem_bits = 8 * s->elem_bytes,
                            .base_bytes = m->base,
                            .memory = {.layout = L}};
    ct_traffic sums[2], counted = {0};
    side.memory.swizzle = ct_make_swizzle(m->swizzle[0], m->swizzle[1], m->swizzle[2]);
    told_count = 0;
    const ct_tuple shape = ct_tuple2(s->shape[0], s->shape[1]);
    const int bad =
        ct_traffic_of_copy(copy, shape, &side, NULL, NULL, on_step, NULL, &sums[0], NULL, message);
    const int possible = count_out(s);
    if ((bad == 0) != possible)
        fail_msg("%s, and counted out otherwise", bad ? message : "counted");
    for (int kind = 0; kind < 2; ++kind) { /* with global and with shared memory */
        ct_traffic sum = {0};
        side.kind = kind ? CT_ACCESS_LDS : CT_ACCESS_LDG;
        const int again =
            ct_traffic_of_copy(copy, shape, &side, NULL, NULL, NULL, NULL, &sum, NULL, message);
        assert_int_equal(again, bad);
        memset(&counted, 0, sizeof counted);
        for (int i = 0; !bad && i < naive_count; ++i) {
            ct_access access = {side.kind, naive[i].bits, {0}, {0}};
            memcpy(access.offset, naive[i].offset, sizeof access.offset);
            const ct_access_count c = ct_count_access_by(NULL, &access, NULL);
            const ct_traffic one = {1,           c.lanes,      c.requests,    c.sectors,
                                    c.lines,     c.wavefronts, c.ideal,       c.conflicts,
                                    c.broadcast, c.bytes_used, c.bytes_moved, 0};
            ct_traffic_add(&counted, &one);
        }
        assert_memory_equal(&counted, &sum, sizeof sum);
        if (kind == 0) assert_memory_equal(&sums[0], &sum, sizeof sum);
    }
    if (bad) return 0;
    assert_int_equal(told_count, naive_count);
    for (int i = 0; i < told_count; ++i) {
        assert_int_equal(told[i].kind, naive[i].kind);
        assert_int_equal(told[i].bits, naive[i].bits);
        assert_int_equal(told[i].tile, naive[i].tile);
        assert_memory_equal(told[i].offset, naive[i].offset, sizeof told[i].offset);
    }
    return 1;
}

TEST(test_copies)
{
    const char *given = getenv("CUTLET_SEED");
    int counted = 0;
    if (given) rolls.state = strtoull(given, NULL, 10);
    print_message("seed %llu\n", (unsigned long long)rolls.state);
    for (int i = 0; i < CASES; ++i) {
        const sample s = make_sample();
        counted += check_sample(&s);
    }
    print_message("%d counted, %d refused\n", counted, CASES - counted);
    if (given) return;
    assert_true(counted > CASES / 2);
    assert_true(CASES - counted > CASES / 50);
}

GROUP("traffic_copies", NULL, NULL)

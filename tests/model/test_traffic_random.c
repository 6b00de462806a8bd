/* The traffic of random thread-value layouts and swizzles: against a naive count, which knows
 * bytes, sectors and banks only, and against the CPU grid, which is told the naive offsets by a
 * table. */
#include "test.h"

#include <cutlet/host/traffic.h>

#include "dice.h"
#include "traffic_kernels.cu"

enum { CASES = 1500, LEAVES = 16, THREADS_MAX = 1024, STEPS_MAX = 4096, SPAN = 1 << 17 };

static dice rolls = {20261122};

static int64_t any(int64_t low, int64_t high) { return dice_int(&rolls, low, high); }

/* ---- a case ---------------------------------------------------------------------------------- */

/* Leaves of a mode, or of a memory. */
typedef struct leaves {
    int n;
    int64_t shape[LEAVES], stride[LEAVES];
} leaves;

typedef struct sample {
    leaves thread, value, memory;
    int kind, elem_bytes, bits;
    int swizzle[3];
    int64_t offset, base;
} sample;

static void push(leaves *l, int64_t shape, int64_t stride)
{
    if (l->n == LEAVES) fail_msg("too many leaves");
    l->shape[l->n] = shape;
    l->stride[l->n++] = stride;
}

static int64_t size_of(const leaves *l)
{
    int64_t size = 1;
    for (int i = 0; i < l->n; ++i) size *= l->shape[i];
    return size;
}

/* Memory of 2^log elements in up to three pieces, one contiguous, with gaps between. */
static void make_memory(sample *s, int log, int width_log)
{
    int first = (int)any(width_log, log);
    if (any(0, 15) == 0) first = (int)any(0, width_log); /* an access may be cut */
    const int rest = log - first, second = rest ? (int)any(0, rest) : 0;
    const int64_t sizes[3] = {(int64_t)1 << first, (int64_t)1 << second,
                              (int64_t)1 << (rest - second)};
    const int swap = (int)any(0, 1);
    int64_t reach = sizes[0], stride[3] = {1, 0, 0};
    for (int i = 0; i < 2; ++i) {
        const int k = swap ? 2 - i : 1 + i;
        if (any(0, 2) == 0) reach += any(0, 3) * (any(0, 9) ? (int64_t)1 << width_log : 1);
        stride[k] = reach;
        reach *= sizes[k];
    }
    for (int k = 0; k < 3; ++k) push(&s->memory, sizes[k], stride[k]);
    if (any(0, 19) == 0) s->memory.stride[1] = -s->memory.stride[1]; /* refused, or offset */
}

/* Every bit of an index is one of the value, or of the thread. Low ones are of the value. */
static void make_tv(sample *s, int log, int width_log, int threads_log)
{
    int bit[LEAVES], n = 0;
    for (int i = any(0, 30) ? width_log : 0; i < log; ++i) bit[n++] = i;
    if (n == log - width_log && width_log > 0) push(&s->value, (int64_t)1 << width_log, 1);
    int triple = n >= 2 && any(0, 2) == 0; /* the two highest bits: 3 of the 4 */
    if (triple) n -= 2;
    for (int i = n - 1; i > 0; --i) {
        const int k = (int)any(0, i), other = bit[i];
        bit[i] = bit[k];
        bit[k] = other;
    }
    for (int i = 0; i < n; ++i) {
        if (i < threads_log) push(&s->thread, 2, (int64_t)1 << bit[i]);
        else push(&s->value, 2, (int64_t)1 << bit[i]);
    }
    if (s->kind < CT_ACCESS_LDGSTS && s->kind % 2 == 0 && any(0, 3) == 0 && s->thread.n > 0)
        s->thread.stride[any(0, s->thread.n - 1)] = 0; /* loads: several threads at one place */
    if (triple) push(&s->thread, 3, (int64_t)1 << (log - 2));
    if (s->thread.n == 0) push(&s->thread, 1, 0);
    if (s->value.n == 0) push(&s->value, 1, 0);
}

static sample make_sample(void)
{
    sample s;
    memset(&s, 0, sizeof s);
    s.kind = (int)any(0, CT_ACCESS_KINDS - 1);
    const int is_matrix = s.kind >= CT_ACCESS_LDSM;
    int bytes_log = s.kind == CT_ACCESS_LDGSTS ? (int)any(2, 4) : (int)any(0, 4);
    if (is_matrix || s.kind == CT_ACCESS_LDGSTS_CG) bytes_log = 4;
    const int elem_log = is_matrix ? (int)any(0, 2) : (int)any(0, bytes_log);
    const int width_log = bytes_log - elem_log,
              threads_log = is_matrix ? (int)any(3, 5) : (int)any(0, 7);
    const int log = width_log + threads_log + (int)any(0, 2);
    s.elem_bytes = 1 << elem_log;
    s.bits = 8 << bytes_log;
    make_memory(&s, log, width_log);
    if (any(0, 2)) {
        s.swizzle[0] = (int)any(0, 3);
        s.swizzle[1] = any(0, 9) ? (int)any(width_log, width_log + 2) : (int)any(0, 4);
        s.swizzle[2] = (int)any(s.swizzle[0], 5) * (any(0, 3) ? 1 : -1);
    }
    s.offset = any(0, 3) ? 0 : any(0, 40) << (any(0, 9) ? width_log : 0);
    s.base = any(0, 3) ? 0 : any(0, 12) * (any(0, 9) ? s.bits / 8 : 1);
    make_tv(&s, log, width_log, threads_log);
    return s;
}

/* ---- counted naively ------------------------------------------------------------------------- */

static int64_t eval(const leaves *l, int64_t index)
{
    int64_t offset = 0;
    for (int i = 0; i < l->n; ++i) {
        offset += index % l->shape[i] * l->stride[i];
        index /= l->shape[i];
    }
    return offset;
}

/* Bit by bit. */
static int64_t swizzled(const sample *s, int64_t x)
{
    int64_t y = x;
    for (int i = 0; i < s->swizzle[0]; ++i) {
        const int shift = s->swizzle[2], low = s->swizzle[1] + i;
        const int from = shift > 0 ? low + shift : low, to = shift > 0 ? low : low - shift;
        if (x >> from & 1) y ^= (int64_t)1 << to;
    }
    return y;
}

static int64_t byte_of(const sample *s, int64_t thread, int64_t value)
{
    const int64_t index = eval(&s->thread, thread) + eval(&s->value, value);
    return s->base + s->elem_bytes * swizzled(s, s->offset + eval(&s->memory, index));
}

/* Whether every access is one. */
static int is_possible(const sample *s)
{
    const int64_t width = s->bits / 8 / s->elem_bytes;
    for (int64_t i = 0; i < size_of(&s->memory); ++i) {
        if (s->offset + eval(&s->memory, i) < 0) return 0;
    }
    if (size_of(&s->value) % width != 0) return 0;
    for (int64_t t = 0; t < size_of(&s->thread); ++t) {
        for (int64_t v = 0; v < size_of(&s->value); ++v) {
            const int64_t at = byte_of(s, t, v), first = byte_of(s, t, v / width * width);
            if (at != first + v % width * s->elem_bytes || first % (s->bits / 8) != 0) return 0;
        }
    }
    const int64_t rows = size_of(&s->thread) % 32; /* of the last warp's matrices */
    return s->kind < CT_ACCESS_LDSM || rows == 0 || rows == 8 || rows == 16;
}

/* The different places, of this many bytes each, among bytes. */
static int places_in(const int64_t *byte, int n, int per)
{
    int count = 0;
    for (int i = 0; i < n; ++i) {
        int seen = 0;
        for (int k = 0; k < i; ++k) seen |= byte[k] / per == byte[i] / per;
        count += !seen;
    }
    return count;
}

/* Wavefronts of some lanes: the words of the fullest bank. */
static int fullest_bank(const int64_t *offset, int lanes, int bytes)
{
    int most = 0;
    for (int bank = 0; bank < 32; ++bank) {
        int64_t word[32 * 4 + 32];
        int n = 0;
        for (int t = 0; t < lanes; ++t) {
            for (int b = 0; offset[t] != CT_LANE_OFF && b < bytes; b += 4) {
                if ((offset[t] + b) / 4 % 32 == bank) word[n++] = (offset[t] + b) / 4;
            }
        }
        const int different = places_in(word, n, 1);
        if (different > most) most = different;
    }
    return most;
}

static int in_pairs(const int64_t *offset, int x)
{
    for (int t = 0; t < 32; ++t) {
        const int64_t a = offset[t], b = offset[t ^ x];
        if (a != b && a != CT_LANE_OFF && b != CT_LANE_OFF) return 0;
    }
    return 1;
}

static void count_naively(int kind, int bits, const int64_t *offset, ct_traffic *sum)
{
    int64_t touched[32 * 32], first[32];
    const int bytes = bits / 8;
    int n = 0, lanes = 0, wavefronts = 0, groups = 0, ideal = 0;
    for (int t = 0; t < 32; ++t) {
        if (offset[t] == CT_LANE_OFF) continue;
        first[lanes++] = offset[t];
        for (int b = 0; b < bytes; ++b) touched[n++] = offset[t] + b;
    }
    if (lanes == 0) return;
    int together = bytes > 4 ? 128 / bytes : 32;
    const int full = (lanes + together - 1) / together;
    if (kind == CT_ACCESS_LDS && bytes > 4 && (in_pairs(offset, 1) || in_pairs(offset, 2)))
        together *= 2;
    for (int t = 0; t < 32; t += together) {
        const int w = fullest_bank(offset + t, together, bytes);
        wavefronts += w;
        groups += w > 0;
    }
    ideal = full < wavefronts ? full : wavefronts;
    const int global = kind == CT_ACCESS_LDG || kind == CT_ACCESS_STG || kind == CT_ACCESS_LDGSTS ||
                       kind == CT_ACCESS_LDGSTS_CG;
    const int sectors = places_in(touched, n, 32);
    const int used = places_in(touched, n, 1);
    const ct_traffic one = {1,
                            lanes,
                            global,
                            global ? sectors : 0,
                            global ? places_in(touched, n, 128) : 0,
                            global ? 0 : wavefronts,
                            global ? 0 : ideal,
                            global ? 0 : wavefronts - groups,
                            lanes - places_in(first, lanes, 1),
                            used,
                            global ? 32 * sectors : 128 * wavefronts,
                            0};
    ct_traffic_add(sum, &one);
}

/* ---- the three of them ----------------------------------------------------------------------- */

static ct_layout layout_of(const leaves *l)
{
    ct_tuple shape = ct_tuple0(), stride = ct_tuple0();
    for (int i = 0; i < l->n; ++i) {
        shape = ct_append(shape, ct_int(l->shape[i]));
        stride = ct_append(stride, ct_int(l->stride[i]));
    }
    return ct_make_layout(shape, stride);
}

static struct {
    int64_t offset[STEPS_MAX][32];
    int count;
} told;

static void on_step(void *user, const ct_traffic_step *step)
{
    (void)user;
    assert_int_equal(step->piece, -1);
    assert_true(told.count < STEPS_MAX);
    memcpy(told.offset[told.count++], step->access.offset, sizeof *told.offset);
}

static struct {
    int count, kind, wrong;
    ct_traffic sum;
} seen;

static void on_request(void *user, const ct_grid_request *q)
{
    (void)user;
    if (q->kind != seen.kind || q->async || q->count.lanes == 0) return;
    const ct_access_count *c = &q->count;
    const ct_traffic one = {
        1,        c->lanes,     c->requests,  c->sectors,    c->lines,       c->wavefronts,
        c->ideal, c->conflicts, c->broadcast, c->bytes_used, c->bytes_moved, 0};
    int found = 0; /* warps go by turns: the instruction is one of those told */
    for (int i = 0; i < told.count && !found; ++i)
        found = memcmp(told.offset[i], q->offset, sizeof *told.offset) == 0;
    seen.wrong += !found;
    ++seen.count;
    ct_traffic_add(&seen.sum, &one);
}

/* Runs the accesses of a sample on the grid, from a table of naive offsets. 0 where they cannot
 * run: threads that store to one place race. */
static int run_grid(const sample *s, unsigned char *global)
{
    static int32_t own[STEPS_MAX * 32], shared[STEPS_MAX * 32];
    const int64_t threads = size_of(&s->thread), width = s->bits / 8 / s->elem_bytes;
    const int64_t count = size_of(&s->value) / width;
    const int is_matrix = s->kind >= CT_ACCESS_LDSM, is_async = !is_matrix && s->kind >= 4;
    const int64_t launched = is_matrix ? 32 : threads;
    int64_t top = 0;
    if (is_matrix && threads > 32) return 0;
    for (int64_t i = 0; i < count; ++i) {
        for (int64_t t = 0; t < launched; ++t) {
            const int64_t at = t < threads ? byte_of(s, t, i * width) : -1;
            own[i * launched + t] = t < threads ? (int32_t)at : TRAFFIC_OFF;
            shared[i * launched + t] = (int32_t)(t * (s->bits / 8));
            if (at + s->bits / 8 > top) top = at + s->bits / 8;
        }
    }
    if (top > SPAN) return 0;
    const int64_t bytes = is_async ? threads * (s->bits / 8) : (top + 15) / 16 * 16;
    const traffic_args args = {global,
                               own,
                               shared,
                               (int32_t)count,
                               s->kind,
                               s->bits,
                               is_matrix ? (int32_t)(threads / 8) : 0,
                               (int32_t)any(0, 1),
                               (int32_t)bytes};
    const ct_grid_buffer buffers[] = {{"global", global, SPAN, 1, 0}};
    const ct_grid_options options = {
        .buffers = buffers, .buffer_count = 1, .no_global_races = 1, .on_request = on_request};
    const ct_dim3 one = {1, 1, 1}, block = {(uint32_t)launched, 1, 1};
    ct_grid_report report;
    memset(&seen, 0, sizeof seen);
    seen.kind = s->kind;
    if (bytes > 64 * 1024) return 0;
    if (ct_grid_launch(&gk_traffic_table, one, block, (size_t)bytes, &args, sizeof args, &options,
                       &report))
        fail_msg("%s", report.message);
    ct_grid_report_free(&report);
    return 1;
}

static void describe(const sample *s)
{
    char tv[CT_MAX_LEAVES * 40] = "";
    size_t n = 0;
    for (int i = 0; i < s->thread.n; ++i)
        n += (size_t)snprintf(tv + n, sizeof tv - n, " %lld:%lld", (long long)s->thread.shape[i],
                              (long long)s->thread.stride[i]);
    print_message("kind %d, %d bits of %d bytes, threads%s, %d leaves of values\n", s->kind,
                  s->bits, s->elem_bytes, tv, s->value.n);
}

/* The sectors of a cp.async, which the grid counts by both sides: its kernel writes one lane after the
 * other. */
static int64_t sectors_of_async(const sample *s)
{
    int64_t sectors = 0;
    for (int step = 0; step < told.count; ++step) {
        ct_access both = {.kind = s->kind, .bits = s->bits};
        const int64_t warp = step / (size_of(&s->value) / (s->bits / 8 / s->elem_bytes));
        for (int t = 0; t < 32; ++t) {
            both.offset[t] = told.offset[step][t];
            both.shared[t] =
                both.offset[t] == CT_LANE_OFF ? CT_LANE_OFF : (32 * warp + t) * (s->bits / 8);
        }
        sectors += ct_count_access_by(NULL, &both, NULL).sectors;
    }
    return sectors;
}

/* 0: refused by both; 1: counted; 2: run on the grid as well. */
static int check_sample(const sample *s, unsigned char *global)
{
    char message[CT_MESSAGE_BYTES] = "";
    ct_traffic sum, naive = {0};
    ct_traffic_side side = {.kind = s->kind, .elem_bits = 8 * s->elem_bytes, .base_bytes = s->base};
    side.memory.swizzle = ct_make_swizzle(s->swizzle[0], s->swizzle[1], s->swizzle[2]);
    side.memory.offset = ct_int(s->offset);
    side.memory.layout = layout_of(&s->memory);
    const ct_layout tv = ct_make_layout2(layout_of(&s->thread), layout_of(&s->value));
    const int64_t width = s->bits / 8 / s->elem_bytes, threads = size_of(&s->thread);
    told.count = 0;
    if (tv.err.status || threads > THREADS_MAX) return 0;
    const int bad = ct_traffic_of_tv(tv, &side, s->bits, NULL, on_step, NULL, &sum, message);
    char same[CT_MESSAGE_BYTES] = "";
    ct_traffic classes; /* congruent accesses once */
    if (ct_traffic_of_tv(tv, &side, s->bits, NULL, NULL, NULL, &classes, same) != bad ||
        strcmp(same, message) != 0 || memcmp(&classes, &sum, sizeof sum) != 0) {
        describe(s);
        fail_msg("%s, and `%s` by classes: wavefronts %lld, %lld", message, same,
                 (long long)sum.wavefronts, (long long)classes.wavefronts);
    }
    if ((bad == 0) != is_possible(s)) {
        describe(s);
        fail_msg("%s, and the naive count thinks otherwise", bad ? message : "counted");
    }
    if (bad) {
        assert_true(message[0] != 0 && !strchr(message, '\n'));
        return 0;
    }
    int step = 0;
    for (int64_t warp = 0; 32 * warp < threads; ++warp) {
        for (int64_t i = 0; i < size_of(&s->value) / width; ++i, ++step) {
            int64_t offset[32];
            for (int t = 0; t < 32; ++t)
                offset[t] =
                    32 * warp + t < threads ? byte_of(s, 32 * warp + t, i * width) : CT_LANE_OFF;
            assert_memory_equal(offset, told.offset[step], sizeof offset);
            count_naively(s->kind, s->bits, offset, &naive);
        }
    }
    assert_int_equal(step, told.count);
    if (memcmp(&naive, &sum, sizeof sum) != 0) {
        describe(s);
        fail_msg("counted sectors %lld wavefronts %lld, naively %lld %lld", (long long)sum.sectors,
                 (long long)sum.wavefronts, (long long)naive.sectors, (long long)naive.wavefronts);
    }
    if (!run_grid(s, global)) return 1;
    assert_int_equal(seen.count, told.count);
    assert_int_equal(seen.wrong, 0);
    if (s->kind == CT_ACCESS_LDGSTS || s->kind == CT_ACCESS_LDGSTS_CG)
        sum.sectors = sectors_of_async(s);
    assert_memory_equal(&seen.sum, &sum, sizeof sum);
    return 2;
}

TEST(test_random)
{
    int count[3] = {0}, kinds[CT_ACCESS_KINDS] = {0};
    const char *given = getenv("CUTLET_SEED");
    unsigned char *global = aligned_alloc(1024, SPAN);
    assert_non_null(global);
    memset(global, 0, SPAN);
    if (given) rolls.state = strtoull(given, NULL, 10);
    print_message("seed %llu\n", (unsigned long long)rolls.state);
    for (int i = 0; i < CASES; ++i) {
        const sample s = make_sample();
        const int result = check_sample(&s, global);
        ++count[result];
        kinds[s.kind] += result == 2;
    }
    print_message("%d refused, %d counted, %d of them run on the grid\n", count[0],
                  count[1] + count[2], count[2]);
    free(global);
    if (given) return;
    assert_true(count[0] >= 100);
    for (int k = 0; k < CT_ACCESS_KINDS; ++k) assert_true(kinds[k] >= 40);
}

GROUP("traffic_random", NULL, NULL)

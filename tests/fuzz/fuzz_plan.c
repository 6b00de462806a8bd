/* Copy plans of any two sides: a plan is made, or refused for a reason that holds; a run moves each
 * element where enumeration says, and nothing else. */
#include "../plan/plan_reference.h"
#include "../support/oracle.h"
#include "bytes.h"
#include <cutlet/host/plan.h>

enum { GUARD = 64, ELEMENTS_MAX = 1024, SPAN_MAX = 1 << 15 };

static int64_t from[ORACLE_MAX], to[ORACLE_MAX], sorted[ORACLE_MAX];

/* Extents whose product is at most ELEMENTS_MAX, or, now and then, any. */
static int choose_shape(fuzz_bytes *b, int64_t extent[CT_MAX_LEAVES])
{
    const int leaves = 1 + fuzz_pick(b, fuzz_pick(b, 8) ? 4 : CT_MAX_LEAVES);
    int64_t left = ELEMENTS_MAX;
    for (int k = 0; k < leaves; ++k) {
        extent[k] = fuzz_int(b, 1, ct_min(left, 40));
        left /= extent[k];
    }
    if (fuzz_pick(b, 64) == 0) extent[0] = fuzz_int(b, 0, INT64_MAX);
    return leaves;
}

static ct_layout layout_of(const int64_t *extent, const int64_t *stride, int leaves)
{
    ct_tuple s = CT_ZERO, d = CT_ZERO;
    s.profile = leaves > 1 ? ct_profile_flat(leaves) : ct_int(0).profile;
    d.profile = s.profile;
    for (int k = 0; k < leaves; ++k) {
        s.value[k] = extent[k];
        d.value[k] = stride[k];
    }
    return ct_make_layout(s, d);
}

/* Strides: leaf after leaf in a turned order with gaps, of either sign, or small ones, or any. */
static ct_layout choose_layout(fuzz_bytes *b, const int64_t *extent, int leaves)
{
    int64_t stride[CT_MAX_LEAVES], run = 1;
    const int style = fuzz_pick(b, 12), turn = fuzz_pick(b, leaves);
    for (int i = 0; i < leaves; ++i) {
        const int k = style & 1 ? leaves - 1 - (i + turn) % leaves : (i + turn) % leaves;
        if (style < 6) stride[k] = run;
        else if (style < 8) stride[k] = run += fuzz_int(b, 0, 3);
        else if (style == 8) stride[k] = -run;
        else if (style < 11) stride[k] = fuzz_int(b, -20, 40);
        else stride[k] = fuzz_int(b, INT64_MIN + 1, INT64_MAX);
        if (extent[k] > 0 && run < INT32_MAX && extent[k] < INT32_MAX) run *= extent[k];
    }
    return layout_of(extent, stride, leaves);
}

/* The other side has the same extents, or one of the same size. */
static ct_layout choose_other(fuzz_bytes *b, const int64_t *extent, int leaves)
{
    int64_t other[CT_MAX_LEAVES] = {1};
    int ok = 1;
    if (fuzz_pick(b, 3)) return choose_layout(b, extent, leaves);
    for (int k = 0; k < leaves; ++k) other[0] = ct_mul(other[0], extent[k], &ok);
    const int64_t part = fuzz_int(b, 1, 8);
    if (!ok || other[0] % part != 0) return choose_layout(b, other, 1);
    other[0] /= part;
    other[1] = part;
    return choose_layout(b, other, 2);
}

static ct_plan_side choose_side(fuzz_bytes *b, ct_layout L, int type, int bytes)
{
    ct_plan_side s = type == CT_TYPE_RAW ? ct_plan_side_raw(L, bytes) : ct_plan_side_of(L, type);
    if (fuzz_pick(b, 4) == 0) {
        s.memory.swizzle = ct_make_swizzle((int)fuzz_int(b, 0, 3), (int)fuzz_int(b, 0, 4),
                                           (int)fuzz_int(b, -4, 4));
        s.memory.offset = ct_int(fuzz_int(b, 0, 40));
    }
    if (fuzz_pick(b, 8) == 0) s.align_bytes = fuzz_int(b, -1, 32);
    return s;
}

static ct_plan_desc choose_desc(fuzz_bytes *b)
{
    ct_plan_desc desc = {0};
    int64_t extent[CT_MAX_LEAVES];
    const int leaves = choose_shape(b, extent), raw = fuzz_pick(b, 3);
    const int type = raw ? CT_TYPE_RAW : fuzz_pick(b, CT_TYPE_COUNT);
    const int other = raw ? CT_TYPE_RAW : fuzz_pick(b, CT_TYPE_COUNT);
    const int bytes = 1 << fuzz_pick(b, 5), odd = fuzz_pick(b, 8) == 0 ? fuzz_pick(b, 20) : bytes;
    desc.src = choose_side(b, choose_other(b, extent, leaves), type, odd);
    desc.dst = choose_side(b, choose_layout(b, extent, leaves), other, odd);
    desc.backend = fuzz_pick(b, 32) ? CT_BACKEND_CPU : CT_BACKEND_AUTO;
    if (!raw && fuzz_pick(b, 3) == 0) {
        desc.has_scale = 1;
        desc.scale = (double)fuzz_int(b, -300, 300) / 64;
    }
    return desc;
}

/* The offsets of a side; 0 where they are too many to enumerate or lie too far from one another. */
static int64_t offsets_of(const ct_plan_side *s, int64_t *out, int64_t *low, int64_t *high)
{
    const ct_layout L = s->memory.layout;
    int64_t reach = 0;
    *low = *high = 0;
    if (L.err.status) return 0;
    for (int k = 0; k < L.profile.leaves; ++k) {
        if (L.shape[k] > ORACLE_MAX || ct_abs(L.stride[k]) > SPAN_MAX) return 0;
        reach += (L.shape[k] - 1) * ct_abs(L.stride[k]);
    }
    if (reach > SPAN_MAX) return 0;
    const int64_t n = oracle_offsets(L, out);
    for (int64_t i = 0; i < n; ++i) {
        out[i] = oracle_tensor(&s->memory, i);
        *low = ct_min(*low, out[i]);
        *high = ct_max(*high, out[i]);
    }
    return n;
}

/* Bytes with guards around what a side reaches; *at is the address of offset 0. */
static uint8_t *memory_of(const ct_plan_side *s, int64_t low, int64_t high, size_t *bytes,
                          uint8_t **at)
{
    const int64_t before = (-low * s->elem_bytes + 63) / 64 * 64 + GUARD;
    *bytes = (size_t)((before + (high + 1) * s->elem_bytes + GUARD + 63) / 64 * 64);
    uint8_t *const all = aligned_alloc(64, *bytes);
    require(all != NULL);
    *at = all + before;
    return all;
}

static void run(const ct_plan *plan, const ct_plan_desc *d, int64_t n, const int64_t span[4])
{
    char message[CT_MESSAGE_BYTES];
    size_t src_bytes, dst_bytes;
    uint8_t *src, *dst;
    const int32_t se = d->src.elem_bytes, de = d->dst.elem_bytes;
    uint8_t *const src_all = memory_of(&d->src, span[0], span[1], &src_bytes, &src);
    uint8_t *const dst_all = memory_of(&d->dst, span[2], span[3], &dst_bytes, &dst);
    for (size_t i = 0; i < src_bytes; ++i) src_all[i] = (uint8_t)(i * 167 + (i >> 8) * 29);
    memset(dst_all, 0x5a, dst_bytes);
    require(ct_plan_run(plan, dst, src, NULL, message) == CT_OK);
    uint8_t *const touched = calloc(dst_bytes, 1);
    require(touched != NULL);
    for (int64_t i = 0; i < n; ++i) {
        const uint8_t *const x = src + from[i] * se, *const y = dst + to[i] * de;
        memset(touched + (y - dst_all), 1, (size_t)de);
        if (d->src.type == d->dst.type && !d->has_scale) {
            require(memcmp(x, y, (size_t)de) == 0);
        } else {
            uint8_t want[8];
            const double value = value_of(x, d->src.type);
            reference(want, d->has_scale ? product_of(value, d->scale) : value, d->dst.type);
            require(same_value(want, y, d->dst.type));
        }
    }
    for (size_t i = 0; i < dst_bytes; ++i) require(touched[i] || dst_all[i] == 0x5a);
    free(touched);
    free(src_all);
    free(dst_all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char message[CT_MESSAGE_BYTES] = "";
    fuzz_bytes b = {data, data + size};
    ct_plan_desc d = choose_desc(&b);
    ct_plan *plan = NULL;
    int64_t span[4];
    const int status = ct_plan_create(&d, CT_EFFORT_ESTIMATE, &plan, message);
    require((status == CT_OK) == (plan != NULL));
    if (status) {
        require(message[0] != '\0' && strchr(message, '\n') == NULL);
        require(status == CT_E_ARGUMENT || status == CT_E_UNDECIDED);
    }
    const int64_t n = offsets_of(&d.src, from, &span[0], &span[1]);
    const int64_t m = offsets_of(&d.dst, to, &span[2], &span[3]);
    if (status == CT_OK && n > 0 && m > 0) {
        require(n == m);
        memcpy(sorted, to, (size_t)m * sizeof *to);
        require(oracle_distinct(sorted, m) == m);
        char *const text = malloc(4096);
        require(text != NULL && ct_plan_describe(plan, text, 4096) > 0);
        free(text);
        run(plan, &d, n, span);
    }
    ct_plan_destroy(plan);
    return 0;
}

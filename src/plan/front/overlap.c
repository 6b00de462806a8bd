/* Decides exactly whether the two sides of a copy share a byte. The addresses of each side are
 * sums: an address, and steps along modes. The difference of two elements' addresses is such a sum
 * along the modes of both sides. The elements share a byte if the difference is less than an
 * element: at most 31 numbers, each of which is searched. A search goes from the longest step to
 * the shortest. It omits numbers that the shorter steps cannot reach, by their range or by their
 * common divisor.
 *
 * A swizzle is not a sum, but it keeps two kinds of steps: multiples of its period, and steps below
 * the lowest bit that it changes. Indices along all other modes are enumerated. */
#include "plan.h"

/** Leaves of both sides, each cut at the lowest bit and at the period of its swizzle. */
#define MODES_MOST (2 * 3 * CT_MAX_LEAVES)

/* Modes with positive steps. */
typedef struct modes {
    int count;
    int64_t extent[MODES_MOST], step[MODES_MOST];
} modes;

/* The addresses of a side: begin + bytes * swizzle(start + steps of moved) + steps of plain. */
typedef struct side {
    modes plain; /* in bytes */
    modes moved; /* in elements */
    uint64_t begin;
    int64_t start, bytes; /* the lowest offset before the swizzle; bytes of an element */
    ct_swizzle swizzle;
} side;

/* A sum along modes, the longest step first, with tables for `reaches`. */
typedef struct sum {
    modes m;
    int64_t reach[MODES_MOST + 1], divisor[MODES_MOST + 1]; /* of all modes from here on */
    int64_t inverse[MODES_MOST];
    int64_t steps;
} sum;

static void push(modes *m, int64_t extent, int64_t step)
{
    if (extent == 1) return;
    m->extent[m->count] = extent;
    m->step[m->count++] = step;
}

/* Divides modes in two whose outer part has steps of `at`. */
static void cut(modes *m, int64_t at)
{
    for (int i = 0, n = m->count; i < n; ++i) {
        const int64_t inner = at / m->step[i];
        if (at % m->step[i] != 0 || inner == 1) continue;
        if (inner >= m->extent[i] || m->extent[i] % inner != 0) continue;
        push(m, m->extent[i] / inner, at);
        m->extent[i] = inner;
    }
}

/* Splits a swizzled side's modes into those that the swizzle leaves unchanged, and the others. */
static void split(side *s)
{
    const int64_t low = (int64_t)1 << s->swizzle.base; /* the lowest bit of both fields */
    const int64_t period = low << (s->swizzle.bits + ct_abs(s->swizzle.shift));
    modes all = s->plain;
    int64_t fine = s->start % low; /* the offset below that bit; no step may carry out of it */
    cut(&all, period);
    cut(&all, low);
    s->plain.count = 0;
    for (int i = 0; i < all.count; ++i)
        if (all.step[i] % low != 0) /* no overflow: the side's span fits */
            fine += (all.extent[i] - 1) * all.step[i];
    for (int i = 0; i < all.count; ++i) {
        const int alone = all.step[i] % period == 0 || (all.step[i] % low != 0 && fine < low);
        push(alone ? &s->plain : &s->moved, all.extent[i], all.step[i]);
    }
}

static void see(side *s, const ct_plan_side *of, uintptr_t begin, int swizzled)
{
    const ct_tensor *const t = &of->memory;
    s->plain.count = s->moved.count = 0;
    s->begin = begin;
    s->bytes = of->elem_bytes;
    s->start = t->offset.value[0] + ct_lowest(t->layout);
    s->swizzle = swizzled ? t->swizzle : ct_swizzle_none();
    for (int i = 0; i < t->layout.profile.leaves; ++i)
        if (t->layout.stride[i] != 0)
            push(&s->plain, t->layout.shape[i], ct_abs(t->layout.stride[i]));
    if (s->swizzle.bits > 0) split(s);
    for (int i = 0; i < s->plain.count; ++i) s->plain.step[i] *= s->bytes;
}

/* Whether both sides have the same swizzle, at a multiple of its period apart. It then moves
 * elements of one block alike, and the offsets before it decide whether elements share a byte. */
static int is_swizzled_alike(const ct_plan *p, uintptr_t dst, uintptr_t src)
{
    const ct_swizzle a = p->desc.src.memory.swizzle, b = p->desc.dst.memory.swizzle;
    if (a.bits != b.bits || a.base != b.base || a.shift != b.shift) return 0;
    const int log = a.base + a.bits + (int)ct_abs(a.shift);
    const uint64_t bytes = (uint64_t)p->desc.src.elem_bytes;
    return p->desc.dst.elem_bytes == p->desc.src.elem_bytes && log < 58 &&
           (dst > src ? dst - src : src - dst) % (bytes << log) == 0;
}

static int64_t size_of(const modes *m)
{
    int64_t n = 1;
    for (int i = 0; i < m->count && n <= CT_MAX_PROOF; ++i)
        n *= ct_min(m->extent[i], CT_MAX_PROOF + 1);
    return n;
}

/* The lowest address of the elements with the i-th index along the modes that the swizzle moves. */
static uint64_t address(const side *s, int64_t i)
{
    int64_t offset = s->start;
    for (int k = 0; k < s->moved.count; ++k) {
        offset += i % s->moved.extent[k] * s->moved.step[k];
        i /= s->moved.extent[k];
    }
    if (s->swizzle.bits > 0) offset = ct_swizzle_apply(s->swizzle, offset);
    return s->begin + (uint64_t)offset * (uint64_t)s->bytes;
}

static void drop(modes *m, int at)
{
    for (--m->count; at < m->count; ++at) {
        m->extent[at] = m->extent[at + 1];
        m->step[at] = m->step[at + 1];
    }
}

/* Joins two modes into one if the longer step is a multiple of the shorter and leaves no gap.
 * Returns 0 if there are no such modes. */
static int join(modes *m)
{
    for (int i = 0; i < m->count; ++i) {
        for (int j = 0; j < m->count; ++j) {
            const int64_t times = m->step[j] / m->step[i];
            if (i == j || m->step[j] % m->step[i] != 0 || times > m->extent[i]) continue;
            m->extent[i] += (m->extent[j] - 1) * times;
            drop(m, j);
            return 1;
        }
    }
    return 0;
}

static void sort(modes *m)
{
    for (int i = 1; i < m->count; ++i) {
        const int64_t extent = m->extent[i], step = m->step[i];
        int k = i;
        for (; k > 0 && m->step[k - 1] < step; --k) {
            m->step[k] = m->step[k - 1];
            m->extent[k] = m->extent[k - 1];
        }
        m->step[k] = step;
        m->extent[k] = extent;
    }
}

/* The y with a y = 1 modulo m, for a and m without a common divisor. */
static int64_t inverse_of(int64_t a, int64_t m)
{
    int64_t r = m, next = a % m, y = 0, next_y = 1; /* r = a y, next = a next_y, modulo m */
    while (next != 0) {
        const int64_t q = r / next, left = r - q * next, left_y = y - q * next_y;
        r = next;
        next = left;
        y = next_y;
        next_y = left_y;
    }
    return y < 0 ? y + m : y;
}

/* a b modulo m, 0 <= a, b < m < 2^62. */
static int64_t times(int64_t a, int64_t b, int64_t m)
{
    if (m < (int64_t)1 << 31) return a * b % m;
    int64_t r = 0;
    for (; b > 0; b >>= 1) {
        if (b & 1) r = (r + a) % m;
        a = (a + a) % m;
    }
    return r;
}

/* Sets s to the sum along the modes of both sides. Returns 0 if it does not fit in 62 bits. */
static int add(sum *s, const modes *a, const modes *b)
{
    int64_t reach = 0;
    int ok = 1;
    s->m = *a;
    s->steps = 0;
    for (int i = 0; i < b->count; ++i) push(&s->m, b->extent[i], b->step[i]);
    for (int i = 0; i < s->m.count; ++i)
        reach = ct_add(reach, ct_mul(s->m.extent[i] - 1, s->m.step[i], &ok), &ok);
    if (!ok || reach >= (int64_t)1 << 62) return 0;
    while (join(&s->m)) {}
    sort(&s->m);
    const int n = s->m.count;
    s->reach[n] = s->divisor[n] = 0;
    for (int k = n - 1; k >= 0; --k) {
        s->reach[k] = s->reach[k + 1] + (s->m.extent[k] - 1) * s->m.step[k];
        s->divisor[k] = ct_gcd(s->divisor[k + 1], s->m.step[k]);
        if (k + 1 < n)
            s->inverse[k] =
                inverse_of(s->m.step[k] / s->divisor[k], s->divisor[k + 1] / s->divisor[k]);
    }
    return 1;
}

/* Whether modes k and on add up to `rest`: 1, 0, or -1 after CT_MAX_PROOF steps. */
static int reaches(sum *s, int k, int64_t rest)
{
    if (rest < 0 || rest > s->reach[k] || (k < s->m.count && rest % s->divisor[k] != 0)) return 0;
    if (k + 1 >= s->m.count) return 1; /* the last step divides it, and reaches it */
    const int64_t step = s->m.step[k], most = s->m.extent[k] - 1, beyond = s->reach[k + 1];
    const int64_t low = rest > beyond ? (rest - beyond - 1) / step + 1 : 0;
    const int64_t high = ct_min(most, rest / step);
    /* only every `every`-th x leaves a multiple of the later divisor: x step = rest, modulo it */
    const int64_t every = s->divisor[k + 1] / s->divisor[k];
    const int64_t fits = times(rest / s->divisor[k] % every, s->inverse[k], every);
    for (int64_t x = low + ((fits - low) % every + every) % every; x <= high; x += every) {
        if (++s->steps > CT_MAX_PROOF) return -1;
        const int found = reaches(s, k + 1, rest - x * step);
        if (found) return found;
    }
    return 0;
}

int ct_plan_meet(const ct_plan *p, uintptr_t dst, uintptr_t src)
{
    side from, to;
    sum s;
    const int swizzled = !is_swizzled_alike(p, dst, src);
    see(&from, &p->desc.src, src, swizzled);
    see(&to, &p->desc.dst, dst, swizzled);
    const int64_t n = size_of(&from.moved), m = size_of(&to.moved);
    if (n > CT_MAX_PROOF || m > CT_MAX_PROOF / n || !add(&s, &from.plain, &to.plain)) return -1;
    int64_t back = 0; /* the source's steps count downwards */
    for (int i = 0; i < from.plain.count; ++i)
        back += (from.plain.extent[i] - 1) * from.plain.step[i];
    for (int64_t i = 0; i < n; ++i) {
        const uint64_t last = address(&from, i) + (uint64_t)back;
        for (int64_t j = 0; j < m; ++j) {
            const int64_t rest = (int64_t)(last - address(&to, j));
            for (int64_t by = 1 - to.bytes; by < from.bytes; ++by) {
                const int found = reaches(&s, 0, rest + by);
                if (found) return found;
            }
        }
    }
    return 0;
}

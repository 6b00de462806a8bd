/* The rules of tensor maps: what ct_tma_check says of a descriptor, and what the driver says. Every
 * difference is printed with all its numbers. */
#ifndef CUTLET_TESTS_TMA_GPU_RULES_H
#define CUTLET_TESTS_TMA_GPU_RULES_H

#include "tma_gpu.h"

enum { SHOWN = 300 };

static int rule_differences, rules_tried, rules_legal;

/* What the driver answers; it may look at all that d says. It reads as many numbers as the rank
 * says, and is asked of no more than these arrays have. */
static inline int ask_driver(const ct_tma_desc *d)
{
    uint64_t extents[8] = {0}, strides[8] = {0};
    uint32_t box[8] = {0}, steps[8] = {0};
    ct_tma_map map;
    for (int i = 0; i < CT_TMA_RANK; ++i) {
        extents[i] = (uint64_t)d->extent[i];
        box[i] = (uint32_t)d->box[i];
        steps[i] = (uint32_t)d->step[i];
        if (i > 0) strides[i - 1] = (uint64_t)d->stride[i];
    }
    return gpu->driver.tensor_map(&map, d->elem, (uint32_t)d->rank, d->address, extents, strides,
                                  box, steps, d->interleave, d->swizzle, d->l2, d->fill);
}

/* The bytes of a tile as the driver counts them: rounded down where steps do not divide the box,
 * and with a step of dimension 0. A copy rounds up, and has none. */
static inline int64_t driver_bytes(const ct_tma_desc *d)
{
    int64_t bytes = d->stride[0];
    for (int i = 0; i < d->rank; ++i) bytes *= d->box[i] / d->step[i];
    return bytes;
}

static inline void print_row(const char *name, const int64_t *x, int n)
{
    fprintf(report, " %s (", name);
    for (int i = 0; i < n; ++i) fprintf(report, "%s%lld", i ? "," : "", (long long)x[i]);
    fputc(')', report);
}

static inline void print_desc(const ct_tma_desc *d, int rank)
{
    fprintf(report, "; elem %d rank %d interleave %d swizzle %d l2 %d fill %d address +%llu",
            d->elem, d->rank, d->interleave, d->swizzle, d->l2, d->fill,
            (unsigned long long)(d->address - (uintptr_t)gpu_src_at));
    print_row("extent", d->extent, rank);
    print_row("stride", d->stride, rank);
    print_row("box", d->box, rank);
    print_row("step", d->step, rank);
    fputc('\n', report);
}

/* Asks both, and prints when they disagree. what names the row. */
static inline void try_rules(const char *what, ct_tma_desc d)
{
    char text[CT_MESSAGE_BYTES], answer[160];
    d.rule = CT_TMA_OK;
    const ct_tma_desc ours = ct_tma_check(d);
    const int result = ask_driver(&d), n = d.rank > 5 ? 5 : d.rank;
    ++rules_tried;
    rules_legal += result == 0;
    const int is_here = d.swizzle < CT_TMA_SWIZZLE_128B_ATOM_32B || gpu->about.major >= 10;
    const int is_small = ours.rule == CT_TMA_RULE_TILE && driver_bytes(&d) <= CT_TMA_TILE_BYTES;
    if (((ours.rule == CT_TMA_OK || is_small) && is_here) == (result == 0)) return;
    if (++rule_differences > SHOWN) return;
    ct_driver_explain(&gpu->driver, result, answer, sizeof answer);
    fprintf(report, "%s: ours: %s; driver: %s", what,
            ours.rule == CT_TMA_OK ? "legal" : ct_tma_explain(&ours, text),
            result ? answer : "legal");
    print_desc(&d, n);
}

/* A descriptor that is legal by our rules: rows of inner_bytes. */
static inline ct_tma_desc legal_desc(int rank, int elem, int swizzle, int64_t inner_bytes)
{
    ct_tma_desc d = {.rank = rank, .elem = elem, .swizzle = swizzle};
    const int64_t bytes = ct_elem_bytes(elem);
    int64_t stride = 16 * inner_bytes;
    d.address = (uintptr_t)gpu_src_at;
    for (int i = 0; i < CT_TMA_RANK; ++i) {
        d.extent[i] = i == 0 ? 16 * inner_bytes / bytes : 20;
        d.stride[i] = i == 0 ? bytes : stride;
        d.box[i] = i == 0 ? inner_bytes / bytes : i == 1 ? 4 : 2;
        d.step[i] = 1;
        if (i > 0) stride *= 20;
    }
    return d;
}

/* The numbers of a descriptor that a rule can be about, by number; -1 after the last. */
static inline int set_number(ct_tma_desc *d, int which, int64_t x)
{
    if (which == 0) d->elem = (int32_t)x;
    else if (which == 1) d->rank = (int32_t)x;
    else if (which == 2) d->interleave = (int32_t)x;
    else if (which == 3) d->swizzle = (int32_t)x;
    else if (which == 4) d->l2 = (int32_t)x;
    else if (which == 5) d->fill = (int32_t)x;
    else if (which == 6) d->address = (uintptr_t)gpu_src_at + (uint64_t)x;
    else if (which < 12) d->extent[which - 7] = x;
    else if (which < 16) d->stride[which - 11] = x;
    else if (which < 21) d->box[which - 16] = x;
    else if (which < 26) d->step[which - 21] = x;
    else return -1;
    if (which == 0) d->stride[0] = ct_elem_bytes(d->elem);
    return 0;
}

static const char *const number_names[] = {
    "elem",      "rank",      "interleave", "swizzle",   "l2",        "fill",      "address",
    "extent[0]", "extent[1]", "extent[2]",  "extent[3]", "extent[4]", "stride[1]", "stride[2]",
    "stride[3]", "stride[4]", "box[0]",     "box[1]",    "box[2]",    "box[3]",    "box[4]",
    "step[0]",   "step[1]",   "step[2]",    "step[3]",   "step[4]"};

/* Values at the edges of the rule about a number; the count. Types that cutlet does not name, which
 * newer drivers have, are left out. */
static inline int edge_values(int which, int64_t *x)
{
    static const int64_t elem[] = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 99};
    static const int64_t rank[] = {0, 1, 2, 3, 4, 5, 6};
    static const int64_t mode[] = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const int64_t interleave[] = {-1, 0, 3, 4, 8}; /* 1 and 2 only the driver knows */
    static const int64_t address[] = {0, 1, 4, 8, 16, 32, 48, 64};
    /* clang-format off */
    static const int64_t extent[] = {-1, 0, 1, 2, 255, 256, 257, 65536, 0x7fffffff, 0x80000000,
                                     0xffffffff, 0x100000000, 0x100000001, 0x7fffffffffffffff};
    static const int64_t stride[] = {-16, 0, 1, 8, 15, 16, 24, 32, 48, 64, 80, 128, 4096,
                                     0x7fffffff0, 0x3fffffffe0, 0x7ffffffff0, 0x8000000000,
                                     0xffffffffe0, 0xfffffffff0, 0x10000000000, 0x10000000020,
                                     /* clang-format on */
                                     0x7ffffffffffffff0};
    static const int64_t box[] = {-1, 0,  1,  2,  3,  4,  5,   7,   8,   12,  16,  24,  32,
                                  33, 40, 48, 64, 65, 96, 128, 129, 192, 255, 256, 257, 65536};
    static const int64_t step[] = {-1, 0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 256};
#define GIVE(list) return memcpy(x, list, sizeof list), LENGTH(list)
    if (which == 0) GIVE(elem);
    if (which == 1) GIVE(rank);
    if (which == 2) GIVE(interleave);
    if (which < 6) GIVE(mode);
    if (which == 6) GIVE(address);
    if (which < 12) GIVE(extent);
    if (which < 16) GIVE(stride);
    if (which < 21) GIVE(box);
    GIVE(step);
#undef GIVE
}

static inline void begin_rules(void)
{
    rule_differences = rules_tried = rules_legal = 0;
    expect(ct_cuda_enter(gpu)); /* the driver wants a context */
}

static inline void finish_rules(void)
{
    expect(ct_cuda_leave(gpu, 0));
    fprintf(report, "%d descriptors, %d of them legal to the driver, %d differences\n", rules_tried,
            rules_legal, rule_differences);
    if (rule_differences) give_up("our rules are not the driver's");
    if (rules_legal == 0 || rules_legal == rules_tried) give_up("all descriptors were alike");
}

/* One number at a time, away from a legal descriptor. p: rank, interleave, swizzle. */
static inline void run_rule_table(const test_case *c)
{
    if (skip_swizzle(c->p[2])) return;
    begin_rules();
    static const int64_t inner[] = {16, 32, 64, 128, 256};
    const int64_t span = ct_tma_span(c->p[2]);
    for (int k = 0; k < LENGTH(inner); ++k) {
        if (span && inner[k] > span) continue;
        for (int elem = 0; elem < CT_ELEM_COUNT; ++elem) {
            const ct_tma_desc base = legal_desc(c->p[0], elem, c->p[2], inner[k]);
            try_rules("base", base);
            if (elem != CT_ELEM_U8 && elem != CT_ELEM_F16 && elem != CT_ELEM_F64) continue;
            for (int which = 0; which < LENGTH(number_names); ++which) {
                int64_t x[32];
                const int n = edge_values(which, x);
                for (int i = 0; i < n; ++i) {
                    ct_tma_desc d = base;
                    if (set_number(&d, which, x[i]) == 0) try_rules(number_names[which], d);
                }
            }
        }
    }
    finish_rules();
}

/* Tiles of 192 to 512 KiB, with and without steps that leave out elements. */
static inline void run_rule_tile(const test_case *c)
{
    (void)c;
    begin_rules();
    for (int rank = 3; rank <= CT_TMA_RANK; ++rank) {
        for (int step = 1; step <= 2; ++step) {
            for (int rows = 96; rows <= 256; ++rows) {
                ct_tma_desc d = legal_desc(rank, CT_ELEM_U16, CT_TMA_SWIZZLE_NONE, 512);
                for (int i = 1; i < CT_TMA_RANK; ++i) d.box[i] = d.step[i] = 1;
                d.box[1] = 4;
                d.step[1] = step;
                d.box[rank - 1] = rows;
                try_rules("tile", d);
            }
        }
    }
    finish_rules();
}

static dice rule_dice;

static inline int below(int n) { return (int)dice_int(&rule_dice, 0, n - 1); }

/* Any descriptor: legal numbers, up to three of them moved to an edge. p: seed. */
static inline void run_rule_random(const test_case *c)
{
    begin_rules();
    rule_dice = dice_of((uint64_t)c->p[0]);
    for (int round = 0; round < 4000; ++round) {
        const int swizzle = below(gpu->about.major < 10 ? 4 : CT_TMA_SWIZZLE_COUNT);
        const int64_t span = swizzle ? ct_tma_span(swizzle) : 256;
        const int rank = 1 + below(5);
        const int elem = below(CT_ELEM_COUNT);
        const int64_t inner = 16 * (1 + below((int)span / 16));
        ct_tma_desc d = legal_desc(rank, elem, swizzle, inner);
        d.l2 = below(4);
        d.fill = ct_elem_is_float(elem) ? below(2) : 0;
        for (int i = 1; i < CT_TMA_RANK; ++i) {
            d.box[i] = 1 + below(below(4) ? 16 : 256);
            d.step[i] = below(3) ? 1 : 1 + below(8);
            d.extent[i] = 1 + below(1 << below(20));
            d.stride[i] = 32 * (int64_t)below(1 << below(24));
        }
        for (int moved = below(4); moved > 0; --moved) {
            int64_t x[32];
            const int which = below(LENGTH(number_names));
            const int n = edge_values(which, x);
            set_number(&d, which, x[below(n)]);
        }
        try_rules("random", d);
    }
    finish_rules();
}

static inline void add_rules(void)
{
    for (int rank = 1; rank <= CT_TMA_RANK; ++rank)
        add(run_rule_table, NULL, P(rank), "descriptor rules: %dd", rank);
    for (int z = 1; z < CT_TMA_SWIZZLE_COUNT; ++z)
        add(run_rule_table, NULL, P(2, 0, z), "descriptor rules: swizzle %d", z);
    add(run_rule_tile, NULL, P(0), "descriptor rules: bytes of a tile");
    for (int seed = 1; seed <= 4; ++seed)
        add(run_rule_random, NULL, P(seed), "descriptor rules: random %d", seed);
}

#endif

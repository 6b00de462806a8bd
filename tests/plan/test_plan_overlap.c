/* Whether the two sides of a copy share a byte: random pairs of layouts in one memory, against an
 * enumeration of their bytes; pairs with a name, large ones among them; what is not decided. */
#include "test.h"

#include "plan_cases.h"

enum { ARENA = 1 << 17, MIDDLE = ARENA / 2 };

static int64_t from[ORACLE_MAX], to[ORACLE_MAX];
static char message[CT_MESSAGE_BYTES];
static _Alignas(64) unsigned char memory[ARENA], right[ARENA], taken[ARENA];

static uint64_t seed(void)
{
    const char *const given = getenv("CUTLET_SEED");
    return given ? strtoull(given, NULL, 10) : 26;
}

static ct_plan_side side_of(const char *text, int32_t bytes)
{
    ct_tensor t;
    ct_layout L = CT_ZERO;
    const int swizzled = text[0] == 'S';
    if (swizzled ? ct_parse_tensor(text, &t, NULL) : ct_parse_layout(text, &L, NULL))
        fail_msg("%s", text);
    if (!swizzled) t = ct_make_tensor(L);
    ct_plan_side s = ct_plan_side_raw(t.layout, bytes);
    s.memory = t;
    return s;
}

/* Small layouts, the second of them most often in gaps of the first. */
static ct_plan_desc small_desc(dice *d)
{
    static const int sizes[] = {1, 2, 4, 8, 16, 3, 6, 12};
    ct_plan_desc desc = {0};
    const int32_t bytes = sizes[dice_int(d, 0, 7)];
    const ct_tuple shape = dice_shape(d, 4, 96);
    desc.dst = ct_plan_side_raw(random_noncontiguous(d, shape), bytes);
    desc.src = ct_plan_side_raw(
        dice_int(d, 0, 2) ? random_noncontiguous(d, shape) : random_any(d, shape), bytes);
    if (dice_int(d, 0, 2) == 0) desc.src.memory = desc.dst.memory;
    const int64_t wider = dice_int(d, 1, 3); /* gaps everywhere, in which the other side has room */
    for (int k = 0; k < shape.profile.leaves; ++k) {
        desc.dst.memory.layout.stride[k] *= wider;
        desc.src.memory.layout.stride[k] *= dice_int(d, 0, 5) ? wider : 1;
    }
    maybe_swizzle(d, &desc.src);
    if (dice_int(d, 0, 2) && ct_lowest(desc.dst.memory.layout) >= 0) {
        desc.dst.memory.swizzle = desc.src.memory.swizzle;
        desc.dst.memory.offset = desc.src.memory.offset;
    } else {
        maybe_swizzle(d, &desc.dst);
    }
    if (dice_int(d, 0, 3) == 0) { /* elements of two sizes */
        desc.src.type = CT_TYPE_HALF;
        desc.dst.type = CT_TYPE_DOUBLE;
        desc.src.elem_bytes = 2;
        desc.dst.elem_bytes = 8;
    }
    return desc;
}

/* Whether the sides at these places of the memory share a byte, by enumeration. */
static int enumerated(const ct_plan_desc *desc, int64_t n, int64_t dst, int64_t src)
{
    int meet = 0;
    memset(taken, 0, sizeof taken);
    for (int64_t i = 0; i < n; ++i) {
        const int64_t at = dst + to[i] * desc->dst.elem_bytes;
        assert_true(at >= 0 && at + desc->dst.elem_bytes <= ARENA);
        memset(taken + at, 1, (size_t)desc->dst.elem_bytes);
    }
    for (int64_t i = 0; i < n; ++i) {
        const int64_t at = src + from[i] * desc->src.elem_bytes;
        assert_true(at >= 0 && at + desc->src.elem_bytes <= ARENA);
        for (int k = 0; k < desc->src.elem_bytes; ++k) meet |= taken[at + k];
    }
    return meet;
}

/* Runs it within the memory, where that is no conversion, and looks at every byte of it. */
static void run_within(dice *d, const ct_plan_desc *desc, int64_t n, int64_t dst, int64_t src,
                       const char *name)
{
    for (int backend = CT_BACKEND_CPU; backend <= CT_BACKEND_GRID; ++backend) {
        ct_plan_desc own = *desc;
        ct_plan *plan = NULL;
#if defined(__SANITIZE_THREAD__)
        if (backend == CT_BACKEND_GRID) continue; /* it does not follow contexts of one thread */
#endif
        own.backend = backend;
        for (int i = 0; i < ARENA; ++i)
            memory[i] = (unsigned char)(i * 40503u >> 8 ^ dice_int(d, 0, 1));
        memcpy(right, memory, ARENA);
        for (int64_t i = 0; i < n; ++i)
            memcpy(right + dst + to[i] * own.dst.elem_bytes,
                   memory + src + from[i] * own.src.elem_bytes, (size_t)own.dst.elem_bytes);
        if (ct_plan_create(&own, CT_EFFORT_ESTIMATE, &plan, message) ||
            ct_plan_run(plan, memory + dst, memory + src, NULL, message))
            fail_msg("%s: backend %d: %s", name, backend, message);
        ct_plan_destroy(plan);
        if (memcmp(right, memory, ARENA) != 0) {
            int at = 0;
            while (right[at] == memory[at]) ++at;
            fail_msg("%s: backend %d: byte %lld from the destination is %d; %d is right (the "
                     "source is %lld from it)",
                     name, backend, (long long)(at - dst), memory[at], right[at],
                     (long long)(src - dst));
        }
    }
}

TEST(test_random)
{
    int found[2] = {0, 0}, within = 0;
    print_message("# seed %llu\n", (unsigned long long)seed());
    for (uint64_t number = 0; number < 20000; ++number) {
        dice d = dice_of_case(seed(), number);
        const ct_plan_desc desc = small_desc(&d);
        ct_plan *plan = NULL;
        const int64_t n = side_offsets(&desc.src, from);
        assert_int_equal(side_offsets(&desc.dst, to), n);
        if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message))
            fail_msg("case %llu: %s: %s", (unsigned long long)number, desc_text(&desc), message);
        const int32_t own = desc.src.elem_bytes & -desc.src.elem_bytes;
        for (int k = 0; k < 4; ++k) {
            const int64_t src = MIDDLE, far = k < 2 ? 12 : 200;
            const int32_t step = desc.dst.type == CT_TYPE_DOUBLE ? 8
                                 : dice_int(&d, 0, 2)            ? own
                                                                 : desc.dst.elem_bytes;
            const int64_t dst = MIDDLE + step * dice_int(&d, -far, far);
            const int meet = enumerated(&desc, n, dst, src);
            const int got =
                ct_plan_meet(plan, (uintptr_t)(memory + dst), (uintptr_t)(memory + src));
            ++found[meet];
            if (got != meet)
                fail_msg("case %llu: %s: %ld from the source: %d, where %d is right",
                         (unsigned long long)number, desc_text(&desc), (long)(dst - src), got,
                         meet);
            if (meet || desc.dst.type != CT_TYPE_RAW || number % 8 || ++within > 500) continue;
            run_within(&d, &desc, n, dst, src, desc_text(&desc));
        }
        ct_plan_destroy(plan);
    }
    assert_true(found[0] > 10000 && found[1] > 10000 && within > 500);
}

/* Pairs with a name; what enumeration is too long for is known by hand. */
TEST(test_rows)
{
    static const struct {
        const char *name, *src, *dst;
        int32_t bytes;
        int64_t distance; /* bytes from the source's pointer to the destination's */
        int meet;
    } rows[] = {
        {"M[:,4:] = M[:,:4]", "(1000000,4):(8,1)", "(1000000,4):(8,1)", 4, 16, 0},
        {"M[:,3:] = M[:,:5]", "(1000000,5):(8,1)", "(1000000,5):(8,1)", 4, 12, 1},
        {"M[:,4:] = M[:,:4].T", "(4,4):(1,8)", "(4,4):(8,1)", 2, 8, 0},
        {"two pitches", "(1000000,4):(8,1)", "(1000000,4):(16,1)", 4, 16, 0},
        {"two pitches that meet", "(1000000,4):(8,1)", "(1000000,4):(12,1)", 4, 16, 1},
        {"halves of a swizzled tile", "Sw<3,4,3> o 0 o (8,32):(64,1)",
         "Sw<3,4,3> o 32 o (8,32):(64,1)", 2, 0, 0},
        {"the same half", "Sw<3,4,3> o 0 o (8,32):(64,1)", "Sw<3,4,3> o 0 o (8,32):(64,1)", 2, 0,
         1},
        {"after a swizzled row", "Sw<3,4,3> o 0 o 64:1", "64:1", 2, 128, 0},
        {"within its period", "Sw<3,4,3> o 0 o 64:1", "64:1", 2, 126, 1},
        {"a swizzled row moved", "Sw<3,4,3> o 128 o 64:1", "64:1", 2, 2 * (128 ^ 16) + 128, 0},
        {"many swizzled periods", "Sw<3,4,3> o 0 o (64,1000000):(1,2048)", "(64,1000000):(1,2048)",
         2, 128, 0},
        {"many that meet", "Sw<3,4,3> o 0 o (64,1000000):(1,2048)", "(64,1000000):(1,2048)", 2, 126,
         1},
        /* 150000 * 1000003 = 5500330 + 149990 * 1000033, the first place in which they meet */
        {"coprime strides", "150001:1000003", "150001:1000033", 4, 4 * 5500330, 1},
        {"coprime strides, too short", "150000:1000003", "150000:1000033", 4, 4 * 5500330, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ct_plan_desc desc = {0};
        ct_plan *plan = NULL;
        desc.src = side_of(rows[i].src, rows[i].bytes);
        desc.dst = side_of(rows[i].dst, rows[i].bytes);
        if (ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message))
            fail_msg("%s: %s", rows[i].name, message);
        const int64_t n = ct_size(desc.src.memory.layout);
        const uintptr_t at = (uintptr_t)1 << 40;
        const int got = ct_plan_meet(plan, at + (uintptr_t)rows[i].distance, at);
        if (got != rows[i].meet) fail_msg("%s: %d", rows[i].name, got);
        if (n <= 1024) {
            dice d = dice_of(seed());
            side_offsets(&desc.src, from);
            side_offsets(&desc.dst, to);
            assert_int_equal(enumerated(&desc, n, MIDDLE + rows[i].distance, MIDDLE), rows[i].meet);
            if (!rows[i].meet)
                run_within(&d, &desc, n, MIDDLE + rows[i].distance, MIDDLE, rows[i].name);
        }
        ct_plan_destroy(plan);
    }
}

/* What takes more steps is refused, nothing is written, and the message says so. */
TEST(test_undecided)
{
    static const char *const rows[][2] = {
        {"(50000,50000):(100000007,5000000000053)", "(50000,50000):(100000037,5000000000107)"},
        {"Sw<3,4,3> o 0 o 100001:3", "100001:1"}, /* more indices that the swizzle moves */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ct_plan_desc desc = {0};
        ct_plan *plan = NULL;
        desc.src = side_of(rows[i][0], 1);
        desc.dst = side_of(rows[i][1], 1);
        memset(memory, 7, sizeof memory);
        assert_int_equal(ct_plan_create(&desc, CT_EFFORT_ESTIMATE, &plan, message), CT_OK);
        const int status = ct_plan_run(plan, memory + 64, memory, NULL, message);
        if (status != CT_E_POINTER ||
            !strstr(message, "source and destination may overlap, 65536 steps did not decide it: "))
            fail_msg("%s: %d, %s", rows[i][0], status, message);
        for (int k = 0; k < ARENA; ++k) assert_int_equal(memory[k], 7);
        ct_plan_destroy(plan);
    }
}

GROUP("plan overlap", NULL, NULL)

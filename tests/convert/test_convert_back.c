/* Random texts of every notation: what is read is written again in the same system, and what is written in any
 * system is read back as the same function. */
#include "test.h"

#include "all_cases.h"
#include <cutlet/host/convert.h>
#include <cutlet/host/eval.h>
#include "dice.h"

enum { RANK = 3, TEXT = CT_CONVERT_BYTES };

static int written[CT_SYSTEM_COUNT], wrong;

static int has_no_shape(int system)
{
    return system == CT_SYSTEM_TRITON_BLOCKED || system == CT_SYSTEM_TRITON_SWIZZLED ||
           system == CT_SYSTEM_TRITON_NVMMA;
}

static void complain(const char *text, int to, const char *out, const char *why)
{
    if (++wrong > 20) return;
    print_message("%s to %s: %s: %s\n", text, ct_system_name(to, NULL), out, why);
}

/* Writes a text in a system, and reads what is written. `must`: the system can say it. The shape counts only
 * where the text that is read does not have it. */
static void try_system(const char *text, const ct_convert_options *given, int to, int must)
{
    static char out[TEXT], again[TEXT];
    ct_convert_options o = *given;
    ct_diag diag;
    int same = 0;
    o.to = to;
    if (ct_convert_layout(text, &o, out, &diag)) {
        if (must) complain(text, to, "is read, and not written", diag.message);
        return;
    }
    ++written[to];
    ct_convert_options back = o;
    back.from = to;
    if (!has_no_shape(to)) back.rank = 0;
    if (ct_convert_layout(out, &back, again, &diag)) complain(text, to, out, diag.message);
    back.from = CT_SYSTEM_ANY;
    back.rank = o.rank;
    if (ct_same_layout(text, out, &back, &same, NULL, &diag) || !same)
        complain(text, to, out, diag.message);
}

/* A text of a system: where it is read, it is written in that system. */
static void try_text(const char *text, const ct_convert_options *o, int from)
{
    ct_diag diag;
    int same = 0;
    ct_convert_options reads = *o;
    if (ct_same_layout(text, text, &reads, &same, NULL, &diag)) return;
    if (!same) complain(text, from, "is not the same as itself", diag.message);
    for (int to = CT_SYSTEM_CUTLET; to < CT_SYSTEM_COUNT; ++to)
        if (to != CT_SYSTEM_TRITON) try_system(text, o, to, to == from);
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Gives the options a shape, where encodings can have it: those of shared memory lack theirs. */
static void take_shape(ct_convert_options *o, const int64_t *shape, int rank)
{
    int fits = rank <= CT_CONVERT_RANK;
    for (int k = 0; k < rank && fits; ++k) {
        o->shape[k] = shape[k];
        fits = (shape[k] & (shape[k] - 1)) == 0;
    }
    o->rank = fits ? rank : 0;
}

static void put_list(char *text, const char *name, const int64_t *x, int n)
{
    char *at = text + strlen(text);
    at += sprintf(at, "%s = [", name);
    for (int i = 0; i < n; ++i) at += sprintf(at, "%s%lld", i ? ", " : "", (long long)x[i]);
    strcpy(at, "]");
}

static void powers(dice *d, int64_t *x, int most)
{
    for (int k = 0; k < RANK; ++k) x[k] = (int64_t)1 << dice_int(d, 0, most);
}

/* Bases of an input: of single bits in order, of any bit, or along several dimensions. */
static void put_rows(dice *d, char *text, const char *name, int rank, int most, int style,
                     int64_t *reach)
{
    char *at = text + strlen(text);
    at += sprintf(at, "%s = [", name);
    const int n = (int)dice_int(d, 0, most);
    for (int k = 0; k < n; ++k) {
        const int only = (int)dice_int(d, 0, rank - 1);
        at += sprintf(at, "%s[", k ? ", " : "");
        for (int i = 0; i < rank; ++i) {
            const int64_t x = style == 2  ? dice_int(d, 0, 3)
                              : i == only ? (int64_t)1 << dice_int(d, 0, 2)
                                          : 0;
            at += sprintf(at, "%s%lld", i ? ", " : "", (long long)x);
            while (reach[i] <= x) reach[i] *= 2;
        }
        at += sprintf(at, "]");
    }
    strcpy(at, "]");
}

static void put_order(dice *d, char *text, int rank)
{
    int64_t order[RANK];
    for (int k = 0; k < rank; ++k) order[k] = k;
    for (int k = rank - 1; k > 0; --k) {
        const int j = (int)dice_int(d, 0, k);
        const int64_t x = order[k];
        order[k] = order[j];
        order[j] = x;
    }
    put_list(text, ", order", order, rank);
}

/* An encoding of Triton, for a tensor of the options' shape. */
static void try_triton(dice *d)
{
    static char text[TEXT];
    ct_convert_options o;
    int64_t x[3][RANK];
    memset(&o, 0, sizeof o);
    o.rank = (int)dice_int(d, 1, RANK);
    for (int k = 0; k < o.rank; ++k) o.shape[k] = (int64_t)1 << dice_int(d, 0, 5);
    const int from = (int)dice_int(d, CT_SYSTEM_TRITON_BLOCKED, CT_SYSTEM_TRITON_SHARED);
    const int style = (int)dice_int(d, 0, 2);
    const int rank = o.rank;
    if (dice_int(d, 0, 3)) o.element_bits = 8 << dice_int(d, 0, 3);
    for (int k = 0; k < 3; ++k) powers(d, x[k], 2);
    text[0] = '\0';
    if (from == CT_SYSTEM_TRITON_BLOCKED) {
        strcpy(text, "#ttg.blocked<{");
        put_list(text, "sizePerThread", x[0], rank);
        put_list(text, ", threadsPerWarp", x[1], rank);
        put_list(text, ", warpsPerCTA", x[2], rank);
        put_order(d, text, rank);
    } else if (from == CT_SYSTEM_TRITON_SWIZZLED) {
        sprintf(text, "#ttg.swizzled_shared<{vec = %d, perPhase = %d, maxPhase = %d",
                1 << dice_int(d, 0, 4), 1 << dice_int(d, 0, 3), 1 << dice_int(d, 0, 3));
        put_order(d, text, rank);
    } else if (from == CT_SYSTEM_TRITON_NVMMA) {
        static const int widths[] = {0, 32, 64, 128};
        o.element_bits = 8 << dice_int(d, 0, 3);
        sprintf(text,
                "#ttg.nvmma_shared<{swizzlingByteWidth = %d, transposed = %s, elementBitWidth = %d",
                widths[dice_int(d, 0, 3)], dice_int(d, 0, 1) ? "true" : "false", o.element_bits);
        if (rank != 2) sprintf(text + strlen(text), ", rank = %d", rank);
    } else {
        const int linear = from == CT_SYSTEM_TRITON_LINEAR;
        for (int k = 0; k < rank; ++k) o.shape[k] = 1;
        strcpy(text,
               linear ? style ? "#ttg.generic_linear<{" : "#ttg.linear<{" : "#ttg.shared_linear<{");
        put_rows(d, text, linear ? "register" : "offset", rank, linear ? 3 : 5, style, o.shape);
        if (linear) put_rows(d, text, ", lane", rank, 3, style, o.shape);
        if (linear) put_rows(d, text, ", warp", rank, 2, style, o.shape);
        if (linear || dice_int(d, 0, 3) == 0) put_rows(d, text, ", block", rank, 1, style, o.shape);
    }
    if (from != CT_SYSTEM_TRITON_LINEAR && from != CT_SYSTEM_TRITON_SHARED &&
        dice_int(d, 0, 4) == 0)
        put_rows(d, text, ", CGALayout", rank, 1, style, x[0]);
    strcat(text, from == CT_SYSTEM_TRITON_SHARED ? "}, alignment = 16>" : "}>");
    try_text(text, &o, from);
}

/* A mapping of mdspan, or an array of NumPy. */
static void try_strided(dice *d)
{
    static const char *const names[] = {"left", "right", "stride", "left_padded", "right_padded"};
    static char text[TEXT];
    ct_convert_options o;
    const int kind = (int)dice_int(d, 0, 5), rank = (int)dice_int(d, 1, RANK);
    int64_t shape[RANK], stride[RANK];
    memset(&o, 0, sizeof o);
    o.element_bits = 8 << dice_int(d, 0, 4);
    for (int k = 0; k < rank; ++k) {
        shape[k] = dice_int(d, 0, 3) ? dice_int(d, 1, 9) : 1;
        stride[k] = dice_int(d, kind == 5 ? -3 : 1, 12);
    }
    take_shape(&o, shape, rank);
    if (kind == 5) {
        char *at = text + sprintf(text, "shape=(");
        for (int k = 0; k < rank; ++k) at += sprintf(at, "%lld,", (long long)shape[k]);
        at += sprintf(at, "), strides=(");
        for (int k = 0; k < rank; ++k)
            at += sprintf(at, "%lld,", (long long)stride[k] * o.element_bits / 8);
        sprintf(at, "), itemsize=%d, offset=%d", o.element_bits / 8,
                (int)dice_int(d, 0, 3) * o.element_bits / 8);
        try_text(text, &o, CT_SYSTEM_NUMPY);
        return;
    }
    char *at = text + sprintf(text, "std::layout_%s", names[kind]);
    if (kind > 2) at += sprintf(at, "<%lld>", (long long)dice_int(d, 1, 8));
    at += sprintf(at, "::mapping<std::extents<int");
    for (int k = 0; k < rank; ++k) at += sprintf(at, ", %lld", (long long)shape[k]);
    at += sprintf(at, ">>(");
    if (kind == 2) {
        at += sprintf(at, "{}, std::array{");
        for (int k = 0; k < rank; ++k)
            at += sprintf(at, "%s%lld", k ? ", " : "", (long long)stride[k]);
        at += sprintf(at, "}");
    }
    strcpy(at, ")");
    ct_diag diag;
    char back[TEXT];
    ct_convert_options reads = o;
    reads.to = CT_SYSTEM_MDSPAN; /* its own preconditions, which the reader leaves to C++ */
    if (kind == 2 && ct_convert_layout(text, &reads, back, &diag))
        try_text(text, &o, CT_SYSTEM_CUTLET);
    else try_text(text, &o, kind > 2 ? CT_SYSTEM_MDSPAN_PADDED : CT_SYSTEM_MDSPAN);
}

/* A tensor of cutlet: any layout, one of powers of two, one of coordinates; a swizzle or an offset. */
static void try_tensor(dice *d)
{
    static char text[TEXT];
    ct_convert_options o;
    memset(&o, 0, sizeof o);
    o.element_bits = 8 << dice_int(d, 0, 3);
    const int style = (int)dice_int(d, 0, 3);
    ct_layout L = dice_any(d, 5, 4096);
    if (style > 0) {
        int64_t run = 1;
        const int back = (int)dice_int(d, 0, 1);
        for (int k = 0; k < L.profile.leaves; ++k) L.shape[k] = (int64_t)1 << dice_int(d, 0, 3);
        for (int k = 0; k < L.profile.leaves; ++k) {
            const int at = back ? L.profile.leaves - 1 - k : k;
            L.stride[at] = run;
            run *= L.shape[at];
        }
    }
    if (style == 3) {
        for (int k = 0; k < L.profile.leaves; ++k) {
            L.stride[k] = dice_int(d, 1, 3);
            L.basis[k] = (uint32_t)dice_int(d, 1, 3);
        }
    }
    L = ct_make_layout(ct_shape(L), ct_stride(L));
    if (L.err.status) return;
    ct_tensor t = ct_make_tensor(L);
    if (style < 3 && dice_int(d, 0, 2) == 0) t.offset = ct_int(dice_int(d, 0, 20));
    if (style < 3 && dice_int(d, 0, 2) == 0 && ct_lowest(L) >= 0)
        t.swizzle = ct_make_swizzle((int)dice_int(d, 1, 3), (int)dice_int(d, 0, 3), 3);
    if (ct_tensor_check(&t).status) return;
    if (t.swizzle.bits || !ct_offset_is_zero(&t.offset)) ct_format_tensor(text, sizeof text, t);
    else ct_format_layout(text, sizeof text, L);
    int64_t shape[CT_MAX_LEAVES];
    const int rank = ct_layout_rank(L);
    for (int k = 0; k < rank; ++k) shape[k] = rank == 1 ? ct_size(L) : ct_size(ct_mode(L, k));
    take_shape(&o, shape, rank);
    try_text(text, &o, CT_SYSTEM_CUTLET);
}

TEST(test_back)
{
    const char *const given = getenv("CUTLET_SEED");
    const uint64_t seed = given ? strtoull(given, NULL, 10) : 27;
    const int cases = all_cases() ? 400000 : 15000;
    for (int i = 0; i < cases; ++i) {
        dice d = dice_of_case(seed, (uint64_t)i);
        if (i % 3 == 0) try_triton(&d);
        else if (i % 3 == 1) try_strided(&d);
        else try_tensor(&d);
    }
    for (int to = CT_SYSTEM_CUTLET; to < CT_SYSTEM_COUNT; ++to)
        if (to != CT_SYSTEM_TRITON && written[to] < 100)
            fail_msg("%s: %d", ct_system_name(to, NULL), written[to]);
    if (wrong) fail_msg("%d texts; CUTLET_SEED=%llu", wrong, (unsigned long long)seed);
}

GROUP("there and back", NULL, NULL)

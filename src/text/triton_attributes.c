/* The attributes of Triton's encodings: {name = value, ..} of the IR, and the arguments of Gluon's calls. */
#include <stddef.h>
#include <string.h>

#include "triton_text.h"

enum {
    ROWS,
    POWERS,
    ORDER,
    TILE,
    POWER,
    BITS,
    SWIZZLE,
    RANK,
    COUNT,
    TRUTH,
    FP4,
    VERSION,
    PADS,
    PARENT
};
enum { IR = 1, PYTHON = 2 };

/* An attribute by its names, of those that take it; the order is that of Python's arguments. */
typedef struct attribute {
    const char *name, *python;
    int kind, form;
    int needed; /* IR, PYTHON */
    size_t at;  /* in ct_encoding; of ROWS the input */
} attribute;

#define AT(member) offsetof(ct_encoding, member)
#define BLOCKS(kind)                                                                               \
    {                                                                                              \
        "CGALayout", "cga_layout", kind, ROWS, 0, CT_IN_BLOCK                                      \
    }

// clang-format off
static const attribute attributes[] = {
    {"sizePerThread", "size_per_thread", CT_SYSTEM_TRITON_BLOCKED, POWERS, IR | PYTHON, AT(per_thread)},
    {"threadsPerWarp", "threads_per_warp", CT_SYSTEM_TRITON_BLOCKED, POWERS, IR | PYTHON, AT(threads)},
    {"warpsPerCTA", "warps_per_cta", CT_SYSTEM_TRITON_BLOCKED, POWERS, IR | PYTHON, AT(warps)},
    {"order", "order", CT_SYSTEM_TRITON_BLOCKED, ORDER, IR | PYTHON, AT(order)},
    BLOCKS(CT_SYSTEM_TRITON_BLOCKED),
    {"vec", "vec", CT_SYSTEM_TRITON_SWIZZLED, POWER, IR | PYTHON, AT(vec)},
    {"perPhase", "per_phase", CT_SYSTEM_TRITON_SWIZZLED, POWER, IR | PYTHON, AT(per_phase)},
    {"maxPhase", "max_phase", CT_SYSTEM_TRITON_SWIZZLED, POWER, IR | PYTHON, AT(max_phase)},
    {"order", "order", CT_SYSTEM_TRITON_SWIZZLED, ORDER, IR | PYTHON, AT(order)},
    BLOCKS(CT_SYSTEM_TRITON_SWIZZLED),
    {"swizzlingByteWidth", "swizzle_byte_width", CT_SYSTEM_TRITON_NVMMA, SWIZZLE, IR | PYTHON, AT(swizzle_bytes)},
    {"elementBitWidth", "element_bitwidth", CT_SYSTEM_TRITON_NVMMA, BITS, IR | PYTHON, AT(element_bits)},
    {"rank", "rank", CT_SYSTEM_TRITON_NVMMA, RANK, 0, AT(rank)},
    {"transposed", "transposed", CT_SYSTEM_TRITON_NVMMA, TRUTH, IR, AT(transposed)},
    {"fp4Padded", "fp4_padded", CT_SYSTEM_TRITON_NVMMA, FP4, 0, 0},
    BLOCKS(CT_SYSTEM_TRITON_NVMMA),
    {"register", "reg_bases", CT_SYSTEM_TRITON_LINEAR, ROWS, IR | PYTHON, CT_IN_REGISTER},
    {"lane", "lane_bases", CT_SYSTEM_TRITON_LINEAR, ROWS, IR | PYTHON, CT_IN_LANE},
    {"warp", "warp_bases", CT_SYSTEM_TRITON_LINEAR, ROWS, IR | PYTHON, CT_IN_WARP},
    {"block", "block_bases", CT_SYSTEM_TRITON_LINEAR, ROWS, IR | PYTHON, CT_IN_BLOCK},
    {NULL, "shape", CT_SYSTEM_TRITON_LINEAR, POWERS, PYTHON, AT(per_thread)},
    {"offset", "offset_bases", CT_SYSTEM_TRITON_SHARED, ROWS, IR | PYTHON, CT_IN_OFFSET},
    {"block", "block_bases", CT_SYSTEM_TRITON_SHARED, ROWS, 0, CT_IN_BLOCK},
    {NULL, "alignment", CT_SYSTEM_TRITON_SHARED, COUNT, 0, AT(vec)},
    {NULL, "interval_padding_pairs", CT_TRITON_PADDED, PADS, PYTHON, 0},
    {"order", NULL, CT_TRITON_PADDED, ORDER, 0, AT(order)},
    {"offset", "offset_bases", CT_TRITON_PADDED, ROWS, PYTHON, CT_IN_OFFSET},
    {"block", "cga_layout", CT_TRITON_PADDED, ROWS, 0, CT_IN_BLOCK},
    {"shape", "shape", CT_TRITON_PADDED, POWERS, PYTHON, AT(per_thread)},
    {"versionMajor", "version", CT_TRITON_MMA, VERSION, IR | PYTHON, AT(version)},
    {"versionMinor", NULL, CT_TRITON_MMA, COUNT, 0, AT(vec)},
    {"warpsPerCTA", "warps_per_cta", CT_TRITON_MMA, POWERS, IR | PYTHON, AT(warps)},
    {"instrShape", "instr_shape", CT_TRITON_MMA, TILE, IR | PYTHON, AT(instruction)},
    BLOCKS(CT_TRITON_MMA),
    {"version", "version", CT_TRITON_MFMA, COUNT, IR | PYTHON, AT(version)},
    {"instrShape", "instr_shape", CT_TRITON_MFMA, TILE, IR | PYTHON, AT(instruction)},
    {"isTransposed", "transposed", CT_TRITON_MFMA, TRUTH, IR | PYTHON, AT(transposed)},
    {"warpsPerCTA", "warps_per_cta", CT_TRITON_MFMA, POWERS, IR | PYTHON, AT(warps)},
    {"elementBitWidth", "element_bitwidth", CT_TRITON_MFMA, BITS, 0, AT(element_bits)},
    {"tilesPerWarp", "tiles_per_warp", CT_TRITON_MFMA, POWERS, 0, AT(tiles)},
    BLOCKS(CT_TRITON_MFMA),
    {"opIdx", "operand_index", CT_TRITON_DOT, COUNT, IR | PYTHON, AT(operand)},
    {"parent", "parent", CT_TRITON_DOT, PARENT, IR | PYTHON, 0},
    {"kWidth", "k_width", CT_TRITON_DOT, POWER, 0, AT(k_width)},
    {"dim", "dim", CT_TRITON_SLICE, COUNT, IR | PYTHON, 0},
    {"parent", "parent", CT_TRITON_SLICE, PARENT, IR | PYTHON, 0},
    {0},
};
// clang-format on

/* All of a rank: the first list or row says it. */
static ct_status same_rank(ct_triton_text *t, size_t at, int count)
{
    if (t->e.rank == 0 && count > 0) t->e.rank = count;
    if (count == t->e.rank && count > 0) return CT_OK;
    return ct_reader_fail(&t->r, at, t->r.at - at, "%d integers, where the tensor has the rank %d",
                          count, t->e.rank);
}

/* [[0, 1], [0, 2]]: the bases of an input. */
static ct_status read_rows(ct_triton_text *t, int input)
{
    ct_reader *const r = &t->r;
    int n = 0;
    if (!ct_reader_take(r, '[')) return ct_reader_expected(r, "`[`");
    while (!ct_reader_take(r, ']')) {
        if (n > 0 && !ct_reader_take(r, ',')) return ct_reader_expected(r, "`,` or `]`");
        ct_reader_peek(r);
        const size_t at = r->at;
        if (n == CT_LINEAR_BITS)
            return ct_reader_fail(r, at, 1, "more than %d bases of an input", CT_LINEAR_BITS);
        int count;
        int64_t *const row = t->basis[input][n].at;
        if (ct_read_integers(r, "[", CT_CONVERT_RANK, row, &count) || same_rank(t, at, count))
            return r->failed;
        for (int d = 0; d < count; ++d) {
            if (row[d] < 0 || row[d] >> CT_LINEAR_BITS != 0)
                return ct_reader_fail(r, at, r->at - at, "%lld is not a coordinate of a basis",
                                      (long long)row[d]);
        }
        ++n;
    }
    t->bits[input] = n;
    return CT_OK;
}

/* A list of powers of two, or a permutation. */
static ct_status read_list(ct_triton_text *t, int64_t *list, int is_order)
{
    ct_reader *const r = &t->r;
    ct_reader_peek(r);
    const size_t at = r->at;
    int count;
    unsigned named = 0;
    if (ct_read_integers(r, "[", CT_CONVERT_RANK, list, &count) || same_rank(t, at, count))
        return r->failed;
    for (int i = 0; i < count; ++i) {
        if (is_order && list[i] >= 0 && list[i] < count) named |= 1u << list[i];
        if (!is_order && ct_log2(list[i]) < 0)
            return ct_reader_fail(r, at, r->at - at, "%lld is not a power of two",
                                  (long long)list[i]);
    }
    if (is_order && named != (1u << count) - 1)
        return ct_reader_fail(r, at, r->at - at, "an order names each of %d dimensions once",
                              count);
    return CT_OK;
}

/* The shape of an instruction: [16, 8], of wgmma [16, 64, 16]. */
static ct_status read_tile(ct_triton_text *t, int64_t *list)
{
    ct_reader *const r = &t->r;
    int count;
    ct_reader_peek(r);
    const size_t at = r->at;
    if (ct_read_integers(r, "[", CT_INSTRUCTION_RANK, list, &count)) return r->failed;
    if (count >= 2) return CT_OK;
    return ct_reader_fail(r, at, r->at - at, "an instruction has 2 or 3 extents, not %d", count);
}

/* versionMajor = 2 of the IR; version=[2, 0] of Python, of which the second is not used. */
static ct_status read_version(ct_triton_text *t, int64_t *out, int python)
{
    int64_t both[2];
    int count;
    if (!python) return ct_read_integer(&t->r, out);
    if (ct_read_integers(&t->r, "[", 2, both, &count)) return t->r.failed;
    if (count == 0) return ct_reader_expected(&t->r, "a version, as [2, 0]");
    *out = both[0];
    return CT_OK;
}

static ct_status read_pad(ct_triton_text *t, int python)
{
    ct_reader *const r = &t->r;
    const int n = t->pads;
    int64_t pair[2];
    int count = 2;
    ct_reader_peek(r);
    const size_t at = r->at;
    if (n == CT_TRITON_PADS) return ct_reader_fail(r, at, 1, "more than %d gaps", CT_TRITON_PADS);
    if (python) {
        if (ct_read_integers(r, "[(", 2, pair, &count)) return r->failed;
    } else {
        if (ct_read_integer(r, &pair[0])) return r->failed;
        if (!ct_reader_take(r, ':') || !ct_reader_take(r, '+'))
            return ct_reader_expected(r, "`:+`, as in [64:+8]");
        if (ct_read_integer(r, &pair[1])) return r->failed;
    }
    if (count != 2 || ct_log2(pair[0]) < 0 || pair[1] < 1 || pair[1] > INT32_MAX)
        return ct_reader_fail(r, at, r->at - at, "an interval is a power of two, a gap at least 1");
    t->interval[n] = pair[0];
    t->pad[n] = pair[1];
    ++t->pads;
    return CT_OK;
}

ct_status ct_read_triton_pads(ct_triton_text *t, int is_python)
{
    ct_reader *const r = &t->r;
    if (!ct_reader_take(r, '['))
        return ct_reader_expected(r, is_python ? "`[`, as in [[64, 8]]" : "`[`, as in [64:+8]");
    while (!ct_reader_take(r, ']')) {
        if (t->pads > 0 && !ct_reader_take(r, ',')) return ct_reader_expected(r, "`,` or `]`");
        if (read_pad(t, is_python)) return r->failed;
    }
    return CT_OK;
}

static ct_status read_number(ct_triton_text *t, const attribute *a, int64_t *out)
{
    static const char *const wanted[] = {[POWER] = "a power of two",
                                         [BITS] = "8, 16, 32 or 64",
                                         [SWIZZLE] = "0, 32, 64 or 128",
                                         [COUNT] = "at least 0"};
    ct_reader *const r = &t->r;
    int64_t n;
    ct_reader_peek(r);
    const size_t at = r->at;
    if (ct_read_integer(r, &n)) return r->failed;
    const int power = ct_log2(n) >= 0;
    if (a->form == RANK) {
        t->e.rank = n >= 1 && n <= CT_CONVERT_RANK ? (int)n : 0;
        if (t->e.rank) return CT_OK;
        return ct_reader_fail(r, at, r->at - at, "a rank from 1 to %d", CT_CONVERT_RANK);
    }
    if (a->form == SWIZZLE ? n != 0 && n != 32 && n != 64 && n != 128
        : a->form == BITS  ? !power || n < 8 || n > 64
        : a->form == COUNT ? n < 0
                           : !power && (n != 0 || a->kind != CT_TRITON_DOT))
        return ct_reader_fail(r, at, r->at - at, "%s is %s, not %lld", a->name, wanted[a->form],
                              (long long)n);
    *out = n;
    return CT_OK;
}

/* true, false; of Python True, False. */
static ct_status read_truth(ct_triton_text *t, const attribute *a, int *out)
{
    ct_reader *const r = &t->r;
    char word[CT_WORD_BYTES];
    const size_t at = ct_read_word(r, word);
    const int yes = strcmp(word, "true") == 0 || strcmp(word, "True") == 0;
    if (!yes && strcmp(word, "false") != 0 && strcmp(word, "False") != 0)
        return ct_reader_fail(r, at, r->at - at, "%s is true or false", a->name);
    if (a->form == TRUTH) *out = yes;
    else if (yes)
        return ct_reader_fail(r, at, r->at - at,
                              "fp4Padded is not read: several offsets have one element");
    return CT_OK;
}

/* A list of attributes that is read. */
typedef struct list {
    int kind, python;
    int64_t *slice; /* the dimension of the slice that has them */
    uint64_t seen;
} list;

static ct_status read_value(ct_triton_text *t, const attribute *a, const list *l)
{
    const int python = l->python;
    void *const to = (char *)&t->e + a->at;
    if (python && ct_take_text(&t->r, "None")) return CT_OK;
    switch (a->form) {
        case ROWS: return read_rows(t, (int)a->at);
        case POWERS:
        case ORDER: return read_list(t, to, a->form == ORDER);
        case TILE: return read_tile(t, to);
        case VERSION: return read_version(t, to, python);
        case PADS: return ct_read_triton_pads(t, 1);
        case PARENT: return t->read_parent(t);
        case TRUTH:
        case FP4: return read_truth(t, a, to);
        default: break;
    }
    return read_number(t, a, a->kind == CT_TRITON_SLICE ? l->slice : to);
}

static const char *name_of(const attribute *a, int python) { return python ? a->python : a->name; }

/* The attribute of a name, of Python the one at a place without a name; or -1. */
static int find(int kind, int python, const char *name, int place)
{
    for (int i = 0; attributes[i].kind; ++i) {
        const char *const own = name_of(&attributes[i], python);
        if (attributes[i].kind != kind || !own) continue;
        if (name ? strcmp(own, name) == 0 : place-- == 0) return i;
    }
    return -1;
}

/* The name before `=`; empty where a value without a name begins. */
static size_t read_name(ct_reader *r, int python, char word[CT_WORD_BYTES])
{
    ct_reader ahead = *r;
    const size_t at = ct_read_word(&ahead, word);
    if (python && ct_reader_peek(&ahead) != '=') word[0] = '\0';
    else r->at = ahead.at;
    return at;
}

/* The n-th attribute of a text, behind its comma. */
static ct_status read_one(ct_triton_text *t, list *l, int n)
{
    ct_reader *const r = &t->r;
    char word[CT_WORD_BYTES];
    const size_t at = read_name(r, l->python, word);
    const int named = !l->python || word[0];
    const int i = find(l->kind, l->python, named ? word : NULL, n);
    if (i < 0 && !named)
        return ct_reader_fail(r, at, 1, "more arguments than this layout of Gluon has");
    if (i < 0)
        return ct_reader_fail(r, at, strlen(word), "this encoding has no attribute `%s`%s", word,
                              strncmp(word, "CTA", 3) == 0 ? "; blocks are written CGALayout" : "");
    if (l->seen >> i & 1)
        return ct_reader_fail(r, at, named ? strlen(word) : 1, "`%s` is given twice",
                              name_of(&attributes[i], l->python));
    if (named && !ct_reader_take(r, '=')) return ct_reader_expected(r, "`=`");
    l->seen |= (uint64_t)1 << i;
    return read_value(t, &attributes[i], l);
}

ct_status ct_read_triton_attributes(ct_triton_text *t, int kind, int python)
{
    ct_reader *const r = &t->r;
    list l = {kind, python, &t->slice[t->slices > 0 ? t->slices - 1 : 0], 0};
    const char close = python ? ')' : '}';
    if (!ct_reader_take(r, python ? '(' : '{'))
        return ct_reader_expected(r, python ? "`(`" : "`{`");
    for (int n = 0; !ct_reader_take(r, close); ++n) {
        if (n > 0 && !ct_reader_take(r, ','))
            return ct_reader_expected(r, python ? "`,` or `)`" : "`,` or `}`");
        if (n > 0 && python && ct_reader_take(r, close)) break;
        if (read_one(t, &l, n)) return r->failed;
    }
    for (int i = 0; attributes[i].kind; ++i) {
        const attribute *const a = &attributes[i];
        if (a->kind == kind && a->needed & (python ? PYTHON : IR) && !(l.seen >> i & 1))
            return ct_reader_fail(r, r->at - 1, 1, "the attribute `%s` is missing",
                                  name_of(a, python));
    }
    return CT_OK;
}

/* Triton's encodings: #ttg.blocked<{..}>, and types that carry one, tensor<64x64xf16, #ttg..>. */
#include <stdlib.h>
#include <string.h>

#include "triton.h"
#include "text/words.h"

enum { PADDED = CT_SYSTEM_COUNT, PADS = 8 }; /* an encoding that is read, not written */

/* What a text says. */
typedef struct reading {
    ct_reader r;
    size_t at, length; /* the encoding's name */
    int rank;          /* of the type around the encoding; 0: there is none */
    int64_t shape[CT_CONVERT_RANK];
    int element_bits;
    ct_encoding e;
    unsigned seen; /* attributes, a bit each */
    int pads;      /* of padded_shared: a gap of pad[i] elements behind each interval[i] */
    int64_t interval[PADS], pad[PADS];
    int bits[CT_IN_COUNT];
    ct_basis_row basis[CT_IN_COUNT][CT_LINEAR_BITS];
} reading;

/* The attributes of encodings: which encoding takes them, as a bit, and whether it needs them. */
enum { ROWS, LIST, NUMBER, TRUTH };
typedef struct attribute {
    const char *name;
    int kind, form, needed, input;
} attribute;

static const attribute attributes[] = {
    {"sizePerThread", CT_SYSTEM_TRITON_BLOCKED, LIST, 1, 0},
    {"threadsPerWarp", CT_SYSTEM_TRITON_BLOCKED, LIST, 1, 0},
    {"warpsPerCTA", CT_SYSTEM_TRITON_BLOCKED, LIST, 1, 0},
    {"order", CT_SYSTEM_TRITON_BLOCKED, LIST, 1, 0},
    {"CGALayout", CT_SYSTEM_TRITON_BLOCKED, ROWS, 0, CT_IN_BLOCK},
    {"vec", CT_SYSTEM_TRITON_SWIZZLED, NUMBER, 1, 0},
    {"perPhase", CT_SYSTEM_TRITON_SWIZZLED, NUMBER, 1, 0},
    {"maxPhase", CT_SYSTEM_TRITON_SWIZZLED, NUMBER, 1, 0},
    {"order", CT_SYSTEM_TRITON_SWIZZLED, LIST, 1, 0},
    {"CGALayout", CT_SYSTEM_TRITON_SWIZZLED, ROWS, 0, CT_IN_BLOCK},
    {"swizzlingByteWidth", CT_SYSTEM_TRITON_NVMMA, NUMBER, 1, 0},
    {"transposed", CT_SYSTEM_TRITON_NVMMA, TRUTH, 1, 0},
    {"elementBitWidth", CT_SYSTEM_TRITON_NVMMA, NUMBER, 1, 0},
    {"fp4Padded", CT_SYSTEM_TRITON_NVMMA, TRUTH, 0, 0},
    {"CGALayout", CT_SYSTEM_TRITON_NVMMA, ROWS, 0, CT_IN_BLOCK},
    {"rank", CT_SYSTEM_TRITON_NVMMA, NUMBER, 0, 0},
    {"register", CT_SYSTEM_TRITON_LINEAR, ROWS, 1, CT_IN_REGISTER},
    {"lane", CT_SYSTEM_TRITON_LINEAR, ROWS, 1, CT_IN_LANE},
    {"warp", CT_SYSTEM_TRITON_LINEAR, ROWS, 1, CT_IN_WARP},
    {"block", CT_SYSTEM_TRITON_LINEAR, ROWS, 1, CT_IN_BLOCK},
    {"order", PADDED, LIST, 1, 0},
    {"shape", PADDED, LIST, 1, 0},
    {"offset", CT_SYSTEM_TRITON_SHARED, ROWS, 1, CT_IN_OFFSET},
    {"block", CT_SYSTEM_TRITON_SHARED, ROWS, 0, CT_IN_BLOCK},
    {0},
};

static const struct {
    const char *name;
    int kind;
} encodings[] = {
    {"blocked", CT_SYSTEM_TRITON_BLOCKED},
    {"linear", CT_SYSTEM_TRITON_LINEAR},
    {"generic_linear", CT_SYSTEM_TRITON_LINEAR},
    {"swizzled_shared", CT_SYSTEM_TRITON_SWIZZLED},
    {"nvmma_shared", CT_SYSTEM_TRITON_NVMMA},
    {"shared_linear", CT_SYSTEM_TRITON_SHARED},
    {"padded_shared", PADDED},
};

/* All of a rank: the first list or row says it. */
static ct_status same_rank(reading *t, size_t at, int count)
{
    if (t->e.rank == 0 && count > 0) t->e.rank = count;
    if (count == t->e.rank && count > 0) return CT_OK;
    return ct_reader_fail(&t->r, at, t->r.at - at, "%d integers, where the tensor has the rank %d",
                          count, t->e.rank);
}

/* [[0, 1], [0, 2]]: the bases of an input. */
static ct_status read_rows(reading *t, int input)
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
static ct_status read_list(reading *t, int64_t *list, int is_order)
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

static int64_t *number_of(reading *t, const char *name)
{
    switch (name[0]) {
        case 'v': return &t->e.vec;
        case 'p': return &t->e.per_phase;
        case 'm': return &t->e.max_phase;
        case 'e': return &t->e.element_bits;
        default: return &t->e.swizzle_bytes;
    }
}

static ct_status read_number(reading *t, const char *name)
{
    ct_reader *const r = &t->r;
    int64_t n;
    ct_reader_peek(r);
    const size_t at = r->at;
    if (ct_read_integer(r, &n)) return r->failed;
    if (strcmp(name, "rank") == 0) {
        t->e.rank = n >= 1 && n <= CT_CONVERT_RANK ? (int)n : 0;
        if (t->e.rank) return CT_OK;
        return ct_reader_fail(r, at, r->at - at, "a rank from 1 to %d", CT_CONVERT_RANK);
    }
    const int swizzle = name[0] == 's';
    if (swizzle ? n != 0 && n != 32 && n != 64 && n != 128
                : ct_log2(n) < 0 || (name[0] == 'e' && (n < 8 || n > 64)))
        return ct_reader_fail(r, at, r->at - at, "%s is %s, not %lld", name,
                              swizzle          ? "0, 32, 64 or 128"
                              : name[0] == 'e' ? "8, 16, 32 or 64"
                                               : "a power of two",
                              (long long)n);
    *number_of(t, name) = n;
    return CT_OK;
}

static ct_status read_value(reading *t, const attribute *a)
{
    ct_reader *const r = &t->r;
    ct_encoding *const e = &t->e;
    char word[CT_WORD_BYTES];
    if (a->form == ROWS) return read_rows(t, a->input);
    if (a->form == NUMBER) return read_number(t, a->name);
    if (a->form == LIST)
        return read_list(t,
                         a->name[0] == 's'   ? e->per_thread
                         : a->name[0] == 't' ? e->threads
                         : a->name[0] == 'w' ? e->warps
                                             : e->order,
                         a->name[0] == 'o');
    const size_t at = ct_read_word(r, word);
    const int yes = strcmp(word, "true") == 0;
    if (!yes && strcmp(word, "false") != 0)
        return ct_reader_fail(r, at, r->at - at, "%s is true or false", a->name);
    if (a->name[0] == 't') e->transposed = yes;
    else if (yes)
        return ct_reader_fail(r, at, r->at - at,
                              "fp4Padded is not read: several offsets have one element");
    return CT_OK;
}

/* {name = value, ..} */
static ct_status read_attributes(reading *t)
{
    ct_reader *const r = &t->r;
    char word[CT_WORD_BYTES];
    if (!ct_reader_take(r, '{')) return ct_reader_expected(r, "`{`");
    while (!ct_reader_take(r, '}')) {
        if (t->seen && !ct_reader_take(r, ',')) return ct_reader_expected(r, "`,` or `}`");
        const size_t at = ct_read_word(r, word);
        int i = 0;
        while (attributes[i].name &&
               (attributes[i].kind != t->e.kind || strcmp(attributes[i].name, word) != 0))
            ++i;
        if (!attributes[i].name)
            return ct_reader_fail(
                r, at, strlen(word), "this encoding has no attribute `%s`%s", word,
                strncmp(word, "CTA", 3) == 0 ? "; blocks are written CGALayout" : "");
        if (t->seen >> i & 1)
            return ct_reader_fail(r, at, strlen(word), "`%s` is given twice", word);
        if (!ct_reader_take(r, '=')) return ct_reader_expected(r, "`=`");
        if (read_value(t, &attributes[i])) return r->failed;
        t->seen |= 1u << i;
    }
    for (int i = 0; attributes[i].name; ++i) {
        if (attributes[i].kind == t->e.kind && attributes[i].needed && !(t->seen >> i & 1))
            return ct_reader_fail(r, r->at - 1, 1, "the attribute `%s` is missing",
                                  attributes[i].name);
    }
    return CT_OK;
}

/* [64:+8, 512:+16]: the intervals and the gaps behind them, in elements. */
static ct_status read_pads(reading *t)
{
    ct_reader *const r = &t->r;
    if (!ct_reader_take(r, '[')) return ct_reader_expected(r, "`[`, as in [64:+8]");
    while (!ct_reader_take(r, ']')) {
        const int n = t->pads;
        if (n > 0 && !ct_reader_take(r, ',')) return ct_reader_expected(r, "`,` or `]`");
        ct_reader_peek(r);
        const size_t at = r->at;
        if (n == PADS) return ct_reader_fail(r, at, 1, "more than %d gaps", PADS);
        if (ct_read_integer(r, &t->interval[n])) return r->failed;
        if (!ct_reader_take(r, ':') || !ct_reader_take(r, '+'))
            return ct_reader_expected(r, "`:+`, as in [64:+8]");
        if (ct_read_integer(r, &t->pad[n])) return r->failed;
        if (ct_log2(t->interval[n]) < 0 || t->pad[n] < 1 || t->pad[n] > INT32_MAX)
            return ct_reader_fail(r, at, r->at - at,
                                  "an interval is a power of two, a gap at least 1");
        ++t->pads;
    }
    return CT_OK;
}

/* #ttg.NAME<{..}>, its name behind an alias too: #blocked = #ttg.blocked<{..}> */
static ct_status read_encoding(reading *t)
{
    ct_reader *const r = &t->r;
    char word[CT_WORD_BYTES];
    for (int again = 1; again; again = ct_reader_take(r, '=')) {
        if (!ct_reader_take(r, '#'))
            return ct_reader_expected(r, "an encoding, as #ttg.blocked<{..}>");
        t->at = ct_read_word(r, word);
        t->length = strlen(word);
    }
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; ++i)
        if (strcmp(word, encodings[i].name) == 0) t->e.kind = encodings[i].kind;
    if (t->e.kind == 0)
        return ct_reader_fail(r, t->at, t->length,
                              "the encoding `%s` is not read; in Gluon, "
                              "to_linear_layout gives a distributed one as linear",
                              word);
    if (!ct_reader_take(r, '<')) return ct_reader_expected(r, "`<{`");
    if (t->e.kind == PADDED && read_pads(t)) return r->failed;
    if (read_attributes(t)) return r->failed;
    if (ct_reader_take(r, ',')) { /* of a shared_linear one */
        int64_t alignment;
        if (!ct_take_text(r, "alignment") || !ct_reader_take(r, '='))
            return ct_reader_expected(r, "`alignment = `");
        if (ct_read_integer(r, &alignment)) return r->failed;
    }
    return ct_take_closing(r, '>');
}

/* 64x64xf16, up to the comma: the bits of a pointer's element are not read. */
static ct_status read_type(reading *t)
{
    ct_reader *const r = &t->r;
    const int is_digit = 1;
    while (is_digit) {
        ct_reader_peek(r);
        const size_t at = r->at;
        if (at >= r->length || r->text[at] < '0' || r->text[at] > '9') break;
        if (t->rank == CT_CONVERT_RANK)
            return ct_reader_fail(r, at, 1, "more than %d dimensions", CT_CONVERT_RANK);
        if (ct_read_integer(r, &t->shape[t->rank++])) return r->failed;
        if (r->at >= r->length || r->text[r->at] != 'x') return ct_reader_expected(r, "`x`");
        ++r->at;
    }
    size_t end = r->at;
    while (end < r->length && r->text[end] != ',') ++end;
    if (r->text[r->at] != '!') {
        size_t digits = r->at;
        while (digits < end && (r->text[digits] < '0' || r->text[digits] > '9')) ++digits;
        const long bits = digits < end ? strtol(r->text + digits, NULL, 10) : 0;
        t->element_bits = bits > 0 && bits <= 128 ? (int)bits : 0;
    }
    r->at = end;
    return ct_reader_take(r, ',') ? CT_OK : ct_reader_expected(r, "`,` and an encoding");
}

/* The whole text; behind the encoding of a memory description stands what it says of memory. */
static ct_status read_text(reading *t)
{
    ct_reader *const r = &t->r;
    char word[CT_WORD_BYTES];
    if (ct_reader_peek(r) == '#') {
        if (read_encoding(t)) return r->failed;
        return ct_read_end(r);
    }
    ct_reader_take(r, '!');
    const size_t at = ct_read_word(r, word);
    const int memory = strcmp(word, "memdesc") == 0;
    if (!memory && strcmp(word, "tensor") != 0)
        return ct_reader_fail(r, at, strlen(word),
                              "expected an encoding, tensor<..> or "
                              "!ttg.memdesc<..>");
    if (!ct_reader_take(r, '<')) return ct_reader_expected(r, "`<`");
    if (read_type(t) || read_encoding(t)) return r->failed;
    while (memory && r->at < r->length && r->text[r->at] != '>') ++r->at;
    if (ct_take_closing(r, '>')) return r->failed;
    return ct_read_end(r);
}

/* ---- what the text describes ---------------------------------------------------------------- */

static ct_status fail_at_name(reading *t, const char *message)
{
    return ct_reader_fail(&t->r, t->at, t->length, "%s", message);
}

/* The bases of a linear encoding. They make a tensor of all that they reach. */
static ct_status bases_of_rows(reading *t, ct_bases *f)
{
    int total = 0, reach;
    f->rank = t->e.rank;
    if (f->rank == 0) return fail_at_name(t, "an encoding without a basis has no rank");
    for (int d = 0; d < f->rank; ++d) {
        int64_t most = 0;
        for (int in = 0; in < CT_IN_COUNT; ++in)
            for (int k = 0; k < t->bits[in]; ++k) most |= t->basis[in][k].at[d];
        while (most >> f->log[d]) ++f->log[d];
    }
    reach = ct_bases_reach(f);
    for (int in = 0; in < CT_IN_COUNT; ++in) total += t->bits[in];
    if (reach > CT_LINEAR_BITS || total > CT_LINEAR_BITS)
        return fail_at_name(t, "the bases have, or reach, more than 62 bits");
    for (int in = 0; in < CT_IN_COUNT; ++in) {
        f->bits[in] = t->bits[in];
        for (int k = 0; k < t->bits[in]; ++k)
            for (int d = 0; d < f->rank; ++d)
                f->image[in][k] |= t->basis[in][k].at[d] << ct_bases_first(f, d);
    }
    if (ct_bases_rank(f, 0, CT_IN_COUNT - 1) < reach)
        return fail_at_name(t, "the bases do not reach each element of their tensor, as Triton "
                               "asks");
    ct_diag why;
    if (t->e.kind == CT_SYSTEM_TRITON_LINEAR && ct_linear_check(f, &why))
        return fail_at_name(t, why.message);
    return CT_OK;
}

/* The shape of the tensor: of the type around the encoding, or of the options. */
static ct_status shape_of(reading *t, const ct_convert_options *o, int *log, ct_diag *diag)
{
    const int rank = t->rank ? t->rank : o->rank;
    const int64_t *const shape = t->rank ? t->shape : o->shape;
    int reach = 0;
    if (rank == 0)
        return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                  "the shape of the tensor is missing: give "
                                  "--shape 64x64, or the type tensor<64x64xf16, #ttg..>");
    if (t->rank && o->rank &&
        (t->rank != o->rank || memcmp(t->shape, o->shape, sizeof(int64_t) * (size_t)rank) != 0))
        return ct_conversion_fail(diag, CT_E_ARGUMENT, "--shape is not the shape in the text");
    if (t->e.rank == 0) t->e.rank = rank;
    if (t->e.rank != rank)
        return ct_conversion_fail(diag, CT_E_ARGUMENT, "the encoding has the rank %d, the shape %d",
                                  t->e.rank, rank);
    for (int d = 0; d < rank; ++d) {
        log[d] = ct_log2(shape[d]);
        if (log[d] < 0)
            return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                      "dimension %d of the shape is %lld: those "
                                      "of Triton are powers of two",
                                      d, (long long)shape[d]);
        reach += log[d];
    }
    if (reach > CT_LINEAR_BITS / 2)
        return ct_conversion_fail(diag, CT_E_ARGUMENT, "the tensor has more than 2^%d elements",
                                  CT_LINEAR_BITS / 2);
    return CT_OK;
}

static ct_status check_nvmma(reading *t, ct_diag *diag)
{
    ct_encoding *const e = &t->e;
    for (int d = 0; d < e->rank; ++d) e->order[d] = e->rank - 1 - d;
    if (e->rank > 5)
        return ct_conversion_fail(diag, CT_E_ARGUMENT, "nvmma_shared has a rank up to 5, not %d",
                                  e->rank);
    if (e->rank == 1 && (e->swizzle_bytes > 0 || e->transposed))
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "a tensor of rank 1 has neither a swizzle nor "
                                  "a transposed form");
    if (e->rank > 2 && e->transposed)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "a transposed nvmma_shared encoding is read of "
                                  "rank 2, not %d",
                                  e->rank);
    return CT_OK;
}

static ct_status bases_of_attributes(reading *t, const ct_convert_options *o, ct_bases *f,
                                     ct_diag *diag)
{
    int log[CT_CONVERT_RANK], total = 0;
    ct_encoding *const e = &t->e;
    ct_status bad = shape_of(t, o, log, diag);
    if (!bad && e->kind == CT_SYSTEM_TRITON_NVMMA) bad = check_nvmma(t, diag);
    if (bad) return bad;
    e->blocks = t->bits[CT_IN_BLOCK];
    memcpy(e->cga, t->basis[CT_IN_BLOCK], sizeof e->cga);
    bad = ct_encoding_bases(e, log, f, diag);
    for (int in = 0; in < CT_IN_COUNT; ++in) total += f->bits[in];
    if (!bad && total > CT_LINEAR_BITS)
        return ct_conversion_fail(diag, CT_E_OVERFLOW,
                                  "the encoding has %d bits, and at most %d are "
                                  "converted",
                                  total, CT_LINEAR_BITS);
    if (!bad && ct_bases_rank(f, 0, CT_IN_COUNT - 1) < ct_bases_reach(f))
        return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                  "the bases of CGALayout do not reach each "
                                  "element of the tensor, as Triton asks");
    return bad;
}

/* A linear encoding has its shape in itself. */
static ct_status check_shape(reading *t, const ct_convert_options *o, const ct_bases *f,
                             ct_diag *diag)
{
    int log[CT_CONVERT_RANK];
    if (t->rank == 0 && o->rank == 0) return CT_OK;
    const ct_status bad = shape_of(t, o, log, diag);
    if (bad) return bad;
    for (int d = 0; d < f->rank; ++d) {
        if (log[d] != f->log[d])
            return ct_conversion_fail(diag, CT_E_ARGUMENT,
                                      "dimension %d has %lld elements by the bases, "
                                      "and %lld by the shape",
                                      d, 1LL << f->log[d], 1LL << log[d]);
    }
    return CT_OK;
}

/* Where the element lies that a padded encoding has at index `at` without gaps, a power of two. */
static int64_t padded(const reading *t, int64_t at)
{
    int64_t offset = at;
    for (int i = 0; i < t->pads; ++i) offset += at / t->interval[i] * t->pad[i];
    return offset;
}

/* The mode of a dimension of 2^bits elements, `step` apart without gaps: a leaf for each run of bits
 * that a gap does not cut. */
static ct_layout padded_mode(const reading *t, int64_t step, int bits)
{
    ct_layout mode = ct_layout1(1, 0);
    for (int b = 0, first = 0; b < bits; first = b) {
        const int64_t stride = padded(t, step << first);
        while (b < bits && padded(t, step << b) == stride << (b - first)) ++b;
        const ct_layout leaf = ct_layout1((int64_t)1 << (b - first), stride);
        mode = first == 0 ? leaf : ct_layout_append(mode, leaf);
    }
    return mode;
}

/* The layout of a padded encoding, whose shape is an attribute. */
static ct_status tensor_of_pads(const reading *t, ct_tensor *out, ct_diag *diag)
{
    int64_t step[CT_CONVERT_RANK], next = 1;
    ct_layout all = ct_layout_fail((ct_error){.status = CT_E_ARGUMENT});
    for (int i = 0; i < t->e.rank; ++i) {
        const int d = (int)t->e.order[i];
        step[d] = next;
        next *= t->e.per_thread[d];
    }
    for (int d = 0; d < t->e.rank; ++d) {
        const ct_layout mode = padded_mode(t, step[d], ct_log2(t->e.per_thread[d]));
        all = d == 0 ? ct_layout_wrap(mode) : ct_layout_append(all, mode);
    }
    *out = ct_make_tensor(all);
    return all.err.status ? ct_conversion_error(diag, all.err) : CT_OK;
}

ct_status ct_read_triton(const char *text, const ct_convert_options *o, ct_exchange *out,
                         ct_diag *diag)
{
    reading t;
    memset(&t, 0, sizeof t);
    memset(out, 0, sizeof *out);
    t.r = ct_reader_of(text, diag);
    if (read_text(&t)) return t.r.failed;
    const int kind = t.e.kind;
    const int linear = kind == CT_SYSTEM_TRITON_LINEAR || kind == CT_SYSTEM_TRITON_SHARED;
    out->has_bases = kind != PADDED;
    if (kind == PADDED) {
        out->maps = CT_MAPS_MEMORY;
        return tensor_of_pads(&t, &out->tensor, diag);
    }
    out->maps = kind == CT_SYSTEM_TRITON_BLOCKED || kind == CT_SYSTEM_TRITON_LINEAR
                    ? CT_MAPS_THREADS
                    : CT_MAPS_MEMORY;
    out->element_bits = kind == CT_SYSTEM_TRITON_NVMMA ? (int32_t)t.e.element_bits : t.element_bits;
    if (!linear) return bases_of_attributes(&t, o, &out->bases, diag);
    if (bases_of_rows(&t, &out->bases)) return t.r.failed;
    return check_shape(&t, o, &out->bases, diag);
}

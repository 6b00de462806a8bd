/* Triton's encodings: #ttg.blocked<{..}>, types that carry one, tensor<64x64xf16, #ttg..>, and Gluon's
 * gl.BlockedLayout(..). */
#include <stdlib.h>
#include <string.h>

#include "triton_text.h"

static const struct {
    const char *name, *python;
    int kind;
} encodings[] = {
    {"blocked", "BlockedLayout", CT_SYSTEM_TRITON_BLOCKED},
    {"linear", "DistributedLinearLayout", CT_SYSTEM_TRITON_LINEAR},
    {"generic_linear", "", CT_SYSTEM_TRITON_LINEAR},
    {"swizzled_shared", "SwizzledSharedLayout", CT_SYSTEM_TRITON_SWIZZLED},
    {"nvmma_shared", "NVMMASharedLayout", CT_SYSTEM_TRITON_NVMMA},
    {"shared_linear", "SharedLinearLayout", CT_SYSTEM_TRITON_SHARED},
    {"padded_shared", "PaddedSharedLayout", CT_TRITON_PADDED},
    {"nvidia_mma", "NVMMADistributedLayout", CT_TRITON_MMA},
    {"amd_mfma", "AMDMFMALayout", CT_TRITON_MFMA},
    {"slice", "SliceLayout", CT_TRITON_SLICE},
    {"dot_op", "DotOperandLayout", CT_TRITON_DOT},
};

enum { ENCODINGS = sizeof encodings / sizeof *encodings };

/* The encoding of a class of Gluon, or 0. */
static int class_of(const char *word)
{
    for (int i = 0; i < ENCODINGS; ++i)
        if (word[0] && strcmp(word, encodings[i].python) == 0) return encodings[i].kind;
    return 0;
}

static int is_digit(const ct_reader *r, size_t at)
{
    return at < r->length && r->text[at] >= '0' && r->text[at] <= '9';
}

/* NAME<{..}>: after the name of an encoding. */
static ct_status read_ir(ct_triton_text *t, int kind)
{
    ct_reader *const r = &t->r;
    if (!ct_reader_take(r, '<')) return ct_reader_expected(r, "`<{`");
    if (kind == CT_TRITON_PADDED && ct_read_triton_pads(t, 0)) return r->failed;
    if (ct_read_triton_attributes(t, kind, 0)) return r->failed;
    if (ct_reader_take(r, ',')) { /* of a shared_linear one */
        int64_t alignment;
        if (!ct_take_text(r, "alignment") || !ct_reader_take(r, '='))
            return ct_reader_expected(r, "`alignment = `");
        if (ct_read_integer(r, &alignment)) return r->failed;
    }
    return ct_take_closing(r, '>');
}

/* Notes that what follows is sliced, or the operand of an MMA: those stand around an encoding. */
static ct_status enter(ct_triton_text *t, int kind)
{
    ct_encoding *const e = &t->e;
    if (e->is_operand)
        return ct_reader_fail(&t->r, t->at, t->length,
                              "the parent of a dot_op is an MMA, or blocked");
    if (kind == CT_TRITON_SLICE && t->slices == CT_CONVERT_RANK - 1)
        return ct_reader_fail(&t->r, t->at, t->length, "more than %d slices", CT_CONVERT_RANK - 1);
    if (kind == CT_TRITON_SLICE) ++t->slices;
    else e->is_operand = 1;
    return CT_OK;
}

static ct_status no_encoding(ct_triton_text *t, const char *word, int python)
{
    const int alias = !python && ct_reader_peek(&t->r) != '<';
    if (alias)
        return ct_reader_fail(&t->r, t->at, t->length,
                              "`#%s` is an alias: write its encoding in its place", word);
    return ct_reader_fail(&t->r, t->at, t->length,
                          "the encoding `%s` is not read; in Gluon, "
                          "to_linear_layout gives a distributed one as linear",
                          word);
}

/* #ttg.NAME<{..}>, its name behind an alias too: #blocked = #ttg.blocked<{..}>; or a call of Gluon. */
static ct_status read_encoding(ct_triton_text *t)
{
    ct_reader *const r = &t->r;
    char word[CT_WORD_BYTES];
    int kind = 0;
    const int python = ct_reader_peek(r) != '#';
    if (python) ct_peek_word(r, word);
    if (python && !word[0]) return ct_reader_expected(r, "an encoding, as #ttg.blocked<{..}>");
    for (int again = 1; again; again = !python && ct_reader_take(r, '=')) {
        if (!python && !ct_reader_take(r, '#'))
            return ct_reader_expected(r, "an encoding, as #ttg.blocked<{..}>");
        t->at = ct_read_word(r, word);
        t->length = strlen(word);
    }
    for (int i = 0; i < ENCODINGS; ++i)
        if (!python && strcmp(word, encodings[i].name) == 0) kind = encodings[i].kind;
    if (python) kind = class_of(word);
    const int alias = !python && t->at > 0 && r->text[t->at - 1] == '#' && ct_reader_peek(r) != '<';
    if (kind == 0 || alias) return no_encoding(t, word, python);
    const int around = kind == CT_TRITON_SLICE || kind == CT_TRITON_DOT;
    if (!around && t->e.is_operand && kind != CT_TRITON_MMA && kind != CT_TRITON_MFMA &&
        kind != CT_SYSTEM_TRITON_BLOCKED)
        return ct_reader_fail(r, t->at, t->length,
                              "dot_op is read of nvidia_mma, amd_mfma and blocked, not of `%s`; "
                              "in Gluon, to_linear_layout gives it as linear",
                              word);
    if (!around) t->e.kind = kind;
    if (around && enter(t, kind)) return r->failed;
    if (!python) return read_ir(t, kind);
    if (ct_read_triton_attributes(t, kind, 1)) return r->failed;
    if (kind == CT_SYSTEM_TRITON_LINEAR) { /* it has its shape */
        t->rank = t->e.rank;
        memcpy(t->shape, t->e.per_thread, sizeof t->shape);
    }
    return CT_OK;
}

/* 64x64xf16, up to the comma: the bits of a pointer's element are not read. */
static ct_status read_type(ct_triton_text *t)
{
    ct_reader *const r = &t->r;
    while (is_digit(r, (ct_reader_peek(r), r->at))) {
        if (t->rank == CT_CONVERT_RANK)
            return ct_reader_fail(r, r->at, 1, "more than %d dimensions", CT_CONVERT_RANK);
        if (ct_read_integer(r, &t->shape[t->rank++])) return r->failed;
        if (r->at >= r->length || r->text[r->at] != 'x') return ct_reader_expected(r, "`x`");
        ++r->at;
    }
    size_t end = r->at;
    while (end < r->length && r->text[end] != ',') ++end;
    if (r->at < end && r->text[r->at] != '!') {
        size_t digits = r->at;
        while (digits < end && !is_digit(r, digits)) ++digits;
        const long bits = digits < end ? strtol(r->text + digits, NULL, 10) : 0;
        t->element_bits = bits > 0 && bits <= 128 ? (int)bits : 0;
    }
    r->at = end;
    return ct_reader_take(r, ',') ? CT_OK : ct_reader_expected(r, "`,` and an encoding");
}

/* `of 16x64` or `of (16,64)` behind the encoding: the shape of the tensor. */
static ct_status read_shape(ct_triton_text *t)
{
    ct_reader *const r = &t->r;
    char word[CT_WORD_BYTES];
    int64_t shape[CT_CONVERT_RANK];
    int rank = 0;
    ct_peek_word(r, word);
    if (strcmp(word, "of") != 0) return CT_OK;
    const size_t at = ct_read_word(r, word);
    if (ct_reader_peek(r) == '(') {
        if (ct_read_integers(r, "(", CT_CONVERT_RANK, shape, &rank)) return r->failed;
    } else do {
            if (rank == CT_CONVERT_RANK)
                return ct_reader_fail(r, r->at, 1, "more than %d dimensions", CT_CONVERT_RANK);
            if (ct_read_integer(r, &shape[rank++])) return r->failed;
        } while (r->at < r->length && r->text[r->at] == 'x' && ++r->at);
    if (t->rank && (t->rank != rank || memcmp(t->shape, shape, sizeof *shape * (size_t)rank) != 0))
        return ct_reader_fail(r, at, r->at - at, "the shape behind `of` is not that in the text");
    t->rank = rank;
    memcpy(t->shape, shape, sizeof *shape * (size_t)rank);
    return CT_OK;
}

/* Behind the encoding of a memory description stands what it says of memory. */
ct_status ct_read_triton_text(ct_triton_text *t)
{
    ct_reader *const r = &t->r;
    char word[CT_WORD_BYTES];
    t->read_parent = read_encoding;
    ct_peek_word(r, word);
    if (ct_reader_peek(r) == '#' || class_of(word)) {
        if (read_encoding(t)) return r->failed;
        return read_shape(t);
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
    return read_shape(t);
}

/* ---- where one begins -------------------------------------------------------------------------- */

int ct_begins_encoding(const char *text, size_t length)
{
    ct_reader r = {.text = text, .length = length, .at = 1};
    char word[CT_WORD_BYTES];
    if (length < 2 || text[0] != '#' || ct_read_identifier(&r, word) != 1) return 0;
    while (r.at < length && text[r.at] == '.' && ++r.at) ct_read_identifier(&r, word);
    if (!word[0]) return 0;
    if (r.at < length && text[r.at] == '<') return 1;
    return ct_reader_take(&r, '=') && ct_reader_peek(&r) == '#';
}

const char *ct_begins_triton(const ct_reader *r)
{
    const char c = r->at < r->length ? r->text[r->at] : '\0';
    char word[CT_WORD_BYTES];
    if (c == '#') return "Triton";
    if (c != '!' && ((c | 32) < 'a' || (c | 32) > 'z')) return NULL;
    ct_reader ahead = *r;
    if (c == '!') return ct_take_text(&ahead, "!ttg.") ? "Triton" : NULL;
    if (c == 't' && ct_take_text(&ahead, "tensor<")) {
        const char *const rest = r->text + ahead.at;
        const char *const end = memchr(rest, '>', r->length - ahead.at);
        const size_t n = end ? (size_t)(end - rest) : r->length - ahead.at;
        return is_digit(r, ahead.at) || memchr(rest, '#', n) ? "Triton" : NULL;
    }
    ct_read_word(&ahead, word);
    return word[0] <= 'Z' && ct_reader_peek(&ahead) == '(' && class_of(word) ? "Gluon" : NULL;
}

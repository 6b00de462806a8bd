/* What CuTe prints of atoms, tiled copies and tiled MMAs, in C++ and in Python, and their types in its IR. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <cutlet/algebra/make.h>
#include "atoms.h"
#include "cute.h"
#include "cute_tuple.h"
#include "mma_names.h"
#include "words.h"

enum { TILED_COPY, COPY_ATOM, TILED_MMA, MMA_ATOM };

/* Whether a word is at the cursor, blanks as they are. */
static int is_here(const ct_reader *r, const char *word)
{
    const size_t n = strlen(word);
    return r->length - r->at >= n && memcmp(r->text + r->at, word, n) == 0;
}

/* Takes the heading, or the type's name, of one of them. Returns which, -1 where none begins. */
static int take_head(ct_reader *r)
{
    static const struct {
        const char *text;
        int kind;
    } heads[] = {{"Tiled Copy", TILED_COPY},
                 {"TiledCopy", TILED_COPY},
                 {"!cute.tiled_copy<", TILED_COPY},
                 {"Copy Atom", COPY_ATOM},
                 {"Copy_Atom", COPY_ATOM},
                 {"Tiled MMA", TILED_MMA},
                 {"TiledMMA", TILED_MMA},
                 {"!cute.tiled_mma<", TILED_MMA},
                 {"MMA Atom", MMA_ATOM},
                 {"MMA_Atom", MMA_ATOM},
                 {"!cute_nvgpu.atom.universal_fma<", MMA_ATOM}};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; ++i)
        if (ct_take_text(r, heads[i].text))
            return heads[i].text[0] == '!' ||
                           (r->at < r->length && isspace((unsigned char)r->text[r->at]))
                       ? heads[i].kind
                       : -1;
    if (ct_take_text(r, "!cute_nvgpu.atom.")) return COPY_ATOM;
    return ct_take_text(r, "!cute_nvgpu.sm") ? MMA_ATOM : -1;
}

const char *ct_cute_object_notation(const ct_reader *r)
{
    ct_reader ahead = *r;
    const int kind = take_head(&ahead);
    if (is_here(r, "!")) return "CuTe IR";
    return kind == TILED_MMA || kind == MMA_ATOM
               ? "a print of CuTe, which has no types"
               : "a print of CuTe, which does not have the kind of a copy";
}

int ct_begins_cute_object(const ct_reader *r)
{
    ct_reader ahead = *r;
    return take_head(&ahead) >= 0;
}

/* Takes a label, in Python's or in C++'s words, and the colon behind it. */
static ct_status take_label(ct_reader *r, const char *python, const char *cpp)
{
    if (ct_take_text(r, python) || ct_take_text(r, cpp)) ct_reader_take(r, ':');
    else return ct_reader_expected(r, python);
    return CT_OK;
}

static ct_status read_layout(ct_reader *r, const char *python, const char *cpp, ct_layout *out)
{
    ct_tensor t;
    if (take_label(r, python, cpp) || ct_read_cute_tensor(r, &t)) return r->failed;
    *out = t.layout;
    return CT_OK;
}

/* The bits of a value: f16, f8E4M3FN, 16b. */
static ct_status read_bits(ct_reader *r, int32_t *bits)
{
    ct_reader_peek(r);
    while (r->at < r->length && isalpha((unsigned char)r->text[r->at])) ++r->at;
    int64_t n;
    if (ct_read_integer(r, &n)) return r->failed;
    while (r->at < r->length && isalnum((unsigned char)r->text[r->at])) ++r->at;
    *bits = (int32_t)ct_max(0, ct_min(n, 4096));
    return CT_OK;
}

/* Whether two layouts of threads and values are one function. */
static int is_same(ct_layout a, ct_layout b)
{
    const int64_t n = ct_size(a);
    if (ct_layout_rank(a) != ct_layout_rank(b) || n != ct_size(b) || n > 1 << 22 ||
        ct_size(ct_mode(a, 0)) != ct_size(ct_mode(b, 0)))
        return 0;
    for (int64_t i = 0; i < n; ++i)
        if (ct_eval(a, i) != ct_eval(b, i)) return 0;
    return 1;
}

/* ---- tilers ---------------------------------------------------------------------------------- */

/* (16:1,64:1), (_16,_64), [32:1;_;16:1]: behind the opening bracket, up to the closing one. */
static ct_status read_tiler(ct_reader *r, ct_tiler *out)
{
    ct_tiler t = ct_tiler0();
    int any = 1;
    if (!ct_reader_take(r, '(') && !ct_reader_take(r, '[')) return ct_reader_expected(r, "`(`");
    for (int count = 0; count < 3; ++count) {
        ct_tuple shape, stride = ct_int(1);
        const int next = ct_reader_peek(r);
        if (next == '_' && !(r->at + 1 < r->length && isdigit((unsigned char)r->text[r->at + 1]))) {
            ++r->at;
            t = ct_tiler_append(t, ct_tile_any());
        } else {
            any = 0;
            if (ct_read_cute_tuple(r, &shape)) return r->failed;
            if (ct_reader_take(r, ':') && ct_read_cute_tuple(r, &stride)) return r->failed;
            t = ct_tiler_append(t, ct_make_layout(shape, stride));
        }
        if (!ct_reader_take(r, ',') && !ct_reader_take(r, ';')) break;
    }
    *out = any ? ct_tiler0() : t;
    return ct_reader_take(r, ')') || ct_reader_take(r, ']') ? CT_OK : ct_reader_expected(r, "`)`");
}

/* ---- copy atoms ------------------------------------------------------------------------------ */

/* Behind the heading of a print: the atom by its layouts. Kinds of a single thread print alike. */
static ct_status read_copy_print(ct_reader *r, size_t at, ct_value *out)
{
    ct_layout thr, src, dst, ref;
    ct_copy_atom atom;
    const char *name;
    int32_t bits;
    if (read_layout(r, "ThrID", "ThrID", &thr) ||
        read_layout(r, "TV Layout Src", "ValLayoutSrc", &src) ||
        read_layout(r, "TV Layout Dst", "ValLayoutDst", &dst))
        return r->failed;
    ct_reader_peek(r);
    if (is_here(r, "ValLayoutRef") && read_layout(r, "ValLayoutRef", "ValLayoutRef", &ref))
        return r->failed;
    if (take_label(r, "Value type", "ValueType") || read_bits(r, &bits)) return r->failed;
    for (int i = 0; (name = ct_atom_listed(i)); ++i) {
        if (!ct_atom_named(name, bits, &atom) || atom.err.status) continue;
        if (ct_size(atom.thr_id) != ct_size(thr) || !is_same(atom.src_tv, src) ||
            !is_same(atom.dst_tv, dst))
            continue;
        out->kind = CT_KIND_COPY_ATOM;
        out->as.atom = atom;
        return CT_OK;
    }
    return ct_reader_fail(r, at, r->at - at, "no copy atom has these layouts");
}

/* Skips to a word inside a type, and takes it; 0 at the type's `>`, where that comes first. */
static int seek(ct_reader *r, const char *word)
{
    int depth = 0;
    for (; r->at < r->length; ++r->at) {
        if (is_here(r, word)) {
            r->at += strlen(word);
            return 1;
        }
        depth += r->text[r->at] == '<';
        if (r->text[r->at] == '>' && r->text[r->at - 1] != '-' && depth-- == 0) return 0;
    }
    return 0;
}

/* Behind `!cute_nvgpu.atom.`: universal_copy<f16, 128 b>, ldsm<val_type = f16, .., n>. */
static ct_status read_copy_type(ct_reader *r, size_t at, ct_value *out)
{
    char name[32], kind[CT_WORD_BYTES];
    int64_t n = 0;
    int32_t bits = 0;
    ct_copy_atom atom;
    ct_read_identifier(r, kind);
    const int is_matrix = ct_is_one_of(kind, "ldsm stsm");
    const int is_async = strcmp(kind, "simt_async_copy") == 0;
    if (!is_matrix && !is_async && strcmp(kind, "universal_copy") != 0)
        return ct_reader_fail(r, at, r->at - at, "the atom `%s` is not read", kind);
    if (!ct_reader_take(r, '<')) return ct_reader_expected(r, "`<`");
    ct_take_text(r, "val_type =");
    if (read_bits(r, &bits)) return r->failed;
    ct_reader ahead = *r;
    const int global = is_async && seek(&ahead, "cache = global");
    if (is_matrix) {
        if (!seek(r, "num_matrices =")) return ct_reader_expected(r, "`num_matrices`");
    } else if (is_async ? !seek(r, global ? "global," : "always,") : !ct_reader_take(r, ','))
        return ct_reader_expected(r, "`,`");
    if (ct_read_integer(r, &n)) return r->failed;
    const int trans = is_matrix && ct_take_text(r, ", t");
    if (seek(r, "<\"\">") || !ct_reader_take(r, '>')) return ct_reader_expected(r, "`>`");
    snprintf(name, sizeof name, "%s%lld%s",
             is_matrix  ? kind[0] == 'l' ? "ldmatrix_x" : "stmatrix_x"
             : is_async ? global ? "cp_async_cg" : "cp_async_ca"
                        : "universal",
             (long long)n, trans ? "_trans" : "");
    if (!ct_atom_named(name, bits, &atom) || atom.err.status)
        return ct_reader_fail(r, at, r->at - at, "there is no copy atom %s", name);
    out->kind = CT_KIND_COPY_ATOM;
    out->as.atom = atom;
    return CT_OK;
}

/* A layout and a tiler behind their names, to the end of the type. */
static ct_status read_parameters(ct_reader *r, const char *layout, ct_layout *L, const char *tiler,
                                 ct_tiler *t)
{
    if (!seek(r, layout)) return ct_reader_expected(r, layout);
    if (read_layout(r, "", "", L) || !ct_take_text(r, "\">")) return ct_reader_expected(r, "`\">`");
    if (!seek(r, tiler)) return ct_reader_expected(r, tiler);
    return read_tiler(r, t) || !ct_take_text(r, "\">>") ? ct_reader_expected(r, "`\">>`") : CT_OK;
}

/* An atom inside another print or type. */
static ct_status read_copy_atom(ct_reader *r, ct_value *out)
{
    ct_reader_peek(r);
    const size_t at = r->at;
    const int is_type = is_here(r, "!");
    if (take_head(r) != COPY_ATOM) return ct_reader_expected(r, "the copy atom");
    return is_type ? read_copy_type(r, at, out) : read_copy_print(r, at, out);
}

/* A tiled copy of an atom, by the operation of expressions. */
static ct_status call_tiled(ct_reader *r, size_t at, ct_value *atom, ct_layout tv, ct_tiler tiler,
                            ct_value *out)
{
    ct_value arg[4] = {*atom};
    const size_t arg_at[5] = {at, at, at, at, at};
    const ct_tiled_copy shape = {.tv = tv, .tiler = tiler};
    const int64_t tile = ct_product(ct_tiled_copy_shape(shape)), held = ct_size(tv);
    const int times = tile > 0 && held > tile && held % tile == 0;
    const ct_call call = {"tiled_copy_of", 13, at, r->at - at, times ? 4 : 3, arg, arg_at};
    if (!r->call) return ct_reader_expected(r, "an expression");
    arg[1].kind = CT_KIND_LAYOUT;
    arg[1].as.layout = tv;
    arg[2].kind = CT_KIND_TILER;
    arg[2].as.tiler = tiler;
    arg[3].kind = CT_KIND_TUPLE;
    arg[3].as.tuple = ct_int(times ? held / tile : 1);
    return r->call(r, &call, out);
}

static ct_status read_tiled_copy(ct_reader *r, size_t at, int is_type, ct_value *out)
{
    ct_value atom;
    ct_layout tv;
    ct_tiler tiler;
    if (is_type) {
        if (read_copy_atom(r, &atom) ||
            read_parameters(r, "layout_copy_tv = <\"", &tv, "tiler_mn = <\"", &tiler))
            return r->failed;
    } else if (take_label(r, "Tiler MN", "Tiler_MN") || read_tiler(r, &tiler) ||
               read_layout(r, "TV Layout tiled", "TiledLayout_TV", &tv) || read_copy_atom(r, &atom))
        return r->failed;
    return call_tiled(r, at, &atom, tv, tiler, out);
}

/* ---- MMA atoms ------------------------------------------------------------------------------- */

typedef struct mma_search {
    ct_layout thr, tv[3]; /* of a print */
    ct_tuple shape;
    const char *part; /* of a type: a part of its name */
    ct_mma_atom found;
    int is_found;
} mma_search;

static int try_mma(void *context, ct_mma_op op)
{
    mma_search *const s = context;
    char name[CT_MMA_NAME_BYTES];
    if (s->part) {
        ct_mma_op_name(name, op);
        if (!strstr(name, s->part) || strstr(name, "SPARSE")) return 0;
    } else if (s->shape.profile.leaves != 3 || op.m != s->shape.value[0] ||
               op.n != s->shape.value[1] || op.k != s->shape.value[2] || op.sparse)
        return 0;
    const ct_mma_atom atom = ct_mma_atom_of(op);
    for (int k = 0; k < 3 && !s->part; ++k)
        if (!is_same(ct_mma_tv(atom, CT_MMA_A + k), s->tv[k])) return 0;
    if (!s->part && ct_size(atom.thr_id) != ct_size(s->thr)) return 0;
    if (!s->is_found || op.d == CT_MMA_F32) s->found = atom;
    s->is_found = 1;
    return s->part ||
           op.d == CT_MMA_F32; /* a print does not say it: single precision, where there is that */
}

static ct_status find_mma(ct_reader *r, size_t at, mma_search *s, ct_value *out)
{
    if (!s->is_found) ct_mma_each(try_mma, s);
    if (!s->is_found)
        return ct_reader_fail(r, at, r->at - at, "no MMA atom has %s",
                              s->part ? "this type" : "these layouts");
    out->kind = CT_KIND_MMA_ATOM;
    out->as.mma_atom = s->found;
    return CT_OK;
}

/* f16 as F16, f8E4M3FN as E4M3, si8 as S8: as the names of atoms have it. */
static void name_type(ct_reader *r, char name[CT_WORD_BYTES])
{
    ct_read_identifier(r, name);
    if (name[0] == 'f' && name[1] == '8') {
        memmove(name, name + 2, strlen(name) - 1);
        name[4] = 0;
    }
    if (name[0] == 's' && name[1] == 'i') memmove(name + 1, name + 2, strlen(name) - 1);
    if (name[0] == 'i') name[0] = 's';
    for (char *c = name; *c; ++c) *c = (char)toupper((unsigned char)*c);
}

/* Behind `!cute_nvgpu.sm`: 80.mma<16x8x16, elem_type = (f16, f16, f32) >; of universal_fma behind its `<`. */
static ct_status read_mma_type(ct_reader *r, size_t at, int is_fma, ct_value *out)
{
    char shape[CT_WORD_BYTES], a[CT_WORD_BYTES], b[CT_WORD_BYTES], c[CT_WORD_BYTES];
    char part[8 * CT_WORD_BYTES], kind[CT_WORD_BYTES] = "";
    mma_search s = {.part = part};
    int64_t arch = 0;
    if (!is_fma && (ct_read_integer(r, &arch) || !ct_take_text(r, ".mma<")))
        return ct_reader_expected(r, "`.mma<`");
    ct_reader_peek(r);
    size_t n = 0;
    while (r->at < r->length && isalnum((unsigned char)r->text[r->at]) && n + 1 < sizeof shape)
        shape[n++] = r->text[r->at++];
    shape[n] = 0;
    if (!seek(r, is_fma ? "(" : "elem_type = (")) return ct_reader_expected(r, "the types");
    name_type(r, a);
    if (!ct_reader_take(r, ',')) return ct_reader_expected(r, "`,`");
    name_type(r, b);
    if (!(is_fma ? ct_take_text(r, ") ->") : ct_reader_take(r, ',')))
        return ct_reader_expected(r, "a type");
    name_type(r, c);
    ct_reader_take(r, ')');
    if (ct_take_text(r, ", frag_kind =")) ct_read_identifier(r, kind);
    for (char *k = kind; *k; ++k) *k = (char)toupper((unsigned char)*k);
    if (!ct_reader_take(r, '>')) return ct_reader_expected(r, "`>`");
    if (is_fma) snprintf(part, sizeof part, "universal_fma");
    else
        snprintf(part, sizeof part, "SM%d_%s_%s%s%s%s_%s", (int)(arch % 1000), shape, c, a, b,
                 kind[0] ? "" : c, kind);
    ct_mma_each(try_mma, &s);
    s.part = strchr(part, '_'); /* of an older architecture */
    return find_mma(r, at, &s, out);
}

static ct_status read_mma_print(ct_reader *r, size_t at, ct_value *out)
{
    mma_search s = {0};
    if (read_layout(r, "ThrID", "ThrID", &s.thr) || take_label(r, "Shape MNK", "Shape_MNK") ||
        ct_read_cute_tuple(r, &s.shape) || read_layout(r, "TV Layout A", "LayoutA_TV", &s.tv[0]) ||
        read_layout(r, "TV Layout B", "LayoutB_TV", &s.tv[1]) ||
        read_layout(r, "TV Layout C", "LayoutC_TV", &s.tv[2]))
        return r->failed;
    return find_mma(r, at, &s, out);
}

static ct_status read_mma_atom(ct_reader *r, ct_value *out)
{
    ct_reader_peek(r);
    const size_t at = r->at;
    const int is_type = is_here(r, "!"), is_fma = is_here(r, "!cute_nvgpu.a");
    if (take_head(r) != MMA_ATOM) return ct_reader_expected(r, "the MMA atom");
    return is_type ? read_mma_type(r, at, is_fma, out) : read_mma_print(r, at, out);
}

/* (thread of the atom, m, n, k) -> thread, as the layout (m,n,k) of atoms. */
static ct_layout atoms_of(ct_layout vmnk)
{
    const int64_t threads = ct_size(ct_mode(vmnk, 0));
    ct_layout L = ct_make_layout(ct_take(ct_shape(vmnk), 1, 4), ct_take(ct_stride(vmnk), 1, 4));
    for (int i = 0; i < L.profile.leaves; ++i) L.stride[i] /= threads;
    return L;
}

static ct_status read_tiled_mma(ct_reader *r, size_t at, int is_type, ct_value *out)
{
    ct_value atom;
    ct_layout atoms;
    ct_tiler tiler;
    if (is_type) {
        if (read_mma_atom(r, &atom) ||
            read_parameters(r, "atom_layout_MNK = <\"", &atoms, "permutation_MNK = <\"", &tiler))
            return r->failed;
    } else {
        if (read_layout(r, "Thr Layout VMNK", "ThrLayoutVMNK", &atoms) ||
            take_label(r, "Permutation MNK", "PermutationMNK") || read_tiler(r, &tiler) ||
            read_mma_atom(r, &atom))
            return r->failed;
        atoms = atoms_of(atoms);
    }
    out->kind = CT_KIND_TILED_MMA;
    out->as.mma = ct_make_tiled_mma(atom.as.mma_atom, atoms, tiler);
    if (out->as.mma.atom.err.status) ct_value_fail(out, out->as.mma.atom.err, at, r->at - at);
    return CT_OK;
}

ct_status ct_read_cute_object(ct_reader *r, ct_value *out)
{
    ct_reader_peek(r);
    const size_t at = r->at;
    const int is_type = is_here(r, "!");
    ct_reader ahead = *r;
    const int kind = take_head(&ahead);
    if (kind == COPY_ATOM) read_copy_atom(r, out);
    else if (kind == MMA_ATOM) read_mma_atom(r, out);
    else {
        r->at = ahead.at;
        if (kind == TILED_COPY) read_tiled_copy(r, at, is_type, out);
        else read_tiled_mma(r, at, is_type, out);
    }
    return r->failed;
}

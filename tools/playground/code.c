/* A value as code: cutlet's C, CuTe's C++, Python. Each text makes this very value. */
#include <stdlib.h>

#include <cutlet/host/convert.h>
#include <cutlet/cutlet.h>
#include "play.h"

#define NO_CUTE "// CuTe has no constructor of this value.\n"

/* ---- C --------------------------------------------------------------------------------------- */

/* ct_read has integers only. */
static int has_basis(ct_layout L)
{
    for (int i = 0; i < L.profile.leaves; ++i)
        if (L.basis[i] != CT_INTEGER) return 1;
    return 0;
}

static void put_read(ct_builder *b, ct_layout L)
{
    char text[CT_TEXT_BYTES];
    ct_format_layout(text, sizeof text, L);
    ct_put(b, "ct_read(\"%s\")", text);
}

static int c_swizzle(ct_builder *b, ct_swizzle w)
{
    ct_put(b, "ct_make_swizzle(%d, %d, %d)", w.bits, w.base, w.shift);
    return 1;
}

static int c_tensor(ct_builder *b, const ct_tensor *t)
{
    if (has_basis(t->layout) || !ct_offset_is_integer(&t->offset)) return 0;
    ct_put_text(b, "ct_make_swizzled(");
    c_swizzle(b, t->swizzle);
    ct_put(b, ", %lld,\n    ", (long long)t->offset.value[0]);
    put_read(b, t->layout);
    ct_put_char(b, ')');
    return 1;
}

static int c_atom(ct_builder *b, const ct_copy_atom *a)
{
    const char *kind = NULL;
    switch (a->kind) {
        case CT_ATOM_UNIVERSAL:
            ct_put(b, "ct_copy_atom_universal(%d, %d)", a->bits, a->value_bits);
            return 1;
        case CT_ATOM_CP_ASYNC_CA: kind = "CT_ATOM_CP_ASYNC_CA"; break;
        case CT_ATOM_CP_ASYNC_CG: kind = "CT_ATOM_CP_ASYNC_CG"; break;
        case CT_ATOM_LDMATRIX: kind = "CT_ATOM_LDMATRIX"; break;
        case CT_ATOM_LDMATRIX_TRANS: kind = "CT_ATOM_LDMATRIX_TRANS"; break;
        case CT_ATOM_STMATRIX: kind = "CT_ATOM_STMATRIX"; break;
        case CT_ATOM_STMATRIX_TRANS: kind = "CT_ATOM_STMATRIX_TRANS"; break;
        default: return 0;
    }
    if (a->matrices > 0)
        ct_put(b, "ct_copy_atom_matrix(%s, %d, %d)", kind, a->matrices, a->value_bits);
    else ct_put(b, "ct_copy_atom_cp_async(%s, %d, %d)", kind, a->bits, a->value_bits);
    return 1;
}

/* A tiler from its tiles. */
static int c_tiler(ct_builder *b, const ct_tiler *t)
{
    const int count = ct_tiler_count(*t);
    for (int k = 0; k < count; ++k)
        if (ct_tile_is_any(ct_tile(*t, k)) || has_basis(ct_tile(*t, k))) return 0;
    for (int k = 0; k < count; ++k) ct_put_text(b, "ct_tiler_append(");
    ct_put_text(b, "ct_tiler0()");
    for (int k = 0; k < count; ++k) {
        ct_put_text(b, ", ");
        put_read(b, ct_tile(*t, k));
        ct_put_char(b, ')');
    }
    return 1;
}

static int c_copy(ct_builder *b, const ct_tiled_copy *c)
{
    const int count = ct_tiler_count(c->tiler);
    if (has_basis(c->tv) || count > 2) return 0;
    for (int k = 0; k < count; ++k) { /* tiles of a shape alone */
        const ct_layout tile = ct_tile(c->tiler, k);
        if (tile.profile.leaves != 1 || tile.basis[0] != CT_INTEGER || tile.stride[0] != 1)
            return 0;
    }
    ct_put_text(b, "ct_make_tiled_copy_tv(");
    if (!c_atom(b, &c->atom)) return 0;
    ct_put_text(b, ",\n    ");
    put_read(b, c->tv);
    ct_put(b, ",\n    ct_tuple%d(", count);
    for (int k = 0; k < count; ++k)
        ct_put(b, "%s%lld", k ? ", " : "", (long long)ct_size(ct_tile(c->tiler, k)));
    ct_put_text(b, "))");
    return 1;
}

static int c_mma(ct_builder *b, const ct_tiled_mma *m)
{
    char name[CT_TEXT_BYTES];
    ct_format_mma_atom(name, sizeof name, m->atom);
    ct_put(b, "ct_make_tiled_mma(ct_make_mma_atom(\"%s\"),\n    ", name);
    put_read(b, m->atoms);
    ct_put_text(b, ",\n    ");
    if (!c_tiler(b, &m->tiler)) return 0;
    ct_put_char(b, ')');
    return 1;
}

/* The expression that makes the value, and its type; 0 where there is none. */
static int c_expression(ct_builder *b, const ct_value *v, const char **type)
{
    char text[CT_TEXT_BYTES];
    switch (v->kind) {
        case CT_KIND_LAYOUT:
            *type = "ct_layout";
            put_read(b, v->as.layout);
            return !has_basis(v->as.layout);
        case CT_KIND_TENSOR: *type = "ct_tensor"; return c_tensor(b, &v->as.tensor);
        case CT_KIND_SWIZZLE: *type = "ct_swizzle"; return c_swizzle(b, v->as.swizzle);
        case CT_KIND_TILER: *type = "ct_tiler"; return c_tiler(b, &v->as.tiler);
        case CT_KIND_COPY_ATOM: *type = "ct_copy_atom"; return c_atom(b, &v->as.atom);
        case CT_KIND_TILED_COPY: *type = "ct_tiled_copy"; return c_copy(b, &v->as.copy);
        case CT_KIND_TILED_MMA: *type = "ct_tiled_mma"; return c_mma(b, &v->as.mma);
        case CT_KIND_MMA_ATOM:
            *type = "ct_mma_atom";
            ct_format_mma_atom(text, sizeof text, v->as.mma_atom);
            ct_put(b, "ct_make_mma_atom(\"%s\")", text);
            return 1;
        default: return 0;
    }
}

/* By the text itself, with the library, where no constructor fits. */
static void c_by_text(ct_builder *b, const ct_value *v)
{
    const int length = ct_format_value(NULL, 0, v);
    char *const text = malloc((size_t)length + 1);
    if (text) ct_format_value(text, (size_t)length + 1, v);
    else b->failed = 1;
    ct_put_text(b, "#include <cutlet/host/eval.h> /* link libcutlet */\n\nct_value value;\n"
                   "ct_evaluate(\"");
    ct_put_text(b, text ? text : "");
    ct_put_text(b, "\", &value, NULL);\n");
    free(text);
}

static void put_c(ct_builder *b, const ct_value *v)
{
    ct_builder made = {0};
    const char *type = NULL;
    if (c_expression(&made, v, &type))
        ct_put(b,
               "#include <cutlet/cutlet.h>\n#include <cutlet/algebra/read.h>\n\n"
               "%s value = %s;\n",
               type, made.text);
    else c_by_text(b, v);
    b->failed |= made.failed;
    ct_builder_free(&made);
}

/* ---- CuTe ------------------------------------------------------------------------------------ */

/* A leaf as a type: Int<3>, E<0,1>, ScaledBasis<Int<3>,0>; outermost mode first. */
static void cute_leaf(ct_builder *b, int64_t n, uint32_t basis)
{
    const char *const type = n == (int32_t)n ? "Int" : "C";
    if (basis == CT_INTEGER) {
        ct_put(b, "%s<%lld>", type, (long long)n);
        return;
    }
    if (n == 1) ct_put_text(b, "E<");
    else ct_put(b, "ScaledBasis<%s<%lld>,", type, (long long)n);
    for (const char *between = ""; basis != CT_INTEGER; basis >>= 8, between = ",")
        ct_put(b, "%s%d", between, (int)(basis & 255) - 1);
    ct_put_char(b, '>');
}

static void cute_tuple(ct_builder *b, const ct_profile *p, const int64_t *value,
                       const uint32_t *basis, const char *type)
{
    for (int i = 0; i < p->leaves; ++i) {
        if (i > 0) ct_put_text(b, ", ");
        for (int k = 0; k < p->open[i]; ++k) ct_put(b, "%s<", type);
        cute_leaf(b, value[i], basis ? basis[i] : CT_INTEGER);
        for (int k = 0; k < p->close[i]; ++k) ct_put_char(b, '>');
    }
}

static void cute_layout(ct_builder *b, const ct_layout *L)
{
    ct_put_text(b, "Layout<");
    cute_tuple(b, &L->profile, L->shape, NULL, "Shape");
    ct_put_text(b, ",\n    ");
    cute_tuple(b, &L->profile, L->stride, L->basis, "Stride");
    ct_put_text(b, ">{}");
}

static int cute_tensor(ct_builder *b, const ct_tensor *t)
{
    if (!ct_offset_is_integer(&t->offset)) return 0;
    if (t->swizzle.bits > 0)
        ct_put(b, "make_composed_layout(Swizzle<%d, %d, %d>{}, Int<%lld>{},\n    ", t->swizzle.bits,
               t->swizzle.base, t->swizzle.shift, (long long)t->offset.value[0]);
    cute_layout(b, &t->layout);
    if (t->swizzle.bits > 0) ct_put_char(b, ')');
    return 1;
}

static int cute_atom(ct_builder *b, const ct_copy_atom *a)
{
    const int trans = a->kind == CT_ATOM_LDMATRIX_TRANS || a->kind == CT_ATOM_STMATRIX_TRANS;
    ct_put_text(b, "Copy_Atom<");
    switch (a->kind) {
        case CT_ATOM_UNIVERSAL: ct_put(b, "UniversalCopy<uint_bit_t<%d>>", a->bits); break;
        case CT_ATOM_CP_ASYNC_CA:
            ct_put(b, "SM80_CP_ASYNC_CACHEALWAYS<uint_bit_t<%d>>", a->bits);
            break;
        case CT_ATOM_CP_ASYNC_CG:
            ct_put(b, "SM80_CP_ASYNC_CACHEGLOBAL<uint_bit_t<%d>>", a->bits);
            break;
        case CT_ATOM_LDMATRIX:
        case CT_ATOM_LDMATRIX_TRANS:
        case CT_ATOM_STMATRIX:
        case CT_ATOM_STMATRIX_TRANS: {
            const int load = a->kind == CT_ATOM_LDMATRIX || a->kind == CT_ATOM_LDMATRIX_TRANS;
            ct_put(b, "%s_U%dx%d_%s_%c", load ? "SM75" : "SM90", trans ? 16 : 32,
                   trans ? 2 * a->matrices : a->matrices, load ? "LDSM" : "STSM",
                   trans ? 'T' : 'N');
            break;
        }
        default: return 0;
    }
    ct_put(b, ", uint_bit_t<%d>>{}", a->value_bits);
    return 1;
}

static void cute_tiler(ct_builder *b, const ct_tiler *t)
{
    ct_put_text(b, "make_tile(");
    for (int k = 0; k < ct_tiler_count(*t); ++k) {
        const ct_layout tile = ct_tile(*t, k);
        if (k) ct_put_text(b, ", ");
        if (ct_tile_is_any(tile)) ct_put_text(b, "_{}");
        else cute_layout(b, &tile);
    }
    ct_put_char(b, ')');
}

/* The names of wgmma and tcgen05 take more arguments in CuTe, which depend on the operands. */
static int cute_mma_atom(ct_builder *b, const ct_mma_atom *a)
{
    char name[CT_TEXT_BYTES];
    if (a->op.kind != CT_MMA_WARP && a->op.kind != CT_MMA_QUAD_PAIR) return 0;
    ct_format_mma_atom(name, sizeof name, *a);
    ct_put(b, "MMA_Atom<%s>{}", name);
    return 1;
}

static int cute_mma(ct_builder *b, const ct_tiled_mma *m)
{
    ct_put_text(b, "make_tiled_mma(");
    if (!cute_mma_atom(b, &m->atom)) return 0;
    ct_put_text(b, ",\n    ");
    cute_layout(b, &m->atoms);
    ct_put_text(b, ",\n    ");
    cute_tiler(b, &m->tiler);
    ct_put_char(b, ')');
    return 1;
}

static int cute_copy(ct_builder *b, const ct_tiled_copy *c)
{
    ct_put_text(b, "make_tiled_copy_impl(");
    if (!cute_atom(b, &c->atom)) return 0;
    ct_put_text(b, ",\n    ");
    cute_layout(b, &c->tv);
    ct_put_text(b, ",\n    ");
    cute_tiler(b, &c->tiler);
    ct_put_char(b, ')');
    return 1;
}

static int cute_expression(ct_builder *b, const ct_value *v)
{
    switch (v->kind) {
        case CT_KIND_LAYOUT: cute_layout(b, &v->as.layout); return 1;
        case CT_KIND_TENSOR: return cute_tensor(b, &v->as.tensor);
        case CT_KIND_TILER: cute_tiler(b, &v->as.tiler); return 1;
        case CT_KIND_COPY_ATOM: return cute_atom(b, &v->as.atom);
        case CT_KIND_TILED_COPY: return cute_copy(b, &v->as.copy);
        case CT_KIND_MMA_ATOM: return cute_mma_atom(b, &v->as.mma_atom);
        case CT_KIND_TILED_MMA: return cute_mma(b, &v->as.mma);
        case CT_KIND_SWIZZLE:
            ct_put(b, "Swizzle<%d, %d, %d>{}", v->as.swizzle.bits, v->as.swizzle.base,
                   v->as.swizzle.shift);
            return 1;
        default: return 0;
    }
}

static void put_cute(ct_builder *b, const ct_value *v)
{
    ct_builder made = {0};
    const int is_plain = v->kind == CT_KIND_TENSOR && v->as.tensor.swizzle.bits == 0;
    if (!cute_expression(&made, v)) {
        ct_put_text(b, NO_CUTE);
    } else {
        ct_put(b, "#include <cute/tensor.hpp>\nusing namespace cute;\n\nauto value = %s;\n",
               made.text);
        if (is_plain)
            ct_put(b, "// It begins at element %lld: add that to the pointer.\n",
                   (long long)v->as.tensor.offset.value[0]);
    }
    b->failed |= made.failed;
    ct_builder_free(&made);
}

/* ---- Python ---------------------------------------------------------------------------------- */

static void put_python(ct_play_answer *a, const ct_value *v)
{
    static const char *const types[CT_KIND_COUNT] = {
        [CT_KIND_LAYOUT] = "Layout",      [CT_KIND_TENSOR] = "Tensor",
        [CT_KIND_SWIZZLE] = "Swizzle",    [CT_KIND_TILER] = "Tiler",
        [CT_KIND_COPY_ATOM] = "CopyAtom", [CT_KIND_TILED_COPY] = "TiledCopy",
        [CT_KIND_MMA_ATOM] = "MMAAtom",   [CT_KIND_TILED_MMA] = "TiledMMA"};
    ct_builder b = {0};
    const int length = ct_format_value(NULL, 0, v);
    char *const text = malloc((size_t)length + 1);
    if (text) ct_format_value(text, (size_t)length + 1, v);
    ct_put(&b, "import pycutlet\n\nvalue = pycutlet.%s(\"",
           types[v->kind] ? types[v->kind] : "evaluate");
    ct_put_text(&b, text ? text : "");
    ct_put_text(&b, "\")\n");
    a->out.failed |= b.failed || !text;
    ct_play_text(a, "python", b.text);
    free(text);
    ct_builder_free(&b);
}

/* What other systems write for it, elements of 16 bits. */
static void put_systems(ct_play_answer *a, const ct_value *v)
{
    char text[CT_TEXT_BYTES], out[CT_CONVERT_BYTES];
    const char *name;
    ct_builder b = {0};
    ct_convert_options o = {
        .from = CT_SYSTEM_CUTLET, .to = CT_SYSTEM_CUTE_PRINT, .element_bits = 16};
    ct_format_value(text, sizeof text, v);
    for (; (name = ct_system_name(o.to, NULL)); ++o.to)
        if (ct_convert_layout(text, &o, out, NULL) == CT_OK) ct_put(&b, "%s\n%s\n\n", name, out);
    ct_play_text(a, "systems", b.length ? b.text : "no other system has it");
    ct_builder_free(&b);
}

void ct_play_code(ct_play_answer *a, const ct_value *v)
{
    ct_builder c = {0}, cute = {0};
    if (v->kind == CT_KIND_LIST && v->as.list.count > 4096) return; /* nobody pastes these */
    put_c(&c, v);
    put_cute(&cute, v);
    a->out.failed |= c.failed || cute.failed;
    ct_play_text(a, "c", c.text);
    ct_play_text(a, "cute", cute.text);
    put_python(a, v);
    put_systems(a, v);
    ct_builder_free(&c);
    ct_builder_free(&cute);
}

/* Values as text: the writing half of include/cutlet/host/text.h. */
#include <stdlib.h>
#include <string.h>

#include "atoms.h"
#include "evaluate.h"
#include "mma_names.h"
#include "put.h"

static ct_builder sink_into(char *buf, size_t size)
{
    ct_builder s = ct_builder_fixed(buf, size);
    return s;
}

/* A failed value: 1 when e is an error, which is then written. */
static int sink_error(ct_builder *s, ct_error e)
{
    char message[CT_MESSAGE_BYTES];
    if (e.status == CT_OK) return 0;
    ct_error_message(e, message, sizeof message);
    ct_put_text(s, "error: ");
    ct_put_text(s, message);
    return 1;
}

static void sink_tiler(ct_builder *s, const ct_tiler *t)
{
    const ct_profile *p = &t->nesting;
    if (p->leaves == 0) ct_put_text(s, "<>");
    for (int i = 0; i < p->leaves; ++i) {
        const ct_layout tile = ct_tile(*t, i);
        if (i > 0) ct_put_char(s, ',');
        for (int k = 0; k < p->open[i]; ++k) ct_put_char(s, '<');
        if (ct_tile_is_any(tile)) ct_put_char(s, '_');
        else ct_put_layout(s, tile);
        for (int k = 0; k < p->close[i]; ++k) ct_put_char(s, '>');
    }
}

static void sink_swizzle(ct_builder *s, ct_swizzle w)
{
    ct_put(s, "Sw<%d,%d,%d>", (int)w.bits, (int)w.base, (int)w.shift);
}

/* An atom of layouts: the side in registers, where it is not the destination. */
static void sink_own_atom(ct_builder *s, const ct_copy_atom *a)
{
    ct_put_text(s, "copy_atom(");
    ct_put_layout(s, a->src_tv);
    ct_put_text(s, ", ");
    ct_put_layout(s, a->dst_tv);
    if (!ct_layout_equal(a->dst_tv, a->ref_tv)) {
        ct_put_text(s, ", ");
        ct_put_layout(s, a->ref_tv);
    }
    ct_put(s, ", %d)", (int)a->value_bits);
}

static void sink_atom(ct_builder *s, const ct_copy_atom *a)
{
    const char *name = ct_atom_name(a);
    if (a->kind == CT_ATOM_OWN) sink_own_atom(s, a);
    else ct_put(s, "copy_atom(%s, %d)", name ? name : "?", (int)a->value_bits);
}

/* The name of the instruction, or the layouts of an atom of one's own: both read back as the atom. */
static void sink_mma_atom(ct_builder *s, const ct_mma_atom *a)
{
    char name[CT_MMA_NAME_BYTES];
    const int threads = !ct_layout_equal(a->thr_id, ct_layout1(ct_size(a->thr_id), 1));
    if (a->op.kind != CT_MMA_NO_KIND) {
        ct_mma_op_name(name, a->op);
        ct_put_text(s, name);
        return;
    }
    ct_put(s, "mma_atom((%d,%d,%d)", (int)a->op.m, (int)a->op.n, (int)a->op.k);
    const ct_layout *const part[4] = {&a->a_tv, &a->b_tv, &a->c_tv, &a->thr_id};
    for (int i = 0; i < 3 + threads; ++i) {
        ct_put_text(s, ", ");
        ct_put_layout(s, *part[i]);
    }
    ct_put_char(s, ')');
}

int ct_format_tuple(char *buf, size_t size, ct_tuple t)
{
    ct_builder s = sink_into(buf, size);
    if (!sink_error(&s, t.err)) ct_put_tuple(&s, t);
    return ct_builder_end(&s);
}

static int format_layout(char *buf, size_t size, const ct_layout *L)
{
    ct_builder s = sink_into(buf, size);
    if (!sink_error(&s, L->err)) ct_put_layout_of(&s, L);
    return ct_builder_end(&s);
}

int ct_format_layout(char *buf, size_t size, ct_layout L) { return format_layout(buf, size, &L); }

int ct_format_tiler(char *buf, size_t size, ct_tiler t)
{
    ct_builder s = sink_into(buf, size);
    if (!sink_error(&s, t.tiles.err)) sink_tiler(&s, &t);
    return ct_builder_end(&s);
}

int ct_format_tensor(char *buf, size_t size, ct_tensor t)
{
    ct_builder s = sink_into(buf, size);
    if (!sink_error(&s, t.layout.err)) {
        if (t.swizzle.bits > 0) {
            sink_swizzle(&s, t.swizzle);
            ct_put_text(&s, " o ");
        }
        ct_put_tuple(&s, t.offset);
        ct_put_text(&s, t.swizzle.bits > 0 ? " o " : "@");
        ct_put_layout(&s, t.layout);
    }
    return ct_builder_end(&s);
}

int ct_format_swizzle(char *buf, size_t size, ct_swizzle w)
{
    ct_builder s = sink_into(buf, size);
    if (!sink_error(&s, w.err)) sink_swizzle(&s, w);
    return ct_builder_end(&s);
}

int ct_format_copy_atom(char *buf, size_t size, ct_copy_atom a)
{
    ct_builder s = sink_into(buf, size);
    if (!sink_error(&s, a.err)) sink_atom(&s, &a);
    return ct_builder_end(&s);
}

int ct_format_tiled_copy(char *buf, size_t size, ct_tiled_copy c)
{
    ct_builder s = sink_into(buf, size);
    if (!sink_error(&s, c.atom.err) && !sink_error(&s, c.tv.err) &&
        !sink_error(&s, c.tiler.tiles.err)) {
        ct_put_text(&s, "tiled_copy_of(");
        sink_atom(&s, &c.atom);
        ct_put_text(&s, ", ");
        ct_put_layout(&s, c.tv);
        ct_put_text(&s, ", ");
        sink_tiler(&s, &c.tiler);
        if (c.copies > 1) ct_put(&s, ", %d", (int)c.copies);
        ct_put_char(&s, ')');
    }
    return ct_builder_end(&s);
}

int ct_format_mma_atom(char *buf, size_t size, ct_mma_atom a)
{
    ct_builder s = sink_into(buf, size);
    if (!sink_error(&s, a.err)) sink_mma_atom(&s, &a);
    return ct_builder_end(&s);
}

/* `tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0), <32:1,16:1,16:1>)`. */
int ct_format_tiled_mma(char *buf, size_t size, ct_tiled_mma m)
{
    ct_builder s = sink_into(buf, size);
    if (!sink_error(&s, m.atom.err)) {
        ct_put_text(&s, "tiled_mma(");
        sink_mma_atom(&s, &m.atom);
        ct_put_text(&s, ", ");
        ct_put_layout(&s, m.atoms);
        ct_put_text(&s, ", ");
        sink_tiler(&s, &m.tiler);
        ct_put_char(&s, ')');
    }
    return ct_builder_end(&s);
}

static int format_list(char *buf, size_t size, const ct_list *list)
{
    ct_builder s = sink_into(buf, size);
    ct_put_char(&s, '(');
    for (int64_t i = 0; i < list->count; ++i) {
        if (i > 0) ct_put_char(&s, ',');
        ct_put_int(&s, list->item[i]);
    }
    ct_put_char(&s, ')');
    return ct_builder_end(&s);
}

static int format_text(char *buf, size_t size, const char *text)
{
    ct_builder s = sink_into(buf, size);
    ct_put_text(&s, text);
    return ct_builder_end(&s);
}

int ct_format_value(char *buf, size_t size, const ct_value *v)
{
    ct_builder s = sink_into(buf, size);
    switch (v->kind) {
        case CT_KIND_ERROR: sink_error(&s, v->as.failure.err); return ct_builder_end(&s);
        case CT_KIND_BOOL: return format_text(buf, size, v->as.boolean ? "true" : "false");
        case CT_KIND_NAME: return format_text(buf, size, v->as.name);
        case CT_KIND_TUPLE: return ct_format_tuple(buf, size, v->as.tuple);
        case CT_KIND_LIST: return format_list(buf, size, &v->as.list);
        case CT_KIND_LAYOUT: return format_layout(buf, size, &v->as.layout);
        case CT_KIND_TILER: return ct_format_tiler(buf, size, v->as.tiler);
        case CT_KIND_TENSOR: return ct_format_tensor(buf, size, v->as.tensor);
        case CT_KIND_SWIZZLE: return ct_format_swizzle(buf, size, v->as.swizzle);
        case CT_KIND_COPY_ATOM: return ct_format_copy_atom(buf, size, v->as.atom);
        case CT_KIND_TILED_COPY: return ct_format_tiled_copy(buf, size, v->as.copy);
        case CT_KIND_MMA_ATOM: return ct_format_mma_atom(buf, size, v->as.mma_atom);
        case CT_KIND_TILED_MMA: return ct_format_tiled_mma(buf, size, v->as.mma);
        default: return ct_builder_end(&s);
    }
}

char *ct_value_text(const ct_value *v)
{
    const size_t n = (size_t)ct_format_value(NULL, 0, v);
    char *const text = malloc(n + 1);
    if (text) ct_format_value(text, n + 1, v);
    return text;
}

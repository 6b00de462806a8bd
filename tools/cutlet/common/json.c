#include "json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include <cutlet/algebra/size.h>
#include <cutlet/algebra/tensor_ops.h>
#include <cutlet/mma/mma_partition.h>
#include <cutlet/mma/mma_tensor_memory.h>
#include "text/cute.h"
#include "text/evaluate.h"

/* Whether memory ran out for a part of a value, which then lacks it. */
static int incomplete;

static void *take(size_t bytes)
{
    void *const at = malloc(bytes);
    incomplete |= !at;
    return at;
}

void ct_json_watch(void) { json_set_alloc_funcs(take, free); }

int ct_json_write(FILE *stream, const json_t *root, size_t flags)
{
    if (!root || incomplete || json_dumpf(root, stream, flags) != 0 || incomplete) return -1;
    return fputc('\n', stream) == EOF ? -1 : 0;
}

static json_t *leaf_json(int64_t value, uint32_t basis)
{
    char text[64];
    if (basis == CT_INTEGER) return json_integer(value);
    ct_tuple leaf = ct_int(value);
    leaf.basis[0] = basis;
    ct_format_tuple(text, sizeof text, leaf);
    return json_string(text);
}

json_t *ct_json_tuple(ct_tuple t)
{
    json_t *stack[CT_TEXT_DEPTH + 260];
    int depth = 0;
    if (ct_is_integer(t)) return leaf_json(t.value[0], t.basis[0]);
    json_t *root = json_array();
    if (t.profile.leaves == 0) return root;
    for (int i = 0; i < t.profile.leaves; ++i) {
        for (int k = 0; k < t.profile.open[i]; ++k) {
            json_t *next = depth == 0 ? root : json_array();
            if (depth > 0) json_array_append_new(stack[depth - 1], next);
            stack[depth++] = next;
        }
        json_array_append_new(stack[depth - 1], leaf_json(t.value[i], t.basis[i]));
        depth -= t.profile.close[i];
    }
    return root;
}

static void set_cosize(json_t *o, int64_t cosize)
{
    if (cosize != CT_INVALID) json_object_set_new(o, "cosize", json_integer(cosize));
}

static void set_layout(json_t *o, ct_layout L)
{
    json_object_set_new(o, "shape", ct_json_tuple(ct_shape(L)));
    json_object_set_new(o, "stride", ct_json_tuple(ct_stride(L)));
    json_object_set_new(o, "rank", json_integer(ct_layout_rank(L)));
    json_object_set_new(o, "depth", json_integer(ct_layout_depth(L)));
    json_object_set_new(o, "size", json_integer(ct_size(L)));
    set_cosize(o, ct_cosize(L));
}

static json_t *layout_json(ct_layout L)
{
    json_t *o = json_object();
    set_layout(o, L);
    return o;
}

static json_t *swizzle_json(ct_swizzle s)
{
    return json_pack("{s:i, s:i, s:i}", "bits", (int)s.bits, "base", (int)s.base, "shift",
                     (int)s.shift);
}

static json_t *tiler_json(ct_tiler t)
{
    json_t *tiles = json_array();
    for (int k = 0; k < ct_tiler_count(t); ++k) {
        const ct_layout tile = ct_tile(t, k);
        json_array_append_new(tiles, ct_tile_is_any(tile) ? json_string("_") : layout_json(tile));
    }
    return tiles;
}

static json_t *list_json(ct_list list)
{
    json_t *a = json_array();
    for (int64_t i = 0; i < list.count; ++i) json_array_append_new(a, json_integer(list.item[i]));
    return a;
}

static void set_atom(json_t *o, const ct_copy_atom *a)
{
    json_object_set_new(o, "access_bits", json_integer(a->bits));
    json_object_set_new(o, "value_bits", json_integer(a->value_bits));
    json_object_set_new(o, "src_tv", layout_json(a->src_tv));
    json_object_set_new(o, "dst_tv", layout_json(a->dst_tv));
}

/* What an operand's elements are and where they lie: an object for each of A, B and C. */
static void set_operands(json_t *o, const ct_mma_atom *atom, ct_layout (*tv)(const void *, int),
                         const void *of)
{
    static const char *const operands[] = {"a", "b", "c"};
    static const char *const places[] = {"registers", "shared", "tensor memory"};
    const int32_t type[] = {atom->op.a, atom->op.b, atom->op.c};
    for (int k = 0; k < 3; ++k) {
        json_t *one = json_object();
        if (atom->op.kind != CT_MMA_NO_KIND) { /* an atom of layouts has no types */
            json_object_set_new(one, "type", json_string(ct_mma_type_name(type[k])));
            json_object_set_new(one, "from", json_string(places[ct_mma_from(atom->op, k)]));
        }
        json_object_set_new(one, "tv", layout_json(tv(of, k)));
        json_object_set_new(o, operands[k], one);
    }
}

static ct_layout tv_of_atom(const void *atom, int operand)
{
    return ct_mma_tv(*(const ct_mma_atom *)atom, operand);
}

static ct_layout tv_of_mma(const void *mma, int operand)
{
    return ct_tiled_mma_tv(*(const ct_tiled_mma *)mma, operand);
}

static void set_mma_atom(json_t *o, const ct_mma_atom *a)
{
    json_object_set_new(o, "shape", ct_json_tuple(ct_mma_shape(*a)));
    json_object_set_new(o, "threads", layout_json(a->thr_id));
    set_operands(o, a, tv_of_atom, a);
    if (a->op.kind == CT_MMA_BLOCK) json_object_set_new(o, "tmem", layout_json(ct_mma_tmem_c(*a)));
    if (a->op.sparse)
        json_object_set_new(o, "e",
                            json_pack("{s:s, s:i, s:o}", "from",
                                      a->op.kind == CT_MMA_BLOCK ? "tensor memory" : "registers",
                                      "selectors", (int)ct_mma_selectors(a->op), "tv",
                                      layout_json(ct_mma_tv(*a, CT_MMA_E))));
}

static void set_mma(json_t *o, const ct_tiled_mma *m)
{
    json_object_set_new(o, "shape", ct_json_tuple(ct_tiled_mma_shape(*m)));
    json_object_set_new(o, "threads", layout_json(m->thr));
    json_object_set_new(o, "tiles", tiler_json(m->tiler));
    set_operands(o, &m->atom, tv_of_mma, m);
}

static void set_tensor(json_t *o, const ct_tensor *t)
{
    if (t->swizzle.bits > 0) json_object_set_new(o, "swizzle", swizzle_json(t->swizzle));
    json_object_set_new(o, "offset", ct_json_tuple(t->offset));
    json_object_set_new(o, "layout", layout_json(t->layout));
    if (t->swizzle.bits == 0) return;
    const ct_tuple cosize = ct_tensor_cosize(*t);
    if (cosize.err.status == CT_OK) set_cosize(o, cosize.value[0]);
}

static const char *kind_word(const ct_value *v)
{
    static const char *const words[CT_KIND_COUNT] = {
        "none",  "error",  "bool",    "name",      "tuple",      "list",     "layout",
        "tiler", "tensor", "swizzle", "copy_atom", "tiled_copy", "mma_atom", "tiled_mma"};
    if (v->kind == CT_KIND_TUPLE && ct_is_integer(v->as.tuple) &&
        v->as.tuple.basis[0] == CT_INTEGER)
        return "integer";
    if (v->kind == CT_KIND_TENSOR && v->as.tensor.swizzle.bits > 0) return "composed";
    return words[v->kind];
}

static void set_value(json_t *o, const ct_value *v)
{
    switch (v->kind) {
        case CT_KIND_BOOL: json_object_set_new(o, "value", json_boolean(v->as.boolean)); break;
        case CT_KIND_TUPLE: json_object_set_new(o, "value", ct_json_tuple(v->as.tuple)); break;
        case CT_KIND_LIST: json_object_set_new(o, "value", list_json(v->as.list)); break;
        case CT_KIND_LAYOUT: set_layout(o, v->as.layout); break;
        case CT_KIND_TILER: json_object_set_new(o, "tiles", tiler_json(v->as.tiler)); break;
        case CT_KIND_TENSOR: set_tensor(o, &v->as.tensor); break;
        case CT_KIND_SWIZZLE: json_object_set_new(o, "swizzle", swizzle_json(v->as.swizzle)); break;
        case CT_KIND_COPY_ATOM: set_atom(o, &v->as.atom); break;
        case CT_KIND_MMA_ATOM: set_mma_atom(o, &v->as.mma_atom); break;
        case CT_KIND_TILED_MMA: set_mma(o, &v->as.mma); break;
        case CT_KIND_TILED_COPY:
            json_object_set_new(o, "threads", json_integer(ct_tiled_copy_threads(v->as.copy)));
            json_object_set_new(o, "tv", layout_json(v->as.copy.tv));
            json_object_set_new(o, "tile", ct_json_tuple(ct_tiled_copy_shape(v->as.copy)));
            break;
        default: break;
    }
}

/* A string of any bytes: what is no UTF-8 becomes `?`. */
static json_t *string_json(const char *text)
{
    json_t *s = json_string(text);
    if (s) return s;
    char *copy = strdup(text);
    for (char *p = copy; p && *p; ++p) {
        if ((unsigned char)*p >= 0x80) *p = '?';
    }
    s = json_string(copy ? copy : "");
    incomplete |= !copy;
    free(copy);
    return s;
}

int ct_json_print(FILE *stream, const char *expression, const ct_value *v, const char *for_all,
                  const ct_diag *diag)
{
    json_t *o = json_object();
    if (!o) return -1;
    const char *const notation = ct_notation_of(expression, strlen(expression));
    json_object_set_new(o, "expression", string_json(expression));
    if (notation) json_object_set_new(o, "notation", json_string(notation));
    if (v) {
        char *text = for_all ? strdup(for_all) : ct_value_text(v);
        json_object_set_new(o, "kind", json_string(kind_word(v)));
        json_object_set_new(o, "text", json_string(text ? text : ""));
        incomplete |= !text;
        free(text);
        if (!for_all) set_value(o, v);
    } else {
        json_t *e = json_object();
        json_object_set_new(e, "message", string_json(diag->message));
        json_object_set_new(e, "at", json_integer((json_int_t)diag->at));
        json_object_set_new(e, "length", json_integer((json_int_t)diag->length));
        json_object_set_new(
            e, "status",
            json_string(ct_status_name(diag->err.status ? diag->err.status : CT_E_TEXT)));
        json_object_set_new(o, "error", e);
    }
    const int bad = ct_json_write(stream, o, JSON_COMPACT);
    json_decref(o);
    return bad;
}

int ct_json_print_lines(const char *expression, const char *output, char *text)
{
    json_t *lines = json_array();
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        json_array_append_new(lines, json_string(line + strspn(line, " ")));
    json_t *root = output ? json_pack("{s:s, s:s, s:o}", "expression", expression, "output", output,
                                      "lines", lines)
                          : json_pack("{s:s, s:o}", "expression", expression, "lines", lines);
    const int bad = ct_json_write(stdout, root, JSON_INDENT(2));
    json_decref(root);
    return bad;
}

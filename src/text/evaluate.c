/* Expressions: matching calls with the table of operations, and values at coordinates. */
#include "evaluate.h"

#include <stdio.h>
#include <string.h>

#include "atoms.h"
#include "call.h"
#include "cute_atoms.h"
#include "cute_tuple.h"
#include "mma_names.h"
#include "note.h"
#include "offsets.h"
#include "operations.h"
#include "unknown.h"
#include "words.h"

typedef struct evaluation {
    void (*observe)(void *context, const ct_step *step);
    void *context;
    char message[CT_MESSAGE_BYTES]; /* of the first operation that failed */
    int64_t assumed;                /* the number of the first `?`, or 0 */
    int depends;                    /* whether an operation depended on that */
} evaluation;

static int same_name(const ct_operation *o, const ct_call *call)
{
    return strncmp(o->name, call->name, call->name_length) == 0 &&
           o->name[call->name_length] == '\0';
}

/* The operation of the call, or NULL; then complains about the count or the kind. */
static const ct_operation *find_operation(ct_reader *r, const ct_call *call)
{
    ct_forms named;
    const ct_operation *nearest;
    int suited;
    const int known = ct_operation_forms_span(call->name, call->name_length, &named);
    const ct_operation *const o = ct_match_form(&named, call->arg, call->count, &nearest, &suited);
    if (o) return o;
    char forms[256];
    if (!known) {
        const char *guess = ct_nearest_operation(call->name, call->name_length);
        ct_reader_fail(r, call->at, call->name_length, "there is no operation `%.*s`%s%s%s",
                       (int)(call->name_length < 40 ? call->name_length : 40), call->name,
                       guess ? "; did you mean `" : "; `cutlet help operations` lists them",
                       guess ? guess : "", guess ? "`?" : "");
    } else if (!nearest) {
        ct_describe_forms(&named, forms, sizeof forms);
        ct_reader_fail(r, call->at, call->length, "%.*s takes %s; %d argument%s given",
                       (int)call->name_length, call->name, forms, call->count,
                       call->count == 1 ? " is" : "s are");
    } else {
        const size_t at = call->arg_at[suited], end = call->arg_at[suited + 1];
        size_t length = end - at;
        while (length > 1 && (r->text[at + length - 1] == ' ' || r->text[at + length - 1] == ','))
            --length;
        ct_reader_fail(r, at, length, "%.*s: argument %d must be %s, not %s",
                       (int)call->name_length, call->name, suited + 1,
                       ct_letter_name(ct_letter_of(nearest->takes, suited)),
                       ct_kind_name(&call->arg[suited]));
    }
    return NULL;
}

/* For a name that is written like that of an MMA atom but names no atom: the nearest. */
static int no_mma_atom(ct_reader *r, const ct_call *call, const char *name)
{
    char nearest[4 * CT_MMA_NAME_BYTES];
    const char *const copy = ct_cute_atom_nearest(name);
    if (copy)
        return ct_reader_fail(r, call->at, call->length,
                              "there is no copy operation `%s` of CuTe; did you mean %s?", name,
                              copy);
    ct_mma_nearest(name, nearest, sizeof nearest);
    return ct_reader_fail(r, call->at, call->length, "there is no MMA or copy atom `%s`; %s%s%s",
                          name, nearest[0] ? "did you mean " : "`cutlet help atoms` lists them",
                          nearest, nearest[0] ? "?" : "");
}

/* The copy atom whose name is most like a word, NULL when none is much like it. */
static const char *nearest_atom(const char *word)
{
    const char *best = NULL, *name;
    int least = 5; /* further away is not a typing error */
    for (int i = 0; (name = ct_atom_listed(i)); ++i) {
        const int d = ct_word_distance(word, strlen(word), name);
        if (d >= least) continue;
        least = d;
        best = name;
    }
    return best;
}

static ct_status call_operation(ct_reader *r, const ct_call *call, ct_value *out);

/* MMA_Atom<SM80_..>{}, TiledMMA<MMA_Atom<SM80_..>, Layout<..>, Tile<_32,_32,_16>>{} of C++, behind the name. */
static ct_status read_mma_type(ct_reader *r, const ct_call *at, int tiled, ct_value *out)
{
    ct_value arg[3];
    size_t arg_at[4] = {0};
    ct_call call = {"tiled_mma", 9, at->at, 0, 0, arg, arg_at};
    ++r->at; /* the bracket */
    do {
        ct_reader_peek(r);
        arg_at[call.count] = r->at;
        if (ct_read_expr(r, &arg[call.count])) break;
        arg_at[++call.count] = r->at;
    } while (tiled && call.count < 3 && ct_reader_take(r, ','));
    if (!r->failed) ct_take_closing(r, '>');
    if (!r->failed) ct_take_empty_braces(r);
    call.length = r->at - at->at;
    if (tiled && !r->failed) call_operation(r, &call, out);
    else if (!r->failed && arg[0].kind != CT_KIND_MMA_ATOM && arg[0].kind != CT_KIND_ERROR)
        ct_reader_fail(r, arg_at[0], arg_at[1] - arg_at[0], "MMA_Atom takes an instruction, not %s",
                       ct_kind_name(&arg[0]));
    else if (!r->failed) *out = arg[0];
    for (int i = 0; i < call.count; ++i) ct_value_free(&arg[i]);
    return r->failed;
}

/* A name without parentheses: a constant, an MMA atom or the name of a copy atom. */
static ct_status word(ct_reader *r, const ct_call *call, ct_value *out)
{
    char name[CT_MMA_NAME_BYTES];
    ct_copy_atom ignored;
    if (ct_read_cute_atom(r, call, out)) return r->failed;
    snprintf(name, sizeof name, "%.*s",
             (int)(call->name_length < sizeof name ? call->name_length : sizeof name - 1),
             call->name);
    if (ct_reader_peek(r) == '<' && ct_is_one_of(name, "MMA_Atom TiledMMA"))
        return read_mma_type(r, call, name[0] == 'T', out);
    const ct_mma_atom mma = ct_make_mma_atom(name);
    if (mma.err.status == CT_OK && call->name_length < sizeof name) {
        out->kind = CT_KIND_MMA_ATOM;
        out->as.mma_atom = mma;
        ct_take_empty_braces(r);
        return 0;
    }
    if (mma.err.why == CT_WHY_MMA_METADATA) {
        char why[CT_MESSAGE_BYTES];
        ct_error_message(mma.err, why, sizeof why);
        return ct_reader_fail(r, call->at, call->length, "%s", why);
    }
    if (ct_mma_looks_named(name)) return no_mma_atom(r, call, name);
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0) {
        ct_give_bool(out, name[0] == 't');
        return 0;
    }
    if (ct_atom_named(name, 8, &ignored) || ct_read_named(name) >= 0) {
        out->kind = CT_KIND_NAME;
        snprintf(out->as.name, sizeof out->as.name, "%.31s", name);
        return 0;
    }
    for (const ct_operation_group *g = ct_operation_groups; g->title; ++g) {
        for (const ct_operation *o = g->entry; o->name; ++o) {
            if (same_name(o, call))
                return ct_reader_fail(r, call->at, call->length,
                                      "`%s` is an operation: its arguments "
                                      "follow in parentheses",
                                      o->name);
        }
    }
    const char *const guess = nearest_atom(name);
    return ct_reader_fail(r, call->at, call->length,
                          "there is no atom and no constant `%s`%s%s%s; `cutlet help atoms` "
                          "lists the atoms",
                          name, guess ? " (did you mean `" : "", guess ? guess : "",
                          guess ? "`?)" : "");
}

static void observe_call(ct_reader *r, const ct_call *call, const char *name,
                         const ct_value *result)
{
    evaluation *const e = r->context;
    const ct_step step = {name, call->count, call->arg, result, call->at, call->length};
    if (e->assumed && ct_depends_on_unknown(&step, e->assumed)) e->depends = 1;
    if (e->observe) e->observe(e->context, &step);
}

/* The message of the first operation that fails: its arguments are gone when the reading ends. */
static void say_failure(ct_reader *r, const ct_call *call, const char *name, ct_error e)
{
    evaluation *const at = r->context;
    if (at->message[0]) return;
    ct_error_message(e, at->message, sizeof at->message);
    ct_note_composition(name, call->arg, call->count, e, at->message);
}

static ct_status call_operation(ct_reader *r, const ct_call *call, ct_value *out)
{
    if (call->count < 0) return word(r, call, out);
    const ct_operation *o = find_operation(r, call);
    if (!o) return r->failed;
    for (int i = 0; i < call->count; ++i) {
        ct_value *v = &call->arg[i];
        if (v->kind == CT_KIND_ERROR) { /* the first failure goes on */
            *out = *v;
            return 0;
        }
        ct_convert(ct_letter_of(o->takes, i), v);
        if (v->kind == CT_KIND_ERROR) {
            v->as.failure.at = call->arg_at[i];
            v->as.failure.length = call->arg_at[i + 1] - call->arg_at[i];
            *out = *v;
            return 0;
        }
    }
    ct_operation_run(o, call->arg, call->count, out);
    if (out->kind == CT_KIND_ERROR) {
        out->as.failure.at = call->at;
        out->as.failure.length = call->length;
        say_failure(r, call, o->name, out->as.failure.err);
    }
    observe_call(r, call, o->name, out);
    return 0;
}

static int has_any(ct_tuple t)
{
    for (int i = 0; i < t.profile.leaves; ++i) {
        if (t.basis[i] == CT_ANY) return 1;
    }
    return 0;
}

/* A function at a coordinate, or, where the coordinate has `_`, its slice. */
static void at_coordinate(const ct_value *f, ct_tuple coord, ct_value *out)
{
    const int slice = has_any(coord);
    switch (f->kind) {
        case CT_KIND_LAYOUT:
            if (slice) ct_give_tensor(out, ct_tensor_slice(ct_make_tensor(f->as.layout), coord));
            else ct_give_tuple(out, ct_at(f->as.layout, coord));
            break;
        default:
            if (slice) ct_give_tensor(out, ct_tensor_slice(f->as.tensor, coord));
            else ct_give_tuple(out, ct_tensor_at(f->as.tensor, coord));
            break;
    }
}

static ct_status apply_value(ct_reader *r, const ct_call *call, ct_value *out)
{
    ct_value *f = &call->arg[0];
    ct_value *c = &call->arg[1];
    const size_t at = call->arg_at[1], length = call->arg_at[2] - at;
    if (f->kind == CT_KIND_ERROR || c->kind == CT_KIND_ERROR) {
        *out = f->kind == CT_KIND_ERROR ? *f : *c;
        return 0;
    }
    if (f->kind == CT_KIND_TUPLE && !ct_is_integer(f->as.tuple))
        ct_give_layout(f, ct_layout_of_shape(f->as.tuple));
    if (f->kind == CT_KIND_ERROR) {
        *out = *f;
        return 0;
    }
    ct_tuple coord = c->kind == CT_KIND_TUPLE ? c->as.tuple : ct_tuple0();
    if (ct_rank(coord) == 1 && !ct_is_integer(coord)) coord = ct_get(coord, 0);
    if (c->kind == CT_KIND_TUPLE) c->as.tuple = coord;
    if (coord.profile.leaves == 0)
        return ct_reader_fail(r, at, length,
                              "a coordinate is expected here, as in (4,8):(8,1)(2,3)");
    const int index = ct_is_integer(coord) && coord.basis[0] == CT_INTEGER;
    int64_t size = 0;
    if (f->kind == CT_KIND_SWIZZLE && index) {
        if (coord.value[0] < 0)
            ct_give_error(out, ct_make_error(CT_E_DOMAIN, CT_OP_COMPOSED, CT_WHY_NEGATIVE, 0,
                                             coord.value[0], 0));
        else ct_give_tuple(out, ct_int(ct_swizzle_apply(f->as.swizzle, coord.value[0])));
    } else if (f->kind == CT_KIND_LIST && index) {
        const int64_t i = coord.value[0], n = f->as.list.count;
        if (i >= 0 && i < n) ct_give_tuple(out, ct_int(f->as.list.item[i]));
        else ct_give_error(out, ct_make_error(CT_E_DOMAIN, CT_OP_CRD2IDX, CT_WHY_INDEX, 0, i, n));
    } else if (ct_function_size(f, &size)) {
        at_coordinate(f, coord, out);
    } else {
        return ct_reader_fail(r, call->at, call->length, "%s has no coordinates", ct_kind_name(f));
    }
    if (out->kind == CT_KIND_ERROR) {
        out->as.failure.at = call->at;
        out->as.failure.length = call->length;
    }
    observe_call(r, call, "at", out);
    return 0;
}

ct_status ct_evaluate_span(const ct_text_span *span, ct_value *out, ct_diag *diag,
                           void (*observe)(void *, const ct_step *), void *context)
{
    evaluation e = {observe, context, "", span->assumed, 0};
    ct_reader r;
    memset(&r, 0, sizeof r);
    r.text = span->text;
    r.at = span->begin;
    r.length = span->end;
    r.diag = diag;
    r.call = call_operation;
    r.apply = apply_value;
    r.context = &e;
    r.assumed = span->assumed;
    out->kind = CT_KIND_NONE;
    if (ct_read_with(&r) || ct_read_whole(&r, out)) {
        out->kind = CT_KIND_NONE;
        return r.failed;
    }
    if (r.taken > 0 && r.unknowns == 0 && (e.depends || out->kind == CT_KIND_ERROR)) {
        ct_value_free(out);
        return ct_ask_unknown(span, diag);
    }
    if (out->kind != CT_KIND_ERROR) return 0;
    const ct_failure *f = &out->as.failure;
    if (diag) {
        memset(diag, 0, sizeof *diag);
        diag->at = f->at;
        diag->length = f->length ? f->length : 1;
        diag->err = f->err;
        ct_error_message(f->err, diag->message, sizeof diag->message);
        const size_t n = strlen(diag->message);
        if (strncmp(e.message, diag->message, n) == 0)
            memcpy(diag->message, e.message, sizeof diag->message);
    }
    return f->bad_text ? CT_E_TEXT : f->err.status;
}

/* Calling an operation with values: the form that they fit, and their conversion. */
#include "call.h"

#include <stdio.h>
#include <string.h>

#include "base/refuse.h"
#include "evaluate.h"
#include "notation.h"
#include "note.h"

int ct_operation_forms_span(const char *name, size_t length, ct_forms *forms)
{
    forms->count = 0;
    for (const ct_operation_group *g = ct_operation_groups; g->title; ++g) {
        for (const ct_operation *o = g->entry; o->name; ++o) {
            if (strncmp(o->name, name, length) == 0 && o->name[length] == '\0' &&
                forms->count < CT_MAX_FORMS)
                forms->form[forms->count++] = o;
        }
    }
    return forms->count;
}

int ct_operation_forms(const char *name, ct_forms *forms)
{
    return ct_operation_forms_span(name, strlen(name), forms);
}

/* Whether a value is of the kind that a letter asks for, as it is or once converted. */
static int suits(char letter, const ct_value *v)
{
    const int tuple = v->kind == CT_KIND_TUPLE;
    switch (letter) {
        case 'i':
        case 'm': return tuple && ct_is_integer(v->as.tuple) && v->as.tuple.basis[0] == CT_INTEGER;
        case 't': return tuple;
        case 'L': return v->kind == CT_KIND_LAYOUT || tuple;
        case 'l': return v->kind == CT_KIND_LAYOUT;
        case 'T': return v->kind == CT_KIND_TILER || v->kind == CT_KIND_LAYOUT || tuple;
        case 'x': return v->kind == CT_KIND_TENSOR;
        case 'X': return v->kind == CT_KIND_TENSOR || v->kind == CT_KIND_LAYOUT || tuple;
        case 's': return v->kind == CT_KIND_SWIZZLE;
        case 'a': return v->kind == CT_KIND_COPY_ATOM;
        case 'k': return v->kind == CT_KIND_TILED_COPY;
        case 'A': return v->kind == CT_KIND_MMA_ATOM;
        case 'M': return v->kind == CT_KIND_TILED_MMA;
        case 'n': return v->kind == CT_KIND_NAME;
        default: return 0;
    }
}

void ct_convert(char letter, ct_value *v)
{
    if ((letter == 'L' || letter == 'X') && v->kind == CT_KIND_TUPLE)
        ct_give_layout(v, ct_layout_of_shape(v->as.tuple));
    if (letter == 'X' && v->kind == CT_KIND_LAYOUT) ct_give_tensor(v, ct_make_tensor(v->as.layout));
    else if (letter == 'T' && ct_value_to_tiler(v) && v->as.tiler.tiles.err.status)
        ct_give_error(v, v->as.tiler.tiles.err);
}

char ct_letter_of(const char *takes, int i)
{
    const int n = (int)strlen(takes);
    if (n > 0 && takes[n - 1] == '+') return takes[i < n - 1 ? i : n - 2];
    return i < n ? takes[i] : '\0';
}

static int takes_count(const char *takes, int count)
{
    const int n = (int)strlen(takes);
    return n > 0 && takes[n - 1] == '+' ? count >= n - 1 : count == n;
}

/* How many arguments fit before the first that does not. */
static int arguments_that_suit(const ct_operation *o, const ct_value *arg, int count)
{
    int i = 0;
    while (i < count && (arg[i].kind == CT_KIND_ERROR || suits(ct_letter_of(o->takes, i), &arg[i])))
        ++i;
    return i;
}

const ct_operation *ct_match_form(const ct_forms *forms, const ct_value *arg, int count,
                                  const ct_operation **nearest, int *suited)
{
    *nearest = NULL;
    *suited = -1;
    for (int k = 0; k < forms->count; ++k) {
        const ct_operation *const o = forms->form[k];
        if (!takes_count(o->takes, count)) continue;
        const int n = arguments_that_suit(o, arg, count);
        if (n == count) return o;
        if (n <= *suited) continue;
        *suited = n;
        *nearest = o;
    }
    return NULL;
}

void ct_describe_forms(const ct_forms *forms, char *buf, size_t size)
{
    size_t n = 0;
    buf[0] = '\0';
    for (int k = 0; k < forms->count; ++k) {
        const ct_operation *const o = forms->form[k];
        char takes[128];
        ct_describe_takes(o->takes, takes, sizeof takes);
        const int more = snprintf(buf + n, size - n, "%s(%s)", k ? " or " : "", takes);
        if (more < 0 || n + (size_t)more >= size) return;
        n += (size_t)more;
    }
}

/* Why no form takes the values. */
static ct_status no_form(const ct_forms *forms, const ct_operation *nearest, int suited,
                         const ct_value *arg, int count, char *message)
{
    char takes[256];
    if (forms->count == 0) return ct_refuse(message, CT_E_TEXT, "there is no such operation");
    const ct_operation *const first = forms->form[0];
    if (nearest)
        return ct_refuse(message, CT_E_TEXT, "%s: argument %d must be %s, not %s", first->name,
                         suited + 1, ct_letter_name(ct_letter_of(nearest->takes, suited)),
                         ct_kind_name(&arg[suited]));
    ct_describe_forms(forms, takes, sizeof takes);
    return ct_refuse(message, CT_E_TEXT, "%s takes %s; %d argument%s given", first->name, takes,
                     count, count == 1 ? " is" : "s are");
}

ct_status ct_operation_call(const ct_forms *forms, ct_value *arg, int count, ct_value *out,
                            char message[CT_MESSAGE_BYTES])
{
    const ct_operation *nearest;
    int suited;
    const ct_operation *const o = ct_match_form(forms, arg, count, &nearest, &suited);
    out->kind = CT_KIND_NONE;
    if (!o) return no_form(forms, nearest, suited, arg, count, message);
    for (int i = 0; i < count && out->kind == CT_KIND_NONE; ++i) {
        ct_convert(ct_letter_of(o->takes, i), &arg[i]);
        if (arg[i].kind == CT_KIND_ERROR) ct_give_error(out, arg[i].as.failure.err);
    }
    if (out->kind == CT_KIND_NONE) ct_operation_run(o, arg, count, out);
    if (out->kind != CT_KIND_ERROR) return CT_OK;
    ct_refuse_error(message, out->as.failure.err);
    if (message) ct_note_composition(o->name, arg, count, out->as.failure.err, message);
    return out->as.failure.err.status;
}

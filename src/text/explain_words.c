/* What explanations say, and layouts and tuples as they show them. */
#include <stdarg.h>

#include "explainer.h"

void ct_say(ct_explainer *x, const char *format, ...)
{
    va_list args;
    fprintf(x->stream, "   %*s", 2 * x->indent, "");
    va_start(args, format);
    vfprintf(x->stream, format, args);
    va_end(args);
    fputc('\n', x->stream);
}

char *ct_shown_next(ct_explainer *x)
{
    x->next = (x->next + 1) % CT_SHOWN;
    return x->shown[x->next];
}

const char *ct_shown(ct_explainer *x, ct_layout L)
{
    char *text = ct_shown_next(x);
    ct_format_layout(text, CT_TEXT_BYTES, L);
    return text;
}

const char *ct_shown_tuple(ct_explainer *x, ct_tuple t)
{
    char *text = ct_shown_next(x);
    ct_format_tuple(text, CT_TEXT_BYTES, t);
    return text;
}

const char *ct_shown_leaf(ct_explainer *x, ct_layout L, int leaf)
{
    const ct_span one = {leaf, 1};
    ct_layout cut = L;
    cut.profile = ct_profile_flat(1);
    cut.profile.open[0] = cut.profile.close[0] = 0;
    cut.shape[0] = L.shape[one.first];
    cut.stride[0] = L.stride[one.first];
    cut.basis[0] = L.basis[one.first];
    return ct_shown(x, cut);
}

/* The fields of a request. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cutlet/common/cli.h"
#include "base/number.h"
#include <cutlet/cutlet.h>
#include "io/types.h"
#include "play.h"
#include "text/extents.h"

const char *ct_play_field(const ct_play_request *r, const char *key)
{
    for (const char *at = r->at; *at;) {
        const char *const value = at + strlen(at) + 1;
        if (strcmp(at, key) == 0) return *value ? value : NULL;
        at = value + strlen(value) + 1;
    }
    return NULL;
}

int ct_play_number(const ct_play_request *r, ct_play_answer *a, const char *key, int64_t least,
                   int64_t most, int64_t *out)
{
    char message[CT_MESSAGE_BYTES];
    const char *const text = ct_play_field(r, key);
    if (!text || ct_number_read(text, least, most, out) == 0) return 0;
    snprintf(message, sizeof message, "`%.40s` is not a number of %lld to %lld", text,
             (long long)least, (long long)most);
    ct_play_wrong(a, key, message);
    return -1;
}

/* A bare shape becomes its compact layout. */
static int make_layout(ct_play_answer *a, const char *key, ct_value *v)
{
    char message[CT_MESSAGE_BYTES];
    if (v->kind != CT_KIND_TUPLE) return 0;
    v->kind = CT_KIND_LAYOUT;
    v->as.layout = ct_make_col_major(v->as.tuple);
    if (v->as.layout.err.status == CT_OK) return 0;
    ct_error_message(v->as.layout.err, message, sizeof message);
    ct_play_wrong(a, key, message);
    return -1;
}

int ct_play_operand(const ct_play_request *r, ct_play_answer *a, const char *key, ct_value *out)
{
    ct_diag diag;
    const char *const given = ct_play_field(r, key), *const text = given ? given : "";
    out->kind = CT_KIND_NONE;
    if (ct_evaluate(text, out, &diag)) {
        ct_play_wrong_at(a, key, text, &diag);
        ct_value_free(out);
        return -1;
    }
    if (make_layout(a, key, out) == 0) return 0;
    ct_value_free(out);
    return -1;
}

int ct_play_memory(const ct_play_request *r, ct_play_answer *a, const char *key, int *has,
                   ct_tensor *out)
{
    char message[CT_MESSAGE_BYTES];
    ct_value v;
    *has = ct_play_field(r, key) != NULL;
    if (!*has) return 0;
    if (ct_play_operand(r, a, key, &v)) return -1;
    int bad = 0;
    if (v.kind == CT_KIND_LAYOUT) *out = ct_make_tensor(v.as.layout);
    else if (v.kind == CT_KIND_TENSOR && ct_offset_is_integer(&v.as.tensor.offset))
        *out = v.as.tensor;
    else {
        snprintf(message, sizeof message, "a layout is needed, swizzled or not; this is %s",
                 ct_kind_name(&v));
        ct_play_wrong(a, key, message);
        bad = -1;
    }
    ct_value_free(&v);
    return bad;
}

int ct_play_shape(const ct_play_request *r, ct_play_answer *a, const char *key, ct_tuple *out)
{
    ct_diag diag;
    const char *const text = ct_play_field(r, key);
    *out = ct_tuple0();
    if (!text || ct_extents_read(text, out, &diag) == 0) return 0;
    ct_play_wrong_at(a, key, text, &diag);
    return -1;
}

int ct_play_type(const ct_play_request *r, ct_play_answer *a, const char *key, int32_t *bits)
{
    char message[CT_MESSAGE_BYTES];
    ct_named_type type;
    const char *const text = ct_play_field(r, key);
    if (!text) return 0;
    if (ct_named_type_read(text, &type, message)) {
        ct_play_wrong(a, key, message);
        return -1;
    }
    *bits = type.bits;
    return 0;
}

int ct_play_rules(const ct_play_request *r, ct_play_answer *a, const ct_access_rules **out)
{
    int count;
    const char *const arch = ct_play_field(r, "arch");
    *out = arch ? ct_access_rules_named(arch) : ct_access_rules_all(&count);
    if (*out) return 0;
    ct_play_wrong(a, "arch", "there are no rules for this architecture");
    return -1;
}

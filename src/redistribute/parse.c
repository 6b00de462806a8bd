/* The text of a sharded layout, read and written. */
#include <stdlib.h>
#include <string.h>

#include "axes.h"
#include "base/number.h"
#include "base/refuse.h"
#include "base/units.h"
#include <cutlet/host/text.h>

enum { REPLICATE, SHARD, CYCLIC };

/* What a mode of the mesh does. */
typedef struct form {
    int kind;
    int64_t mode, block; /* of the tensor */
    int64_t extent;      /* of the mesh's mode */
} form;

static ct_status read_form(const char *text, int modes, form *f, char *message)
{
    int64_t numbers[2];
    if (strcmp(text, "replicate") == 0) {
        f->kind = REPLICATE;
        return CT_OK;
    }
    if (strncmp(text, "shard:", 6) == 0 && ct_number_read(text + 6, 0, INT32_MAX, &f->mode) == 0)
        f->kind = SHARD;
    else if (strncmp(text, "cyclic:", 7) == 0 &&
             ct_numbers_read(text + 7, ':', 2, 0, (int64_t)1 << 40, numbers) == 0 &&
             numbers[1] > 0) {
        f->kind = CYCLIC;
        f->mode = numbers[0];
        f->block = numbers[1];
    } else
        return ct_refuse(message, CT_E_TEXT,
                         "`%.60s` is no form; there are shard:D, cyclic:D:B and replicate", text);
    if (f->mode >= modes)
        return ct_refuse(message, CT_E_TEXT, "%.60s: the tensor has no mode %lld; it has %d", text,
                         (long long)f->mode, modes);
    return CT_OK;
}

/* Reads one form for each mode of the mesh; text is cut at its commas. */
static ct_status read_forms(char *text, int modes, ct_tuple mesh, form *forms, char *message)
{
    int count = 0;
    for (char *word = text, *comma; word; word = comma) {
        comma = strchr(word, ',');
        if (comma) *comma++ = 0;
        if (count == mesh.profile.leaves)
            return ct_refuse(message, CT_E_TEXT,
                             "more forms than modes of the mesh, which has %d; each has one",
                             mesh.profile.leaves);
        forms[count].extent = mesh.value[count];
        const ct_status bad = read_form(word, modes, &forms[count++], message);
        if (bad) return bad;
    }
    if (count < mesh.profile.leaves)
        return ct_refuse(message, CT_E_TEXT, "%d form%s for the %d modes of the mesh; each has one",
                         count, ct_plural(count), mesh.profile.leaves);
    return CT_OK;
}

/* What the forms make of mode d: its chunk or block, and how many ranks take part. */
static ct_status cut_mode(const form *forms, int count, int d, int64_t *parts, int64_t *block,
                          char *message)
{
    int shards = 0, cyclics = 0;
    *parts = 1;
    *block = 0;
    for (int i = 0; i < count; ++i) {
        if (forms[i].kind == REPLICATE || forms[i].mode != d) continue;
        shards += forms[i].kind == SHARD;
        cyclics += forms[i].kind == CYCLIC;
        *parts *= forms[i].extent;
        if (forms[i].kind == CYCLIC) *block = forms[i].block;
    }
    if (cyclics > 1 || (cyclics && shards))
        return ct_refuse(message, CT_E_TEXT,
                         "mode %d is cyclic and cut by another form too; write it as a layout", d);
    return CT_OK;
}

/* The layout of the forms, as text. Mesh modes are in reverse: the last one is the fastest. */
static ct_status layout_of_forms(const form *forms, int count, ct_sharded *s, char *message)
{
    ct_builder shape = {0}, stride = {0};
    int64_t chunk[CT_SHARDED_MODES], parts[CT_SHARDED_MODES], block[CT_SHARDED_MODES];
    for (int d = 0; d < s->modes; ++d) {
        const ct_status bad = cut_mode(forms, count, d, &parts[d], &block[d], message);
        if (bad) return bad;
        chunk[d] = ct_ceil_div_int(s->shape[d], parts[d]);
    }
    ct_put_text(&shape, count > 1 ? "((" : "(");
    ct_put_text(&stride, count > 1 ? "((" : "(");
    int64_t step[CT_SHARDED_MODES];
    for (int d = 0; d < s->modes; ++d) step[d] = block[d] ? block[d] : chunk[d];
    for (int i = count - 1; i >= 0; --i) {
        const int d = (int)forms[i].mode;
        ct_put(&shape, "%s%lld", i < count - 1 ? "," : "", (long long)forms[i].extent);
        if (forms[i].kind == REPLICATE) ct_put(&stride, "%s0", i < count - 1 ? "," : "");
        else {
            ct_put(&stride, "%s%lld@%d", i < count - 1 ? "," : "", (long long)step[d], d);
            step[d] *= forms[i].extent;
        }
    }
    ct_put_text(&shape, count > 1 ? ")," : ",");
    ct_put_text(&stride, count > 1 ? ")," : ",");
    if (s->modes > 1) ct_put_char(&shape, '('), ct_put_char(&stride, '(');
    for (int d = 0; d < s->modes; ++d) {
        const char *const comma = d ? "," : "";
        const int64_t turns = block[d] ? ct_ceil_div_int(s->shape[d], step[d]) : 1;
        if (turns > 1) {
            ct_put(&shape, "%s(%lld,%lld)", comma, (long long)block[d], (long long)turns);
            ct_put(&stride, "%s(1@%d,%lld@%d)", comma, d, (long long)step[d], d);
        } else {
            ct_put(&shape, "%s%lld", comma, (long long)(block[d] ? block[d] : chunk[d]));
            ct_put(&stride, "%s1@%d", comma, d);
        }
    }
    ct_put_text(&shape, s->modes > 1 ? ")):" : "):");
    ct_put_text(&stride, s->modes > 1 ? "))" : ")");
    ct_put_text(&shape, stride.text ? stride.text : "");
    ct_diag diag;
    ct_status bad = CT_E_MEMORY;
    if (shape.failed || stride.failed) ct_refuse(message, bad, "not enough memory");
    else if ((bad = ct_parse_layout(shape.text, &s->layout, &diag)))
        ct_refuse(message, bad, "%s", diag.message);
    ct_builder_free(&shape);
    ct_builder_free(&stride);
    return bad;
}

/* Strides that are indices of elements, the tensor's first mode fastest, become steps along modes. */
static void steps_along_modes(ct_sharded *s)
{
    ct_layout *const L = &s->layout;
    for (int i = 0; i < L->profile.leaves && s->modes > 1; ++i) {
        int64_t weight = 1;
        if (L->basis[i] != CT_INTEGER || L->stride[i] <= 0) continue;
        for (int d = 0; d < s->modes; weight *= s->shape[d++]) {
            if (L->stride[i] >= weight * s->shape[d] || L->stride[i] % weight) continue;
            L->stride[i] /= weight;
            L->basis[i] = (uint32_t)(d + 1);
            break;
        }
    }
}

/* Reads the text after the slash. */
static ct_status read_memory(const char *text, ct_sharded *s, char *message)
{
    ct_tuple strides;
    if (strcmp(text, "c") == 0) s->memory = CT_MEMORY_ROWS;
    else if (strcmp(text, "f") == 0) s->memory = CT_MEMORY_COLUMNS;
    else if (strcmp(text, "local") == 0) s->memory = CT_MEMORY_LOCAL;
    else if (ct_parse_tuple(text, &strides, NULL) == CT_OK && strides.profile.leaves == s->modes) {
        s->memory = CT_MEMORY_STRIDES;
        for (int d = 0; d < s->modes; ++d) {
            s->stride[d] = strides.value[d];
            if (strides.basis[d] != CT_INTEGER || strides.value[d] < 0)
                return ct_refuse(message, CT_E_TEXT,
                                 "stride %d of memory is not a number of elements", d);
        }
    } else
        return ct_refuse(message, CT_E_TEXT,
                         "`/%.60s` says nothing about memory; there are /c, /f, /local, and %d "
                         "strides, as /(64,1)",
                         text, s->modes);
    return CT_OK;
}

static ct_status read_text(char *text, ct_tuple mesh, ct_sharded *s, char *message)
{
    char *const slash = strrchr(text, '/');
    if (slash) *slash = 0;
    const int is_layout = text[0] == '(';
    s->memory = is_layout ? CT_MEMORY_LOCAL : CT_MEMORY_ROWS;
    ct_status bad = slash ? read_memory(slash + 1, s, message) : CT_OK;
    if (bad) return bad;
    if (is_layout) {
        ct_diag diag;
        if ((bad = ct_parse_layout(text, &s->layout, &diag)))
            return ct_refuse(message, bad, "%s", diag.message);
        steps_along_modes(s);
        const int64_t ranks = ct_sharded_ranks(s);
        if (mesh.profile.leaves > 0 && ct_product(mesh) != ranks)
            return ct_refuse(message, CT_E_TEXT, "the layout has %lld rank%s, and the mesh %lld",
                             (long long)ranks, ct_plural(ranks), (long long)ct_product(mesh));
        return CT_OK;
    }
    form forms[CT_MAX_LEAVES] = {{0}};
    if (mesh.profile.leaves == 0)
        return ct_refuse(message, CT_E_TEXT, "`%.60s` needs a mesh, as (8) or (2,4)", text);
    bad = read_forms(text, s->modes, mesh, forms, message);
    return bad ? bad : layout_of_forms(forms, mesh.profile.leaves, s, message);
}

ct_status ct_parse_sharded(const char *text, ct_tuple shape, ct_tuple mesh, ct_sharded *out,
                           char message[CT_MESSAGE_BYTES])
{
    ct_sharded s;
    memset(&s, 0, sizeof s);
    if (shape.err.status) return ct_refuse_error(message, shape.err);
    if (mesh.err.status) return ct_refuse_error(message, mesh.err);
    if (shape.profile.leaves < 1 || shape.profile.leaves > CT_SHARDED_MODES)
        return ct_refuse(message, CT_E_ARGUMENT, "a tensor of %d modes; it has 1 to %d",
                         shape.profile.leaves, CT_SHARDED_MODES);
    s.modes = shape.profile.leaves;
    for (int d = 0; d < s.modes; ++d) s.shape[d] = shape.value[d];
    int64_t ranks = 1;
    for (int i = 0; i < mesh.profile.leaves; ++i) {
        if (mesh.value[i] < 1 || mesh.value[i] > CT_SHARDED_RANKS)
            return ct_refuse(message, CT_E_ARGUMENT,
                             "mode %d of the mesh: %lld; it has 1 to %d ranks", i,
                             (long long)mesh.value[i], CT_SHARDED_RANKS);
        if ((ranks *= mesh.value[i]) > CT_SHARDED_RANKS)
            return ct_refuse(message, CT_E_ARGUMENT, "%lld ranks; a mesh has up to %d",
                             (long long)ranks, CT_SHARDED_RANKS);
    }
    char *const copy = malloc(strlen(text) + 1);
    if (!copy) return ct_refuse(message, CT_E_MEMORY, "not enough memory");
    size_t used = 0;
    for (const char *c = text; *c; ++c)
        if (*c != ' ') copy[used++] = *c;
    copy[used] = 0;
    ct_status bad = read_text(copy, mesh, &s, message);
    free(copy);
    if (!bad) bad = ct_sharded_check(&s, message);
    if (!bad) *out = s;
    return bad;
}

int ct_format_sharded(char *buf, size_t size, const ct_sharded *s)
{
    ct_builder b = ct_builder_fixed(buf, size);
    char text[CT_TEXT_BYTES];
    ct_format_layout(text, sizeof text, s->layout);
    ct_put_text(&b, text);
    if (s->memory == CT_MEMORY_STRIDES) {
        for (int d = 0; d < s->modes && d < CT_SHARDED_MODES; ++d)
            ct_put(&b, "%s%lld", d ? "," : "/(", (long long)s->stride[d]);
        ct_put_text(&b, ")");
    } else
        ct_put_text(&b, s->memory == CT_MEMORY_ROWS      ? "/c"
                        : s->memory == CT_MEMORY_COLUMNS ? "/f"
                                                         : "/local");
    return ct_builder_end(&b);
}

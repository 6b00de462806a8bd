/* Mappings of C++'s mdspan: std::layout_left::mapping<std::extents<std::size_t, 4, 8>>{} and the
 * others of [mdspan.layout]. */
#include <string.h>

#include "exchange.h"
#include "text/words.h"

enum { LEFT, RIGHT, STRIDE, LEFT_PADDED, RIGHT_PADDED, NONE };
static const char *const names[] = {"layout_left", "layout_right", "layout_stride",
                                    "layout_left_padded", "layout_right_padded"};

typedef struct mapping {
    ct_reader r;
    int kind, rank, has_extents;
    int64_t pad; /* -1: dynamic, and not known yet; 0: none */
    ct_strided s;
} mapping;

static int is_dynamic(const char *word) { return strcmp(word, "dynamic_extent") == 0; }

static ct_status read_extent(mapping *m, int64_t *out)
{
    ct_reader *const r = &m->r;
    char word[CT_WORD_BYTES];
    ct_reader_peek(r);
    const size_t at = r->at;
    ct_read_word(r, word);
    *out = -1;
    if (is_dynamic(word)) return CT_OK;
    r->at = at;
    if (ct_read_integer(r, out)) return r->failed;
    while (r->at < r->length && strchr("uUlLzZ", r->text[r->at])) ++r->at;
    if (*out >= 1) return CT_OK;
    return ct_reader_fail(r, at, r->at - at, "an extent is at least 1, not %lld", (long long)*out);
}

/* <size_t, 4, dynamic_extent> of extents, <size_t, 2> of dextents, <2> of dims. */
static ct_status read_static_extents(mapping *m, const char *word)
{
    ct_reader *const r = &m->r;
    char type[CT_WORD_BYTES];
    const int is_extents = strcmp(word, "extents") == 0;
    if (!ct_reader_take(r, '<')) return CT_OK;
    if (strcmp(word, "dims") != 0) {
        do ct_read_word(r, type); /* unsigned long */
        while (ct_reader_peek(r) != ',' && ct_reader_peek(r) != '>' && type[0]);
        if (ct_reader_peek(r) == ',') ++r->at;
    }
    while (ct_reader_peek(r) != '>') {
        ct_reader_peek(r);
        const size_t at = r->at;
        int64_t extent;
        if (read_extent(m, &extent)) return r->failed;
        const int64_t more = is_extents ? 1 : extent;
        if (more < 1 || m->rank + more > CT_CONVERT_RANK)
            return ct_reader_fail(r, at, r->at - at, "a rank from 1 to %d", CT_CONVERT_RANK);
        for (int k = 0; k < more; ++k) m->s.shape[m->rank++] = is_extents ? extent : -1;
        if (!ct_reader_take(r, ',')) break;
    }
    m->has_extents = 1;
    return ct_take_closing(r, '>');
}

/* The arguments of extents: all of them, or the dynamic ones. */
static ct_status read_extents(mapping *m)
{
    ct_reader *const r = &m->r;
    char word[CT_WORD_BYTES], close;
    const size_t at = ct_read_word(r, word);
    const int had = m->has_extents;
    if (strcmp(word, "extents") != 0 && strcmp(word, "dextents") != 0 && strcmp(word, "dims") != 0)
        return ct_reader_fail(r, at, r->at - at, "expected extents, as extents<size_t, 4, 8>");
    ct_strided given = m->s;
    if (had) m->rank = 0; /* mapping<extents<..>>(extents<..>{..}): the latter has the numbers */
    if (read_static_extents(m, word)) return r->failed;
    if (had && m->rank == 0) {
        m->s = given;
        m->rank = m->s.rank;
    }
    m->s.rank = m->rank;
    if (ct_reader_peek(r) != '(' && ct_reader_peek(r) != '{') return CT_OK;
    if (ct_take_open(r, "({", &close)) return r->failed;
    int64_t value[CT_CONVERT_RANK];
    int n = 0, dynamic = 0;
    while (!ct_reader_take(r, close)) {
        if (n > 0 && !ct_reader_take(r, ',')) return ct_take_closing(r, close);
        if (n == CT_CONVERT_RANK)
            return ct_reader_fail(r, r->at, 1, "more than %d extents", CT_CONVERT_RANK);
        if (read_extent(m, &value[n++])) return r->failed;
    }
    for (int d = 0; d < m->rank; ++d) dynamic += m->s.shape[d] < 0;
    if (!m->has_extents) { /* extents(4, 8) */
        m->rank = m->s.rank = n;
        memcpy(m->s.shape, value, sizeof value);
        m->has_extents = n > 0;
        return CT_OK;
    }
    if (n == 0) return CT_OK;
    if (n != m->rank && n != dynamic)
        return ct_reader_fail(r, at, r->at - at,
                              "%d values for %d extents, of which %d are dynamic", n, m->rank,
                              dynamic);
    for (int d = 0, k = 0; d < m->rank; ++d) {
        const int64_t next = n == m->rank        ? value[d]
                             : m->s.shape[d] < 0 ? value[k++]
                                                 : m->s.shape[d];
        if (m->s.shape[d] >= 0 && m->s.shape[d] != next)
            return ct_reader_fail(r, at, r->at - at, "extent %d is %lld in the type, and %lld here",
                                  d, (long long)m->s.shape[d], (long long)next);
        m->s.shape[d] = next;
    }
    return CT_OK;
}

/* array{8, 1}, array<size_t, 2>{8, 1}, {8, 1} */
static ct_status read_strides(mapping *m)
{
    ct_reader *const r = &m->r;
    char word[CT_WORD_BYTES];
    int n = 0;
    ct_reader_peek(r);
    size_t at = r->at;
    ct_read_word(r, word);
    if (ct_reader_take(r, '<')) {
        while (r->at < r->length && r->text[r->at] != '>') ++r->at;
        if (ct_take_closing(r, '>')) return r->failed;
    }
    if (ct_read_integers(r, "{(", CT_CONVERT_RANK, m->s.stride, &n)) return r->failed;
    if (n == m->rank) return CT_OK;
    return ct_reader_fail(r, at, r->at - at, "%d strides for %d extents", n, m->rank);
}

/* What the mapping is made of: extents, then strides or the padding. */
static ct_status read_arguments(mapping *m)
{
    ct_reader *const r = &m->r;
    char close;
    int strides = 0;
    if (ct_reader_peek(r) == '(' || ct_reader_peek(r) == '{') {
        if (ct_take_open(r, "({", &close)) return r->failed;
        if (!ct_reader_take(r, close)) {
            if (ct_reader_peek(r) == '{') ct_take_empty_braces(r);
            else if (read_extents(m)) return r->failed;
            if (ct_reader_take(r, ',')) {
                if (m->kind == STRIDE) {
                    strides = 1;
                    if (read_strides(m)) return r->failed;
                } else if (m->kind >= LEFT_PADDED) {
                    const int64_t in_type = m->pad;
                    if (read_extent(m, &m->pad)) return r->failed;
                    if (in_type > 0 && m->pad != in_type)
                        return ct_reader_fail(r, r->at - 1, 1,
                                              "the padding is %lld in the type, and "
                                              "%lld here",
                                              (long long)in_type, (long long)m->pad);
                }
            }
            if (ct_take_closing(r, close)) return r->failed;
        }
    }
    if (!m->has_extents) return ct_reader_expected(r, "extents, as extents<size_t, 4, 8>");
    for (int d = 0; d < m->rank; ++d) {
        if (m->s.shape[d] < 0)
            return ct_reader_fail(r, 0, r->length,
                                  "extent %d is dynamic: the text has to have its "
                                  "value, as extents<size_t, dynamic_extent>(4)",
                                  d);
    }
    if (m->kind == STRIDE && !strides && m->rank > 0)
        return ct_reader_expected(r, "strides, as std::array{8, 1}");
    if (m->kind >= LEFT_PADDED && m->pad < 0)
        return ct_reader_expected(r, "the padding, which is dynamic");
    return CT_OK;
}

static ct_status read_mapping(mapping *m)
{
    ct_reader *const r = &m->r;
    char word[CT_WORD_BYTES];
    size_t at;
    m->kind = NONE;
    do { /* std:: and other namespaces stand before the name */
        at = ct_read_identifier(r, word);
        for (int k = 0; k < NONE; ++k)
            if (strcmp(word, names[k]) == 0) m->kind = k;
    } while (m->kind == NONE && ct_take_text(r, "::"));
    if (m->kind == NONE)
        return ct_reader_fail(r, at, strlen(word),
                              "expected a mapping of mdspan, as "
                              "layout_right::mapping<extents<size_t, 4, 8>>");
    if (m->kind >= LEFT_PADDED) {
        m->pad = -1;
        if (!ct_reader_take(r, '<') || read_extent(m, &m->pad) || !ct_reader_take(r, '>'))
            return ct_reader_expected(r, "the padding, as layout_left_padded<8>");
    }
    if (!ct_take_text(r, "::") || !ct_take_text(r, "mapping"))
        return ct_reader_expected(r, "`::mapping`");
    if (ct_reader_take(r, '<')) {
        if (read_extents(m) || ct_take_closing(r, '>')) return r->failed;
    }
    if (read_arguments(m)) return r->failed;
    return ct_read_end(r);
}

/* The strides of a mapping that is not layout_stride, in the order of its dimensions, fastest
 * first. Returns 0 where they overflow. */
static int fill_strides(int kind, int64_t pad, ct_strided *s)
{
    const int left = kind == LEFT || kind == LEFT_PADDED;
    int64_t run = 1;
    int fits = 1;
    for (int i = 0; i < s->rank; ++i) {
        const int d = left ? i : s->rank - 1 - i;
        int64_t extent = s->shape[d];
        s->stride[d] = run;
        if (i == 0 && kind >= LEFT_PADDED && s->rank > 1) {
            extent = ct_add(extent, pad - 1, &fits); /* the least multiple of pad from extent on */
            extent -= extent % pad;
        }
        if (i + 1 < s->rank) run = ct_mul(run, extent, &fits);
    }
    return fits;
}

ct_status ct_read_mdspan(const char *text, ct_exchange *out, ct_diag *diag)
{
    mapping m;
    memset(&m, 0, sizeof m);
    memset(out, 0, sizeof *out);
    m.r = ct_reader_of(text, diag);
    if (read_mapping(&m)) return m.r.failed;
    if (m.kind != STRIDE && !fill_strides(m.kind, m.pad, &m.s))
        return ct_conversion_fail(diag, CT_E_OVERFLOW, "a stride does not fit in 64 bits");
    out->maps = CT_MAPS_MEMORY;
    return ct_strided_tensor(&m.s, &out->tensor, diag);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Whether a mapping has the strides of s; of dimensions of extent 1 they do not count. */
static int has_strides(const ct_strided *s, int kind, int64_t pad)
{
    ct_strided made = *s;
    if (!fill_strides(kind, pad, &made)) return 0;
    for (int d = 0; d < s->rank; ++d)
        if (s->shape[d] > 1 && made.stride[d] != s->stride[d]) return 0;
    return 1;
}

/* The padding with which a padded mapping has the strides of s; 0: none. */
static int64_t padding(const ct_strided *s, int kind)
{
    const int left = kind == LEFT_PADDED, n = s->rank;
    int64_t run = 1;
    if (n < 2) return has_strides(s, kind, 1) ? 1 : 0;
    for (int i = 1; i < n; ++i) { /* the first dimension that tells where the padded one ends */
        const int d = left ? i : n - 1 - i;
        if (s->shape[d] > 1) {
            const int64_t pad =
                s->stride[d] > 0 && s->stride[d] % run == 0 ? s->stride[d] / run : 0;
            return pad > 0 && has_strides(s, kind, pad) ? pad : 0;
        }
        run *= s->shape[d];
    }
    return has_strides(s, kind, 1) ? 1 : 0;
}

/* What layout_stride asks for: positive strides, of which each passes over the one before. */
static ct_status check_stride(ct_strided *s, ct_diag *diag)
{
    int order[CT_CONVERT_RANK], fits = 1;
    for (int d = 0; d < s->rank; ++d) {
        if (s->shape[d] == 1) s->stride[d] = 1;
        if (s->stride[d] <= 0)
            return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                      "mode %d has the stride %lld: "
                                      "layout_stride takes positive ones",
                                      d, (long long)s->stride[d]);
        int i = d;
        for (; i > 0 && (s->stride[order[i - 1]] > s->stride[d] ||
                         (s->stride[order[i - 1]] == s->stride[d] && s->shape[d] == 1));
             --i)
            order[i] = order[i - 1];
        order[i] = d;
    }
    for (int i = 1; i < s->rank; ++i) {
        const int a = order[i - 1], b = order[i];
        const int64_t least = ct_mul(s->shape[a], s->stride[a], &fits);
        if (s->stride[b] / s->stride[a] < s->shape[a])
            return ct_conversion_fail(
                diag, CT_E_NO_LAYOUT,
                "mode %d has the stride %lld: layout_stride asks for at least %lld, past mode "
                "%d, which is %lld:%lld",
                b, (long long)s->stride[b], (long long)(fits ? least : INT64_MAX), a,
                (long long)s->shape[a], (long long)s->stride[a]);
    }
    return CT_OK;
}

static void put_mapping(ct_builder *b, int kind, int64_t pad, const ct_strided *s)
{
    ct_put(b, "std::%s", names[kind]);
    if (kind >= LEFT_PADDED) ct_put(b, "<%lld>", (long long)pad);
    ct_put_text(b, "::mapping<std::extents<std::size_t");
    for (int d = 0; d < s->rank; ++d) ct_put(b, ", %lld", (long long)s->shape[d]);
    if (kind != STRIDE) {
        ct_put_text(b, ">>{}");
        return;
    }
    ct_put(b, ">>({}, std::array<std::size_t, %d>{", s->rank);
    for (int d = 0; d < s->rank; ++d) ct_put(b, "%s%lld", d ? ", " : "", (long long)s->stride[d]);
    ct_put_text(b, "})");
}

ct_status ct_write_mdspan(ct_builder *b, int system, const ct_tensor *t, ct_diag *diag)
{
    ct_strided s;
    ct_status bad = ct_strided_of(t, "mdspan", &s, diag);
    if (bad) return bad;
    if (s.offset != 0)
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "the layout begins at offset %lld: a mapping "
                                  "of mdspan begins at 0, and its pointer has the offset",
                                  (long long)s.offset);
    if (system == CT_SYSTEM_MDSPAN_PADDED) {
        for (int kind = LEFT_PADDED; kind <= RIGHT_PADDED; ++kind) {
            const int64_t pad = padding(&s, kind);
            if (pad == 0) continue;
            put_mapping(b, kind, pad, &s);
            return CT_OK;
        }
        return ct_conversion_fail(diag, CT_E_NO_LAYOUT,
                                  "the strides are those of no padded mapping, "
                                  "in which one extent is padded; --to mdspan gives layout_stride");
    }
    int kind = has_strides(&s, RIGHT, 1) ? RIGHT : has_strides(&s, LEFT, 1) ? LEFT : STRIDE;
    if (kind == STRIDE) bad = check_stride(&s, diag);
    if (!bad) put_mapping(b, kind, 0, &s);
    return bad;
}

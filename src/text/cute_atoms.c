/* CuTe's copy operations: the atom of each, or the replacement to use. */
#include "cute_atoms.h"

#include <stdio.h>
#include <string.h>

#include "atoms.h"
#include "evaluate.h"
#include "operations.h"

/* A name; `*` at its end matches anything. If it takes a type or bits in angle brackets, the bits
 * are appended to `atom`. */
typedef struct cute_name {
    const char *name, *atom;
    int takes_width;
    const char *instead; /* where there is no atom */
} cute_name;

static const cute_name names[] = {
    {"UniversalCopy", "universal", 1, NULL},
    {"AutoVectorizingCopy", "auto", 0, NULL},
    {"AutoVectorizingCopyWithAssumedAlignment", "auto", 1, NULL}, /* <128> alone */
    {"DefaultCopy", "universal8", 0, NULL},                       /* in a Copy_Atom, of its type */
    {"SM80_CP_ASYNC_CACHEALWAYS", "cp_async_ca", 1, NULL},
    {"SM80_CP_ASYNC_CACHEALWAYS_ZFILL", "cp_async_ca", 1, NULL},
    {"SM80_CP_ASYNC_CACHEGLOBAL", "cp_async_cg", 128, NULL},
    {"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL", "cp_async_cg", 128, NULL},
    {"SM75_U32x1_LDSM_N", "ldmatrix_x1", 0, NULL},
    {"SM75_U32x2_LDSM_N", "ldmatrix_x2", 0, NULL},
    {"SM75_U32x4_LDSM_N", "ldmatrix_x4", 0, NULL},
    {"SM75_U16x2_LDSM_T", "ldmatrix_x1_trans", 0, NULL},
    {"SM75_U16x4_LDSM_T", "ldmatrix_x2_trans", 0, NULL},
    {"SM75_U16x8_LDSM_T", "ldmatrix_x4_trans", 0, NULL},
    {"SM90_U32x1_STSM_N", "stmatrix_x1", 0, NULL},
    {"SM90_U32x2_STSM_N", "stmatrix_x2", 0, NULL},
    {"SM90_U32x4_STSM_N", "stmatrix_x4", 0, NULL},
    {"SM90_U16x2_STSM_T", "stmatrix_x1_trans", 0, NULL},
    {"SM90_U16x4_STSM_T", "stmatrix_x2_trans", 0, NULL},
    {"SM90_U16x8_STSM_T", "stmatrix_x4_trans", 0, NULL},
    {"SM90_BULK_COPY_G2S", "bulk_load", 0, NULL},
    {"SM90_BULK_COPY_S2G", "bulk_store", 0, NULL},
    {"SM90_TMA_LOAD", "tma_load", 0, NULL},
    {"SM90_TMA_LOAD_MULTICAST", "tma_load", 0, NULL},
    {"SM90_TMA_STORE", "tma_store", 0, NULL},
    {"SM90_TMA_REDUCE_ADD", "tma_add", 0, NULL},
    {"AutoCopyAsync", NULL, 0, "name the copy: a cp_async_.. or a universal.."},
    {"SM90_BULK_COPY_AUTO", NULL, 0, "use bulk_load or bulk_store"},
    {"SM90_TMA_LOAD_IM2COL*", NULL, 0, "tiles of a tensor are by tma_load; there is no im2col"},
    {"SM90_TMA_STORE_IM2COL*", NULL, 0, "tiles of a tensor are by tma_store; there is no im2col"},
    {"SM50_Shuffle_*", NULL, 0, "it moves registers between lanes; use __shfl_xor_sync"},
    {"SM75_U32x1_MOVM_T", NULL, 0,
     "movmatrix moves registers between lanes; use ldmatrix_x1_trans from shared "
     "memory"},
    {"SM100_LOAD_256bit_*", NULL, 0,
     "use universal256, or ct_load_global_no_allocate (cutlet/device/arch/cache_hints.h)"},
    {"SM100_STORE_256bit_*", NULL, 0,
     "use universal256, or ct_store_global_no_allocate (cutlet/device/arch/cache_hints.h)"},
    {"SM100_TMA_*", NULL, 0, "use tma_load or tma_store, of one block"},
    {"SM100_TMEM_LOAD_*", NULL, 0, "use ct_tmem_load (cutlet/device/arch/tcgen05.h)"},
    {"SM100_TMEM_*", NULL, 0,
     "tensor memory is written by tcgen05.mma alone (cutlet/device/arch/tcgen05.h)"},
    {"SM100_UTCCP_*", NULL, 0,
     "tensor memory is written by tcgen05.mma alone (cutlet/device/arch/tcgen05.h)"},
    {"SM100_U8x*", NULL, 0,
     "matrices of bytes are transposed by ldmatrix_x4_trans, 16 bits at a time"},
    {"SM100_SU*", NULL, 0, "values of 4 and 6 bits are moved by ldmatrix_x4 as they lie"},
};
enum { NAMES = sizeof names / sizeof *names };

/* The bits of C++ types. */
static const struct {
    const char *name;
    int bits;
} types[] = {
    {"uint128_t", 128}, {"uint64_t", 64}, {"uint32_t", 32},    {"uint16_t", 16},    {"uint8_t", 8},
    {"int64_t", 64},    {"int32_t", 32},  {"int16_t", 16},     {"int8_t", 8},       {"int", 32},
    {"char", 8},        {"double", 64},   {"float", 32},       {"tfloat32_t", 32},  {"half_t", 16},
    {"bfloat16_t", 16}, {"half", 16},     {"float_e4m3_t", 8}, {"float_e5m2_t", 8}, {"float2", 64},
    {"float4", 128},    {"int4", 128},    {"uint4", 128},      {"int2", 64},        {"uint2", 64},
    {"double2", 128},
};

/* The name of the operation without the rank of a tile, as _2D. */
static const cute_name *find(const char *word, size_t n)
{
    const char *const end = word + n;
    if (n > 3 && end[-1] == 'D' && end[-2] >= '1' && end[-2] <= '5' && end[-3] == '_') n -= 3;
    for (int i = 0; i < NAMES; ++i) {
        const size_t k = strcspn(names[i].name, "*");
        if (strncmp(word, names[i].name, k) == 0 && n >= k && (n == k || names[i].name[k]))
            return &names[i];
    }
    return NULL;
}

static ct_status read_operation(ct_reader *r, const char *word, size_t n, size_t at, ct_value *out);

/* The next word, without `cute::` and other namespaces. */
static size_t read_word(ct_reader *r, size_t *at)
{
    for (;;) {
        size_t end;
        ct_reader_peek(r);
        *at = end = r->at;
        while (end < r->length &&
               (r->text[end] == '_' || (r->text[end] >= '0' && r->text[end] <= '9') ||
                (r->text[end] >= 'A' && r->text[end] <= 'Z') ||
                (r->text[end] >= 'a' && r->text[end] <= 'z')))
            ++end;
        r->at = end;
        if (end + 1 >= r->length || r->text[end] != ':' || r->text[end + 1] != ':')
            return end - *at;
        r->at = end + 2;
    }
}

/* uint128_t, cute::half_t, uint_byte_t<16>, uint_bit_t<128>, 128 */
static ct_status read_bits(ct_reader *r, int64_t *bits)
{
    size_t at;
    ct_reader_peek(r);
    if (r->at < r->length && r->text[r->at] >= '0' && r->text[r->at] <= '9')
        return ct_read_integer(r, bits);
    const size_t n = read_word(r, &at);
    const char *const word = r->text + at;
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        *bits = types[i].bits;
        if (strlen(types[i].name) == n && memcmp(word, types[i].name, n) == 0) return CT_OK;
    }
    const int bytes = n == 11 && memcmp(word, "uint_byte_t", n) == 0;
    if ((bytes || (n == 10 && memcmp(word, "uint_bit_t", n) == 0)) && ct_reader_take(r, '<')) {
        if (ct_read_integer(r, bits) || !ct_reader_take(r, '>'))
            return ct_reader_expected(r, "`>`");
        if (bytes && *bits > 0 && *bits <= 4096) *bits *= 8;
        return CT_OK;
    }
    return ct_reader_fail(r, at, n ? n : 1,
                          "the bits of the type `%.*s` are not known here; write their number",
                          (int)(n < 40 ? n : 40), word);
}

static void take_braces(ct_reader *r)
{
    const size_t at = r->at;
    if (!ct_reader_take(r, '{') || !ct_reader_take(r, '}')) r->at = at;
}

/* Copy_Atom<OPERATION, type>; the word has been read. */
static ct_status read_copy_atom(ct_reader *r, size_t start, ct_value *out)
{
    int64_t bits;
    size_t at;
    ct_copy_atom atom;
    if (!ct_reader_take(r, '<'))
        return ct_reader_expected(r, "`<`, as in Copy_Atom<UniversalCopy<uint128_t>, half_t>");
    const size_t n = read_word(r, &at);
    if (read_operation(r, r->text + at, n, at, out)) return r->failed;
    if (!ct_reader_take(r, ',')) return ct_reader_expected(r, "`,` and the type of a value");
    if (read_bits(r, &bits)) return r->failed;
    if (!ct_reader_take(r, '>')) return ct_reader_expected(r, "`>`");
    take_braces(r);
    if (n == 11 && memcmp(r->text + at, "DefaultCopy", n) == 0) /* value by value */
        snprintf(out->as.name, sizeof out->as.name, "universal%lld", (long long)bits);
    ct_atom_named(out->as.name, bits < 0 || bits > 4096 ? 0 : (int32_t)bits, &atom);
    ct_give_copy_atom(out, atom);
    if (out->kind == CT_KIND_ERROR) {
        out->as.failure.at = start;
        out->as.failure.length = r->at - start;
    }
    return CT_OK;
}

/* The name of an operation's atom in *out; the word has been read. */
static ct_status read_operation(ct_reader *r, const char *word, size_t n, size_t at, ct_value *out)
{
    const cute_name *const found = find(word, n);
    const int shown = (int)(n < 60 ? n : 60);
    char width[24] = "";
    ct_copy_atom ignored;
    if (!found)
        return ct_reader_fail(r, at, n ? n : 1, "there is no copy operation `%.*s` of CuTe", shown,
                              word);
    if (!found->atom)
        return ct_reader_fail(r, at, n, "there is no atom for %.*s: %s", shown, word,
                              found->instead);
    if (found->takes_width && ct_reader_take(r, '<')) {
        int64_t bits, other;
        if (read_bits(r, &bits)) return r->failed;
        if (ct_reader_take(r, ',')) { /* the type of the destination, of the same bits */
            const size_t second = r->at;
            if (read_bits(r, &other)) return r->failed;
            if (other != bits)
                return ct_reader_fail(r, second, r->at - second,
                                      "the two types have %lld and %lld bits", (long long)bits,
                                      (long long)other);
        }
        if (!ct_reader_take(r, '>')) return ct_reader_expected(r, "`>`");
        const int is_auto = strcmp(found->atom, "auto") == 0;
        if (is_auto && bits != 128)
            return ct_reader_fail(r, at, r->at - at,
                                  "%.*s<%lld> has no atom: use auto, or universal%lld", shown, word,
                                  (long long)bits, (long long)bits);
        if (!is_auto) snprintf(width, sizeof width, "%lld", (long long)bits);
    } else if (found->takes_width == 1) {
        return ct_reader_fail(r, at, n, "%.*s has no width; write it as %.*s<uint128_t>", shown,
                              word, shown, word);
    } else if (found->takes_width) {
        snprintf(width, sizeof width, "%d", found->takes_width);
    }
    take_braces(r);
    out->kind = CT_KIND_NAME;
    snprintf(out->as.name, sizeof out->as.name, "%s%.12s", found->atom, width);
    if (ct_atom_named(out->as.name, 8, &ignored)) return CT_OK;
    return ct_reader_fail(r, at, r->at - at, "%.*s has no access of %s bits", shown, word, width);
}

const char *ct_cute_atom_nearest(const char *word)
{
    const char *best = NULL;
    int least = 4; /* further away is not a typing error */
    for (int i = 0; i < NAMES; ++i) {
        const int d = ct_word_distance(word, strlen(word), names[i].name);
        if (d >= least) continue;
        least = d;
        best = names[i].name;
    }
    return best;
}

int ct_read_cute_atom(ct_reader *r, const ct_call *call, ct_value *out)
{
    size_t n = call->name_length, at = call->at;
    const char *word = call->name;
    if (n == 4 && memcmp(word, "cute", 4) == 0 && ct_reader_peek(r) == ':') {
        r->at = at;
        n = read_word(r, &at);
        word = r->text + at;
    }
    const int whole = n == 9 && memcmp(word, "Copy_Atom", 9) == 0;
    if (!whole && !find(word, n)) {
        r->at = call->at + call->name_length;
        return 0;
    }
    if (whole) read_copy_atom(r, call->at, out);
    else read_operation(r, word, n, at, out);
    return 1;
}

#include "access.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    ct_sass_width first, last;
} accesses[CT_SASS_ACCESS_COUNT] = {
    {"LDG", CT_SASS_8, CT_SASS_256},        {"STG", CT_SASS_8, CT_SASS_256},
    {"LDGSTS", CT_SASS_32, CT_SASS_128},    {"LDS", CT_SASS_8, CT_SASS_128},
    {"STS", CT_SASS_8, CT_SASS_128},        {"LDSM", CT_SASS_X1, CT_SASS_X4},
    {"STSM", CT_SASS_X1, CT_SASS_X4},       {"STAS", CT_SASS_32, CT_SASS_128},
    {"UBLKCP", CT_SASS_NONE, CT_SASS_NONE}, {"UTMALDG", CT_SASS_1D, CT_SASS_5D},
    {"UTMASTG", CT_SASS_1D, CT_SASS_5D},    {"UBLKRED", CT_SASS_NONE, CT_SASS_NONE},
    {"UTMAREDG", CT_SASS_1D, CT_SASS_5D},   {"LDL", CT_SASS_8, CT_SASS_128},
    {"STL", CT_SASS_8, CT_SASS_128},        {"LD", CT_SASS_8, CT_SASS_256},
    {"ST", CT_SASS_8, CT_SASS_256},         {"ATOMG", CT_SASS_16, CT_SASS_128},
    {"RED", CT_SASS_16, CT_SASS_128},       {"ATOMS", CT_SASS_16, CT_SASS_128},
    {"ATOM", CT_SASS_16, CT_SASS_128},
};

static const char *const widths[CT_SASS_WIDTH_COUNT] = {
    "8", "16", "32", "64", "128", "256", "x1", "x2", "x4", "1D", "2D", "3D", "4D", "5D", "?"};

static const ct_sass_sized nothing = {CT_NO_ACCESS, CT_SASS_NONE};

static int is(const char *part, size_t n, const char *word)
{
    return strlen(word) == n && strncasecmp(part, word, n) == 0;
}

const char *ct_sass_access_name(ct_sass_access access) { return accesses[access].name; }

ct_sass_access ct_sass_access_named(const char *name, size_t n)
{
    for (int i = 0; i < CT_SASS_ACCESS_COUNT; ++i)
        if (is(name, n, accesses[i].name)) return i;
    return CT_NO_ACCESS;
}

const char *ct_sass_width_name(ct_sass_width width) { return widths[width]; }

ct_sass_width ct_sass_width_named(const char *name, size_t n)
{
    for (int i = 0; i < CT_SASS_NONE; ++i)
        if (is(name, n, widths[i])) return i;
    return CT_SASS_WIDTH_COUNT;
}

void ct_sass_access_widths(ct_sass_access access, ct_sass_width *first, ct_sass_width *last)
{
    *first = accesses[access].first;
    *last = accesses[access].last;
}

/* The width of this many bits; CT_SASS_NONE where no access has them. */
static ct_sass_width form_of_bits(long bits)
{
    for (int i = CT_SASS_8; i <= CT_SASS_256; ++i)
        if (bits == 8L << i) return i;
    return CT_SASS_NONE;
}

/* The next part of a mnemonic, between points: its length; *at goes after it. 0 at the end. */
static size_t next_part(const char **at, const char **part)
{
    const char *p = *at;
    if (*p == '.') ++p;
    *part = p;
    while (isalnum((unsigned char)*p) || *p == '_' || *p == ':') ++p;
    *at = p;
    return (size_t)(p - *part);
}

/* The bits of a type as `u32`, `S8`, `bf16x2` or `F32x4`; 0 where the part is not a type. */
static long type_bits(const char *part, size_t n)
{
    size_t at = 0;
    if (n > 1 && tolower(part[0]) == 'b' && tolower(part[1]) == 'f') ++at;
    if (n < at + 2 || !strchr("busfBUSF", part[at]) || !isdigit((unsigned char)part[at + 1]))
        return 0;
    char *end;
    long bits = strtol(part + at + 1, &end, 10);
    if (bits > 256) return 0;
    if (end < part + n && *end == 'x' && isdigit((unsigned char)end[1])) {
        const long lanes = strtol(end + 1, &end, 10);
        bits = lanes > 8 ? 0 : bits * lanes;
    }
    return end == part + n && bits > 0 && bits <= 256 ? bits : 0;
}

/* ---- machine code --------------------------------------------------------------------------- */

static ct_sass_access access_of_mnemonic(const char *part, size_t n)
{
    if (n == 4 && memcmp(part, "REDG", 4) == 0) return CT_RED;
    for (int i = 0; i < CT_SASS_ACCESS_COUNT; ++i)
        if (strlen(accesses[i].name) == n && memcmp(part, accesses[i].name, n) == 0) return i;
    return CT_NO_ACCESS;
}

ct_sass_sized ct_sass_access_of(const char *instruction)
{
    const char *at = instruction, *part;
    size_t n = next_part(&at, &part);
    const ct_sass_access access = access_of_mnemonic(part, n);
    if (access == CT_NO_ACCESS) return nothing;
    const ct_sass_width first = accesses[access].first, last = accesses[access].last;
    ct_sass_width width = first == CT_SASS_X1 || first == CT_SASS_NONE ? first : CT_SASS_32;
    if (first == CT_SASS_1D) width = CT_SASS_NONE;
    while (*at == '.') {
        n = next_part(&at, &part);
        const ct_sass_width named = ct_sass_width_named(part, n);
        const ct_sass_width typed = form_of_bits(type_bits(part, n));
        if (first == CT_SASS_X1)
            width = is(part, n, "2") ? CT_SASS_X2 : is(part, n, "4") ? CT_SASS_X4 : CT_SASS_X1;
        else if (first == CT_SASS_1D && named >= first && named <= last) width = named;
        else if (first <= CT_SASS_256 && named >= CT_SASS_32 && named <= CT_SASS_256) width = named;
        else if (first <= CT_SASS_256 && typed != CT_SASS_NONE) width = typed;
    }
    return (ct_sass_sized){access, width};
}

/* ---- PTX ------------------------------------------------------------------------------------ */

/** The parts of a mnemonic that decide. */
typedef struct ptx_parts {
    int global, shared, cluster, local, other; /* the state spaces that are named */
    int bulk, tensor, idle; /* idle: it moves nothing itself, as wait_group does */
    int to_shared;          /* shared memory is named first */
    int async, reduce;
    long vector, bits;
    ct_sass_width width; /* x4, 2d */
} ptx_parts;

static ptx_parts parts_of(const char *at)
{
    static const char *const idle[] = {"commit_group", "wait_group", "wait_all",
                                       "prefetch",     "mbarrier",   "arrive"};
    ptx_parts p = {.vector = 1, .width = CT_SASS_NONE};
    const char *part;
    while (*at == '.') {
        const size_t n = next_part(&at, &part);
        const ct_sass_width width = ct_sass_width_named(part, n);
        if (is(part, n, "global")) p.global = 1;
        else if (is(part, n, "shared") || is(part, n, "shared::cta")) p.shared = 1;
        else if (is(part, n, "shared::cluster")) p.cluster = 1;
        else if (is(part, n, "local")) p.local = 1;
        else if (strncmp(part, "param", 5) == 0 || is(part, n, "const")) p.other = 1;
        else if (is(part, n, "bulk")) p.bulk = 1;
        else if (is(part, n, "tensor")) p.tensor = 1;
        else if (is(part, n, "async")) p.async = 1;
        else if (is(part, n, "reduce")) p.reduce = 1;
        else if (n == 2 && part[0] == 'v' && part[1] > '0' && part[1] <= '8')
            p.vector = part[1] - '0';
        else if (width >= CT_SASS_X1 && width < CT_SASS_NONE) p.width = width;
        else if (type_bits(part, n)) p.bits = type_bits(part, n);
        for (size_t i = 0; i < sizeof idle / sizeof *idle; ++i) p.idle |= is(part, n, idle[i]);
        if (!p.global && (p.shared || p.cluster)) p.to_shared = 1;
    }
    return p;
}

/* The bytes of `cp.async [to], [from], BYTES`: the third operand; 0 where it is not a number. */
static long third_operand(const char *instruction)
{
    int commas = 0, brackets = 0;
    for (const char *p = instruction; *p; ++p) {
        brackets += (*p == '[') - (*p == ']');
        if (*p != ',' || brackets != 0 || ++commas < 2) continue;
        const long bytes = strtol(p + 1, NULL, 0);
        return bytes > 0 && bytes <= 32 ? bytes : 0;
    }
    return 0;
}

/* The access for the state space. */
static ct_sass_access by_space(const ptx_parts *p, ct_sass_access global, ct_sass_access shared,
                               ct_sass_access local, ct_sass_access generic)
{
    if (p->other) return CT_NO_ACCESS;
    return p->global ? global : p->shared ? shared : p->local ? local : generic;
}

static ct_sass_sized access_of_cp(const char *instruction, const ptx_parts *p)
{
    if (p->idle || !p->async) return nothing;
    if (p->tensor && p->reduce) return (ct_sass_sized){CT_UTMAREDG, p->width};
    if (p->tensor) return (ct_sass_sized){p->to_shared ? CT_UTMALDG : CT_UTMASTG, p->width};
    if (p->bulk) return (ct_sass_sized){p->reduce ? CT_UBLKRED : CT_UBLKCP, CT_SASS_NONE};
    return (ct_sass_sized){CT_LDGSTS, form_of_bits(8 * third_operand(instruction))};
}

ct_sass_sized ct_ptx_access_of(const char *instruction)
{
    const char *at = instruction, *name;
    const size_t n = next_part(&at, &name);
    const ptx_parts p = parts_of(at);
    ct_sass_access access = CT_NO_ACCESS;
    if (is(name, n, "cp")) return access_of_cp(instruction, &p);
    if (is(name, n, "ldmatrix")) return (ct_sass_sized){CT_LDSM, p.width};
    if (is(name, n, "stmatrix")) return (ct_sass_sized){CT_STSM, p.width};
    if (is(name, n, "ld") || is(name, n, "ldu"))
        access = by_space(&p, CT_LDG, CT_LDS, CT_LDL, CT_LD);
    else if (is(name, n, "st") && p.async) access = CT_STAS;
    else if (is(name, n, "st")) access = by_space(&p, CT_STG, CT_STS, CT_STL, CT_ST);
    else if (is(name, n, "atom")) access = by_space(&p, CT_ATOMG, CT_ATOMS, CT_ATOM, CT_ATOM);
    else if (is(name, n, "red") && !p.async)
        access = by_space(&p, CT_RED, CT_ATOMS, CT_ATOM, CT_ATOM);
    if (access == CT_NO_ACCESS) return nothing;
    return (ct_sass_sized){access, form_of_bits(p.vector * p.bits)};
}

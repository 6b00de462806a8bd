/**
 * The notation for tests, read and written without the library: ((2,4),8):((1,16),2), strides with
 * `@`, `_` and tilers <4:1,8:2>. Bad text stops the program: it is a slip in a test.
 */
#ifndef CUTLET_TESTS_READ_H
#define CUTLET_TESTS_READ_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

/** One tuple from *p, which moves after it. A bare number is an integer. */
static inline ct_tuple read_tuple_at(const char **p)
{
    ct_tuple t;
    memset(&t, 0, sizeof t);
    int level = 0, opens = 0;
    const char *start = *p;
    for (;;) {
        while (**p == ' ') ++*p;
        const char c = **p;
        const int n = t.profile.leaves;
        if (c == '(') {
            ++opens;
            ++level;
            ++*p;
        } else if (c == ')' && level > 0) {
            if (n > 0) t.profile.close[n - 1]++;
            --level;
            ++*p;
            if (level == 0) return t;
        } else if (c == ',' && level > 0) {
            ++*p;
        } else if ((isdigit((unsigned char)c) || c == '-' || c == '_') && n < CT_MAX_LEAVES) {
            t.profile.leaves = n + 1;
            t.profile.open[n] = (uint8_t)opens;
            opens = 0;
            if (c == '_') {
                t.basis[n] = CT_ANY;
                ++*p;
            } else {
                t.value[n] = strtoll(*p, (char **)p, 10);
                uint32_t path = 0;
                while (**p == '@') { /* 1@2@0: the last number is the outermost mode */
                    ++*p;
                    path = (path << 8) | (uint32_t)(strtol(*p, (char **)p, 10) + 1);
                }
                t.basis[n] = path;
            }
            if (level == 0) return t;
        } else {
            fprintf(stderr, "test text: cannot read `%s` at `%s`\n", start, *p);
            abort();
        }
    }
}

static inline ct_tuple T(const char *text) { return read_tuple_at(&text); }

/** shape:stride, or a bare shape for its column-major layout; not checked. */
static inline ct_layout read_layout_at(const char **p)
{
    const ct_tuple shape = read_tuple_at(p);
    ct_layout L;
    memset(&L, 0, sizeof L);
    L.profile = shape.profile;
    memcpy(L.shape, shape.value, sizeof L.shape);
    while (**p == ' ') ++*p;
    if (**p == ':') {
        ++*p;
        const ct_tuple stride = read_tuple_at(p);
        if (memcmp(&shape.profile, &stride.profile, sizeof shape.profile) != 0) {
            fprintf(stderr, "test text: shape and stride nest differently\n");
            abort();
        }
        memcpy(L.stride, stride.value, sizeof L.stride);
        memcpy(L.basis, stride.basis, sizeof L.basis);
    } else {
        int64_t run = 1;
        for (int k = 0; k < L.profile.leaves; ++k) {
            L.stride[k] = L.shape[k] == 1 ? 0 : run;
            run *= L.shape[k];
        }
    }
    return L;
}

static inline ct_layout L_(const char *text) { return read_layout_at(&text); }

/** <tile,tile,...> or a tuple of tile sizes. */
static inline ct_tiler TL(const char *text)
{
    if (*text != '<') return ct_tiler_of_shape(T(text));
    ct_tiler t = ct_tiler0();
    const char *p = text + 1;
    for (;;) {
        while (*p == ' ' || *p == ',') ++p;
        if (*p == '>' || *p == 0) return t;
        if (*p == '_') {
            t = ct_tiler_append(t, ct_tile_any());
            ++p;
        } else {
            t = ct_tiler_append(t, read_layout_at(&p));
        }
    }
}

/** Texts for messages, in a ring of buffers. */
static inline char *show_buffer(void)
{
    static char ring[16][1024];
    static int next;
    next = (next + 1) % 16;
    ring[next][0] = 0;
    return ring[next];
}

static inline const char *show_tuple(ct_tuple t)
{
    char *out = show_buffer();
    int n = 0;
    if (t.err.status) {
        snprintf(out, 1024, "error status %d op %d why %d mode %d other %d (%lld,%lld,%lld)",
                 t.err.status, t.err.op, t.err.why, t.err.mode, t.err.other, (long long)t.err.n[0],
                 (long long)t.err.n[1], (long long)t.err.n[2]);
        return out;
    }
    if (t.profile.leaves == 0) return "()";
    for (int k = 0; k < t.profile.leaves; ++k) {
        if (k > 0) out[n++] = ',';
        for (int i = 0; i < t.profile.open[k]; ++i) out[n++] = '(';
        if (t.basis[k] == CT_ANY) out[n++] = '_';
        else n += snprintf(out + n, 64, "%lld", (long long)t.value[k]);
        for (int i = 3; i >= 0 && t.basis[k] != CT_ANY; --i) {
            const unsigned mode = (t.basis[k] >> (8 * i)) & 255u;
            if (mode) n += snprintf(out + n, 16, "@%u", mode - 1);
        }
        for (int i = 0; i < t.profile.close[k]; ++i) out[n++] = ')';
    }
    out[n] = 0;
    return out;
}

static inline const char *show(ct_layout L)
{
    ct_tuple shape, stride;
    memset(&shape, 0, sizeof shape);
    shape.err = L.err;
    shape.profile = L.profile;
    stride = shape;
    memcpy(shape.value, L.shape, sizeof L.shape);
    memcpy(stride.value, L.stride, sizeof L.stride);
    memcpy(stride.basis, L.basis, sizeof L.basis);
    if (L.err.status) return show_tuple(shape);
    char *out = show_buffer();
    snprintf(out, 1024, "%s:%s", show_tuple(shape), show_tuple(stride));
    return out;
}

static inline const char *show_tensor(ct_tensor t)
{
    char *out = show_buffer();
    snprintf(out, 1024, "Sw<%d,%d,%d> o %s o %s", (int)t.swizzle.bits, (int)t.swizzle.base,
             (int)t.swizzle.shift, show_tuple(t.offset), show(t.layout));
    return out;
}

#endif

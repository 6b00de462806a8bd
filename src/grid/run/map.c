/* TMA descriptors: errors in words, and maps of the grid. */
#include <cutlet/host/tma.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "map.h"

static void say(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(char *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text, CT_MESSAGE_BYTES, format, args);
    va_end(args);
}

/* The rules of the modes and of the layout. */
static void explain_whole(const ct_tma_desc *d, char *text)
{
    const int m = d->err.mode;
    const long long a = d->err.n[0], b = d->err.n[1];
    switch (d->rule) {
        case CT_TMA_RULE_RANK: say(text, "%lld dimensions; a tensor map has 1 to 5", a); break;
        case CT_TMA_RULE_ELEM: say(text, "there is no element type %lld", a); break;
        case CT_TMA_RULE_SWIZZLE: say(text, "there is not a swizzle mode %lld", a); break;
        case CT_TMA_RULE_INTERLEAVE:
            say(text, "interleave mode %lld; only maps that are not interleaved, 0, are supported",
                a);
            break;
        case CT_TMA_RULE_L2: say(text, "there is no L2 promotion %lld", a); break;
        case CT_TMA_RULE_FILL:
            say(text, a == CT_TMA_FILL_NAN ? "only floating-point elements can be filled with NaN"
                                           : "there is no such fill");
            break;
        case CT_TMA_RULE_LAYOUT: say(text, "the layout, or the box, is a failed one"); break;
        case CT_TMA_RULE_INTEGER:
            say(text, "mode %d has a basis stride; it needs an integer", m);
            break;
        case CT_TMA_RULE_MODE:
            say(text, "mode %d has no single stride: it does not coalesce to one integer", m);
            break;
        case CT_TMA_RULE_UNIT:
            say(text, "no mode has stride 1; the first dimension needs it");
            break;
        case CT_TMA_RULE_BOX_RANK:
            say(text,
                "the box has %lld modes and the layout %lld; the box needs an integer for each", a,
                b);
            break;
        default: say(text, "no such rule"); break;
    }
}

const char *ct_tma_explain(const ct_tma_desc *d, char text[CT_MESSAGE_BYTES])
{
    const int m = d->err.mode;
    const long long a = d->err.n[0], b = d->err.n[1];
    switch (d->rule) {
        case CT_TMA_OK: text[0] = 0; break;
        case CT_TMA_RULE_ADDRESS:
            say(text, "the address 0x%llx is not a multiple of 16", (unsigned long long)a);
            break;
        case CT_TMA_RULE_EXTENT:
            say(text, "dimension %d has extent %lld; an extent is 1 to 2^32", m, a);
            break;
        case CT_TMA_RULE_STRIDE_NEGATIVE:
            say(text, "dimension %d has the negative stride %lld bytes", m, a);
            break;
        case CT_TMA_RULE_STRIDE_MULTIPLE:
            say(text, "dimension %d has stride %lld bytes, not a multiple of 16", m, a);
            break;
        case CT_TMA_RULE_STRIDE_LARGE:
            say(text, "dimension %d has stride %lld bytes; a stride is below 2^40", m, a);
            break;
        case CT_TMA_RULE_BOX:
            say(text, "dimension %d of the box is %lld; it is 1 to 256", m, a);
            break;
        case CT_TMA_RULE_BOX_MULTIPLE:
            say(text, "the first dimension of the box is %lld bytes, not a multiple of 16", a);
            break;
        case CT_TMA_RULE_BOX_SWIZZLE:
            say(text,
                "the first dimension of the box is %lld bytes, more than the %lld of the swizzle",
                a, b);
            break;
        case CT_TMA_RULE_STEP:
            say(text, "dimension %d has element stride %lld; it is 1 to 8", m, a);
            break;
        case CT_TMA_RULE_TILE:
            say(text, "a tile has %lld bytes, more than the %lld of shared memory", a, b);
            break;
        default: explain_whole(d, text); break;
    }
    return text;
}

ct_status ct_grid_tma_map(const ct_tma_desc *desc, ct_tma_map *map, char text[CT_MESSAGE_BYTES])
{
    ct_grid_map g = {.mark = GRID_MAP_MARK};
    const ct_tma_desc d = ct_tma_check(*desc);
    memset(map, 0, sizeof *map);
    if (d.rule != CT_TMA_OK) {
        ct_tma_explain(&d, text);
        return CT_E_ARGUMENT;
    }
    g.rank = (uint8_t)d.rank;
    g.elem = (uint8_t)d.elem;
    g.swizzle = (uint8_t)d.swizzle;
    g.fill = (uint8_t)d.fill;
    g.address = d.address;
    for (int i = 0; i < CT_TMA_RANK; ++i) {
        g.box_less_1[i] = (uint8_t)(d.box[i] - 1);
        g.step[i] = (uint8_t)d.step[i];
        g.extent_less_1[i] = (uint32_t)(d.extent[i] - 1);
        g.stride[i] = d.stride[i];
    }
    memcpy(map, &g, sizeof g);
    text[0] = 0;
    return 0;
}

/* The colours of pictures.
 *
 * Thread t has hue t mod 8 and lightness (t / 8) mod 4. The hues, chromas and lightnesses were
 * found by a search in OKLab. Any two of the 32 colours are at least 0.034 apart; a just noticeable
 * difference is about 0.02. This holds for normal sight and, simulated after Machado, Oliveira and
 * Fernandes (2009), for protanopia, deuteranopia and tritanopia. Cells carry their thread in text
 * as well. */
#include "palette.h"

static const uint32_t thread_rgb[2][CT_DRAW_THREADS] = {
    {0x7cd4fa, 0xb9bf91, 0xfdb0f1, 0xb8f59b, 0x6ecfb7, 0xfddf73, 0xbaadff, 0xfea9b3,
     0x60b8dd, 0x9ea377, 0xe095d4, 0x9dd87f, 0x51b39c, 0xe0c355, 0x9f92e2, 0xe08e98,
     0x439cc0, 0x84895d, 0xc37ab8, 0x82bc64, 0x329882, 0xc4a735, 0x8578c5, 0xc3747e,
     0x2282a5, 0x6b6f44, 0xa7609d, 0x68a04a, 0x017d69, 0xa88c02, 0x6c5ea9, 0xa75a65},
    {0x004379, 0x354304, 0x583660, 0x055938, 0x014547, 0x604720, 0x2a267f, 0x75174b,
     0x265f98, 0x4f5f25, 0x75527e, 0x2e7653, 0x266162, 0x7d633c, 0x41449f, 0x963767,
     0x447db8, 0x6b7c42, 0x936e9c, 0x4e946f, 0x457e7f, 0x9b8058, 0x5b62bf, 0xb75585,
     0x629cd9, 0x889a5f, 0xb28cbc, 0x6db48d, 0x639c9e, 0xbb9f76, 0x7781e1, 0xd973a3}};

static const uint32_t ramp_rgb[2][2] = {{0xf2f7fd, 0x86b4e6}, {0x1c2733, 0x2f6cab}};
static const uint32_t muted_rgb[2] = {0xdfe3e8, 0x343b44};

static const ct_page_colors page_rgb[2] = {
    {0xffffff, 0xffffff, 0xb4bcc6, 0x1f2328, 0x1f2328, 0x57606a},
    {0x0d1117, 0x151b23, 0x454d57, 0xf0f3f6, 0xe6edf3, 0x9aa4af}};

int ct_fill_of(int color)
{
    if (color >= 0) return color % CT_DRAW_THREADS;
    if (color >= CT_COLOR_RAMP && color < CT_COLOR_RAMP + CT_DRAW_RAMP)
        return CT_DRAW_THREADS + color - CT_COLOR_RAMP;
    return color == CT_COLOR_MUTED ? CT_DRAW_THREADS + CT_DRAW_RAMP : -1;
}

static uint32_t mix(uint32_t a, uint32_t b, int part, int whole)
{
    uint32_t rgb = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const int from = (int)(a >> shift & 255), to = (int)(b >> shift & 255);
        rgb |= (uint32_t)(from + (to - from) * part / whole) << shift;
    }
    return rgb;
}

uint32_t ct_fill_rgb(int fill, int dark)
{
    if (fill < CT_DRAW_THREADS) return thread_rgb[dark][fill];
    if (fill < CT_DRAW_THREADS + CT_DRAW_RAMP)
        return mix(ramp_rgb[dark][0], ramp_rgb[dark][1], fill - CT_DRAW_THREADS, CT_DRAW_RAMP - 1);
    return muted_rgb[dark];
}

/* One channel, 0 to 255, as light: ((c + 0.055) / 1.055)^2.4, the fifth root by Newton's method. */
static double linear(uint32_t channel)
{
    const double c = channel / 255.0, x = (c + 0.055) / 1.055;
    if (c <= 0.04045) return c / 12.92;
    double root = 1;
    for (int i = 0; i < 24; ++i) root -= (root - x * x / (root * root * root * root)) / 5;
    return x * x * root;
}

static double luminance(uint32_t rgb)
{
    return 0.2126 * linear(rgb >> 16 & 255) + 0.7152 * linear(rgb >> 8 & 255) +
           0.0722 * linear(rgb & 255);
}

double ct_contrast(uint32_t a, uint32_t b)
{
    const double la = luminance(a) + 0.05, lb = luminance(b) + 0.05;
    return la > lb ? la / lb : lb / la;
}

uint32_t ct_text_rgb(uint32_t background)
{
    return ct_contrast(background, 0x000000) >= ct_contrast(background, 0xffffff) ? 0x000000
                                                                                  : 0xffffff;
}

ct_page_colors ct_page(int dark) { return page_rgb[dark != 0]; }

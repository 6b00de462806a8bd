#include "units.h"

void ct_put_size(ct_builder *b, int64_t bytes)
{
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = (double)bytes;
    int k = 0;
    for (; value >= 1024 && k < 5; ++k) value /= 1024;
    if (k == 0) ct_put(b, "%lld byte%s", (long long)bytes, ct_plural(bytes));
    else ct_put(b, "%.4g %s", value, unit[k]);
}

void ct_put_time(ct_builder *b, double seconds)
{
    if (seconds < 1e-3) ct_put(b, "%.3g us", seconds * 1e6);
    else if (seconds < 1) ct_put(b, "%.3g ms", seconds * 1e3);
    else ct_put(b, "%.3g s", seconds);
}

/**
 * Sizes in bytes as people write them: 4K, 64 KiB, 1G.
 */
#ifndef CUTLET_BENCH_HARNESS_SIZES_H
#define CUTLET_BENCH_HARNESS_SIZES_H

#include <stddef.h>
#include <stdint.h>

enum { BENCH_SIZE_TEXT = 32 };

/** Reads digits and one of K, M, G (times 1024, 1024^2, 1024^3) or nothing behind them; `KiB` and
 * `kb` do as well. 0; or -1 where it is something else, or more than 2^50. */
int bench_size_read(const char *text, int64_t *bytes);

/** `64 KiB`, `1.5 MiB`, `1000 bytes`. */
void bench_size_text(char text[BENCH_SIZE_TEXT], int64_t bytes);

#endif

/**
 * Numbers as texts give them: the one reader of the command line and of the benchmarks.
 */
#ifndef CUTLET_SRC_BASE_NUMBER_H
#define CUTLET_SRC_BASE_NUMBER_H

#include <stdint.h>

/** The integer that text begins with, decimal or 0x and hexadecimal, from least to most. A sign is
 * allowed only if least is below 0. *rest gets the text after it. 0, or -1. */
int ct_number_begin(const char *text, int64_t least, int64_t most, int64_t *out, const char **rest);

/** The integer that text is. 0, or -1. */
int ct_number_read(const char *text, int64_t least, int64_t most, int64_t *out);

/** A number of integers with a sign between them. 0, or -1. */
int ct_numbers_read(const char *text, char between, int count, int64_t least, int64_t most,
                    int64_t *out);

/** A number of bytes from 1 to 2^50, as 4096, 64K, 1M or 4G: K, M and G multiply by 1024, 1024^2
 * and 1024^3. B or iB may follow. 0, or -1. */
int ct_bytes_read(const char *text, int64_t *bytes);

#endif

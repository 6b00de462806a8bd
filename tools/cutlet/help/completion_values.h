/**
 * What may stand for the value of an option, for completion.
 */
#ifndef CUTLET_TOOLS_HELP_COMPLETION_VALUES_H
#define CUTLET_TOOLS_HELP_COMPLETION_VALUES_H

#include "../common/cli.h"

/** What completes a value: nothing, words that are known, files, or the names of MMA atoms. */
enum { CT_VALUE_OTHER, CT_VALUE_WORDS, CT_VALUE_FILES, CT_VALUE_ATOMS };

/** What completes the value of an option that has one; its words, blanks between, go to `words`. */
int ct_completion_values(const struct argp_option *o, char *words, size_t size);

/** The words before an option's name: "-o --output", or "--json". */
void ct_completion_names(const struct argp_option *o, const char *between, char *text, size_t size);

#endif

/**
 * Names of kernels and of architectures, searched and listed for messages.
 */
#ifndef CUTLET_TOOLS_SASS_NAMES_H
#define CUTLET_TOOLS_SASS_NAMES_H

#include "code.h"

enum { CT_NAMES_BYTES = 256 };

/** Whether a name is the wanted one; where exact is 0, whether it contains it. */
int ct_name_matches(const char *name, const char *wanted, int exact);

/** The kernels whose names are nearest to one, up to three, with commas between. */
void ct_names_near(const ct_code *code, const char *wanted, char text[CT_NAMES_BYTES]);

/** The architectures of the kernels, each once, with commas between. */
void ct_names_archs(const ct_code *code, char text[CT_NAMES_BYTES]);

#endif

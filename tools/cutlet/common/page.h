/**
 * Pages of HTML that stand by themselves: what their writers share.
 */
#ifndef CUTLET_TOOLS_COMMON_PAGE_H
#define CUTLET_TOOLS_COMMON_PAGE_H

#include <stdio.h>

/** Everything up to the first paragraph: styles for light and dark, the title as heading. */
void ct_page_begin(FILE *f, const char *title);

/** Text with the characters that HTML reserves written out; control characters become spaces. */
void ct_page_text(FILE *f, const char *text);

void ct_page_end(FILE *f);

#endif

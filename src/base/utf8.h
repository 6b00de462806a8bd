/**
 * Characters of UTF-8.
 */
#ifndef CUTLET_SRC_BASE_UTF8_H
#define CUTLET_SRC_BASE_UTF8_H

/** How many characters (not bytes) a text has. */
int ct_text_width(const char *text);

/** The bytes of the character that text begins with; 0 for other bytes. */
int ct_text_char(const char *text);

#endif

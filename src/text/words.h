/**
 * Reading C++ and Python: what the readers of other systems' texts share, on the notation's cursor.
 */
#ifndef CUTLET_SRC_TEXT_WORDS_H
#define CUTLET_SRC_TEXT_WORDS_H

#include "text/reader.h"

/** Room for a word of a text. */
#define CT_WORD_BYTES 48

/** A reader at the beginning of a text. */
ct_reader ct_reader_of(const char *text, ct_diag *diag);

/** Reads one name; an empty word where none begins here. A longer name is cut. Returns where it
 *  began. */
size_t ct_read_identifier(ct_reader *r, char word[CT_WORD_BYTES]);

/** Reads a name without its namespace or module: `Layout` of cute::Layout and of cute.Layout.
 *  Returns where the last part began. */
size_t ct_read_word(ct_reader *r, char word[CT_WORD_BYTES]);

/** The word that ct_read_word would read; the cursor stays. */
void ct_peek_word(ct_reader *r, char word[CT_WORD_BYTES]);

/** Takes `text` where it stands at the cursor, after blanks. */
int ct_take_text(ct_reader *r, const char *text);

/** Takes an opening bracket, one of `set`, and gives the closing one; complains otherwise. */
ct_status ct_take_open(ct_reader *r, const char *set, char *close);

/** Takes the character c, or complains. */
ct_status ct_take_closing(ct_reader *r, char c);

/** Takes `{}` or `()` after a C++ type. */
void ct_take_empty_braces(ct_reader *r);

/** Reads integers between brackets, `{8, 1}`, `(4,)`, `[]`, at most `room`. */
ct_status ct_read_integers(ct_reader *r, const char *brackets, int capacity, int64_t *out,
                           int *count);

/** Complains where the text goes on. */
ct_status ct_read_end(ct_reader *r);

#endif

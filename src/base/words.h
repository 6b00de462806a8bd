/** Lists of words with a blank between them. */
#ifndef CUTLET_SRC_BASE_WORDS_H
#define CUTLET_SRC_BASE_WORDS_H

#include <string.h>

/** The place of a word in a list, from 0 on; -1: it is none of them. */
static inline int ct_word_place(const char *words, const char *word, size_t length)
{
    for (int i = 0; *words; ++i) {
        const size_t n = strcspn(words, " ");
        if (n == length && memcmp(words, word, length) == 0) return i;
        words += n + (words[n] == ' ');
    }
    return -1;
}

/** Whether a word is one of a list; an empty one is not. */
static inline int ct_is_one_of(const char *word, const char *words)
{
    return ct_word_place(words, word, strlen(word)) >= 0;
}

#endif

/**
 * The part of argp that the command uses, for a C library without it; its page is glibc's.
 */
#ifndef CUTLET_TOOLS_PLAYGROUND_ARGP_H
#define CUTLET_TOOLS_PLAYGROUND_ARGP_H

#include <errno.h>

typedef int error_t;

enum { OPTION_ARG_OPTIONAL = 1 };
enum { ARGP_KEY_ARG = 0, ARGP_KEY_END = 0x1000001, ARGP_ERR_UNKNOWN = E2BIG };
enum { ARGP_NO_ERRS = 2, ARGP_NO_HELP = 16, ARGP_NO_EXIT = 32 };

struct argp_option {
    const char *name;
    int key;
    const char *arg;
    int flags;
    const char *doc;
    int group;
};

struct argp_state;
struct argp {
    const struct argp_option *options;
    error_t (*parser)(int key, char *arg, struct argp_state *state);
    const char *args_doc, *doc;
    const void *children, *filter, *domain;
};

struct argp_state {
    const struct argp *root_argp;
    int argc;
    char **argv;
    void *input;
    const char *name;
};

/** Options by their whole names, each with its value as the next word; then operands. */
error_t argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *index,
                   void *input);

#endif

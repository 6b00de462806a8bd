/**
 * A signal that ends the command leaves no unfinished file.
 */
#ifndef CUTLET_TOOLS_RELAYOUT_GUARD_H
#define CUTLET_TOOLS_RELAYOUT_GUARD_H

/** Puts off the signals that end the command; then lets them come again: they remove the file first,
 *  or do what they did before where path is NULL. */
void ct_relayout_hold(void);
void ct_relayout_guard(const char *path);

#endif

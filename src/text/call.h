/**
 * Matching values with the forms of an operation: for expressions, and for ct_operation_call.
 */
#ifndef CUTLET_SRC_TEXT_CALL_H
#define CUTLET_SRC_TEXT_CALL_H

#include "operations.h"

/** As ct_operation_forms, for the `length` characters of a name. */
int ct_operation_forms_span(const char *name, size_t length, ct_forms *forms);

/** The letter of argument i; 0 where the operation takes no such argument. */
char ct_letter_of(const char *takes, int i);

/** The form that the values fit, or NULL: *nearest is then the form with the most fitting
 * arguments, *suited of them; NULL if no form takes this number of arguments. An error among the
 * values fits anywhere. */
const ct_operation *ct_match_form(const ct_forms *forms, const ct_value *arg, int count,
                                  const ct_operation **nearest, int *suited);

/** Makes v what the letter asks for; v becomes an error where that fails. */
void ct_convert(char letter, ct_value *v);

/** What the forms are called with, for messages: "(layout, layout) or (layout, tiler)". */
void ct_describe_forms(const ct_forms *forms, char *buf, size_t size);

#endif

/* SPDX-License-Identifier: MIT */
/* Text within XML and HTML. */
#ifndef FRONT_PAGE_H
#define FRONT_PAGE_H

#include <stdio.h>

/* A character, written so that it has no meaning of its own there: < > & and ". */
void markup_put(FILE *out, char character);
void markup_put_text(FILE *out, const char *text);

#endif

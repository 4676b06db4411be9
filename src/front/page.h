/* SPDX-License-Identifier: MIT */
/* Pages of HTML: text as it is read, and what stands around it. */
#ifndef FRONT_PAGE_H
#define FRONT_PAGE_H

#include <stdio.h>

/* Text with what HTML has a meaning for written so that it has none; bytes outside of printable ASCII become '?'. */
void page_put_text(FILE *out, const char *text, size_t length);

/* Text within XML and HTML. */

/* A character, written so that it has no meaning of its own there: < > & and ". */
void markup_put(FILE *out, char character);
void markup_put_text(FILE *out, const char *text);

#endif

/* SPDX-License-Identifier: MIT */
/* Kinds of semantic tokens. */
#ifndef LSP_TOKENS_H
#define LSP_TOKENS_H

#include <jansson.h>

/* What the numbers in answers stand for. */
json_t *tokens_legend(void);

#endif

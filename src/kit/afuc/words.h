/* SPDX-License-Identifier: MIT */
/* The debugger's words for AFUC: `packet`, `catch packet`, `catch protected`, `info packets`, `info queues`. */
#ifndef KIT_AFUC_WORDS_H
#define KIT_AFUC_WORDS_H

#include "console/words.h"

extern const struct kit_words afuc_words;

#endif

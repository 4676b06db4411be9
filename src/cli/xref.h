/* SPDX-License-Identifier: MIT */
/* What `xref` is asked about. */
#ifndef CLI_XREF_H
#define CLI_XREF_H

#include "front/understood.h"

#define XREF_WANTED_MAX 8

/* One space, or one place of a section. */
struct xref_wanted {
    unsigned space;
    uint32_t number;
    unsigned section; /* of code */
    bool any_section, any_number;
    bool not_read, not_written; /* general registers that are called otherwise there */
};

struct xref_what {
    const char *text;
    unsigned count;
    struct xref_wanted wanted[XREF_WANTED_MAX];
};

/* What the user means. Complains and returns an exit code. */
int xref_understand(const struct understood *understood, const char *text, struct xref_what *what);
bool xref_wants(const struct xref_what *what, const struct gpucode_reference *reference);

#endif

/* SPDX-License-Identifier: MIT */
/* Lists of breakpoints, one of each kind, that requests set anew as a whole. */
#ifndef DAP_BREAKPOINT_LIST_H
#define DAP_BREAKPOINT_LIST_H

#include "dap/server.h"

struct breakpoint_list {
    enum owner owner;
    const char *path;  /* SOURCE: of the file, */
    int64_t reference; /* or the number of the listing */
    const char *key;   /* SOURCE: as in struct owned; else null */
};

/* Makes the breakpoint that an element of a list describes; returns the protocol's breakpoint. */
typedef json_t *make_breakpoint(struct dap *dap, const struct breakpoint_list *list, const json_t *wanted);

/* Removes what the list has and makes it of `elements`; the answer tells of each. */
void set_breakpoint_list(struct dap *dap, const struct breakpoint_list *list, const json_t *elements,
                         make_breakpoint *make, struct answer *answer);

/* For make_breakpoint: adds a breakpoint with the conditions that `wanted` has (may be null). */
json_t *dap_add_breakpoint(struct dap *dap, struct gpucode_breakpoint *breakpoint, const json_t *wanted,
                           enum owner owner, const char *source);
/* The protocol's breakpoint for one that cannot be made. */
json_t *dap_unverified(const char *why);

#endif

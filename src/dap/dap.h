/* SPDX-License-Identifier: MIT */
/*
 * The Debug Adapter Protocol: requests in, responses and events out. Knows the library by its public headers, and the
 * console for what users type. See https://microsoft.github.io/debug-adapter-protocol for the protocol.
 */
#ifndef DAP_DAP_H
#define DAP_DAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct kit;
struct launch_recordings;

/* What the program has for each instruction set, in their order: kit_at() of kit/kit.h. Null after the last. */
typedef const struct kit *dap_kits(unsigned index);

/*
 * Serves one client until it disconnects or the stream ends; `recordings` (kit/kit.h) may be null. Returns an exit
 * code.
 */
int dap_serve(FILE *in, FILE *out, dap_kits *kits, const struct launch_recordings *recordings);

/* Prints the launch request's fields as a JSON schema. False: out of memory, or `out` took no more. */
bool dap_print_schema(FILE *out, dap_kits *kits);

#endif

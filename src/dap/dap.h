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

/* Serves one client until it disconnects or the stream ends; `kit_at` as in kit/kit.h. Returns an exit code. */
int dap_serve(FILE *in, FILE *out, const struct kit *(*kit_at)(unsigned index));

#endif

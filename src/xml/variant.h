/* SPDX-License-Identifier: MIT */
/* The chips that a `variants` attribute names. */
#ifndef XML_VARIANT_H
#define XML_VARIANT_H

#include <stdbool.h>
#include <stdint.h>

/* A bit for every chip A0XX to A9XX. */
#define VARIANT_ALL 0x3ffu

/* "A6XX", "A5XX-", "-A4XX", "A6XX-A7XX", "A4XX:A6XX" (end left out), and lists with commas or spaces; false: unknown.
 */
bool variant_parse(const char *text, uint16_t *chips);

#endif

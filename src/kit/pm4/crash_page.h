/* SPDX-License-Identifier: MIT */
/* Parts of the page that `gpucode crash` prints for people. */
#ifndef KIT_PM4_CRASH_PAGE_H
#define KIT_PM4_CRASH_PAGE_H

#include "kit/pm4/crash_file.h"
#include <stdbool.h>

struct crash_code;

struct crash_page {
    const struct crash_file *file;
    bool verbose, color;
    bool located;
    struct gpucode_crash_position position; /* when `located` */
    const struct crash_code *code;          /* of --firmware, or null */
};

/* A line in bold above a part. */
void crash_heading(const struct crash_page *page, const char *text);
/* Text of the file, without anything that a terminal would act on. */
void crash_print_text(const char *text);
/* The packets whose handler the PC is in, " and " between them; false: no handler is known. */
bool crash_handlers(const struct crash_page *page, char *text, size_t size);

void crash_print_verdict(const struct crash_page *page);
void crash_print_packets(const struct crash_page *page);
void crash_print_page(const struct crash_page *page);

/* A section of the file by its name, decoded. Returns an exit code. */
int crash_print_section(const struct crash_file *file, const char *name);

/* Firmware that may be the one that crashed. */
struct crash_code;
int crash_code_open(const struct crash_file *file, const char *path, struct crash_code **out);
void crash_code_close(struct crash_code *code);
/* Does its packet table equal the loaded one? With the listing around the PC. */
void crash_print_code(const struct crash_page *page);

#endif

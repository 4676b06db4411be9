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

/* The same of a table and a handler of it; `names` may be null. */
void crash_handler_names(const struct gpucode_target *target, const struct gpucode_names *names,
                         const uint32_t handlers[128], const struct gpucode_crash_handler *handler, char *text,
                         size_t size);

void crash_print_verdict(const struct crash_page *page);
void crash_print_packets(const struct crash_page *page);
void crash_print_page(const struct crash_page *page);

/* A section of the file by its name, decoded. Returns an exit code. */
int crash_print_section(const struct crash_file *file, const char *name);

/* Firmware that may be the one that crashed; of a crash without a dump (null) there is nothing to tell by. */
struct crash_code;
int crash_code_open(struct session *session, const struct gpucode_crash *crash, const char *path,
                    struct crash_code **out);
void crash_code_close(struct crash_code *code);
const struct gpucode_target *crash_code_target(const struct crash_code *code);
/* By its own packet table: how far a PC is in the code for which packets. False: it has no table, or the PC is in front
 * of all handlers. */
bool crash_code_handler(const struct crash_code *code, uint32_t pc, uint32_t *words, char *text, size_t size);
/* Does its packet table equal the loaded one? With the listing around the PC. Of the page the code, the place and the
 * colour are asked alone. */
void crash_print_code(const struct crash_page *page);

#endif

/* SPDX-License-Identifier: MIT */
/* Parts of the page that `gpucode crash` prints for people. */
#ifndef GPU_CRASH_PAGE_H
#define GPU_CRASH_PAGE_H

#include "front/json.h"
#include "gpu/crash_file.h"
#include <stdbool.h>

struct crash_code;

struct crash_page {
    const struct crash_file *file;
    bool verbose, color;
    bool located;
    struct gpucode_crash_position position; /* when `located` */
    const struct crash_code *code;          /* of --firmware, or null */
    bool led; /* by that code the PC is in what the handler leads to, and not in the handler itself */
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
void crash_print_json(const struct crash_page *page);

/* A section of the file by its name, decoded. Returns an exit code. */
int crash_print_section(const struct crash_file *file, const char *name);

/* Firmware that may be the one that crashed; of a crash without a dump (null) there is nothing to tell by. */
struct crash_code;
int crash_code_open(struct session *session, const struct gpucode_crash *crash, const char *path,
                    struct crash_code **out);
void crash_code_close(struct crash_code *code);
const struct gpucode_target *crash_code_target(const struct crash_code *code);
/* Which code a PC is in. */
struct crash_place {
    uint32_t words;                  /* behind its start */
    char function[GPUCODE_NAME_MAX]; /* a routine, "boot" or "preempt", by its name in listings; "": a handler */
    char packets[512];               /* those that it handles, or that lead to it; "" for none */
};
/* By what the code is: false where nobody knows. Of firmware that is not the one that crashed nothing is said. */
bool crash_code_place(const struct crash_code *code, uint32_t pc, struct crash_place *place);
/* With the firmware that crashed one knows where a handler leads: the PC may be in a routine that it calls. */
void crash_code_confirm(struct crash_page *page);
/* The place as members of JSON, none where nobody knows; and all that --firmware says, as an object, null: nothing. */
void crash_code_put_place(const struct crash_code *code, uint32_t pc, struct json *json);
void crash_code_put(const struct crash_page *page, struct json *json);
/* "5 words into the code for CP_NOP", "5 words into drain, which CP_NOP and 2 more lead to". */
void crash_print_code_place(const struct crash_place *place);
/* Does its packet table equal the loaded one? With the listing around the PC. Of the page the code, the place and the
 * colour are asked alone. */
void crash_print_code(const struct crash_page *page);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a crash dump on the command line: the page, all of it and as data, each of its sections, and the same
 * bytes as lines of a kernel's log. What is printed goes nowhere.
 */
#include "check.h"
#include "front/session.h"
#include "gpu/crash_log.h"
#include "gpu/crash_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_all(const struct crash_file *file)
{
    struct crash_page page = {.file = file};
    struct gpucode_crash_section section;
    page.located = gpucode_crash_position(file->crash, &page.position);
    crash_print_page(&page);
    page.verbose = page.color = true;
    crash_print_page(&page);
    crash_print_json(&page);
    for (size_t i = 0; i < 16 && gpucode_crash_section(file->crash, i, &section); i++)
        crash_print_section(file, section.name);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static FILE *sink;
    if (!sink)
        sink = fopen("/dev/null", "w");
    FILE *shown = stdout;
    struct session session = {.diagnostics = {.out = sink}};
    struct file read = {.name = "fuzz", .bytes = malloc(size + 1), .size = size};
    struct crash_file file;
    if (!sink || !read.bytes)
        abort();
    memcpy(read.bytes, bytes, size);
    read.bytes[size] = 0;
    stdout = sink;
    if (crash_log_recognise(read.bytes, size)) {
        crash_log_explain(&session, &read);
        session.json = true;
        crash_log_explain(&session, &read);
    }
    if (crash_file_take(&session, &read, &file) == EXIT_DONE)
        print_all(&file);
    crash_file_close(&file);
    stdout = shown;
    return 0;
}

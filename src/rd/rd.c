/* SPDX-License-Identifier: MIT */
#include <gpucode/rd.h>

#include "base/diagnostics.h"
#include "rd/unpack.h"

#include <stdlib.h>
#include <string.h>

#define HEADER 8

struct gpucode_rd {
    unsigned char *bytes; /* unpacked */
    size_t size;
    struct gpucode_rd_section *sections;
    unsigned count;
};

static uint32_t number(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Newer recorders write a header of all ones between submissions. */
static bool is_mark(const unsigned char *at)
{
    return number(at) == UINT32_MAX && number(at + 4) == UINT32_MAX;
}

bool gpucode_rd_is(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    if (!bytes || size < HEADER)
        return false;
    if (unpack_is_packed(bytes, size) || is_mark(at))
        return true;
    /* the first sections name the test, the command or the GPU */
    uint32_t type = number(at), length = number(at + 4);
    return (type == GPUCODE_RD_TEST || type == GPUCODE_RD_COMMAND || type == GPUCODE_RD_GPU_ID || type == GPUCODE_RD_CHIP_ID) &&
           length <= size - HEADER && length <= 65536;
}

/* Counts the sections, or lists them when there is room; *whole: the last one is complete. */
static unsigned list(const struct gpucode_rd *rd, struct gpucode_rd_section *sections, bool *whole)
{
    unsigned count = 0;
    size_t at = 0;
    while (rd->size - at >= HEADER) {
        if (is_mark(rd->bytes + at)) {
            at += HEADER;
            continue;
        }
        uint32_t type = number(rd->bytes + at), length = number(rd->bytes + at + 4);
        if (length > rd->size - at - HEADER)
            break;
        if (sections)
            sections[count] = (struct gpucode_rd_section){type, rd->bytes + at + HEADER, length, at};
        count++;
        at += HEADER + length;
    }
    *whole = at == rd->size;
    return count;
}

enum gpucode_status gpucode_rd_open(const void *bytes, size_t size, const char *file, const struct gpucode_sink *sink,
                                    struct gpucode_rd **out)
{
    static const struct gpucode_sink nobody;
    if (!out || (!bytes && size))
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    if (!sink)
        sink = &nobody;
    struct place place = {.file = file};
    struct gpucode_rd *rd = calloc(1, sizeof *rd);
    if (!rd)
        return GPUCODE_ERROR_MEMORY;
    bool whole = true;
    enum gpucode_status status = unpack(bytes, size, GPUCODE_RD_SIZE_MAX, &rd->bytes, &rd->size, &whole);
    if (status == GPUCODE_OK) {
        bool ends;
        rd->count = list(rd, NULL, &ends);
        whole = whole && ends;
        rd->sections = calloc((size_t)rd->count + 1, sizeof *rd->sections);
        status = !rd->sections ? GPUCODE_ERROR_MEMORY : rd->count || whole ? GPUCODE_OK : GPUCODE_ERROR_INPUT;
    }
    if (status != GPUCODE_OK) {
        if (status == GPUCODE_ERROR_INPUT)
            report(sink, &place, MSG_RD_DAMAGED, NULL);
        gpucode_rd_free(rd);
        return status;
    }
    bool ends;
    list(rd, rd->sections, &ends);
    if (!whole)
        report(sink, &place, MSG_RD_BREAKS_OFF, NULL);
    *out = rd;
    return GPUCODE_OK;
}

void gpucode_rd_free(struct gpucode_rd *rd)
{
    if (!rd)
        return;
    free(rd->bytes);
    free(rd->sections);
    free(rd);
}

bool gpucode_rd_section(const struct gpucode_rd *rd, unsigned index, struct gpucode_rd_section *section)
{
    if (!rd || !section || index >= rd->count)
        return false;
    *section = rd->sections[index];
    return true;
}

const char *gpucode_rd_name(uint32_t type)
{
    static const char *const names[] = {
        "none",           "test name",       "command line",  "buffer address", "context",  "command stream",
        "command stream address", "parameter", "flush",       "program",        "vertex shader", "fragment shader",
        "buffer contents", "GPU id",         "chip id",       "shader log",     "CP log",   "write buffer"};
    return type < sizeof names / sizeof *names ? names[type] : "unknown";
}

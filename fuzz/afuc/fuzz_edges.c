/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a list of edges that ran (`graph --coverage`), for a firmware of ours or for what stands after the
 * first zero: what is read lies in the image, reads the same when it is written again, and is all that the graph marks.
 */
#include "check.h"
#include "front/coverage.h"
#include "front/session.h"
#include <gpucode/gpucode.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* a jump that code alone does not resolve, a loop, a call, two sections */
static const char source[] =
    ".target afuc:a730\nimage:\n[01730001]\n[#BV:end - #image]\n[01730001]\n[#jumptbl]\n[01000000]\n"
    "mov $02, #there\ncwrite $02, [$00 + 0x200]\ncread $03, [$00 + 0x200]\njump $03\nnop\n"
    "there:\nmov $04, 0x2\nloop:\nsub $04, $04, 0x1\nbrne $04, 0x0, #loop\nnop\n"
    "call #there\nnop\nwaitin\nmov $01, $data\njumptbl:\n.jumptbl\n"
    ".section BV\nstart:\n[01730001]\n[#jumptbl]\n[01000000]\nagain:\nbreq $05, b0, #again\nnop\n"
    "waitin\nmov $01, $data\njumptbl:\n.jumptbl\nend:\n";

/* The image is made once, and left. */
static const struct gpucode_image *own_image(void)
{
    static struct gpucode_program *program;
    static struct gpucode_image *image;
    if (image)
        return image;
    check(gpucode_assemble(source, sizeof source - 1, NULL, &program) == GPUCODE_OK);
    check(gpucode_image_open(gpucode_program_bytes(program), gpucode_program_size(program), NULL, &image) ==
          GPUCODE_OK);
    return image;
}

static bool has_edge(const struct gpucode_seen_edge *list, size_t count, unsigned section,
                     const struct gpucode_block *block, uint32_t to)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].section == section && list[i].from >= block->start && list[i].from < block->end && list[i].to == to)
            return true;
    return false;
}

static void check_graph(const struct gpucode_image *image, const struct gpucode_seen_edge *list, size_t count)
{
    const struct gpucode_analysis_options options = {.seen = list, .seen_count = count};
    const struct gpucode_block *block;
    struct gpucode_analysis *analysis;
    if (gpucode_analyse(image, &options, &analysis) != GPUCODE_OK)
        return;
    for (unsigned s = 0; s < gpucode_image_info(image)->section_count; s++)
        for (unsigned i = 0; (block = gpucode_analysis_block(analysis, s, i)); i++)
            for (uint32_t k = 0; k < block->edge_count; k++) {
                const struct gpucode_edge *edge = &block->edges[k];
                check(edge->kind != GPUCODE_EDGE_SEEN || (edge->seen && edge->known));
                /* after a branch with a branch in its slot the graph goes on at the slot, a run after it */
                check(!edge->seen || !edge->known || has_edge(list, count, s, block, edge->to) ||
                      (edge->kind == GPUCODE_EDGE_NEXT && has_edge(list, count, s, block, edge->to + 1)));
            }
    gpucode_analysis_free(analysis);
}

static void check_again(struct diagnostics *diagnostics, const struct gpucode_image *image,
                        const struct gpucode_seen_edge *list, size_t count)
{
    const struct gpucode_image_info *info = gpucode_image_info(image);
    struct file file = {.name = "again", .bytes = malloc(count * 64 + 1)};
    struct gpucode_seen_edge *again;
    size_t same;
    check(file.bytes);
    for (size_t i = 0; i < count; i++)
        file.size += (size_t)snprintf(file.bytes + file.size, 64, "%s\t%" PRIu32 "\t%" PRIu32 "\n",
                                      info->sections[list[i].section].name, list[i].from, list[i].to);
    check(edges_parse(diagnostics, &file, image, &again, &same) == EXIT_DONE && same == count);
    for (size_t i = 0; i < count; i++)
        check(again[i].section == list[i].section && again[i].from == list[i].from && again[i].to == list[i].to);
    free(again);
    free(file.bytes);
}

static void read_edges(struct diagnostics *diagnostics, const struct file *file, const struct gpucode_image *image)
{
    const struct gpucode_image_info *info = gpucode_image_info(image);
    struct gpucode_seen_edge *list;
    size_t count;
    int code = edges_parse(diagnostics, file, image, &list, &count);
    check(code == EXIT_DONE || (code == EXIT_INPUT && !list && !count && diagnostics->errors));
    for (size_t i = 0; i < count; i++)
        check(list[i].section < info->section_count && list[i].from < info->sections[list[i].section].size &&
              list[i].to < info->sections[list[i].section].size);
    if (code == EXIT_DONE && count < 1000) {
        check_again(diagnostics, image, list, count);
        check_graph(image, list, count);
    }
    free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static FILE *sink;
    if (!sink)
        sink = fopen("/dev/null", "w");
    struct diagnostics diagnostics = {.out = sink};
    const uint8_t *zero = size ? memchr(bytes, 0, size) : NULL;
    struct gpucode_image *image = NULL;
    struct file file = {.name = "fuzz", .bytes = malloc(size + 1), .size = zero ? (size_t)(zero - bytes) : size};
    check(sink && file.bytes);
    if (size)
        memcpy(file.bytes, bytes, size);
    file.bytes[file.size] = 0;
    if (zero && gpucode_image_open(zero + 1, size - file.size - 1, NULL, &image) == GPUCODE_OK)
        read_edges(&diagnostics, &file, image);
    else
        read_edges(&diagnostics, &file, own_image());
    gpucode_image_free(image);
    free(file.bytes);
    return 0;
}

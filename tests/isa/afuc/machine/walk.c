/* SPDX-License-Identifier: MIT */
/*
 * What runs is in the graph: the analysis of each image of the vectors knows every word that ran, and every edge of a
 * branch or jump, but for register jumps that it says it cannot resolve.
 */
#include "files.h"
#include "rig.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static bool note(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    assert_true(
        gpucode_walk_step(user, event->processor, gpucode_machine_section(machine, event->processor), event->pc));
    return false;
}

/* Edges that the graph has only because they were seen, of blocks that do not say so. */
static unsigned count_surprises(const struct gpucode_analysis *analysis, unsigned section)
{
    const struct gpucode_block *block;
    unsigned count = 0;
    for (unsigned i = 0; (block = gpucode_analysis_block(analysis, section, i)); i++) {
        unsigned seen = 0, unresolved = 0;
        for (uint32_t k = 0; k < block->edge_count; k++) {
            seen += block->edges[k].kind == GPUCODE_EDGE_SEEN;
            unresolved += block->edges[k].kind == GPUCODE_EDGE_UNRESOLVED;
        }
        count += unresolved ? 0 : seen;
    }
    return count;
}

/* Words that ran and that no function has. */
static unsigned count_strangers(const struct rig *rig, const struct gpucode_analysis *analysis)
{
    const struct gpucode_image_info *info = gpucode_image_info(rig->image);
    uint8_t *ran = calloc(info->units + 1, 1);
    unsigned count = 0;
    assert_non_null(ran);
    gpucode_machine_ran(rig->machine, rig->image, ran);
    for (unsigned s = 0; s < info->section_count; s++)
        for (uint32_t unit = 0; unit < info->sections[s].size; unit++)
            if (ran[info->sections[s].start + unit] && gpucode_analysis_owner(analysis, s, unit) == GPUCODE_NONE) {
                uint32_t boot = 0; /* of words in front of boot nothing is said */
                while (boot < unit && gpucode_analysis_owner(analysis, s, boot) == GPUCODE_NONE)
                    boot++;
                count += boot < unit;
            }
    free(ran);
    return count;
}

static bool is_known(const struct rig *rig, struct gpucode_walk *walk, const char *name)
{
    struct gpucode_analysis *analysis;
    struct gpucode_analysis_options options = {0};
    options.seen = gpucode_walk_edges(walk, &options.seen_count);
    assert_non_null(options.seen);
    assert_int_equal(gpucode_analyse(rig->image, &options, &analysis), GPUCODE_OK);
    unsigned strangers = count_strangers(rig, analysis), surprises = 0;
    for (unsigned s = 0; s < gpucode_image_info(rig->image)->section_count; s++)
        surprises += count_surprises(analysis, s);
    if (strangers || surprises)
        print_message("%s: %u words and %u edges are not in the graph\n", name, strangers, surprises);
    gpucode_analysis_free(analysis);
    return !strangers && !surprises;
}

static bool run_image(const char *name, const uint32_t *words, size_t count, const json_t *packets, size_t *edges)
{
    struct rig rig;
    struct gpucode_walk *walk;
    assert_true(rig_words(&rig, NULL, words, count, NULL));
    assert_int_equal(gpucode_walk_create(rig.image, &walk), GPUCODE_OK);
    gpucode_machine_coverage(rig.machine, true);
    gpucode_machine_hook(rig.machine, GPUCODE_EVENT_INSN, note, walk);
    rig_run(&rig, 1000000);
    for (size_t i = 0; i < json_array_size(packets); i++) {
        const json_t *packet = json_array_get(packets, i);
        for (size_t k = 0; k < json_array_size(packet); k++) {
            uint32_t word = (uint32_t)strtoul(json_string_value(json_array_get(packet, k)), NULL, 16);
            rig_feed(&rig, &word, 1);
        }
        rig_run(&rig, 1000000);
    }
    bool good = is_known(&rig, walk, name);
    size_t seen;
    gpucode_walk_edges(walk, &seen);
    *edges += seen;
    gpucode_walk_free(walk);
    rig_free(&rig);
    return good;
}

static void run_vectors(const char *name)
{
    char path[600];
    const char *folder = vectors_folder();
    snprintf(path, sizeof path, "%s/afuc/emulator/%s", folder ? folder : "", name);
    FILE *file = folder ? fopen(path, "r") : NULL;
    if (!file)
        skip();
    char *line = NULL;
    size_t room = 0, wrong = 0, edges = 0;
    while (getline(&line, &room, file) > 0) {
        json_error_t error;
        json_t *vector = json_loads(line, 0, &error);
        assert_non_null(vector);
        const char *image = json_string_value(json_object_get(vector, "image"));
        size_t count = strlen(image) / 8;
        uint32_t *words = calloc(count + 1, sizeof *words);
        assert_non_null(words);
        for (size_t i = 0; i < count; i++) {
            char digits[9] = "";
            memcpy(digits, image + 8 * i, 8);
            words[i] = (uint32_t)strtoul(digits, NULL, 16);
        }
        wrong += !run_image(json_string_value(json_object_get(vector, "name")), words, count,
                            json_object_get(vector, "packets"), &edges);
        free(words);
        json_decref(vector);
    }
    free(line);
    fclose(file);
    assert_true(edges >= 100);
    assert_int_equal(wrong, 0);
}

static void a6xx(void)
{
    run_vectors("a6xx.jsonl");
}

static void a7xx(void)
{
    run_vectors("a7xx.jsonl");
}

/* --- edges one by one --- */

struct walked {
    struct rig rig;
    struct gpucode_walk *walk;
    size_t count;
    const struct gpucode_seen_edge *edges;
};

static void walk_text(struct walked *walked, const char *body)
{
    char text[4096];
    snprintf(text, sizeof text, "[016ee002]\n[#jumptbl]\n%s\nwaitin\nmov $01, $data\njumptbl:\n.jumptbl\n", body);
    *walked = (struct walked){0};
    if (!rig_text(&walked->rig, "afuc:a630", text, NULL))
        fail_msg("%s", walked->rig.message);
    assert_int_equal(gpucode_walk_create(walked->rig.image, &walked->walk), GPUCODE_OK);
    gpucode_machine_hook(walked->rig.machine, GPUCODE_EVENT_INSN, note, walked->walk);
    rig_run(&walked->rig, 1000);
    walked->edges = gpucode_walk_edges(walked->walk, &walked->count);
}

static void free_walked(struct walked *walked)
{
    gpucode_walk_free(walked->walk);
    rig_free(&walked->rig);
}

static void assert_edge(const struct walked *walked, size_t index, uint32_t from, uint32_t to)
{
    assert_true(index < walked->count);
    assert_int_equal(walked->edges[index].from, from);
    assert_int_equal(walked->edges[index].to, to);
}

static void branches(void)
{
    struct walked walked;
    /* a loop of three rounds, with (rep) in its slot; then a call, which is not an edge */
    walk_text(&walked, "mov $02, 0x3\nloop: sub $02, $02, 0x1\nmov $rem, 0x2\nbrne $02, 0x0, #loop\n"
                       "(rep)add $03, $03, 0x1\ncall #f\nnop\njump #out\nnop\nf: ret\nnop\nout:");
    assert_int_equal(walked.count, 3);
    assert_edge(&walked, 0, 5, 3);
    assert_edge(&walked, 1, 5, 7);
    assert_edge(&walked, 2, 9, 13);
    free_walked(&walked);
}

static void branch_in_slot(void)
{
    struct walked walked;
    /* not taken, so that the one in its slot is */
    walk_text(&walked, "mov $02, 0x2\nbreq $02, 0x1, #one\nbreq $02, 0x2, #two\nmov $03, 0x1\none: nop\ntwo: nop");
    assert_int_equal(walked.count, 2);
    assert_edge(&walked, 0, 3, 5);
    assert_edge(&walked, 1, 4, 7);
    free_walked(&walked);
    /* taken: the one in its slot has no effect */
    walk_text(&walked, "mov $02, 0x1\nbreq $02, 0x1, #one\nbreq $02, 0x2, #two\nmov $03, 0x1\none: nop\ntwo: nop");
    assert_int_equal(walked.count, 1);
    assert_edge(&walked, 0, 3, 6);
    free_walked(&walked);
}

/* A jump that nobody can resolve goes, in the graph, where it was seen going. */
static void unresolved(void)
{
    struct walked walked;
    walk_text(&walked,
              "mov $02, #there\ncwrite $02, [$00 + 0x200]\ncread $03, [$00 + 0x200]\njumpd $03\nnop\nnop\nnop\n"
              "there: mov $04, 0x7\ncall #last\nnop\njump #out\nnop\nlast: ret\nnop\nout:");
    assert_edge(&walked, 0, 5, 9);
    struct gpucode_analysis *analysis;
    assert_int_equal(gpucode_analyse(walked.rig.image, NULL, &analysis), GPUCODE_OK);
    assert_int_equal(gpucode_analysis_owner(analysis, 0, 9), GPUCODE_NONE);
    gpucode_analysis_free(analysis);
    const struct gpucode_analysis_options options = {.seen = walked.edges, .seen_count = walked.count};
    assert_int_equal(gpucode_analyse(walked.rig.image, &options, &analysis), GPUCODE_OK);
    const struct gpucode_block *block = gpucode_analysis_block(analysis, 0, 0);
    assert_int_equal(block->edge_count, 2);
    assert_int_equal(block->edges[0].kind, GPUCODE_EDGE_UNRESOLVED);
    assert_false(block->edges[0].seen);
    assert_int_equal(block->edges[1].kind, GPUCODE_EDGE_SEEN);
    assert_int_equal(block->edges[1].to, 9);
    assert_string_equal(gpucode_edge_name(block->edges[1].kind), "seen");
    const struct gpucode_function *boot = gpucode_analysis_function(analysis, 0, 0);
    assert_int_equal(boot->call_count, 1);
    assert_int_equal(boot->calls[0].to, 14);
    /* jump #out was seen as well, and is not news */
    block = gpucode_analysis_block(analysis, 0, 1);
    assert_int_equal(block->edge_count, 1);
    assert_int_equal(block->edges[0].kind, GPUCODE_EDGE_TAKEN);
    assert_true(block->edges[0].seen);
    gpucode_analysis_free(analysis);
    free_walked(&walked);
}

/* Steps that no section and no processor can have are refused and leave nothing. */
static void refused(void)
{
    struct walked walked;
    struct gpucode_walk *walk;
    size_t count = 9;
    walk_text(&walked, "mov $02, 0x1\nnop");
    const struct gpucode_image *image = walked.rig.image;
    const struct gpucode_section *only = &gpucode_image_info(image)->sections[0];
    assert_int_equal(gpucode_walk_create(NULL, &walk), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_walk_create(image, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_walk_create(image, &walk), GPUCODE_OK);
    assert_true(gpucode_walk_step(walk, GPUCODE_WALK_PROCESSORS - 1, 0, only->size - 1));
    assert_false(gpucode_walk_step(walk, GPUCODE_WALK_PROCESSORS, 0, 1));
    assert_false(gpucode_walk_step(walk, 0, 1, 1));
    assert_false(gpucode_walk_step(walk, 0, 0, only->size));
    assert_false(gpucode_walk_step(NULL, 0, 0, 1));
    assert_non_null(gpucode_walk_edges(walk, &count));
    assert_int_equal(count, 0);
    assert_null(gpucode_walk_edges(walk, NULL));
    count = 9;
    assert_null(gpucode_walk_edges(NULL, &count));
    assert_int_equal(count, 0);
    gpucode_walk_free(walk);
    free_walked(&walked);
}

TESTS(walk, branches, branch_in_slot, unresolved, refused, a6xx, a7xx)

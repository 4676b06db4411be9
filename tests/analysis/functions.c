/* SPDX-License-Identifier: MIT */
/* Functions, blocks, calls and depth: delay slots, branches in them, tables, tails, recursion. */
#include "analysed.h"

/* "2:boot 5-7>9t,7n 7-9>r | 12:fxn12 ..." of section 0. */
static const char *shape(const struct gpucode_analysis *analysis)
{
    static char text[4096];
    char name[GPUCODE_NAME_MAX];
    const struct gpucode_function *function;
    size_t used = 0;
    text[0] = 0;
#define PUT(...) used += (size_t)snprintf(text + used, sizeof text - used, __VA_ARGS__)
    for (unsigned i = 0; (function = gpucode_analysis_function(analysis, 0, i)); i++) {
        assert_true(gpucode_analysis_name(analysis, 0, i, name, sizeof name) > 0);
        PUT("%s%u:%s/%d", i ? " | " : "", function->start, name, function->depth);
        for (uint32_t b = 0; b < function->block_count; b++) {
            const struct gpucode_block *block = gpucode_analysis_block(analysis, 0, function->blocks[b]);
            PUT(" %u-%u>", block->start, block->end);
            for (uint32_t e = 0; e < block->edge_count; e++) {
                PUT("%s", e ? "," : "");
                if (block->edges[e].known)
                    PUT("%u", block->edges[e].to);
                PUT("%c", gpucode_edge_name(block->edges[e].kind)[0]);
            }
        }
    }
#undef PUT
    return text;
}

static void expect_shape(const char *target, const char *body, const char *wanted)
{
    struct analysed analysed;
    analyse_source(&analysed, target, body);
    assert_string_equal(shape(analysed.analysis), wanted);
    free_analysed(&analysed);
}

static void test_slots(void)
{
    expect_shape("afuc:a630", "mov $02, $data\nbrne $02, b1, #out\nmov $03, 1\nmov $03, 2\nout:\n",
                 "2:boot/0 2-5>6t,5n 5-6>6n | 6:CP_NOP/0 6-8>d");
    /* branches in slots: the second is one where the first is not taken */
    expect_shape("afuc:a630", "mov $02, $data\nbreq $02, 1, #a\nbreq $02, 2, #b\nnop\na:\nmov $03, 1\nb:\n",
                 "2:boot/0 2-4>6t,4n 4-6>7t,6n 6-7>7n | 7:CP_NOP/0 7-9>d");
    /* what stands in the slot of a jump has no effect as a transfer */
    expect_shape("afuc:a630", "mov $02, 1\njump #out\ncall #out\nmov $03, 2\nout:\nmov $04, 3\n",
                 "2:boot/0 2-5>6t 6-7>7n | 7:CP_NOP/0 7-9>d");
    expect_shape("afuc:a730", "mov $02, 1\nsetsecure $02, #ok\njump #ok\nnop\nok:\nmov $03, 1\n",
                 "2:boot/0 2-4>4n,6t 4-6>6t 6-7>7n | 7:CP_NOP/0 7-9>d");
}

static void test_calls(void)
{
    expect_shape("afuc:a730",
                 "call #a\nnop\nbl #b\nnop\njump #end\nnop\na:\ncall #b\nnop\nret\nnop\nb:\nsret\nnop\nend:\n",
                 "2:boot/2 2-8>14t | 8:fxn8/1 8-12>r | 12:fxn12/0 12-14>r | 14:CP_NOP/0 14-16>d");
    expect_shape("afuc:a730", "call #a\nnop\njump #end\nnop\na:\ncall #a\nnop\nret\nnop\nend:\n",
                 "2:boot/-1 2-6>10t | 6:fxn6/-1 6-10>r | 10:CP_NOP/0 10-12>d");
}

#define FUNCTIONS 7
#define EDGES 4

struct graph {
    unsigned count[FUNCTIONS];     /* edges of a function, the last of which is a jump where `jumps` says so */
    unsigned to[FUNCTIONS][EDGES]; /* functions */
    bool linked[FUNCTIONS][EDGES]; /* by the link register */
    bool jumps[FUNCTIONS];
    bool leads[FUNCTIONS][FUNCTIONS]; /* by any way */
};

static bool is_jump(const struct graph *graph, unsigned function, unsigned edge)
{
    return graph->jumps[function] && edge + 1 == graph->count[function];
}

/* Depth by the words of the header: -1 where a call can be made again within itself, or such a one can be reached. */
static int depth_of(const struct graph *graph, unsigned function)
{
    int depth = 0;
    for (unsigned from = 0; from < FUNCTIONS; from++) {
        if (from != function && !graph->leads[function][from])
            continue;
        for (unsigned k = 0; k < graph->count[from]; k++)
            if (!is_jump(graph, from, k) && (graph->to[from][k] == from || graph->leads[graph->to[from][k]][from]))
                return -1;
    }
    for (unsigned from = 0; from < FUNCTIONS; from++) { /* functions that jump to one another are as deep as one */
        if (from != function && !(graph->leads[function][from] && graph->leads[from][function]))
            continue;
        for (unsigned k = 0; k < graph->count[from]; k++) {
            unsigned to = graph->to[from][k];
            if (to == from || graph->leads[to][from])
                continue;
            int deep = depth_of(graph, to) + (!is_jump(graph, from, k) && !graph->linked[from][k]);
            depth = deep > depth ? deep : depth;
        }
    }
    return depth;
}

/* Calls, jumps and circles of them at random: depths and what packets lead to, against a model. */
static void test_graphs(void)
{
    uint32_t seed = 1;
    char text[4096], *end;
#define NEXT(n) ((seed = seed * 1664525 + 1013904223) >> 16) % (n)
#define PUT(...) end += sprintf(end, __VA_ARGS__)
    for (unsigned round = 0; round < 300; round++) {
        struct graph graph = {0};
        unsigned start[FUNCTIONS], at = 2 + 2 * FUNCTIONS + 2 + 2 + 4, first = NEXT(FUNCTIONS), other = NEXT(FUNCTIONS);
        end = text;
        for (unsigned i = 0; i < FUNCTIONS; i++)
            PUT("call #f%u\nnop\n", i);
        PUT("jump #UNKN16\nnop\nUNKN17:\njump #f%u\nnop\nUNKN70:\ncall #f%u\nnop\nwaitin\nmov $01, $data\n", first,
            other);
        for (unsigned i = 0; i < FUNCTIONS; i++) {
            start[i] = at;
            graph.count[i] = NEXT(EDGES);
            graph.jumps[i] = graph.count[i] && NEXT(2);
            PUT("f%u:\n", i);
            for (unsigned k = 0; k < graph.count[i]; k++) {
                unsigned to = graph.to[i][k] = round % 3 ? NEXT(FUNCTIONS) : i + NEXT(FUNCTIONS - i);
                graph.leads[i][to] = true;
                graph.linked[i][k] = NEXT(3) == 0;
                PUT("%s #f%u\nnop\n", is_jump(&graph, i, k) ? "jump" : graph.linked[i][k] ? "bl" : "call", to);
            }
            if (!graph.jumps[i])
                PUT("ret\nnop\n");
            at += 2 * (graph.count[i] + !graph.jumps[i]);
        }
        for (unsigned via = 0; via < FUNCTIONS; via++)
            for (unsigned i = 0; i < FUNCTIONS; i++)
                for (unsigned k = 0; k < FUNCTIONS; k++)
                    graph.leads[i][k] |= graph.leads[i][via] && graph.leads[via][k];
        struct analysed analysed;
        const struct gpucode_function *function;
        analyse_source(&analysed, "afuc:a730", text);
        unsigned found = 0;
        for (unsigned i = 0; (function = gpucode_analysis_function(analysed.analysis, 0, i)); i++)
            for (unsigned f = 0; f < FUNCTIONS; f++)
                if (function->start == start[f]) {
                    bool by[2] = {f == first || graph.leads[first][f], f == other || graph.leads[other][f]};
                    if (function->depth != depth_of(&graph, f) || function->reached_by[0] != (uint64_t)by[0] << 17 ||
                        function->reached_by[1] != (uint64_t)by[1] << 6)
                        fail_msg("round %u: f%u has depth %d, not %d, of %s", round, f, function->depth,
                                 depth_of(&graph, f), text);
                    found++;
                }
        assert_int_equal(found, FUNCTIONS);
        free_analysed(&analysed);
    }
#undef PUT
#undef NEXT
}

static void test_tables(void)
{
    static const char *const bounds[] = {"and $03, $02, 0x1\n", "min $03, $02, 0x1\n", "ubfx $03, $02, b7, b7\n"};
    char body[512];
    for (unsigned i = 0; i < 3; i++) {
        snprintf(
            body, sizeof body,
            "mov $02, $data\n%sadd $03, $03, $03\nadd $03, $03, #table\njump $03\nnop\ntable:\njump #end\nnop\njump "
            "#table\nnop\nend:\n",
            bounds[i]);
        expect_shape("afuc:a730", body, "2:boot/0 2-8>8t,10t 8-10>12t 10-12>8t | 12:CP_NOP/0 12-14>d");
    }
    /* a mask with a hole is no bound, one that begins above bit 0 is none either */
    static const char *const no_bounds[] = {"and $03, $02, 0x5\n", "and $03, $02, 0x2\n", "or $03, $02, 0x1\n"};
    for (unsigned i = 0; i < 3; i++) {
        snprintf(body, sizeof body,
                 "mov $02, $data\n%sadd $03, $03, $03\nadd $03, $03, #table\njump $03\nnop\ntable:\n", no_bounds[i]);
        expect_shape("afuc:a730", body, "2:boot/0 2-8>u | 8:CP_NOP/0 8-10>d");
    }
    expect_shape(
        "afuc:a730",
        "mov $02, $data\ncmp $04, $02, 2\nbrne $04, b2, #end\nnop\nmov $03, $02\nshl $03, $03, 1\nadd $03, $03, "
        "#table\njump $03\nnop\ntable:\njump #end\nnop\njump #table\nnop\nend:\n",
        "2:boot/0 2-6>15t,6n 6-11>11t,13t 11-13>15t 13-15>11t | 15:CP_NOP/0 15-17>d");
    /* without a bound nobody knows */
    expect_shape("afuc:a730", "mov $03, $data\nadd $03, $03, $03\nadd $03, $03, #table\njump $03\nnop\ntable:\n",
                 "2:boot/0 2-7>u | 7:CP_NOP/0 7-9>d");
}

static void test_sharing(void)
{
    struct analysed analysed;
    uint64_t packets[2];
    /* a tail without an entry belongs to all that reach it */
    analyse_source(&analysed, "afuc:a730",
                   "jump #end\nnop\nUNKN20:\njump #tail\nnop\nUNKN21:\ntail:\nmov $03, 1\nlast:\nwaitin\nmov $01, "
                   "$data\nUNKN22:\njump #last\nnop\nend:\n");
    assert_string_equal(shape(analysed.analysis),
                        "2:boot/0 2-4>11t | 4:CP_WAIT_TIMESTAMP/0 4-6>6t | 6:CP_GLOBAL_TIMESTAMP/0 6-7>7n 7-9>d | "
                        "9:CP_LOCAL_TIMESTAMP/0 7-9>d 9-11>7t | "
                        "11:CP_NOP/0 11-13>d");
    assert_int_equal(gpucode_analysis_owner(analysed.analysis, 0, 7), 2);
    assert_int_equal(gpucode_analysis_owner(analysed.analysis, 0, 4), 1);
    assert_int_equal(gpucode_analysis_owner(analysed.analysis, 0, 0), GPUCODE_NONE);
    assert_true(gpucode_analysis_reached_by(analysed.analysis, 0, 8, packets));
    assert_true(packets[0] == UINT64_C(7) << 20 && packets[1] == 0);
    free_analysed(&analysed);
}

static void test_preemption(void)
{
    struct analysed analysed;
    size_t count;
    analyse_source(&analysed, "afuc:a730",
                   "mov $02, #pre\nnop\nswrite $02, [$00 + %PREEMPT_INSTR]\njump #end\nnop\npre:\niret\nnop\nend:\n");
    assert_string_equal(shape(analysed.analysis), "2:boot/0 2-7>9t | 7:preempt/0 7-9>r | 9:CP_NOP/0 9-11>d");
    const struct gpucode_code_constant *constants = gpucode_analysis_constants(analysed.analysis, &count);
    assert_int_equal(count, 1);
    assert_int_equal(constants[0].kind, GPUCODE_CONSTANT_INTERRUPT);
    assert_int_equal(constants[0].at, 2);
    assert_int_equal(constants[0].to, 7);
    free_analysed(&analysed);
}

/* The table that is loaded may be another section's, by its place in the image. */
static void test_tables_of_others(void)
{
    struct analysed analysed;
    size_t count;
    analyse_text(&analysed, "afuc:a730",
                 "image:\n[01730001]\n[#BV:end - #image]\n[01730001]\n[#jumptbl]\n[01000000]\n"
                 "mov $04, (#BV:jumptbl - #image) * 4\ncwrite $04, [$00 + @MEM_READ_ADDR]\nmov $rem, 0x80\n"
                 "cwrite $rem, [$00 + @MEM_READ_DWORDS]\ncwrite $00, [$00 + @PACKET_TABLE_WRITE_ADDR]\n"
                 "(rep)cwrite $memdata, [$00 + @PACKET_TABLE_WRITE]\nwaitin\nmov $01, $data\n"
                 "CP_NOP:\nwaitin\nmov $01, $data\n.align 32\njumptbl:\n.jumptbl\n"
                 ".section BV\nstart:\n[01730001]\n[#jumptbl]\n[01000000]\nnop\nwaitin\nmov $01, $data\n"
                 "CP_NOP:\nwaitin\nmov $01, $data\n.align 32\njumptbl:\n.jumptbl\nend:\n");
    const struct gpucode_image_info *info = gpucode_image_info(analysed.image);
    assert_int_equal(info->section_count, 2);
    const struct gpucode_code_constant *constants = gpucode_analysis_constants(analysed.analysis, &count);
    size_t i = 0; /* others are the words of the header */
    while (i < count && constants[i].kind != GPUCODE_CONSTANT_PACKETS)
        i++;
    assert_true(i < count);
    assert_int_equal(constants[i].section, 0);
    assert_int_equal(constants[i].at, 5);
    assert_int_equal(constants[i].to_section, 1);
    assert_int_equal(constants[i].to, info->sections[1].table);
    assert_int_equal(constants[i].scale, 4);
    assert_true(constants[i].from_image);
    free_analysed(&analysed);
}

static void expect_plain_shape(const char *target, const char *text, const char *wanted)
{
    struct analysed analysed;
    analyse_text(&analysed, target, text);
    assert_string_equal(shape(analysed.analysis), wanted);
    free_analysed(&analysed);
}

/* Sets of which rows alone tell: what nothing leads to begins a function, padding does not, and programs end. */
/* Shape with the places that only jumps by a register lead to, and whether all is known. */
static void expect_places(const char *body, const char *wanted, bool all)
{
    struct analysed analysed;
    struct gpucode_analysis *places;
    bool complete = !all;
    analyse_source(&analysed, "afuc:a730", body);
    assert_int_equal(gpucode_analyse_places(NULL, NULL, &places, &complete), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_analyse_places(analysed.image, NULL, NULL, &complete), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_analyse_places(analysed.image, NULL, &places, &complete), GPUCODE_OK);
    assert_string_equal(shape(places), wanted);
    assert_int_equal(complete, all);
    gpucode_analysis_free(places);
    free_analysed(&analysed);
}

static void test_places(void)
{
    /* a place on the stack is one; a jump nobody knows of may lead there, in the section alone that has one */
#define OTHER "other:\nmov $04, 1\nwaitin\nmov $01, $data\n"
#define KEPT "mov $03, #other\nswrite $03, [$00 + %STACK0]\n"
    expect_places("mov $02, 1\njump #UNKN16\nnop\n", "2:boot/0 2-5>5t | 5:CP_NOP/0 5-7>d", true);
    expect_places(KEPT "mov $05, $data\nadd $05, $05, $05\njump $05\nnop\n" OTHER,
                  "2:boot/0 2-8>u,8s 8-11>d | 11:CP_NOP/0 11-13>d", false);
    expect_places(KEPT "waitin\nmov $01, $data\n" OTHER, "2:boot/0 2-6>d | 9:CP_NOP/0 9-11>d", false);
    expect_places(
        KEPT
        "mov $03, #last\nswrite $03, [$00 + %STACK1]\nmov $05, $data\nadd $05, $05, $05\njump $05\nnop\n" OTHER
        "last:\nmov $03, #more\nswrite $03, [$00 + %STACK0]\nwaitin\nmov $01, $data\nmore:\nwaitin\nmov $01, $data\n",
        "2:boot/0 2-10>u,10s,13s,17s 10-13>d 13-17>d 17-19>d | 19:CP_NOP/0 19-21>d", false);
#undef KEPT
#undef OTHER
}

static void test_plain(void)
{
    expect_plain_shape("mme:fermi", "parm $r2\nl: exit branz $r2 #l\nsend $r2\nparm $r3\nexit send $r3\nnop\n",
                       "0:start/0 0-1>1n 1-3>1t,s | 3:fxn3/0 3-6>s");
    expect_plain_shape("ir3:a6xx", "br p0.x, #l\nnop\nl:\nend\nnop\nnop\n", "0:start/0 0-1>2t,1n 1-2>2n 2-3>s");
    expect_plain_shape("a3xx", "nop\nend\n", "0:start/0 0-2>s");
    expect_plain_shape("hwsq:g94", "addr 0x100210\nexit\n", "0:start/0 0-6>s");
    assert_false(gpucode_can_follow_values(gpucode_target_find("mme:fermi")));
    assert_true(gpucode_can_follow_values(gpucode_target_find("afuc:a630")));
    assert_true(gpucode_has_branches(gpucode_target_find("mme:fermi")));
    assert_false(gpucode_has_branches(gpucode_target_find("hwsq:g94")));
}

/* Room for names that is just enough, and one less; what is null or just behind the end; what is cut to its room. */
static void test_room(void)
{
    struct analysed analysed;
    struct gpucode_notes *notes;
    char text[GPUCODE_NOTE_MAX], cut[12];
    const uint64_t packets[2] = {1u << 16 | 1u << 31 | 1, 0}; /* CP_NOP, and two without a name */
    analyse_source(&analysed, "afuc:a730", "mov $02, 0x12 << 16\nor $02, $02, 0x34\ncwrite $02, [$00 + @IB1_BASE]\n");
    const struct gpucode_analysis *analysis = analysed.analysis;
    assert_int_equal(gpucode_analysis_packet_name(analysis, 16, text, GPUCODE_NAME_MAX), 6);
    assert_string_equal(text, "CP_NOP");
    assert_int_equal(gpucode_analysis_packet_name(analysis, 16, text, GPUCODE_NAME_MAX - 1), 0);
    assert_int_equal(gpucode_analysis_packet_name(analysis, 16, NULL, GPUCODE_NAME_MAX), 0);
    assert_int_equal(gpucode_analysis_packet_name(NULL, 16, text, GPUCODE_NAME_MAX), 0);
    struct gpucode_reference reference = {.space = GPUCODE_SPACE_CONTROL, .number = 0x10, .exact = true};
    unsigned space_count = GPUCODE_SPACE_COUNT;
    size_t length = gpucode_analysis_reference_name(analysis, &reference, text, GPUCODE_NAME_MAX + 1);
    assert_true(length > 1 && length == strlen(text) && text[0] == '@');
    assert_int_equal(gpucode_analysis_reference_name(analysis, &reference, text, GPUCODE_NAME_MAX), 0);
    assert_string_equal(text, "");
    assert_int_equal(gpucode_analysis_reference_name(analysis, NULL, text, sizeof text), 0);
    assert_int_equal(gpucode_analysis_reference_name(NULL, &reference, text, sizeof text), 0);
    assert_int_equal(gpucode_analysis_reference_name(analysis, &reference, NULL, sizeof text), 0);
    reference.space = (uint8_t)space_count;
    assert_int_equal(gpucode_analysis_reference_name(analysis, &reference, text, sizeof text), 0);
    assert_int_equal(gpucode_analysis_packets(analysis, packets, 2, text, sizeof text), 24);
    assert_string_equal(text, "UNKN0, CP_NOP and 1 more");
    memset(cut, '?', sizeof cut);
    assert_int_equal(gpucode_analysis_packets(analysis, packets, 2, cut, 10), 9);
    assert_memory_equal(cut, "UNKN0, CP\0??", 12);
    assert_int_equal(gpucode_analysis_packets(analysis, packets, 2, text, 0), 0);
    assert_int_equal(gpucode_analysis_packets(analysis, packets, 2, NULL, sizeof text), 0);
    assert_int_equal(gpucode_analysis_packets(analysis, NULL, 2, text, sizeof text), 0);
    assert_int_equal(gpucode_analysis_packets(NULL, packets, 2, text, sizeof text), 0);
    assert_int_equal(gpucode_notes_create(NULL, &notes), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_notes_create(analysed.analysis, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_notes_create(analysed.analysis, &notes), GPUCODE_OK);
    assert_true(gpucode_notes_text(notes, 0, 3, text, GPUCODE_NOTE_MAX) > 0);
    assert_string_equal(text, "= 0x120034");
    assert_int_equal(gpucode_notes_text(notes, 0, 3, text, GPUCODE_NOTE_MAX - 1), 0);
    assert_int_equal(gpucode_notes_text(notes, 1, 0, text, GPUCODE_NOTE_MAX), 0);
    assert_int_equal(gpucode_notes_text(notes, 0, gpucode_image_info(analysed.image)->units, text, sizeof text), 0);
    gpucode_notes_free(notes);
    assert_null(gpucode_analysis_function(analysis, 1, 0));
    free_analysed(&analysed);
}

static void test_arguments(void)
{
    struct gpucode_analysis *analysis;
    char text[8];
    assert_int_equal(gpucode_analyse(NULL, NULL, &analysis), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_analysis_references(NULL, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_analysis_privileges(NULL, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_analysis_trials(NULL, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_null(gpucode_analysis_constants(NULL, NULL));
    assert_null(gpucode_analysis_lost(NULL, NULL));
    assert_null(gpucode_analysis_function(NULL, 0, 0));
    assert_null(gpucode_analysis_block(NULL, 0, 0));
    assert_int_equal(gpucode_analysis_name(NULL, 0, 0, text, sizeof text), 0);
    assert_int_equal(gpucode_analysis_owner(NULL, 0, 0), GPUCODE_NONE);
    gpucode_analysis_free(NULL);
    assert_null(gpucode_edge_name(GPUCODE_EDGE_STOP + 1));
    assert_null(gpucode_function_kind_name((enum gpucode_function_kind)5));
    assert_null(gpucode_reference_kind_name((enum gpucode_reference_kind)5));
    static const unsigned char script[] = {0x7f};
    struct gpucode_image_options options = {.target = gpucode_target_find("data")};
    struct gpucode_image *image;
    assert_int_equal(gpucode_image_open(script, sizeof script, &options, &image), GPUCODE_OK);
    assert_int_equal(gpucode_analyse(image, NULL, &analysis), GPUCODE_ERROR_UNSUPPORTED);
    gpucode_image_free(image);
}

TESTS(functions, test_slots, test_calls, test_graphs, test_tables, test_sharing, test_preemption, test_tables_of_others,
      test_plain, test_places, test_room, test_arguments)

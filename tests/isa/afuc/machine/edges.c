/* SPDX-License-Identifier: MIT */
/* Edges in a map of the host's, events of comparisons and of handlers at their end, memory that the host answers. */
#include "files.h"
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define MAP 4096u

/* Number of the edge between two words, 0: none. */
static uint32_t edge_between(const struct rig *rig, uint32_t from, uint32_t to)
{
    struct gpucode_machine_edge edge;
    for (uint32_t i = 1; gpucode_machine_edge(rig->machine, i, &edge); i++)
        if (edge.from == from && edge.to == to)
            return i;
    return 0;
}

/* A loop of three rounds: its branch is taken twice and not taken once; a call has one way. */
static void counts(void)
{
    static const char text[] = "mov $02, 0x3\na: sub $02, $02, 0x1\nbrne $02, 0x0, #a\nnop\ncall #f\nnop\n"
                               "jump #end\nnop\nf: ret\nnop\nend: nop\n";
    struct rig rig;
    uint8_t map[MAP] = {0};
    program_make(&rig, A6XX, text, NULL, 0, NULL);
    struct gpucode_machine_edge edge;
    assert_int_equal(gpucode_machine_edge_count(rig.machine), 4);
    assert_false(gpucode_machine_edge(rig.machine, 1, &edge));
    assert_int_equal(gpucode_machine_edges(rig.machine, map, sizeof map), GPUCODE_OK);
    assert_int_equal(gpucode_machine_edge_count(rig.machine), 4);
    assert_true(gpucode_machine_edge(rig.machine, 4, &edge));
    assert_false(gpucode_machine_edge(rig.machine, 5, &edge));
    assert_false(gpucode_machine_edge(rig.machine, 0, &edge));
    assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_IDLE);
    assert_int_equal(map[edge_between(&rig, 4, 3)], 2);
    assert_int_equal(map[edge_between(&rig, 4, 5)], 1);
    assert_int_equal(map[edge_between(&rig, 6, 10)], 1);
    assert_int_equal(map[edge_between(&rig, 8, 12)], 1);
    unsigned all = 0;
    for (unsigned i = 0; i < MAP; i++)
        all += map[i];
    assert_int_equal(all, 6); /* and the ret, whose target only the run knows */
    assert_int_equal(map[0], 0);
    /* off again */
    assert_int_equal(gpucode_machine_edges(rig.machine, NULL, 0), GPUCODE_OK);
    gpucode_machine_set_pc(rig.machine, 0, 2);
    assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_IDLE);
    assert_int_equal(map[edge_between(&rig, 4, 3)], 2);
    rig_free(&rig);
}

/* Counts stay at 255. */
static void saturation(void)
{
    struct rig rig;
    uint8_t map[MAP] = {0};
    program_make(&rig, A6XX, "mov $02, 0x1000\na: sub $02, $02, 0x1\nbrne $02, 0x0, #a\nnop\n", NULL, 0, NULL);
    assert_int_equal(gpucode_machine_edges(rig.machine, map, sizeof map), GPUCODE_OK);
    assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_IDLE);
    assert_int_equal(map[edge_between(&rig, 4, 3)], 255);
    rig_free(&rig);
}

static void refusals(void)
{
    struct rig rig;
    uint8_t map[MAP] = {0};
    program_make(&rig, A6XX, "jump #a\nnop\na: nop\n", NULL, 0, NULL);
    assert_int_equal(gpucode_machine_edges(NULL, map, sizeof map), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_machine_edges(rig.machine, map, 1 + GPUCODE_EDGES_LEAST), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_edges(rig.machine, map, 2 + GPUCODE_EDGES_LEAST), GPUCODE_OK);
    assert_int_equal(gpucode_machine_edge_count(NULL), 0);
    assert_false(gpucode_machine_edge(NULL, 1, &(struct gpucode_machine_edge){0}));
    assert_false(gpucode_machine_edge(rig.machine, 1, NULL));
    rig_free(&rig);
}

/* Maps from the smallest on: nothing is written after them, and each return of many is counted in them. */
static void map_ends(void)
{
    static char text[8192] = "";
    char *at = text;
    for (unsigned i = 0; i < 200; i++)
        at = stpcpy(at, "call #f\nnop\n");
    strcpy(at, "jump #end\nnop\nf: ret\nnop\nend: nop\n");
    for (size_t more = 0; more < 500; more += 1 + more / 2) {
        struct rig rig;
        uint8_t map[MAP] = {0};
        program_make(&rig, A6XX, text, NULL, 0, NULL);
        size_t edges = gpucode_machine_edge_count(rig.machine), size = 1 + edges + GPUCODE_EDGES_LEAST + more;
        assert_int_equal(edges, 201);
        assert_int_equal(gpucode_machine_edges(rig.machine, map, size - more - 1), GPUCODE_ERROR_RANGE);
        assert_int_equal(gpucode_machine_edges(rig.machine, map, size), GPUCODE_OK);
        assert_int_equal(rig_run(&rig, 10000), GPUCODE_STOP_IDLE);
        unsigned returns = 0;
        for (size_t i = 0; i < MAP; i++) {
            assert_true(i < size || !map[i]);
            assert_true(i == 0 || i > edges || map[i] == 1);
            returns += i > edges ? map[i] : 0;
        }
        assert_int_equal(returns, 200);
        rig_free(&rig);
    }
}

/* --- the example firmware: edges against what a trace of instructions says -------------------------------------- */

static bool include(void *user, const char *from, const char *name, char **text, size_t *length)
{
    char path[128];
    (void)user, (void)from;
    snprintf(path, sizeof path, "examples/firmware/%s", name);
    *text = read_source(path, length);
    return true;
}

static struct gpucode_program *assemble_example(void)
{
    size_t length;
    char *source = read_source("examples/firmware/a6xx.asm", &length);
    const struct gpucode_asm_options options = {.include = include, .file = "a6xx.asm"};
    struct gpucode_program *program;
    assert_int_equal(gpucode_assemble(source, length, &options, &program), GPUCODE_OK);
    free(source);
    return program;
}

struct trace {
    const struct gpucode_image *image;
    uint32_t pcs[4]; /* the last ones, newest first */
    unsigned counts[MAP];
    const struct rig *rig;
};

static bool trace_insn(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct trace *trace = user;
    memmove(trace->pcs + 1, trace->pcs, sizeof trace->pcs - sizeof *trace->pcs);
    trace->pcs[0] = (uint32_t)event->pc;
    /* two before stood a transfer if the map has an edge from there to here; one before was its delay slot */
    uint32_t from = trace->pcs[2], to = trace->pcs[0];
    struct gpucode_machine_edge edge;
    bool slot = trace->pcs[1] == from + 1;
    for (uint32_t i = 1; slot && gpucode_machine_edge(machine, i, &edge); i++)
        if (edge.from == from && (edge.taken ? edge.to == to : to == from + 2))
            trace->counts[i]++;
    return false;
}

static const uint8_t opcodes[] = {0x10, 0x3d, 0x46, 0x05, 0x73, 0x06, 0x3e, 0x10, 0x45, 0x3d, 0x21, 0x63, 0x07};
static const uint8_t lengths[] = {8, 8, 4, 3, 7, 8, 3, 0, 8, 3, 3, 1, 2};

/* Packets of several kinds. */
static void feed_packets(struct rig *rig)
{
    for (unsigned i = 0; i < sizeof opcodes; i++) {
        uint32_t words[9] = {rig_packet7(opcodes[i], lengths[i]), 0x40000 | i << 4, 0, 0, 8, 0, 0x20000, 0, 0};
        rig_feed(rig, words, 1u + lengths[i]);
    }
    rig_feed(rig, (const uint32_t[]){rig_packet4(0x883, 2), 1, 2}, 3);
}

static void firmware_edges(void)
{
    struct rig plain, rig;
    struct gpucode_program *program = assemble_example();
    assert_true(rig_bytes(&plain, NULL, gpucode_program_bytes(program), gpucode_program_size(program), NULL));
    assert_true(rig_bytes(&rig, NULL, gpucode_program_bytes(program), gpucode_program_size(program), NULL));
    static uint8_t map[MAP + GPUCODE_EDGES_SIZE];
    memset(map, 0, sizeof map);
    assert_int_equal(rig_run(&plain, 100000), GPUCODE_STOP_IDLE);
    feed_packets(&plain);
    rig_run(&plain, 100000);
    /* edges change nothing of what the machine does */
    assert_int_equal(gpucode_machine_edges(rig.machine, map, sizeof map), GPUCODE_OK);
    assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_IDLE);
    feed_packets(&rig);
    rig_run(&rig, 100000);
    assert_int_equal(rig.stop.reason, plain.stop.reason);
    assert_int_equal(rig.stop.pc, plain.stop.pc);
    assert_int_equal(gpucode_machine_count(rig.machine), gpucode_machine_count(plain.machine));
    uint32_t edges = gpucode_machine_edge_count(rig.machine);
    assert_true(edges > 150 && edges < MAP);
    /* pairs of packets, each at a place of its own after the edges of the code */
    unsigned pairs = 0;
    for (unsigned i = 0; i + 1 < sizeof opcodes; i++)
        pairs += map[1 + edges + ((uint32_t)opcodes[i] << 7 | opcodes[i + 1])] == 1;
    assert_int_equal(pairs, sizeof opcodes - 1);
    /* the same under observation, and as a trace has it */
    static uint8_t again[sizeof map];
    memset(again, 0, sizeof again);
    rig_free(&rig);
    assert_true(rig_bytes(&rig, NULL, gpucode_program_bytes(program), gpucode_program_size(program), NULL));
    assert_int_equal(gpucode_machine_edges(rig.machine, again, sizeof again), GPUCODE_OK);
    static struct trace trace;
    gpucode_machine_hook(rig.machine, GPUCODE_EVENT_INSN, trace_insn, &trace);
    assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_IDLE);
    feed_packets(&rig);
    rig_run(&rig, 100000);
    assert_memory_equal(map, again, sizeof map);
    unsigned seen = 0;
    for (uint32_t i = 1; i <= edges; i++) {
        unsigned counted = trace.counts[i] < 255 ? trace.counts[i] : 255;
        struct gpucode_machine_edge edge;
        gpucode_machine_edge(rig.machine, i, &edge);
        if (counted != map[i])
            fail_msg("edge %u, %u to %u: the map has %u, the trace %u", i, edge.from, edge.to, map[i], counted);
        seen += map[i] != 0;
    }
    assert_true(seen >= 30);
    rig_free(&rig);
    rig_free(&plain);
    gpucode_program_free(program);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

struct told {
    struct gpucode_event events[16];
    unsigned count;
};

static bool tell(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct told *told = user;
    (void)machine;
    if (told->count < 16)
        told->events[told->count++] = *event;
    return false;
}

static void comparisons(void)
{
    struct rig rig;
    struct told told = {0};
    program_make(&rig, A6XX,
                 "mov $02, 0x45\ncmp $03, $02, 0x46\nmov $04, 0x45\ncmp $05, $02, $04\nbreq $02, 0x3, #a\nnop\n"
                 "a: brne $02, b1, #b\nnop\nb: cmp $06, $data, 0x7\n",
                 (const uint32_t[]){7}, 1, NULL);
    gpucode_machine_hook(rig.machine, GPUCODE_EVENT_COMPARE, tell, &told);
    assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_IDLE);
    static const uint32_t expected[][3] = {{3, 0x45, 0x46}, {5, 0x45, 0x45}, {6, 0x45, 3}, {8, 0x45, 0x47}};
    assert_int_equal(told.count, 4); /* what stands in a queue is not looked at */
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(told.events[i].pc, expected[i][0]);
        assert_int_equal(told.events[i].value, expected[i][1]);
        assert_int_equal(told.events[i].old, expected[i][2]);
    }
    rig_free(&rig);
}

/* A handler's end is told in front of the next packet, in the plain loop too, and a hook can stop there. */
static void handlers_end(void)
{
    struct rig rig;
    struct told told = {0};
    struct gpucode_program *program = assemble_example();
    assert_true(rig_bytes(&rig, NULL, gpucode_program_bytes(program), gpucode_program_size(program), NULL));
    gpucode_machine_hook(rig.machine, GPUCODE_EVENT_PACKET | GPUCODE_EVENT_HANDLED, tell, &told);
    assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_IDLE);
    assert_int_equal(told.count, 1);
    assert_int_equal(told.events[0].kind, GPUCODE_EVENT_HANDLED);
    assert_int_equal(told.events[0].value, 0);
    uint32_t words[] = {rig_packet7(0x10, 1), 0, rig_packet4(0x883, 1), 5};
    rig_feed(&rig, words, 4);
    assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_IDLE);
    assert_int_equal(told.count, 5);
    static const unsigned kinds[] = {GPUCODE_EVENT_PACKET, GPUCODE_EVENT_HANDLED};
    for (unsigned i = 1; i < 5; i++) {
        assert_int_equal(told.events[i].kind, kinds[(i - 1) % 2]);
        assert_int_equal(told.events[i].address, i < 3 ? 0x10 : 4);
        assert_int_equal(told.events[i].value, words[i < 3 ? 0 : 2]);
        if (i % 2 == 0)
            assert_int_equal(told.events[i].old, 2); /* header and one word */
    }
    rig_free(&rig);
    gpucode_program_free(program);
}

/* --- memory
 * ----------------------------------------------------------------------------------------------------------- */

struct device {
    uint32_t words[4];
    unsigned reads, writes;
};

static bool serve(void *user, struct gpucode_machine *machine, const struct gpucode_access *access, uint32_t *value)
{
    struct device *device = user;
    (void)machine;
    if (access->address < 0x8000 || access->address >= 0x8010)
        return false;
    assert_int_equal(access->bytes, 4);
    uint32_t *word = &device->words[(access->address - 0x8000) / 4];
    if (access->write) {
        device->writes++;
        *word = *value;
    } else {
        device->reads++;
        *value = *word;
    }
    return true;
}

static void memory(void)
{
    struct rig rig;
    struct device device = {.words = {0x11, 0x22, 0x33, 0}};
    program_make(&rig, A6XX,
                 "mov $02, 0x8000\nload $03, [$02 + 0x4]\nstore $03, [$02 + 0xc]\nmov $04, 0x1000\n"
                 "load $05, [$04 + 0x0]\nstore $05, [$04 + 0x20]\n",
                 NULL, 0, NULL);
    assert_int_equal(gpucode_machine_memory(rig.machine, serve, &device), GPUCODE_OK);
    uint32_t first = rig_peek(&rig, 0x1000);
    assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_IDLE);
    assert_int_equal(rig_get(&rig, "$03"), 0x22);
    assert_int_equal(device.words[3], 0x22);
    assert_int_equal(device.reads, 1);
    assert_int_equal(device.writes, 1);
    assert_int_equal(rig_peek(&rig, 0x800c), 0); /* the machine's own is left alone */
    assert_int_equal(rig_peek(&rig, 0x1020), first);
    rig_free(&rig);
    /* the host may answer otherwise one day: no hang */
    static const char poll[] = "mov $02, 0x8000\na: load $03, [$02 + 0xc]\nbreq $03, 0x0, #a\nnop\n";
    program_make(&rig, A6XX, poll, NULL, 0, NULL);
    assert_int_equal(gpucode_machine_memory(rig.machine, serve, &device), GPUCODE_OK);
    device.words[3] = 0;
    assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_LIMIT);
    device.words[3] = 5;
    assert_int_equal(rig_run(&rig, 100), GPUCODE_STOP_IDLE);
    assert_int_equal(gpucode_machine_memory(rig.machine, NULL, NULL), GPUCODE_OK);
    gpucode_machine_set_pc(rig.machine, 0, 2);
    assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_HANG);
    rig_free(&rig);
}

TESTS(edges, counts, saturation, refusals, map_ends, firmware_edges, comparisons, handlers_end, memory)

/* SPDX-License-Identifier: MIT */
/* A shader's run as a time line: a lane for each fiber, with the slots in which it waits for others. */
#include "front/answer.h"
#include "front/places.h"
#include "front/session.h"
#include "kit/shader/shader.h"
#include <gpucode/insn.h>
#include <gpucode/time_line.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIBERS 64 /* have lanes */
enum { WAITS, MEMORY, FAULTS, OTHERS };

struct fiber {
    char lane[16];
    bool open;      /* an instruction of it is being run */
    uint64_t start; /* of that; else when it ended */
    uint64_t position, pc, count;
    char text[GPUCODE_TEXT_MAX];
};

struct line {
    struct shader_run *run;
    uint64_t limit;
    void (*see)(struct shader_run *run, const struct gpucode_event *event);
    struct gpucode_time_line *line;
    const char *lanes[FIBERS + OTHERS];
    struct fiber fibers[FIBERS];
    uint64_t counts[OTHERS], now, waited;
    unsigned width;
};

int shader_line_check(const struct shader_run *run, bool *wanted)
{
    const struct arguments *arguments = &run->session->arguments;
    bool records = arguments_have(arguments, OPTION_A3XX_TIME_LINE),
         trace = arguments_have(arguments, OPTION_A3XX_PERFETTO);
    const char *other = records && trace                                           ? "perfetto"
                        : arguments_have(arguments, OPTION_A3XX_TRACE)             ? "trace"
                        : records && arguments_have(arguments, OPTION_A3XX_CYCLES) ? "cycles"
                                                                                   : NULL;
    *wanted = records || trace;
    return *wanted && other ? complain(&run->session->diagnostics, CLI_GPU_OPTION_IDLE, NULL, NULL, other,
                                       records ? "time-line" : "perfetto")
                            : EXIT_DONE;
}

static void put_moment(struct line *line, unsigned lane, const struct gpucode_event *seen, const char *name)
{
    char detail[32];
    struct gpucode_time_line_event event = {.lane = line->lanes[line->width + lane],
                                            .name = name,
                                            .detail = detail,
                                            .number = line->counts[lane]++,
                                            .start = seen->time,
                                            .end = seen->time,
                                            .mark = lane == FAULTS ? GPUCODE_TIME_LINE_FAULT : GPUCODE_TIME_LINE_PLAIN,
                                            .position = seen->processor < line->width && lane != FAULTS
                                                            ? line->fibers[seen->processor].position
                                                            : line->run->instructions};
    snprintf(detail, sizeof detail, "fiber %u", seen->processor);
    places_event(line->run->input, seen->pc, (uint32_t)seen->pc, &event);
    gpucode_time_line_put(line->line, &event);
}

/* What all fibers that run at once do is over. */
static void close_fibers(struct line *line, uint64_t time)
{
    for (unsigned i = 0; i < line->width; i++) {
        struct fiber *fiber = &line->fibers[i];
        if (!fiber->open)
            continue;
        struct gpucode_time_line_event event = {.lane = fiber->lane,
                                                .name = fiber->text,
                                                .number = fiber->count++,
                                                .start = fiber->start,
                                                .end = time,
                                                .position = fiber->position};
        places_event(line->run->input, fiber->pc, (uint32_t)fiber->pc, &event);
        gpucode_time_line_put(line->line, &event);
        fiber->open = false;
        fiber->start = time;
    }
}

/* Between what it did and what it begins others have run. */
static void put_gap(struct line *line, struct fiber *fiber, uint64_t time, uint64_t position)
{
    struct gpucode_time_line_event event = {.lane = fiber->lane,
                                            .name = "waits for other fibers",
                                            .number = fiber->count,
                                            .start = fiber->start,
                                            .end = time,
                                            .mark = GPUCODE_TIME_LINE_SKIPPED,
                                            .has = GPUCODE_TIME_LINE_HAS_POSITION,
                                            .position = position};
    if (time > fiber->start) {
        gpucode_time_line_put(line->line, &event);
        fiber->count++;
    }
}

/* Flags stand in front of a name: does it wait for results of others? */
static bool is_wait(const char *text)
{
    for (; *text == '('; text += strcspn(text, ")") + 1)
        if (strncmp(text, "(ss)", 4) == 0 || strncmp(text, "(sy)", 4) == 0)
            return true;
    return strncmp(text, "bar", 3) == 0 && !strchr("y", text[3]); /* a barrier; not bary.f */
}

static void see_insn(struct line *line, const struct gpucode_event *event)
{
    uint64_t position = gpucode_machine_count(line->run->machine);
    if (event->time > line->now)
        close_fibers(line, event->time);
    line->now = event->time;
    if (event->processor >= line->width)
        return;
    struct fiber *fiber = &line->fibers[event->processor];
    put_gap(line, fiber, event->time, position);
    fiber->open = true;
    fiber->start = event->time;
    fiber->position = position;
    fiber->pc = event->pc;
    if (!shader_insn_text(line->run, event, fiber->text))
        snprintf(fiber->text, sizeof fiber->text, "0x%016" PRIx64, event->value);
    if (is_wait(fiber->text) && line->waited != event->time + 1) { /* once for all that run together */
        line->waited = event->time + 1;
        put_moment(line, WAITS, event, fiber->text);
    }
}

static bool watch(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    static const char *const spaces[] = {"", "local ", "private "};
    struct line *line = user;
    char text[80];
    (void)machine;
    line->see(line->run, event);
    if (event->kind == GPUCODE_EVENT_INSN) {
        see_insn(line, event);
    } else if (event->kind == GPUCODE_EVENT_MEM_WRITE) {
        snprintf(text, sizeof text, "%s[0x%" PRIx64 "] <= 0x%" PRIx64, spaces[event->space < 3 ? event->space : 0],
                 event->address, event->value);
        put_moment(line, MEMORY, event, text);
    }
    return false;
}

static int run_lined(void *user, struct gpucode_answer *answer, enum gpucode_time_line_form form)
{
    struct line *line = user;
    struct shader_run *run = line->run;
    static const char *const others[OTHERS] = {"waits", "memory", "faults"};
    struct gpucode_time_line_options options = {
        .form = form, .title = run->input->file.name, .unit = "slots", .lanes = line->lanes};
    line->width = run->width < FIBERS ? run->width : FIBERS;
    for (unsigned i = 0; i < line->width; i++) {
        snprintf(line->fibers[i].lane, sizeof line->fibers[i].lane, "fiber %u", i);
        line->lanes[i] = line->fibers[i].lane;
    }
    memcpy(line->lanes + line->width, others, sizeof others);
    options.lane_count = line->width + OTHERS;
    line->line = gpucode_time_line_begin(answer, &options);
    gpucode_machine_hook(run->machine, GPUCODE_EVENT_WRITE | GPUCODE_EVENT_INSN | GPUCODE_EVENT_MEM_WRITE, watch, line);
    run->instructions = gpucode_machine_run(run->machine, line->limit, &run->stop);
    gpucode_machine_hook(run->machine, 0, NULL, NULL);
    uint64_t end = gpucode_machine_time(run->machine);
    close_fibers(line, end > line->now ? end : line->now + 1);
    if (run->stop.reason != GPUCODE_STOP_END) {
        struct gpucode_event last = {.processor = run->stop.processor, .pc = run->stop.pc, .time = run->stop.time};
        put_moment(line, FAULTS, &last, run->stop.code ? run->stop.text : "the limit of instructions is reached");
    }
    return gpucode_time_line_end(line->line) == GPUCODE_ERROR_MEMORY ? out_of_memory(&run->session->diagnostics)
                                                                     : EXIT_DONE;
}

int shader_line_run(struct shader_run *run, uint64_t limit,
                    void (*see)(struct shader_run *run, const struct gpucode_event *event))
{
    struct session *session = run->session;
    struct line *line = calloc(1, sizeof *line);
    if (!line)
        return out_of_memory(&session->diagnostics);
    line->run = run;
    line->limit = limit;
    line->see = see;
    int code = answer_time_line(session, session->arguments.value[OPTION_A3XX_PERFETTO], run_lined, line);
    free(line);
    return code;
}

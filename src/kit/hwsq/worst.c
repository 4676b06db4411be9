/* SPDX-License-Identifier: MIT */
/*
 * The worst case over the phases of two heads' vertical blanks.
 *
 * What a script takes is a function of the two phases, linear in parts. Parts change where an ewait begins at an edge
 * of its blank. While no ewait has blocked, an ewait begins at a time that no phase changes: then the border is a fixed
 * phase of its head. Once one has blocked, all times go with the edge that it waited for: an ewait for the same head
 * has no border then, and one for the other head has it at a fixed difference of the phases. So every corner of a part
 * lies at one of the fixed phases of one head (or one clock before it, as borders belong to one side), and along the
 * line of the other head's phases there it is an end of a stretch without border. These ends are what is tried.
 */

#include "front/arguments.h"
#include "front/code.h"
#include "front/session.h"
#include "kit/hwsq/kit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HEADS 2
#define FIXED_MAX 256 /* fixed phases of a head */
#define RUNS_MAX 20000
#define SAMPLES 24 /* phases of each head that are tried where the result is not exact */

struct blank {
    const char *policy;
    uint64_t period, length; /* clocks; period 0: not described */
    char wave[80];           /* the policy's value without the phase */
    uint64_t fixed[FIXED_MAX];
    unsigned count;
};

struct search {
    struct session *session;
    const struct input *input;
    struct gpucode_setting *settings; /* with room for three more */
    size_t count;
    uint64_t limit;
    struct blank blanks[HEADS];
    bool latency; /* of the pause or its release */
    unsigned runs;
    struct worst *worst;
};

static const char *find_setting(const struct gpucode_setting *settings, const char *name)
{
    const char *value = "";
    for (; settings->name; settings++)
        if (strcmp(settings->name, name) == 0)
            value = settings->value;
    return value;
}

/* Takes a number of clocks, or of nominal microseconds; the machine has accepted it. */
static uint64_t take_clocks(const char **at)
{
    uint64_t clocks = 0;
    number_take(at, &clocks);
    if (strncmp(*at, "us", 2) == 0) {
        clocks *= GPUCODE_HWSQ_UNIT_CLOCKS;
        *at += 2;
    }
    return clocks;
}

static void read_blank(struct blank *blank, const struct gpucode_setting *settings)
{
    const char *wave = find_setting(settings, blank->policy), *at = wave;
    if (!*wave)
        return;
    blank->period = take_clocks(&at);
    at += *at == '/';
    blank->length = take_clocks(&at);
    snprintf(blank->wave, sizeof blank->wave, "%.*s", (int)(at - wave), wave);
}

/* The head whose vertical blank the action waits for, or HEADS. */
static unsigned head_of(const struct search *search, const struct action *action)
{
    if (action->kind != ACTION_EWAIT || (action->number != 1 && action->number != 3))
        return HEADS;
    unsigned head = action->number / 2;
    return search->blanks[head].period ? head : HEADS;
}

/* --- fixed phases ---------------------------------------------------------------------------------------- */

static void add_fixed(struct search *search, struct blank *blank, uint64_t phase)
{
    for (unsigned i = 0; i < blank->count; i++)
        if (blank->fixed[i] == phase)
            return;
    if (blank->count == FIXED_MAX)
        search->worst->exact = false;
    else
        blank->fixed[blank->count++] = phase;
}

/* Where an ewait begins at an edge while none has blocked: from a run in which no blank is described. */
static int find_fixed(struct search *search)
{
    struct actions actions;
    size_t used = search->count;
    for (unsigned head = 0; head < HEADS; head++)
        search->settings[used++] = (struct gpucode_setting){search->blanks[head].policy, ""};
    search->settings[used++] = (struct gpucode_setting){"hwsq-events", "satisfied"};
    search->settings[used] = (struct gpucode_setting){NULL, NULL};
    int code = actions_record(search->session, search->input, search->settings, search->limit, &actions);
    for (size_t i = 0; !code && i < actions.count; i++) {
        unsigned head = head_of(search, &actions.items[i]);
        if (head == HEADS)
            continue;
        struct blank *blank = &search->blanks[head];
        uint64_t begin = (blank->period - actions.items[i].time % blank->period) % blank->period;
        uint64_t edges[2] = {begin, (begin + blank->length) % blank->period};
        for (unsigned k = 0; k < 2; k++) {
            add_fixed(search, blank, edges[k]);
            add_fixed(search, blank, (edges[k] + blank->period - 1) % blank->period);
        }
    }
    actions_free(&actions);
    for (unsigned head = 0; head < HEADS; head++)
        if (!search->blanks[head].count)
            add_fixed(search, &search->blanks[head], 0);
    return code;
}

/* --- lines of phases ------------------------------------------------------------------------------------- */

/*
 * How far the phase of head `moving` can grow until an ewait begins on the other side of an edge. Times after an ewait
 * that blocked for that head become earlier as much.
 */
static uint64_t free_phases(struct search *search, const struct actions *actions, const uint64_t phases[HEADS],
                            unsigned moving)
{
    bool earlier = false, blocked = false;
    uint64_t free = UINT64_MAX;
    for (size_t i = 0; i < actions->count; i++) {
        const struct action *action = &actions->items[i];
        unsigned head = head_of(search, action);
        if (action->kind == ACTION_FLAG && action->number == 16)
            blocked = false;
        /* the end of the latency or that of an ewait in between may come first: a border of another kind */
        if (action->kind == ACTION_EWAIT && action->number == 0 && search->latency && blocked)
            search->worst->exact = false;
        if (head == HEADS)
            continue;
        const struct blank *blank = &search->blanks[head];
        uint64_t at = (action->time % blank->period + phases[head]) % blank->period, edge = UINT64_MAX;
        if (head == moving && !earlier)
            edge = (at < blank->length ? blank->length : blank->period) - at;
        else if (head != moving && earlier)
            edge = at - (at < blank->length ? 0 : blank->length) + 1;
        if (edge < free)
            free = edge;
        if (action->end == UINT64_MAX)
            break;
        if (action->end != action->time) {
            earlier = head == moving;
            blocked = true;
        }
    }
    return free;
}

/* One run; *free (may be null): see free_phases(). */
static int try_phases(struct search *search, const uint64_t phases[HEADS], unsigned moving, uint64_t *free)
{
    char text[HEADS][128];
    struct actions actions;
    size_t used = search->count;
    for (unsigned head = 0; head < HEADS; head++)
        if (search->blanks[head].period) {
            snprintf(text[head], sizeof text[head], "%s/%" PRIu64, search->blanks[head].wave, phases[head]);
            search->settings[used++] = (struct gpucode_setting){search->blanks[head].policy, text[head]};
        }
    search->settings[used] = (struct gpucode_setting){NULL, NULL};
    search->runs++;
    int code = actions_record(search->session, search->input, search->settings, search->limit, &actions);
    if (!code && actions.stop.time > search->worst->total)
        search->worst->total = actions.stop.time;
    if (!code && actions.paused_clocks > search->worst->paused)
        search->worst->paused = actions.paused_clocks;
    if (!code && free)
        *free = free_phases(search, &actions, phases, moving);
    actions_free(&actions);
    return code;
}

/* Both ends of each stretch along the phases of head `moving`. */
static int follow_line(struct search *search, uint64_t phases[HEADS], unsigned moving)
{
    uint64_t period = search->blanks[moving].period;
    for (uint64_t phase = 0, free; phase < period; phase += free) {
        if (search->runs >= RUNS_MAX) {
            search->worst->exact = false;
            return EXIT_DONE;
        }
        phases[moving] = phase;
        int code = try_phases(search, phases, moving, &free);
        if (code)
            return code;
        if (free > period - phase)
            free = period - phase;
        phases[moving] = phase + free - 1;
        if (free > 1 && (code = try_phases(search, phases, moving, NULL)))
            return code;
    }
    return EXIT_DONE;
}

static int search_lines(struct search *search)
{
    uint64_t phases[HEADS] = {0};
    for (unsigned moving = 0; moving < HEADS; moving++) {
        const struct blank *other = &search->blanks[!moving];
        for (unsigned i = 0; search->blanks[moving].period && i < (other->period ? other->count : 1); i++) {
            phases[!moving] = other->period ? other->fixed[i] : 0;
            int code = follow_line(search, phases, moving);
            if (code)
                return code;
        }
    }
    return EXIT_DONE;
}

/* Phases all over the periods, where lines do not tell everything. */
static int search_samples(struct search *search)
{
    for (unsigned i = 0; i < (search->blanks[0].period ? SAMPLES : 1); i++)
        for (unsigned k = 0; k < (search->blanks[1].period ? SAMPLES : 1); k++) {
            uint64_t phases[HEADS] = {search->blanks[0].period / SAMPLES * i, search->blanks[1].period / SAMPLES * k};
            int code = try_phases(search, phases, 0, NULL);
            if (code)
                return code;
        }
    return EXIT_DONE;
}

int worst_find(struct session *session, const struct input *input, const struct gpucode_setting *settings,
               uint64_t limit, struct worst *worst)
{
    struct search search = {.session = session,
                            .input = input,
                            .limit = limit,
                            .blanks = {{.policy = "hwsq-head0-vblank"}, {.policy = "hwsq-head1-vblank"}},
                            .worst = worst};
    while (settings[search.count].name)
        search.count++;
    for (unsigned head = 0; head < HEADS; head++)
        read_blank(&search.blanks[head], settings);
    if (!search.blanks[0].period && !search.blanks[1].period)
        return EXIT_DONE;
    search.settings = calloc(search.count + 4, sizeof *settings);
    if (!search.settings)
        return out_of_memory(&session->diagnostics);
    memcpy(search.settings, settings, search.count * sizeof *settings);
    worst->known = true;
    /* events at times of their own have edges of their own */
    worst->exact = !*find_setting(settings, "hwsq-schedule") && !*find_setting(settings, "hwsq-head0-hblank") &&
                   !*find_setting(settings, "hwsq-head1-hblank");
    const char *pause = find_setting(settings, "hwsq-pause-latency"),
               *release = find_setting(settings, "hwsq-release-latency");
    search.latency = take_clocks(&pause) || take_clocks(&release);
    int code = find_fixed(&search);
    if (!code)
        code = search_lines(&search);
    if (!code && !worst->exact)
        code = search_samples(&search);
    free(search.settings);
    return code;
}

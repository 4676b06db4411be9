/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as code that runs. The first byte picks the target, the next ones its policies and how far it goes; it is
 * run at once and from a snapshot in pieces, with the same state in the end. The checks and the scheduler see it too.
 */
#include "given.h"
#include <stdio.h>

#define POLICIES 4
#define HEAD (2 + POLICIES)
#define LIMIT 1000

/* A hash of all registers that are numbered, of the places and the clock. */
static uint64_t state_of(const struct gpucode_machine *machine)
{
    uint64_t hash = mix_hash(gpucode_machine_time(machine), gpucode_machine_count(machine));
    struct gpucode_space_info info;
    struct gpucode_frame frame;
    for (unsigned processor = 0; gpucode_machine_processor(machine, processor); processor++) {
        hash = mix_hash(hash, gpucode_machine_pc(machine, processor));
        for (unsigned i = 0; gpucode_machine_frame(machine, processor, i, &frame); i++)
            hash = mix_hash(hash, frame.pc);
        for (unsigned space = 0; space < GPUCODE_SPACE_COUNT + 16; space++) {
            bool listed = gpucode_machine_space(machine, space, &info) && info.count <= 0x1000;
            for (uint32_t number = 0; listed && number < info.count; number++) {
                uint32_t value = 0;
                gpucode_machine_read(machine, processor, space, number, &value);
                hash = mix_hash(hash, value);
            }
        }
    }
    return hash;
}

/* A value of a policy that has a list of them; false: it has none. */
static bool choose_value(const struct gpucode_policy *policy, unsigned pick, char *text, size_t size)
{
    unsigned count = 1;
    const char *at = policy->values;
    if (strcmp(at, "NUMBER") == 0 || strcmp(at, "TEXT") == 0)
        return false;
    for (const char *c = at; *c; c++)
        count += *c == '|';
    for (pick %= count; pick; pick--)
        at = strchr(at, '|') + 1;
    snprintf(text, size, "%.*s", (int)strcspn(at, "|"), at);
    return true;
}

static void run_twice(struct gpucode_machine *machine, unsigned piece)
{
    static const uint32_t packets[] = {0x70108003, 1, 2, 3, 0x48088301, 9};
    struct gpucode_stop stop = {0}, again = {.reason = GPUCODE_STOP_LIMIT};
    struct gpucode_snapshot *snapshot;
    gpucode_machine_feed(machine, 0, packets, sizeof packets / sizeof *packets);
    check(gpucode_machine_snapshot(machine, &snapshot) == GPUCODE_OK);
    uint64_t ran = gpucode_machine_run(machine, LIMIT, &stop), state = state_of(machine), sum = 0;
    check(ran <= LIMIT && memchr(stop.text, 0, sizeof stop.text));
    check(!stop.code || gpucode_explain(stop.code));
    check(gpucode_machine_restore(machine, snapshot) == GPUCODE_OK);
    /* also the instruction that stopped it and is not counted */
    while (sum < LIMIT && again.reason == GPUCODE_STOP_LIMIT) {
        uint64_t part = gpucode_machine_run(machine, piece < LIMIT - sum ? piece : LIMIT - sum, &again);
        if (!part) /* an instruction that works for longer than the piece */
            break;
        sum += part;
    }
    /* an instruction that repeats for long ends a run in its middle: each piece goes on with it for a while */
    bool inside = stop.reason == GPUCODE_STOP_LIMIT && ran < LIMIT;
    if (sum == ran && again.reason == stop.reason && !inside)
        check(state_of(machine) == state);
    gpucode_snapshot_free(snapshot);
}

static void run_image(const struct gpucode_image *image, const uint8_t *picks)
{
    struct gpucode_setting settings[POLICIES + 1] = {{0}};
    char values[POLICIES][32];
    struct gpucode_policy policy;
    const struct gpucode_target *target = gpucode_image_info(image)->target;
    struct gpucode_machine *machine;
    unsigned known = 0, count = 0;
    while (gpucode_policy_at(target, known, &policy))
        known++;
    for (unsigned i = 0; known && i < POLICIES; i++)
        if (gpucode_policy_at(target, picks[1 + i] % known, &policy) &&
            choose_value(&policy, picks[1 + i] / known, values[count], sizeof values[count])) {
            settings[count].name = policy.name;
            settings[count].value = values[count];
            count++;
        }
    const struct gpucode_machine_options options = {.policies = settings};
    if (gpucode_machine_create(image, &options, &machine) != GPUCODE_OK)
        return;
    run_twice(machine, 1 + picks[0]);
    gpucode_machine_free(machine);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < HEAD)
        return 0;
    const struct gpucode_image_options options = {.target = given_target(bytes[0])};
    struct gpucode_scheduled done;
    struct gpucode_image *image;
    if (gpucode_image_open(bytes + HEAD, size - HEAD, &options, &image) != GPUCODE_OK)
        return 0;
    gpucode_lint(image, NULL, NULL);
    if (gpucode_schedule(image, NULL, &done) == GPUCODE_OK)
        gpucode_scheduled_free(&done);
    run_image(image, bytes + 1);
    gpucode_image_free(image);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a HWSQ script: run with policies that the first bytes pick, stepped and run again from a snapshot with
 * the same result, checked by the rules, written in every form and read back.
 */
#include "check.h"
#include <gpucode/gpucode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POLICIES 12
#define STEPS 400

/* One value of a policy that has a list of them; `pick` says which. */
static void choose_value(const struct gpucode_policy *policy, unsigned pick, char *text, size_t size)
{
    unsigned count = 1;
    for (const char *c = policy->values; *c; c++)
        count += *c == '|';
    const char *at = policy->values;
    for (pick %= count; pick; pick--)
        at = strchr(at, '|') + 1;
    snprintf(text, size, "%.*s", (int)strcspn(at, "|"), at);
}

static void run_twice(const struct gpucode_image *image, const uint8_t *picks)
{
    struct gpucode_setting settings[POLICIES + 3] = {{"hwsq-oversize", "yes"}};
    char values[POLICIES][32];
    struct gpucode_policy policy;
    const struct gpucode_target *target = gpucode_image_info(image)->target;
    unsigned count = 1, known = 0;
    while (gpucode_policy_at(target, known, &policy))
        known++;
    for (unsigned i = 0; i < POLICIES; i++) {
        if (!gpucode_policy_at(target, picks[i] % known, &policy) || strcmp(policy.name, "hwsq-oversize") == 0)
            continue;
        if (strcmp(policy.values, "NUMBER") == 0)
            snprintf(values[i], sizeof values[i], "%u", picks[i] * 7u);
        else if (strcmp(policy.values, "TEXT") == 0)
            continue;
        else
            choose_value(&policy, picks[i] / known + i, values[i], sizeof values[i]);
        settings[count++] = (struct gpucode_setting){policy.name, values[i]};
    }
    if (picks[0] & 1)
        settings[count++] = (struct gpucode_setting){"hwsq-head0-vblank", "1000/100/50"};
    struct gpucode_machine_options options = {.policies = settings};
    struct gpucode_machine *machine;
    struct gpucode_snapshot *snapshot;
    struct gpucode_stop stop = {0}, again = {0};
    check(gpucode_machine_create(image, &options, &machine) == GPUCODE_OK);
    uint64_t before = gpucode_machine_run(machine, picks[1], &stop);
    check(before <= picks[1]);
    check(gpucode_machine_snapshot(machine, &snapshot) == GPUCODE_OK);
    uint64_t ran = gpucode_machine_run(machine, STEPS, &stop);
    uint64_t time = gpucode_machine_time(machine);
    check(ran <= STEPS && memchr(stop.text, 0, sizeof stop.text));
    check(gpucode_machine_restore(machine, snapshot) == GPUCODE_OK);
    check(gpucode_machine_run(machine, STEPS, &again) == ran);
    check(again.reason == stop.reason && again.pc == stop.pc && gpucode_machine_time(machine) == time);
    uint32_t value;
    for (uint32_t address = 0x1300; address < 0x1580; address += 4)
        gpucode_machine_read(machine, 0, GPUCODE_SPACE_GPU, address, &value);
    gpucode_snapshot_free(snapshot);
    gpucode_machine_free(machine);
}

static void check_forms(const struct gpucode_target *target, const uint8_t *bytes, size_t size)
{
    for (unsigned form = 0; form < 4; form++) {
        char *text;
        void *back;
        size_t length, back_size;
        check(gpucode_form_write(target, (enum gpucode_form)form, NULL, bytes, size, &text, &length) == GPUCODE_OK);
        check(gpucode_form_read(target, text, length, NULL, NULL, &back, &back_size) == GPUCODE_OK);
        check(back_size == size && (!size || memcmp(back, bytes, size) == 0));
        free(text);
        free(back);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const targets[] = {"hwsq:nv17", "hwsq:nv41", "hwsq:nv50", "hwsq:nv92"};
    void *read;
    size_t length;
    /* as text in any form */
    if (gpucode_form_read(gpucode_target_find("hwsq:nv50"), (const char *)bytes, size, NULL, NULL, &read, &length) ==
        GPUCODE_OK)
        free(read);
    if (size < POLICIES + 1)
        return 0;
    const struct gpucode_target *target = gpucode_target_find(targets[bytes[0] % 4]);
    const uint8_t *code = bytes + POLICIES + 1;
    size -= POLICIES + 1;
    struct gpucode_image_options options = {.target = target};
    struct gpucode_image *image;
    check(gpucode_image_open(code, size, &options, &image) == GPUCODE_OK);
    check(gpucode_lint(image, NULL, NULL) == GPUCODE_OK);
    run_twice(image, bytes + 1);
    check_forms(target, code, size);
    gpucode_image_free(image);
    return 0;
}

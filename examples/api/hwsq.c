/* SPDX-License-Identifier: MIT */
/* Finds a script in a register trace and watches it run. */
#include <gpucode/hwsq.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool see(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    (void)user;
    (void)machine;
    printf("%4" PRIu64 " clocks: %06" PRIx64 " <= %08" PRIx64 "\n", event->time, event->address, event->value);
    return false;
}

static void take(void *user, const struct gpucode_hwsq_script *script)
{
    struct gpucode_image_options options = {.target = script->target};
    struct gpucode_image *image;
    struct gpucode_machine *machine;
    struct gpucode_stop stop;
    bool *ran = user;
    printf("%s, line %" PRIu64 ", %zu bytes\n", gpucode_target_name(script->target), script->line, script->size);
    if (gpucode_image_open(script->bytes, script->size, &options, &image) != GPUCODE_OK)
        return;
    if (gpucode_machine_create(image, NULL, &machine) == GPUCODE_OK) {
        gpucode_machine_hook(machine, GPUCODE_EVENT_WRITE, see, NULL);
        gpucode_machine_run(machine, 1000, &stop);
        puts(stop.text);
        *ran = stop.reason == GPUCODE_STOP_END;
        gpucode_machine_free(machine);
    }
    gpucode_image_free(image);
}

int main(void)
{
    /* wait 2; data 5; addr 0x100200; exit */
    static const char trace[] = "VERSION 20070824\n"
                                "PCIDEV 0100 10de0622 10 d0000000 0 0 0 0 0 0 1000000 0 0 0 0 0 0 nouveau\n"
                                "R 4 1.0 1 0xd0000000 0x094000a2 0x0 0\n"
                                "W 4 1.1 1 0xd0080000 0x0005e202 0x0 0\n"
                                "W 4 1.1 1 0xd0080004 0x00e00000 0x0 0\n"
                                "W 4 1.1 1 0xd0080008 0x7f001002 0x0 0\n"
                                "W 4 1.2 1 0xd000130c 0x1 0x0 0\n";
    bool ran = false;
    struct gpucode_hwsq_extract_options options = {.script = take, .user = &ran};
    return gpucode_hwsq_extract(trace, strlen(trace), &options, NULL) != GPUCODE_OK || !ran;
}

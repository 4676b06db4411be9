/* SPDX-License-Identifier: MIT */
/* Decodes two packets: a register write, and CP_NOP. */
#include <gpucode/packet.h>
#include <inttypes.h>
#include <stdio.h>

static const uint32_t memory[] = {0x48880001, 0x11, 0x70108000};

static size_t load(void *user, uint64_t address, void *bytes, size_t size)
{
    (void)user;
    if (address >= sizeof memory)
        return 0;
    size_t from = (size_t)address, left = sizeof memory - from;
    if (size > left)
        size = left;
    for (size_t i = 0; i < size; i++) /* words of GPU memory have their lowest byte first */
        ((uint8_t *)bytes)[i] = (uint8_t)(memory[(from + i) / 4] >> (from + i) % 4 * 8);
    return size;
}

static bool event(void *user, const struct gpucode_packet_event *event)
{
    if (event->kind == GPUCODE_PACKET_BEGIN && event->type == 7)
        puts(event->name);
    char name[GPUCODE_NAME_MAX];
    if (event->kind == GPUCODE_PACKET_WRITE &&
        gpucode_name_of(user, NULL, GPUCODE_SPACE_GPU, event->number, name, sizeof name))
        printf("%s = 0x%" PRIx64 "\n", name, event->value);
    return true;
}

int main(void)
{
    const struct gpucode_target *target = gpucode_target_find("afuc:a630");
    struct gpucode_packet_options options = {.target = target, .read = load, .event = event, .user = (void *)target};
    struct gpucode_packets *packets;
    if (gpucode_packets_create(&options, &packets) != GPUCODE_OK)
        return 1;
    enum gpucode_status status = gpucode_packets_walk(packets, 0, 3);
    gpucode_packets_free(packets);
    return status != GPUCODE_OK;
}

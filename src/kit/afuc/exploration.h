/* SPDX-License-Identifier: MIT */
/* Running an image a little, to learn what of it is code: its boot, and each packet handler on a payload of zeros. */
#ifndef KIT_AFUC_EXPLORATION_H
#define KIT_AFUC_EXPLORATION_H

#include <gpucode/image.h>
#include <gpucode/machine.h>
#include <stdint.h>

/*
 * A byte per unit of the image, 1 where it ran, to be freed by the caller; null when the image cannot be run or memory
 * is short. Takes a few milliseconds at most, whatever the image does.
 */
uint8_t *exploration_run(const struct gpucode_image *image);

/* Raises the bytes of units that ran on a machine with coverage switched on. */
void exploration_collect(const struct gpucode_image *image, const struct gpucode_machine *machine, uint8_t *ran);

#endif

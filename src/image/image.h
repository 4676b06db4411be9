/* SPDX-License-Identifier: MIT */
/* What an image is inside the library. */
#ifndef IMAGE_IMAGE_H
#define IMAGE_IMAGE_H

#include "base/arena.h"
#include "isa/isa.h"
#include <gpucode/image.h>

#endif

/* SPDX-License-Identifier: MIT */
/* Shaders in recorded streams, in builds without zlib: none is recognised. */
#include "front/session.h"
#include "kit/a3xx/kit.h"

unsigned shader_recognises(const struct file *file, const struct gpucode_target *target)
{
    (void)file;
    (void)target;
    return 0; /* `extract` then says what it makes of the file */
}

int shader_extract(struct session *session, const struct gpucode_target *target, const struct file *file)
{
    (void)session;
    (void)target;
    (void)file;
    return EXIT_INPUT;
}

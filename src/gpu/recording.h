/* SPDX-License-Identifier: MIT */
/* A recorded stream given on the command line, or a crash dump, whose streams are taken. */
#ifndef GPU_RECORDING_H
#define GPU_RECORDING_H

#include "front/file.h"
#include <gpucode/image.h>
#include <gpucode/machine.h>
#include <gpucode/stream_decode.h>
#include <gpucode/target.h>

struct session;
struct crash_ring;

struct recording {
    struct file file;
    void *made;              /* of a crash dump: its streams in the form of a recording */
    struct windows *windows; /* of a large recording, whose file is not read whole; or null */
    char *quoted;            /* and its name as a shell takes it, when decode_set_work() was called */
    struct gpucode_stream *stream;
    const struct gpucode_target *target; /* -t, or what the file says; null: neither */
    unsigned family;                     /* of the GPU, <gpucode/fields.h>; 0: not known */
};

/* Complains when the family is not known. Returns an exit code. */
int recording_family(struct session *session, const struct recording *recording);
/* Complains of what gpucode_stream_decode() returns. Returns an exit code. */
int recording_status(struct session *session, const struct recording *recording, enum gpucode_status status);
/* Complains that there is no submit of that number, as the recording has `count`. Returns an exit code. */
int recording_lacks_submit(struct session *session, const struct recording *recording, uint64_t number, size_t count);
/* The target of the shaders of a GPU of a family; ids that are 0 are not known. Null: its set is not known here. */
const struct gpucode_target *recording_shaders(unsigned family, uint32_t gpu_id, uint64_t chip_id);
/* The same by what the stream says of its GPU. */
const struct gpucode_target *recording_shader_target(const struct recording *recording);
/* Reads and opens. Returns an exit code; on EXIT_DONE call recording_close(). */
int recording_open(struct session *session, const char *path, struct recording *recording);
/* The same of a file that was opened before, and whose warnings were told then. */
int recording_open_again(struct session *session, const char *path, struct recording *recording);
/*
 * The same for what looks at memory with gpucode_stream_load() alone: the contents of a large recording stay in its
 * file. At the end call recording_check(), too.
 */
int recording_open_windows(struct session *session, const char *path, struct recording *recording);
/* Complains and returns an exit code when the file was written meanwhile, or could not be read. */
int recording_check(struct session *session, const struct recording *recording);
/* The same where -t is of something else: the packets are for `target`; null: for what the file says. */
int recording_open_for(struct session *session, const char *path, const struct gpucode_target *target,
                       struct recording *recording);
/*
 * `extract` of what packets load: shows the shaders, or writes them to files by -o, from number *count + 1 on, which
 * receives how many there are now. The file was opened before, and what that warned about is not said again. Returns an
 * exit code. (crash_extract.c)
 */
int extract_loads(struct session *session, const char *path, unsigned *count);
/*
 * Words that decoding reads at most: buffers that call one another without end are given up soon, so that a small file
 * takes little time and memory.
 */
uint64_t recording_limit(const struct recording *recording);
void recording_close(struct recording *recording);

/* --- work of a crash dump --- */

struct gpucode_stream_decode_options;
struct gpucode_stream_decoded;
/* Sets which submits are shown, by the options of the command line. Complains and returns an exit code. */
int decode_set_work(struct session *session, struct recording *recording,
                    struct gpucode_stream_decode_options *options);
/* Complains when the submit is not there that was asked for. Returns an exit code. */
int decode_check_submit(struct session *session, const struct recording *recording,
                        const struct gpucode_stream_decode_options *options,
                        const struct gpucode_stream_decoded *decoded);

/* --- firmware that the stream goes through --- */

enum { RECORDING_SETTINGS = 3, RECORDING_TEXT = 32 };

/*
 * Settings of a machine of `image` that leave the recorded memory alone; `text` is room for a value of theirs. Returns
 * how many there are, RECORDING_SETTINGS at most.
 */
unsigned recording_settings(const struct recording *recording, const struct gpucode_image *image,
                            struct gpucode_setting *settings, char *text, size_t size);
/* Memory as it was at the submit. Complains and returns an exit code. */
int recording_store(struct session *session, const struct recording *recording, const struct gpucode_submit *submit,
                    struct gpucode_machine *machine);
/*
 * Puts a stream into the ring, as kernels do: as an indirect buffer. `ring` is the machine's, where it has one for a
 * crash dump, or null. Complains and returns an exit code.
 */
int recording_feed(struct session *session, const struct gpucode_target *target,
                   const struct gpucode_stream_command *command, struct gpucode_machine *machine,
                   struct crash_ring *ring);

/* Words as they stand in memory and in files, the lowest byte first; to be freed. Null: no memory. */
unsigned char *recording_bytes(const uint32_t *words, size_t count);

#endif

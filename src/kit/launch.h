/* SPDX-License-Identifier: MIT */
/*
 * Fields of the Debug Adapter Protocol's launch request that belong to one instruction set: a table that the server
 * takes them by, and that editors' schemas are made of.
 *
 *     static enum gpucode_status take_door(struct launch *launch, const char *text, const char **expected);
 *     static const struct launch_field fields[] = {
 *         {"door", false, LAUNCH_INPUTS, "code that has doors", "The door that is open: `NUMBER`.", take_door}, {0}};
 *     const struct kit_launch launch = {.fields = fields};
 */
#ifndef KIT_LAUNCH_H
#define KIT_LAUNCH_H

#include "kit/kit.h"
#include <gpucode/asm.h>
#include <stddef.h>

/* A session that is being launched. */
struct launch {
    const struct gpucode_program *program; /* null: the file is not a source */
    struct gpucode_machine *machine;       /* null in LAUNCH_SETTINGS */
    /* Reads a whole file into malloc'ed bytes; false: the user was told why not. */
    bool (*read)(void *user, const char *path, char **bytes, size_t *size);
    void *user;
    struct gpucode_diagnostic_handler on_diagnostic;
    void *state;        /* the kit's own, of state_size bytes, zeros at first */
    unsigned processor; /* the kit's answer: which one the user looks at first */
};

/* When a field is taken. */
enum launch_phase {
    LAUNCH_SETTINGS, /* before there is a machine: it decides how one is made */
    LAUNCH_PLACES,   /* before kit_launch.give(): it says where that puts things */
    LAUNCH_INPUTS,   /* after it: it says what the program finds, whatever it found so far */
    LAUNCH_PHASES
};

struct launch_field {
    const char *name;
    bool list; /* a list of texts, or one */
    enum launch_phase phase;
    const char *foreign; /* what was expected, where the code is of another set: "a shader that it is for" */
    const char *doc;     /* for editors, one sentence */
    /*
     * Takes one text. Returns GPUCODE_OK, GPUCODE_ERROR_ARGUMENT (the text is wrong; *expected is what it should be),
     * GPUCODE_ERROR_INPUT (the user was told) or GPUCODE_ERROR_MEMORY.
     */
    enum gpucode_status (*take)(struct launch *launch, const char *text, const char **expected);
};

/* Functions may be null. */
struct kit_launch {
    const struct launch_field *fields; /* ended by a null name */
    size_t state_size;
    void (*begin)(struct launch *launch);                                   /* first: what the source says */
    void (*settings)(struct launch *launch, struct kit_settings *settings); /* of the machine that is made next */
    enum gpucode_status (*give)(struct launch *launch);                     /* to the machine that was made */
    /*
     * Last: what the fields are together. Returns GPUCODE_OK, or GPUCODE_ERROR_ARGUMENT with *field, the one that is
     * wrong, and what was expected of it.
     */
    enum gpucode_status (*finish)(struct launch *launch, const char **field, const char **expected);
};

/*
 * Shaders of recordings, which launch requests name by `from` in place of a program: gpu/recorded_launch.h. Where
 * something fails `say` was called with why, if there was memory for that.
 */
struct launch_recorded;
struct launch_recordings {
    /* By the words of `gpucode debug`; takes them and their list, which are malloc'ed. Null: it failed. */
    struct launch_recorded *(*open)(int argc, char **argv, void (*say)(void *user, const char *text, size_t length),
                                    void *user);
    const struct gpucode_image *(*image)(const struct launch_recorded *recorded);
    /* With what the recording has for it. Free *machine whatever is returned, and before close(). */
    bool (*machine)(struct launch_recorded *recorded, const struct gpucode_names *names,
                    struct gpucode_machine **machine);
    /* Looks at the thread that was asked for. */
    bool (*begin)(struct launch_recorded *recorded, struct gpucode_debug *debug);
    void (*close)(struct launch_recorded *recorded);
};

#endif

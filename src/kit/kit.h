/* SPDX-License-Identifier: MIT */
/*
 * What the program has for one instruction set: a folder here, and in it one struct kit.
 *
 * Commands, debugger and editors ask for the kit of a target and call its members; they name no set. A null member
 * means the generic form, and a set without a kit has the generic form of everything. The list of kits is made by the
 * build from the list of sets (src/meson.build) and the folders here that have a kit.c.
 *
 *     const struct kit *kit = kit_of(target);
 *     int code = kit && kit->run ? kit->run(session, input) : run_code(session, input);
 */
#ifndef KIT_KIT_H
#define KIT_KIT_H

#include "front/command.h"
#include "front/input.h"

#include <gpucode/asm.h>
#include <gpucode/debug.h>
#include <gpucode/fields.h>
#include <gpucode/image.h>
#include <gpucode/machine.h>
#include <gpucode/symbols.h>
#include <gpucode/target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* --- What `gpucode info` tells of --------------------------------------------------------------------------------- */

struct info_view {
    const struct gpucode_image *image;
    const struct gpucode_image_info *info;
    const struct gpucode_names *names;
    struct gpucode_symbols *symbols; /* null: there are none */
    const char *file;
    size_t size;
};

/* Where a set has more to tell. */
enum info_part {
    INFO_SIZE, /* the end of the line with the file's size */
    INFO_HEAD, /* the lines below that */
    INFO_BODY, /* after the facts of how it was found out */
};

struct session;
struct input;
struct file;
struct gpucode_answer;
struct gpucode_answer_table;
struct kit_words;
struct kit_launch;
struct kit_fuzz;

#define KIT_SETTINGS_MAX 8

/* Settings of a machine that options and source ask for, ahead of those of --policy; ended by a null name. */
struct kit_settings {
    struct gpucode_setting list[KIT_SETTINGS_MAX];
    char text[256]; /* room for values that are made */
};

/* Another name for the program, with a command line of its own. */
struct kit_link {
    const char *name; /* null ends a list */
    int (*run)(struct session *session, int argc, char **argv);
};

struct kit {
    const char *name; /* of the set, as gpucode_target_isa() has it */
    /*
     * What its commands tell with --json (front/answer.h): each table has the name of its command. A null pointer ends
     * them; null: only what all sets tell.
     */
    const struct gpucode_answer_table *const *answers;

    /* --- commands: all after the reading of the files; they return exit codes --- */

    int (*run)(struct session *session, const struct input *input);
    int (*explain)(struct session *session, const struct input *input); /* null: there is nothing to tell */
    const struct gpucode_answer_table *(*explain_table)(void); /* of the library: what explain() tells; or null */
    int (*coverage)(struct session *session, const struct input *input);
    int (*diff)(struct session *session, const struct input *first, const struct input *second);
    /* Runs both with the same inputs, made at random, and tells whether they do the same. */
    int (*compare)(struct session *session, const struct input *first, const struct input *second);
    /* Runs both with the same input, a file, and tells what they do differently. */
    int (*compare_runs)(struct session *session, const struct input *first, const struct input *second,
                        const char *file);
    /* How sure are we that `extract` of this kit is for the file? 0: it is not. `target` is that of -t, or null. */
    unsigned (*recognises)(const struct file *file, const struct gpucode_target *target);
    int (*extract)(struct session *session, const struct gpucode_target *target, const struct file *file);
    const struct kit_link *links; /* or null */

    /* --- parts of commands --- */

    /*
     * Adds to a file of code that was read what the set's options say belongs to it; does nothing without them. Called
     * for files of all sets. Complains and returns an exit code.
     */
    int (*complete)(struct session *session, struct file *file);

    /* Tells what `info` has to say of an image of this set. Complains and returns an exit code. */
    int (*info)(struct session *session, const struct info_view *view, struct gpucode_answer *answer,
                enum info_part part);

    /* Sets the options of a listing that are this set's own. */
    void (*listing)(const struct session *session, struct gpucode_disasm_options *options);
    /*
     * For sets whose sources hold several programs: cuts an assembled source down to the one that the command is about
     * (--section, say), for all commands that take source or binary. Complains and returns an exit code.
     */
    int (*choose)(struct session *session, const char *file, struct gpucode_program *program);
    /*
     * Writes assembled code in a form of --form; *text is malloc'ed, and stays null for the generic form. Returns an
     * exit code.
     */
    int (*form)(struct session *session, const struct gpucode_program *program, const char *form, char **text,
                size_t *length);
    /* Writes what a source declares beside its code, as a source has it. */
    void (*declare)(FILE *out, const struct gpucode_program *program);

    /* --- machines, for `debug` and the generic `run` --- */

    /* Writes the settings that a machine is created with. Complains and returns an exit code. */
    int (*settings)(struct session *session, const struct input *input, struct kit_settings *settings);
    /* Gives the machine what options and source say, before it runs. Complains and returns an exit code. */
    int (*give)(struct session *session, const struct input *input, struct gpucode_machine *machine);

    const struct kit_fuzz *fuzz; /* what `fuzz` asks: kit/fuzz.h; null: this set has none */

    /* --- debugger and editors --- */

    /* Brings a new session to what options ask for: the thread that is looked at, places to stop. Complains and returns
     * an exit code. */
    int (*debugger)(struct session *session, const struct input *input, struct gpucode_debug *debug);

    const struct kit_words *words;   /* of the debugger's command language: console/words.h */
    const struct kit_launch *launch; /* fields of the DAP launch request: kit/kit.h */
};

/* Kit number `index`, in the order of the list of sets; null after the last. */
const struct kit *kit_at(unsigned index);
/* The kit of a target's set, or null. `target` may be null. */
const struct kit *kit_of(const struct gpucode_target *target);

/* --- Machines as the command line asks for them, whatever the set ------------------------------------------------- */

/* Members of struct kit of these names, and names ahead of the built-in ones; each may be null. */
struct kit_machine_parts {
    int (*settings)(struct session *session, const struct input *input, struct kit_settings *settings);
    int (*give)(struct session *session, const struct input *input, struct gpucode_machine *machine);
    const struct gpucode_names *names;
};

/*
 * A machine with the settings and inputs of the parts, and those of --policy: for those who know the set. Complains and
 * returns an exit code; free *machine with gpucode_machine_free() whatever it is.
 */
int kit_machine_made(struct session *session, const struct input *input, const struct kit_machine_parts *parts,
                     struct gpucode_machine **machine);

/* The same with what the set's kit has; `names` may be null. */
static inline int kit_machine_create(struct session *session, const struct input *input,
                                     const struct gpucode_names *names, struct gpucode_machine **machine)
{
    const struct kit *kit = kit_of(input->target);
    const struct kit_machine_parts parts = {kit ? kit->settings : NULL, kit ? kit->give : NULL, names};
    return kit_machine_made(session, input, &parts, machine);
}

/* Puts the file of an option's "ADDRESS=FILE" into the machine's memory. Complains and returns an exit code. */
int kit_load_memory(struct session *session, struct gpucode_machine *machine, enum option_id option, const char *text);

/*
 * Fields of the Debug Adapter Protocol's launch request that belong to one instruction set: a table that the server
 * takes them by, and that editors' schemas are made of.
 *
 *     static enum gpucode_status take_door(struct launch *launch, const char *text, const char **expected);
 *     static const struct launch_field fields[] = {
 *         {"door", false, LAUNCH_INPUTS, "code that has doors", "The door that is open: `NUMBER`.", take_door}, {0}};
 *     const struct kit_launch launch = {.fields = fields};
 */

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
 * Shaders of recordings, which launch requests name by `from` in place of a program: gpu/recorded.h. Where
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

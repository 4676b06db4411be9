/* SPDX-License-Identifier: MIT */
/* How near results of shaders' instructions are to what their rows say. */
#ifndef ISA_IR3_MACHINE_ACCURACY_H
#define ISA_IR3_MACHINE_ACCURACY_H

/* Of the row with that action: a sentence, and who says so; null: the action has a name that the table lacks. */
const char *a3xx_accuracy(const char *action);

#endif

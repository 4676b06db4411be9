/* SPDX-License-Identifier: MIT */
/* Actions of insn.def that access.c defines. */
#ifndef ISA_AFUC_MACHINE_ACCESS_H
#define ISA_AFUC_MACHINE_ACCESS_H

#include "isa/afuc/machine/exec.h"

int64_t exec_LOAD(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op);
int64_t exec_LOAD_A5XX(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op);
int64_t exec_STORE(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op);
int64_t exec_STORE_A5XX(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op);
int64_t exec_CREAD(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op);
int64_t exec_CREAD_A5XX(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op);
int64_t exec_CWRITE(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op);
int64_t exec_CWRITE_A5XX(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op);
int64_t exec_SREAD(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op);
int64_t exec_SWRITE(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_op *op);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What instruction.c and the files of the architectures share. */
#ifndef EPITAPH_INSTRUCTION_INSTRUCTION_IMPL_H
#define EPITAPH_INSTRUCTION_INSTRUCTION_IMPL_H

#include <capstone/capstone.h>

#include "instruction.h"

/**
 * struct capstone - the functions of libcapstone; all or none
 * @insn: what was decoded last
 */
struct capstone {
	typeof(&cs_open) open;
	typeof(&cs_option) option;
	typeof(&cs_disasm_iter) disasm_iter;
	typeof(&cs_malloc) malloc;
	typeof(&cs_free) free;
	typeof(&cs_close) close;
	typeof(&cs_regs_access) regs_access;
	typeof(&cs_insn_group) insn_group;
	void *library;
	csh x86_64;
	csh arm64;
	cs_insn *insn;
};

/* Fill @ret, which has the text and no more, by @capstone->insn. */
void instruction_read_x86(struct instruction *ret, const struct capstone *capstone);
void instruction_read_arm64(struct instruction *ret, const struct capstone *capstone);

/* Of arm64: a word that libcapstone 4 does not know. False: it is not known here either. */
bool instruction_read_unknown(struct instruction *ret, u32 word);

/* A bit for each register that @capstone->insn changes, of those that @number_of knows; all of them if libcapstone does not say. */
u32 instruction_written(const struct capstone *capstone, csh handle, s32 (*number_of)(u32 reg));

#endif

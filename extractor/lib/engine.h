/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers the questions of wire.h out of one dump.  It runs in the caller's process or in
 * epitaph-reader, and knows nothing of either.
 */
#ifndef EPITAPH_LIB_ENGINE_H
#define EPITAPH_LIB_ENGINE_H

#include "wire.h"

struct engine;
struct epitaph_memory_reader;

/* For engine_free(); NULL without memory. */
struct engine *engine_new(void);

/* NULL is fine. */
void engine_free(struct engine *engine);

/**
 * engine_prepare() - remember what WIRE_OPEN asks for, and open places of debuginfo
 * @question: copied
 *
 * In the process that may open files; engine_answer() of WIRE_OPEN comes after.
 *
 * Return: 0; -ERR_USAGE if a place of debuginfo cannot be opened; -ERR_IO without memory.
 */
int engine_prepare(struct engine *engine, struct bytes *question, struct err *err);

/* The dump is @memory, which must live as long as @engine, and no file. */
void engine_set_memory(struct engine *engine, const struct epitaph_memory_reader *memory);

/* The @nr files of the question that engine_prepare() read. */
char **engine_paths(const struct engine *engine, u32 *nr);

/**
 * engine_answer() - answer a question
 * @answer: of host order; gets the body of the answer
 *
 * Return: 0, or -ERR_ and @err.
 */
int engine_answer(struct engine *engine, enum wire_message_type type, struct bytes *question,
		  struct pack *answer, struct err *err);

#endif

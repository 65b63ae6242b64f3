/* The driver of libFuzzer, which has no header of its own. */
#ifndef C_FUZZER_H
#define C_FUZZER_H

#include <stddef.h>
#include <stdint.h>

/* Runs `test` on inputs until a limit among the arguments is met. Returns the exit status. */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *bytes, size_t count));

#endif

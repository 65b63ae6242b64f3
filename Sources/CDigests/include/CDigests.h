/* The inner loops of CRC32C and SHA-256, with the processor's instructions where it has them and portable C everywhere.
   All functions are pure but for what they return or write through `state`; any thread may call them. */
#ifndef CDIGESTS_H
#define CDIGESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Takes `count` blocks of 64 bytes at `blocks` into `state` (FIPS 180-4, 6.2.2). */
void cdigests_sha256(uint32_t state[8], const void *blocks, size_t count);
void cdigests_sha256_portable(uint32_t state[8], const void *blocks, size_t count);
/* Whether cdigests_sha256 runs on the processor's SHA instructions. */
bool cdigests_sha256_is_accelerated(void);

/* The CRC32C of a text whose first part has the CRC `crc` (0 for none) and that goes on with `count` bytes. */
uint32_t cdigests_crc32c(uint32_t crc, const void *bytes, size_t count);
uint32_t cdigests_crc32c_portable(uint32_t crc, const void *bytes, size_t count);
/* Whether cdigests_crc32c runs on the processor's CRC instructions. */
bool cdigests_crc32c_is_accelerated(void);

#endif

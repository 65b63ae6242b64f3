/* CRC32C: polynomial 0x1EDC6F41 (Castagnoli), reflected, as in RFC 3720 B.4. */
#include "CDigests.h"
#include "Processor.h"

#if defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#elif defined(__x86_64__)
#include <nmmintrin.h>
#endif

/* The tables of slicing-by-8 as constants. A CRC is linear, so a table of 256 follows from its entries at 1, 2, 4 ... 128:
   eight numbers a slice instead of 256, and nothing to set up at run time. */
#define E(i, a, b, c, d, e, f, g, h)                                                                                      \
    (((i) & 1 ? a : 0) ^ ((i) & 2 ? b : 0) ^ ((i) & 4 ? c : 0) ^ ((i) & 8 ? d : 0) ^ ((i) & 16 ? e : 0) ^                 \
     ((i) & 32 ? f : 0) ^ ((i) & 64 ? g : 0) ^ ((i) & 128 ? h : 0))
#define E4(i, ...) E(i, __VA_ARGS__), E(i + 1, __VA_ARGS__), E(i + 2, __VA_ARGS__), E(i + 3, __VA_ARGS__)
#define E16(i, ...) E4(i, __VA_ARGS__), E4(i + 4, __VA_ARGS__), E4(i + 8, __VA_ARGS__), E4(i + 12, __VA_ARGS__)
#define E64(i, ...) E16(i, __VA_ARGS__), E16(i + 16, __VA_ARGS__), E16(i + 32, __VA_ARGS__), E16(i + 48, __VA_ARGS__)
#define SLICE(...) {E64(0, __VA_ARGS__), E64(64, __VA_ARGS__), E64(128, __VA_ARGS__), E64(192, __VA_ARGS__)}

static const uint32_t slices[8][256] = {
    SLICE(0xF26B8303, 0xE13B70F7, 0xC79A971F, 0x8AD958CF,
          0x105EC76F, 0x20BD8EDE, 0x417B1DBC, 0x82F63B78),
    SLICE(0x13A29877, 0x274530EE, 0x4E8A61DC, 0x9D14C3B8,
          0x3FC5F181, 0x7F8BE302, 0xFF17C604, 0xFBC3FAF9),
    SLICE(0xA541927E, 0x4F6F520D, 0x9EDEA41A, 0x38513EC5,
          0x70A27D8A, 0xE144FB14, 0xC76580D9, 0x8B277743),
    SLICE(0xDD45AAB8, 0xBF672381, 0x7B2231F3, 0xF64463E6,
          0xE964B13D, 0xD725148B, 0xABA65FE7, 0x52A0C93F),
    SLICE(0x38116FAC, 0x7022DF58, 0xE045BEB0, 0xC5670B91,
          0x8F2261D3, 0x1BA8B557, 0x37516AAE, 0x6EA2D55C),
    SLICE(0xEF306B19, 0xDB8CA0C3, 0xB2F53777, 0x6006181F,
          0xC00C303E, 0x85F4168D, 0x0E045BEB, 0x1C08B7D6),
    SLICE(0x68032CC8, 0xD0065990, 0xA5E0C5D1, 0x4E2DFD53,
          0x9C5BFAA6, 0x3D5B83BD, 0x7AB7077A, 0xF56E0EF4),
    SLICE(0x493C7D27, 0x9278FA4E, 0x211D826D, 0x423B04DA,
          0x847609B4, 0x0D006599, 0x1A00CB32, 0x34019664)
};

static inline uint64_t little_endian_word(const uint8_t *at) {
    uint64_t word;
    __builtin_memcpy(&word, at, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

uint32_t cdigests_crc32c_portable(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *at = bytes;
    crc = ~crc;
    for (; count >= 8; at += 8, count -= 8) {
        const uint64_t word = little_endian_word(at) ^ crc;
        crc = slices[7][word & 255] ^ slices[6][word >> 8 & 255] ^ slices[5][word >> 16 & 255] ^
              slices[4][word >> 24 & 255] ^ slices[3][word >> 32 & 255] ^ slices[2][word >> 40 & 255] ^
              slices[1][word >> 48 & 255] ^ slices[0][word >> 56];
    }
    for (; count > 0; at++, count--) crc = crc >> 8 ^ slices[0][(crc ^ *at) & 255];
    return ~crc;
}

#if defined(__ARM_FEATURE_CRC32)

bool cdigests_crc32c_is_accelerated(void) { return true; }

uint32_t cdigests_crc32c(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *at = bytes;
    crc = ~crc;
    for (; count >= 8; at += 8, count -= 8) crc = __crc32cd(crc, little_endian_word(at));
    for (; count > 0; at++, count--) crc = __crc32cb(crc, *at);
    return ~crc;
}

#elif defined(__x86_64__)

__attribute__((target("sse4.2"))) static uint32_t accelerated(uint32_t crc, const void *bytes, size_t count) {
    const uint8_t *at = bytes;
    uint64_t wide = (uint32_t)~crc;
    for (; count >= 8; at += 8, count -= 8) wide = _mm_crc32_u64(wide, little_endian_word(at));
    crc = (uint32_t)wide;
    for (; count > 0; at++, count--) crc = _mm_crc32_u8(crc, *at);
    return ~crc;
}

bool cdigests_crc32c_is_accelerated(void) { return (cdigests_features() & CDIGESTS_SSE42) != 0; }

uint32_t cdigests_crc32c(uint32_t crc, const void *bytes, size_t count) {
    return cdigests_crc32c_is_accelerated() ? accelerated(crc, bytes, count)
                                            : cdigests_crc32c_portable(crc, bytes, count);
}

#else

bool cdigests_crc32c_is_accelerated(void) { return false; }

uint32_t cdigests_crc32c(uint32_t crc, const void *bytes, size_t count) {
    return cdigests_crc32c_portable(crc, bytes, count);
}

#endif

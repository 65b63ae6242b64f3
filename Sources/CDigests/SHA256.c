/* SHA-256 as in FIPS 180-4, 6.2. */
#include "CDigests.h"
#include "Processor.h"

#if defined(__ARM_FEATURE_SHA2) || defined(__ARM_FEATURE_CRYPTO)
#include <arm_neon.h>
#define CDIGESTS_ARM_SHA 1
#elif defined(__x86_64__)
#include <immintrin.h>
#endif

/* FIPS 180-4, 4.2.2. */
static const uint32_t constants[64] __attribute__((aligned(16))) = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2
};

static inline uint32_t rotate(uint32_t x, int bits) { return x >> bits | x << (32 - bits); }

void cdigests_sha256_portable(uint32_t state[8], const void *blocks, size_t count) {
    const uint8_t *at = blocks;
    for (; count > 0; count--, at += 64) {
        uint32_t w[64];
        for (int t = 0; t < 16; t++)
            w[t] = (uint32_t)at[4 * t] << 24 | (uint32_t)at[4 * t + 1] << 16 | (uint32_t)at[4 * t + 2] << 8 |
                   (uint32_t)at[4 * t + 3];
        for (int t = 16; t < 64; t++) {
            const uint32_t x = w[t - 15], y = w[t - 2];
            w[t] = w[t - 16] + w[t - 7] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) +
                   (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
        }
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
        uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
        for (int t = 0; t < 64; t++) {
            const uint32_t first = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) +
                                   constants[t] + w[t];
            const uint32_t second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + first;
            d = c, c = b, b = a, a = first + second;
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d;
        state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    }
}

#if defined(CDIGESTS_ARM_SHA)

bool cdigests_sha256_is_accelerated(void) { return true; }

void cdigests_sha256(uint32_t state[8], const void *blocks, size_t count) {
    const uint8_t *at = blocks;
    uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);
    for (; count > 0; count--, at += 64) {
        const uint32x4_t saved_abcd = abcd, saved_efgh = efgh;
        uint32x4_t w[4];
        for (int i = 0; i < 4; i++) w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(at + 16 * i)));
#pragma clang loop unroll(full)
        for (int i = 0; i < 16; i++) {
            const uint32x4_t words = vaddq_u32(w[i & 3], vld1q_u32(constants + 4 * i));
            const uint32x4_t before = abcd;
            abcd = vsha256hq_u32(abcd, efgh, words);
            efgh = vsha256h2q_u32(efgh, before, words);
            if (i < 12)
                w[i & 3] = vsha256su1q_u32(vsha256su0q_u32(w[i & 3], w[(i + 1) & 3]), w[(i + 2) & 3], w[(i + 3) & 3]);
        }
        abcd = vaddq_u32(abcd, saved_abcd);
        efgh = vaddq_u32(efgh, saved_efgh);
    }
    vst1q_u32(state, abcd);
    vst1q_u32(state + 4, efgh);
}

#elif defined(__x86_64__)

/* The instructions keep the eight words as (a b e f) and (c d g h), highest lane first. */
__attribute__((target("sha,sse4.1,ssse3"))) static void accelerated(uint32_t state[8], const void *blocks,
                                                                    size_t count) {
    const uint8_t *at = blocks;
    const __m128i big_endian = _mm_set_epi64x(0x0C0D0E0F08090A0B, 0x0405060700010203);
    const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
    const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
    __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xF0);
    for (; count > 0; count--, at += 64) {
        const __m128i saved_abef = abef, saved_cdgh = cdgh;
        __m128i w[4];
        for (int i = 0; i < 4; i++)
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(at + 16 * i)), big_endian);
#pragma clang loop unroll(full)
        for (int i = 0; i < 16; i++) {
            const __m128i words = _mm_add_epi32(w[i & 3], _mm_load_si128((const __m128i *)(constants + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, words);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(words, 0x0E));
            if (i < 12) {
                const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[i & 3], w[(i + 1) & 3]),
                                                  _mm_alignr_epi8(w[(i + 3) & 3], w[(i + 2) & 3], 4));
                w[i & 3] = _mm_sha256msg2_epu32(sum, w[(i + 3) & 3]);
            }
        }
        abef = _mm_add_epi32(abef, saved_abef);
        cdgh = _mm_add_epi32(cdgh, saved_cdgh);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
    const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

bool cdigests_sha256_is_accelerated(void) { return (cdigests_features() & CDIGESTS_SHA) != 0; }

void cdigests_sha256(uint32_t state[8], const void *blocks, size_t count) {
    if (cdigests_sha256_is_accelerated()) accelerated(state, blocks, count);
    else cdigests_sha256_portable(state, blocks, count);
}

#else

bool cdigests_sha256_is_accelerated(void) { return false; }

void cdigests_sha256(uint32_t state[8], const void *blocks, size_t count) {
    cdigests_sha256_portable(state, blocks, count);
}

#endif

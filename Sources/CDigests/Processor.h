/* What the processor can do beyond what the compiler was told. */
#ifndef CDIGESTS_PROCESSOR_H
#define CDIGESTS_PROCESSOR_H

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdatomic.h>

enum { CDIGESTS_ASKED = 1, CDIGESTS_SSE42 = 2, CDIGESTS_SHA = 4 };

/* Asked once per file that includes this: cpuid is slow inside a virtual machine. Two threads may both ask; they get the
   same answer. */
static inline int cdigests_features(void) {
    static _Atomic int cached;
    int features = atomic_load_explicit(&cached, memory_order_relaxed);
    if (features) return features;
    unsigned a = 0, b = 0, c = 0, d = 0;
    features = CDIGESTS_ASKED;
    if (__get_cpuid(1, &a, &b, &c, &d)) {
        const unsigned ssse3_and_sse41 = (1u << 9) | (1u << 19);
        if (c & (1u << 20)) features |= CDIGESTS_SSE42;
        if ((c & ssse3_and_sse41) == ssse3_and_sse41 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29)))
            features |= CDIGESTS_SHA;
    }
    atomic_store_explicit(&cached, features, memory_order_relaxed);
    return features;
}
#endif

#endif

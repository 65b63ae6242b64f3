/* calldir.h: the interface between a call directory provider (a dynamic library) and the host that loads it.

   A provider exports one function, calldir_provider_entry_v1. It returns a constant table. The host calls `create`,
   then `load`, in which the provider adds its entries one by one, then `destroy`. Each load runs in a process of its
   own, which ends afterwards.

   Compatibility policy
   - The major version is in the entry's name. A released layout, number or rule of a major version never changes.
   - Every table begins with struct_size, the size in bytes that its writer knew, and abi_minor. Tables grow at the tail
     only; a field exists when it lies inside struct_size: ask with CALLDIR_HAS before reading one that is newer than
     minor 0. Writers set struct_size to sizeof the table.
   - Minor versions add fields and status numbers. A number unknown to the reader is kept as it is; not 0 is a failure.
   - What not every host or provider has is an extension, asked for by "name/revision" through get_extension, which
     returns a constant table or NULL. "calldir.incremental/1" is reserved for loads that change what is stored.

   Rules for all of it
   - Nothing allocated on one side is freed on the other. No exception, longjmp or Swift error crosses.
   - Texts are UTF-8 in calldir_string, not ended by a zero byte unless said so.
   - A pointer given to the host is borrowed until the call returns. A pointer given to the provider is borrowed until
     the call returns, except `host`, valid until `destroy` returns, and `request`, valid until `load` returns.
   - [calling]: only on the thread that is inside `create` or `load`, before that call returns.
     [any]: on any thread while the table is valid. [serial]: the host makes one call at a time, on one thread.
   - A provider may start threads in `load`, and joins them before it returns. */
#ifndef CALLDIR_H
#define CALLDIR_H

#include <stddef.h>
#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CALLDIR_ABI_MAJOR 1
#define CALLDIR_ABI_MINOR 0
#define CALLDIR_ENTRY_SYMBOL "calldir_provider_entry_v1"

/* Whether the table that `table` points to has `field`. */
#define CALLDIR_HAS(type, table, field) \
    ((table)->struct_size >= offsetof(type, field) + sizeof((table)->field))

#if defined(_WIN32)
#define CALLDIR_EXPORT __declspec(dllexport)
#else
#define CALLDIR_EXPORT __attribute__((visibility("default")))
#endif

/* Values ------------------------------------------------------------------------------------------------------- */

/* Text that somebody else owns. */
typedef struct calldir_string {
    const char *bytes; /* UTF-8; may be NULL when length is 0 */
    size_t length;     /* bytes */
} calldir_string;

/* What a call came to: 0, or why not. */
typedef int32_t calldir_status;
enum {
    CALLDIR_OK = 0,
    /* 1 to 15: the phone's own codes, where a provider can cause them. */
    CALLDIR_ENTRIES_OUT_OF_ORDER = 3,     /* a number below its predecessor in the family */
    CALLDIR_DUPLICATE_ENTRIES = 4,        /* a number equal to its predecessor in the family; 0 as the first */
    CALLDIR_MAXIMUM_ENTRIES_EXCEEDED = 5, /* more entries than entry_limit, both families together */
    CALLDIR_UNEXPECTED_REMOVAL = 8,       /* a removal in a load that is not incremental */
    /* 16 to 31: further verdicts of the host. */
    CALLDIR_CANCELLED = 16,    /* the load was cancelled from outside */
    CALLDIR_HOST_FAILURE = 17, /* the host cannot go on, for a reason of its own */
    /* 32 to 47: failures of the provider. */
    CALLDIR_DATA_UNAVAILABLE = 32,  /* its data is missing or cannot be read */
    CALLDIR_DATA_CORRUPT = 33,      /* its data is damaged */
    CALLDIR_PROVIDER_FAILURE = 34,  /* anything else */
    CALLDIR_BAD_CONFIGURATION = 35, /* it cannot work with this configuration */
    /* 48 and up: these rules were broken; unless stated, the load fails whatever `load` returns. */
    CALLDIR_WRONG_THREAD = 48, /* a [calling] function on another thread */
    CALLDIR_WRONG_STATE = 49,  /* an add while no load is running: ignored, with a warning */
    CALLDIR_BAD_ARGUMENT = 50  /* an argument that is not allowed, such as a NULL label with a length */
};

typedef int32_t calldir_severity;
enum { CALLDIR_DEBUG = 0, CALLDIR_INFO = 1, CALLDIR_WARNING = 2, CALLDIR_ERROR = 3 };

/* From the host to the provider ---------------------------------------------------------------------------------- */

/* The host's services. Owned by the host, one per instance, valid until `destroy` returns. */
typedef struct calldir_host calldir_host;
struct calldir_host {
    uint32_t struct_size;
    uint32_t abi_minor;
    void *host_data; /* the host's own */
    calldir_string name;
    calldir_string version;

    /* [any] Writes one line to the host's log; it keeps at most 4,096 bytes. */
    void (*log)(const calldir_host *host, calldir_severity severity, calldir_string message);

    /* [calling] States why `create` or `load` is about to fail. Domain and code reach the user unchanged; an empty
       domain stands for the provider's identifier. The message is one line without a prefix. Copied at once; of several
       calls the last one counts. Return a status other than 0 afterwards: a load that returns 0 has succeeded. */
    void (*report_error)(const calldir_host *host, calldir_string domain, int64_t code, calldir_string message);

    /* [any] `name` is "name/revision" and ends with a zero byte. NULL when the host does not have it. */
    const void *(*get_extension)(const calldir_host *host, const char *name);
};

/* What the plan says about this provider. Owned by the host, valid until `create` returns: copy what you keep. Every
   text in it is followed by a zero byte. */
typedef struct calldir_configuration calldir_configuration;
struct calldir_configuration {
    uint32_t struct_size;
    uint32_t abi_minor;
    calldir_string provider_id;
    calldir_string title;
    calldir_string container_path; /* absolute path of the provider's own writable folder, which exists */
    calldir_string shard_path;     /* absolute path of its shard, or of the index of its packs (*.packs), which lie in the
                                      same folder; empty for a provider with data of its own */
    calldir_string options_json;   /* the plan's `options` object verbatim, "{}" when there is none */
};

/* One load. Owned by the host, valid until `load` returns.

   Add the full set in strictly ascending order within each family, blocking and identification each by itself. The
   families may interleave and may share numbers. A number is the country calling code followed by the national
   significant number, for example 74951234567.

   Nothing is checked at an add: entries are buffered and checked when 10,000 of a family are together (5,000 on an early
   phone) and at the end of the load, so a status may speak of an earlier entry. The first status other than 0 is
   final: every later add returns it and adds nothing, and the load fails with it, whatever `load` returns. Return then. */
typedef struct calldir_request calldir_request;
struct calldir_request {
    uint32_t struct_size;
    uint32_t abi_minor;
    void *host_data;      /* the host's own */
    uint64_t entry_limit; /* the most entries of both families together in this load */

    /* [calling] Adds one number whose calls are refused. About 10 ns. */
    calldir_status (*add_blocking)(const calldir_request *request, int64_t number);

    /* [calling] Adds one number with the text shown for it; `label` may be NULL when `label_length` (bytes) is 0. The
       bytes are copied. An empty label, and one over 65,534 bytes, is dropped as the phone does, with a warning. */
    calldir_status (*add_identification)(const calldir_request *request, int64_t number, const char *label,
                                         size_t label_length);

    /* [calling] A hint, in entries; `total` 0 means unknown. */
    void (*report_progress)(const calldir_request *request, uint64_t completed, uint64_t total);

    /* [any] Whether the load was cancelled. A system call: ask every few thousand entries, and while waiting. */
    bool (*is_cancelled)(const calldir_request *request);
};

/* From the provider to the host ---------------------------------------------------------------------------------- */

/* What `create` made. Owned by the provider, never looked into by the host. */
typedef struct calldir_instance calldir_instance;

/* The provider. Owned by the provider, constant, valid until the process ends, its texts too. The three functions must
   be there; get_extension may be NULL. */
typedef struct calldir_provider {
    uint32_t struct_size;
    uint32_t abi_minor;
    calldir_string identifier; /* reverse-DNS */
    calldir_string version;
    calldir_string title;

    /* [serial] Stores the new instance, which may be NULL where there is no state, and returns 0; or stores nothing and
       returns why not. Does no heavy work. */
    calldir_status (*create)(const calldir_host *host, const calldir_configuration *configuration,
                             calldir_instance **instance);

    /* [serial] Adds everything to `request` and returns 0, or a status. May be called again for another full load. */
    calldir_status (*load)(calldir_instance *instance, const calldir_request *request);

    /* [serial] Called once for every successful `create`. */
    void (*destroy)(calldir_instance *instance);

    /* [any] `name` is "name/revision" and ends with a zero byte. NULL when the provider does not have it. */
    const void *(*get_extension)(const char *name);
} calldir_provider;

/* The one exported function. [any] Fast, no I/O, the same answer at every call. Returns NULL when the provider cannot
   work with a host of minor version `host_abi_minor`. */
CALLDIR_EXPORT const calldir_provider *calldir_provider_entry_v1(uint32_t host_abi_minor);

/* Layout, asserted where pointers have 64 bits ------------------------------------------------------------------- */

#if defined(__LP64__)
#ifdef __cplusplus
#define CALLDIR_ASSERT_(condition) static_assert(condition, #condition)
#else
#define CALLDIR_ASSERT_(condition) _Static_assert(condition, #condition)
#endif
CALLDIR_ASSERT_(sizeof(calldir_string) == 16);
CALLDIR_ASSERT_(offsetof(calldir_string, length) == 8);
CALLDIR_ASSERT_(sizeof(calldir_status) == 4);
CALLDIR_ASSERT_(sizeof(calldir_severity) == 4);
CALLDIR_ASSERT_(sizeof(bool) == 1);
CALLDIR_ASSERT_(offsetof(calldir_host, host_data) == 8);
CALLDIR_ASSERT_(offsetof(calldir_host, name) == 16);
CALLDIR_ASSERT_(offsetof(calldir_host, version) == 32);
CALLDIR_ASSERT_(offsetof(calldir_host, log) == 48);
CALLDIR_ASSERT_(offsetof(calldir_host, report_error) == 56);
CALLDIR_ASSERT_(offsetof(calldir_host, get_extension) == 64);
CALLDIR_ASSERT_(sizeof(calldir_host) == 72);
CALLDIR_ASSERT_(offsetof(calldir_configuration, provider_id) == 8);
CALLDIR_ASSERT_(offsetof(calldir_configuration, title) == 24);
CALLDIR_ASSERT_(offsetof(calldir_configuration, container_path) == 40);
CALLDIR_ASSERT_(offsetof(calldir_configuration, shard_path) == 56);
CALLDIR_ASSERT_(offsetof(calldir_configuration, options_json) == 72);
CALLDIR_ASSERT_(sizeof(calldir_configuration) == 88);
CALLDIR_ASSERT_(offsetof(calldir_request, host_data) == 8);
CALLDIR_ASSERT_(offsetof(calldir_request, entry_limit) == 16);
CALLDIR_ASSERT_(offsetof(calldir_request, add_blocking) == 24);
CALLDIR_ASSERT_(offsetof(calldir_request, add_identification) == 32);
CALLDIR_ASSERT_(offsetof(calldir_request, report_progress) == 40);
CALLDIR_ASSERT_(offsetof(calldir_request, is_cancelled) == 48);
CALLDIR_ASSERT_(sizeof(calldir_request) == 56);
CALLDIR_ASSERT_(offsetof(calldir_provider, identifier) == 8);
CALLDIR_ASSERT_(offsetof(calldir_provider, version) == 24);
CALLDIR_ASSERT_(offsetof(calldir_provider, title) == 40);
CALLDIR_ASSERT_(offsetof(calldir_provider, create) == 56);
CALLDIR_ASSERT_(offsetof(calldir_provider, load) == 64);
CALLDIR_ASSERT_(offsetof(calldir_provider, destroy) == 72);
CALLDIR_ASSERT_(offsetof(calldir_provider, get_extension) == 80);
CALLDIR_ASSERT_(sizeof(calldir_provider) == 88);
#undef CALLDIR_ASSERT_
#endif

#ifdef __cplusplus
}
#endif

#endif

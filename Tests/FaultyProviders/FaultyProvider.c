/* A provider that misbehaves as its options say: {"behaviour": "NAME", "count": N}. Behaviours that must strike before
   options exist are chosen by macros: AT_START=1 … 6 in a constructor, ENTRY=1 … 5 in the entry function. Compiled by the
   tests; several behaviours in one file, because each is a few lines. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "calldir.h"

#define TEXT(literal) {literal, sizeof literal - 1}

static char options[4096];
static char container[4096];
static char shard[4096];
static const calldir_host *host;

static void keep(char *target, size_t size, calldir_string text) {
    size_t length = text.length < size - 1 ? text.length : size - 1;
    if (length > 0) memcpy(target, text.bytes, length);
    target[length] = 0;
}

static int is(const char *name) {
    char quoted[128];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    return strstr(options, quoted) != NULL;
}

static int64_t option(const char *key, int64_t otherwise) {
    char quoted[128];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(options, quoted);
    return found == NULL ? otherwise : strtoll(found + strlen(quoted), NULL, 10);
}

/* Keeps the compiler from removing memory that nobody reads. */
static char *volatile held;

static char *hold(size_t size) {
    char *block = malloc(size);
    held = block;
    return block;
}

static void null_write(void) { *(volatile int *)NULL = 1; }

static void spin(void) {
    for (volatile int i = 1; i != 0; i = 1) {}
}

static void say(int descriptor, const char *text) {
    if (write(descriptor, text, strlen(text)) < 0) _exit(99);
}

#ifndef AT_START
#define AT_START 0
#endif
#ifndef ENTRY
#define ENTRY 0
#endif

#if AT_START
__attribute__((constructor)) static void at_start(void) {
    if (AT_START == 1) null_write();
    if (AT_START == 2) exit(0);
    if (AT_START == 3) spin();
    if (AT_START == 4) say(2, "a word at the start\n");
    if (AT_START == 5) _exit(3);
    if (AT_START == 6) {
        for (int i = 0; i < 24; i++) {
            char *block = hold(1 << 20);
            if (block != NULL) memset(block, 1, 1 << 20);
        }
        for (;;) pause();
    }
}
#endif

static calldir_status create(const calldir_host *given, const calldir_configuration *configuration,
                             calldir_instance **instance) {
    host = given;
    keep(options, sizeof options, configuration->options_json);
    keep(container, sizeof container, configuration->container_path);
    keep(shard, sizeof shard, configuration->shard_path);
    *instance = NULL;
    if (is("crash in create")) null_write();
    if (is("refuse in create")) {
        host->report_error(host, (calldir_string)TEXT("com.example.create"), 7, (calldir_string)TEXT("no data yet"));
        return CALLDIR_DATA_UNAVAILABLE;
    }
    return CALLDIR_OK;
}

/* `count` identification entries from 1 on with a label of about 30 bytes. */
static calldir_status add_many(const calldir_request *request, int64_t from, int64_t count) {
    char label[64];
    for (int64_t i = 0; i < count; i++) {
        int64_t number = from + i;
        int length = snprintf(label, sizeof label, "Организация № %08d", (int)number);
        calldir_status status = request->add_identification(request, number, label, (size_t)length);
        if (status != CALLDIR_OK) return status;
    }
    return CALLDIR_OK;
}

/* "script": "b5 i9 b-1": a family letter and a number each. */
static calldir_status add_script(const calldir_request *request) {
    const char *at = strstr(options, "\"script\": \"");
    if (at == NULL) return CALLDIR_BAD_CONFIGURATION;
    at += strlen("\"script\": \"");
    while (*at != 0 && *at != '"') {
        char family = *at++;
        char *end;
        int64_t number = strtoll(at, &end, 10);
        at = *end == ' ' ? end + 1 : end;
        calldir_status status = family == 'b' ? request->add_blocking(request, number)
                                              : request->add_identification(request, number, "label", 5);
        if (status != CALLDIR_OK) return status;
    }
    return CALLDIR_OK;
}

static calldir_status one(const calldir_request *request, int64_t number) {
    return request->add_identification(request, number, "one", 3);
}

static const calldir_request *shared_request;
static void *add_from_thread(void *unused) {
    (void)unused;
    return (void *)(intptr_t)one(shared_request, 2);
}

static calldir_status labels(const calldir_request *request) {
    static char big[65535];
    memset(big, 'x', sizeof big);
    calldir_status status = one(request, 1);
    if (status == 0) status = request->add_identification(request, 2, NULL, 0);
    if (status == 0) status = request->add_identification(request, 3, big, 65535);
    if (status == 0) status = request->add_identification(request, 4, big, 65534);
    if (status == 0) status = request->add_identification(request, 5, "caf\xe9", 4);
    if (status == 0) status = request->add_identification(request, 3, "", 0);
    if (status == 0) status = request->add_identification(request, 6, "Кафе", 8);
    if (status == 0) status = request->add_identification(request, INT64_MAX, "never", 5);
    return status;
}

static calldir_status load(calldir_instance *instance, const calldir_request *request) {
    (void)instance;
    int64_t count = option("count", 0);
    if (is("script")) return add_script(request);
    if (is("labels")) return labels(request);
    if (is("blocks then labels")) {
        for (int64_t i = 1; i <= count; i++) {
            calldir_status status = request->add_blocking(request, i);
            if (status != CALLDIR_OK) return status;
        }
        return add_many(request, 1, option("identifications", 0));
    }
    if (is("stops at the first refusal")) {
        /* Prints how many adds were taken before the one that told of an error. */
        int64_t bad = option("bad", -1);
        for (int64_t i = 1; i <= count; i++) {
            calldir_status status = one(request, i == bad ? i - 1 : i);
            if (status != CALLDIR_OK) {
                printf("add %lld returned %d\n", (long long)i, (int)status);
                fflush(stdout);
                return status;
            }
        }
        printf("every add returned 0\n");
        fflush(stdout);
        return CALLDIR_OK;
    }
    if (is("ignores verdicts")) {
        for (int64_t i = 1; i <= count; i++) one(request, i == 5 ? 4 : i);
        return CALLDIR_OK;
    }
    if (is("ignores verdicts and hangs")) {
        for (int64_t i = 1; i <= count; i++) one(request, i == 5 ? 4 : i);
        for (;;) pause();
    }
    if (is("ignores verdicts and crashes")) {
        for (int64_t i = 1; i <= count; i++) one(request, i == 5 ? 4 : i);
        null_write();
    }
    calldir_status status = add_many(request, 1, count);
    if (status != CALLDIR_OK) return status;
    if (is("good")) return CALLDIR_OK;
    if (is("shows its configuration")) {
        printf("container %s\nshard %s\noptions %s\n", container, shard, options);
        fflush(stdout);
        return CALLDIR_OK;
    }
    if (is("shows its confinement")) {
        struct rlimit core, files, data;
        pthread_attr_t attributes;
        size_t stack = 0;
        int signal = 0;
        getrlimit(RLIMIT_CORE, &core);
        getrlimit(RLIMIT_NOFILE, &files);
        getrlimit(RLIMIT_DATA, &data);
        pthread_getattr_default_np(&attributes);
        pthread_attr_getstacksize(&attributes, &stack);
        prctl(PR_GET_PDEATHSIG, &signal, 0, 0, 0);
        printf("privileges %d huge pages %d death signal %d stack %zu core %d files %d\n%lld\n",
               prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0), signal, stack,
               (int)core.rlim_max, (int)files.rlim_max, (long long)data.rlim_max);
        fflush(stdout);
        return CALLDIR_OK;
    }
    if (is("null write")) null_write();
    if (is("abort")) abort();
    if (is("kill")) raise(SIGKILL);
    if (is("exit")) exit(0);
    if (is("_exit")) _exit(0);
    if (is("exit_group")) syscall(SYS_exit_group, 0);
    if (is("end of main thread")) pthread_exit(NULL);
    if (is("close")) {
        for (int i = 0; i < 64; i++) close(i);
        return CALLDIR_OK;
    }
    if (is("exec")) execl("/bin/true", "true", (char *)NULL);
    if (is("spin")) spin();
    if (is("sleep")) for (;;) pause();
    if (is("stop")) raise(SIGSTOP);
    if (is("reports an error and fails")) {
        host->report_error(host, (calldir_string)TEXT("com.example.crm"), 1234, (calldir_string)TEXT("no contract"));
        return CALLDIR_PROVIDER_FAILURE;
    }
    if (is("reports an error and succeeds")) {
        host->report_error(host, (calldir_string)TEXT("com.example.crm"), 1234, (calldir_string)TEXT("no contract"));
        return CALLDIR_OK;
    }
    if (is("fails")) return CALLDIR_DATA_CORRUPT;
    if (is("says 4")) return CALLDIR_DUPLICATE_ENTRIES;
    if (is("leak")) {
        for (int i = 0; i < 4096; i++) {
            char *block = hold(1 << 16);
            if (block == NULL) {
                say(1, "malloc gave NULL\n");
                pause();
            }
            memset(block, 1, 1 << 16);
            if (one(request, count + 1 + i) != CALLDIR_OK) return CALLDIR_OK;
            usleep(500);
        }
        return CALLDIR_OK;
    }
    if (is("shared memory")) {
        char *block = mmap(NULL, 64 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        held = block;
        if (block != MAP_FAILED) memset(block, 1, 64 << 20);
        return CALLDIR_OK;
    }
    if (is("asks for a gigabyte")) return hold(1 << 30) == NULL ? CALLDIR_PROVIDER_FAILURE : CALLDIR_OK;
    if (is("garbage on 3")) {
        say(3, "this is no frame at all, whoever reads it\n");
        return CALLDIR_OK;
    }
    if (is("success forged on 3")) {
        /* A final record of the host's own protocol, at the wrong time. */
        unsigned char frame[8 + 44] = {13, 0, 0, 0, 44};
        if (write(3, frame, sizeof frame) < 0) return CALLDIR_PROVIDER_FAILURE;
        for (;;) pause();
    }
    if (is("spam")) {
        static char line[1024];
        memset(line, '.', sizeof line - 1);
        line[sizeof line - 1] = '\n';
        say(2, "first words\n");
        for (int i = 0; i < 4096; i++)
            if (write(2, line, sizeof line) < 0) return CALLDIR_PROVIDER_FAILURE;
        say(2, "last words\n");
        return CALLDIR_OK;
    }
    if (is("logs without end")) {
        for (int i = 0; i < 20000; i++) host->log(host, CALLDIR_WARNING, (calldir_string)TEXT("one more line"));
        return CALLDIR_OK;
    }
    if (is("adds on a thread")) {
        pthread_t thread;
        shared_request = request;
        one(request, 1);
        if (pthread_create(&thread, NULL, add_from_thread, NULL) != 0) return CALLDIR_PROVIDER_FAILURE;
        pthread_join(thread, NULL);
        return CALLDIR_OK;
    }
    if (is("leaves a process behind")) {
        pid_t pid = fork();
        if (pid == 0) {
            if (option("own session", 0)) setsid();
            sleep(10);
            _exit(0);
        }
        return CALLDIR_OK;
    }
    if (is("leaves a process behind and dies")) {
        pid_t pid = fork();
        if (pid == 0) {
            setsid();
            sleep((unsigned)option("seconds", 5));
            _exit(0);
        }
        _exit(0);
    }
    if (is("waits for the end")) {
        while (!request->is_cancelled(request)) usleep(1000);
        return CALLDIR_CANCELLED;
    }
    if (is("crash in destroy")) return CALLDIR_OK;
    return CALLDIR_BAD_CONFIGURATION;
}

static void destroy(calldir_instance *instance) {
    (void)instance;
    if (is("crash in destroy")) null_write();
}

static const calldir_provider table = {
    sizeof(calldir_provider), CALLDIR_ABI_MINOR, TEXT("com.example.faulty"), TEXT("1.2"), TEXT("Faulty"),
    create, load, destroy, NULL};

static const calldir_provider short_table = {
    16, CALLDIR_ABI_MINOR, TEXT("com.example.faulty"), TEXT("1.2"), TEXT("Faulty"), create, load, destroy, NULL};

static const calldir_provider hollow_table = {
    sizeof(calldir_provider), CALLDIR_ABI_MINOR, TEXT("com.example.faulty"), TEXT("1.2"), TEXT("Faulty"),
    create, NULL, destroy, NULL};

#if ENTRY == 5
int no_provider_here(void) { return 0; }
#else
const calldir_provider *calldir_provider_entry_v1(uint32_t host_abi_minor) {
    (void)host_abi_minor;
    if (ENTRY == 1) return NULL;
    if (ENTRY == 2) return &short_table;
    if (ENTRY == 3) return &hollow_table;
    if (ENTRY == 4) null_write();
    return &table;
}
#endif

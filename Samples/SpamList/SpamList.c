/* A provider in plain C, in one file: a list of numbers to block, read from `blocklist.txt` in its container.

   Each line is one number: the country calling code and the national number, with or without `+`, as in 74951234567.
   Blank lines and lines that begin with `#` are left out. The list may be in any order and may repeat numbers; it may
   be as long as the phone's cap allows and takes about 4 MB of memory whatever its length.

   Build it, from the package's folder:
       cc -O2 -shared -fPIC -fvisibility=hidden -ISources/CCallDirectory/include Samples/SpamList/SpamList.c \
          -o Plugins/libSpamList.so
   Give it data:  mkdir -p <its container> && cp blocklist.txt <its container>/; `shardctl provider list` says where that is
   Turn it on:    shardctl enable SpamList && shardctl reload SpamList

   To begin one of your own, copy this file and change what `load` reads. The rules are in calldir.h. */

#include <calldir.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "blocklist.txt"

/* Numbers held at a time. The file is read once for about every half of it: sorting a long list costs passes over the
   file, not memory. (The C library's qsort takes as much again while it sorts.) */
#define CAPACITY 262144

struct calldir_instance {
    const calldir_host *host; /* valid until `destroy` returns */
    char *path;
};

/* Tells the host why this load fails, as printf does, and gives the status to return. */
static calldir_status fail(const calldir_instance *self, calldir_status status, const char *format, ...) {
    char text[1024];
    calldir_string domain = {NULL, 0}; /* stands for this provider's identifier */
    calldir_string message = {text, 0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message.length = strlen(text);
    self->host->report_error(self->host, domain, status, message);
    return status;
}

/* Reads a line's number into `*number`: 1 for a number, 0 for a line without one, -1 for anything else. */
static int parse(const char *line, int64_t *number) {
    int digits = 0;
    *number = 0;
    line += strspn(line, " \t");
    if (*line == '#' || *line == '\r' || *line == '\n' || *line == '\0') return 0;
    if (*line == '+') line++;
    for (; *line >= '0' && *line <= '9'; line++) {
        if (++digits > 18) return -1;
        *number = *number * 10 + (*line - '0');
    }
    line += strspn(line, " \t\r\n");
    return *number > 0 && *line == '\0' ? 1 : -1;
}

static int compare(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Sorts `numbers` and drops repeats; returns how many are left. */
static size_t sort_unique(int64_t *numbers, size_t count) {
    size_t kept = 0, i;
    qsort(numbers, count, sizeof *numbers, compare);
    for (i = 0; i < count; i++) {
        if (kept == 0 || numbers[i] != numbers[kept - 1]) numbers[kept++] = numbers[i];
    }
    return kept;
}

/* Reads the file from its start and leaves in `numbers`, ascending, the smallest of those above `last`; `*more` says
   whether larger ones were left behind. */
static calldir_status collect(const calldir_instance *self, FILE *file, int64_t last, int64_t *numbers, size_t *count,
                              int *more) {
    char line[256];
    int64_t number, above = INT64_MAX; /* numbers from here on wait for a later pass */
    unsigned long line_number = 0;
    *count = 0;
    *more = 0;
    rewind(file);
    while (fgets(line, sizeof line, file)) {
        const char *start = line;
        line_number++;
        if (line_number == 1 && strncmp(line, "\xEF\xBB\xBF", 3) == 0) start += 3; /* byte order mark */
        if (strchr(line, '\n') == NULL && !feof(file)) {
            return fail(self, CALLDIR_DATA_CORRUPT, "%s:%lu: longer than %d bytes, or with a zero byte", self->path,
                        line_number, (int)sizeof line - 2);
        }
        switch (parse(start, &number)) {
        case 0: continue;
        case -1:
            return fail(self, CALLDIR_DATA_CORRUPT, "%s:%lu: expected a number of 1 to 18 digits, with or without +",
                        self->path, line_number);
        }
        if (number <= last) continue;
        if (number >= above) {
            *more = 1;
            continue;
        }
        if (*count == CAPACITY) {
            *count = sort_unique(numbers, *count);
            if (*count > CAPACITY / 2) { /* keep the smaller half */
                above = numbers[CAPACITY / 2];
                *count = CAPACITY / 2;
                *more = 1;
            }
            if (number >= above) continue;
        }
        numbers[(*count)++] = number;
    }
    if (ferror(file)) return fail(self, CALLDIR_DATA_UNAVAILABLE, "%s: %s", self->path, strerror(errno));
    *count = sort_unique(numbers, *count);
    return CALLDIR_OK;
}

static calldir_status load(calldir_instance *self, const calldir_request *request) {
    calldir_status status = CALLDIR_OK;
    int64_t last = 0, *numbers;
    int more = 1;
    FILE *file = fopen(self->path, "r");
    if (file == NULL) return fail(self, CALLDIR_DATA_UNAVAILABLE, "%s: %s", self->path, strerror(errno));
    numbers = malloc(CAPACITY * sizeof *numbers);
    if (numbers == NULL) {
        fclose(file);
        return fail(self, CALLDIR_PROVIDER_FAILURE, "out of memory");
    }
    while (more && status == CALLDIR_OK && !request->is_cancelled(request)) {
        size_t count, i;
        status = collect(self, file, last, numbers, &count, &more);
        for (i = 0; i < count && status == CALLDIR_OK; i++) {
            /* Not 0: the host has refused what was added, so there is no point in going on. */
            status = request->add_blocking(request, numbers[i]);
        }
        if (count > 0) last = numbers[count - 1];
    }
    free(numbers);
    fclose(file);
    return status;
}

static calldir_status create(const calldir_host *host, const calldir_configuration *configuration,
                             calldir_instance **instance) {
    /* Texts of the configuration are followed by a zero byte, but must be copied to be kept. */
    size_t size = configuration->container_path.length + sizeof "/" FILE_NAME;
    calldir_instance *self = malloc(sizeof *self);
    if (self == NULL) return CALLDIR_PROVIDER_FAILURE;
    self->host = host;
    self->path = malloc(size);
    if (self->path == NULL) {
        free(self);
        return CALLDIR_PROVIDER_FAILURE;
    }
    snprintf(self->path, size, "%s/" FILE_NAME, configuration->container_path.bytes);
    *instance = self;
    return CALLDIR_OK;
}

static void destroy(calldir_instance *self) {
    free(self->path);
    free(self);
}

#define TEXT(literal) {literal, sizeof(literal) - 1}

const calldir_provider *calldir_provider_entry_v1(uint32_t host_abi_minor) {
    static const calldir_provider provider = {
        sizeof(calldir_provider), CALLDIR_ABI_MINOR, TEXT("com.example.spam-list"), TEXT("1.0"), TEXT("Spam list"),
        create, load, destroy, NULL,
    };
    (void)host_abi_minor; /* every minor version of a host has what this provider needs */
    return &provider;
}

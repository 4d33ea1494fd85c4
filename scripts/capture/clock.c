/* A session's clock, loaded before a program's own libraries: the time of day is CAPTURE_CLOCK seconds ahead of the
   machine's, and runs on. Dates of files and clocks that count from the machine's start stay as they are.

   It takes no locks and allocates nothing: libfaketime, which does, stops programs with an allocator or a sandbox of
   their own (Firefox, Thunderbird, Chromium).

   cc -O2 -shared -fPIC -o clock.so clock.c; CAPTURE_CLOCK=SECONDS LD_PRELOAD=clock.so PROGRAM */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* An instant after this is one of the time of day: no machine has run for so long. */
enum { LONGEST_RUN = 1000000000 };

static long ahead(void) {
    static long seconds, known;
    if (!known) {
        const char *text = getenv("CAPTURE_CLOCK");
        seconds = text ? atol(text) : 0;
        known = 1;
    }
    return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int fault = (int)syscall(SYS_clock_gettime, clock, now);
    if (fault == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += ahead();
    return fault;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec exact;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0) return -1;
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME_COARSE, &exact);
    if (now) *now = exact.tv_sec;
    return exact.tv_sec;
}

/* Who waits until an instant of the session waits until one of the machine's. */
static struct timespec of_machine(const struct timespec *until) {
    struct timespec own = *until;
    if (own.tv_sec > LONGEST_RUN) own.tv_sec -= ahead();
    return own;
}

int pthread_cond_timedwait(pthread_cond_t *restrict on, pthread_mutex_t *restrict held,
                           const struct timespec *restrict until) {
    static int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    /* The older one of the two with this name takes another structure. */
    if (!real) real = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    struct timespec own = of_machine(until);
    return real(on, held, &own);
}

int sem_timedwait(sem_t *restrict on, const struct timespec *restrict until) {
    static int (*real)(sem_t *, const struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "sem_timedwait");
    struct timespec own = of_machine(until);
    return real(on, &own);
}

int timerfd_settime(int timer, int flags, const struct itimerspec *wanted, struct itimerspec *before) {
    struct itimerspec own = *wanted;
    if (flags & TFD_TIMER_ABSTIME) own.it_value = of_machine(&own.it_value);
    return (int)syscall(SYS_timerfd_settime, timer, flags, &own, before);
}

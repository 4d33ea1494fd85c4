/* The same random numbers at each start, loaded before a program's own libraries: the first time of day that the
   program itself asks for is always the same. Programs that take their seed from it (Simon Tatham's puzzles, first
   thing) then think of the same boards. All later times are true, so that timers run on; what its libraries ask for is
   true from the beginning.

   It takes no locks and allocates nothing, like clock.c.

   cc -O2 -shared -fPIC -o seed.so seed.c; LD_PRELOAD=seed.so PROGRAM */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/time.h>

/* Seconds since the epoch: any number would do. */
enum { SEED = 1000000000 };

/* Whether an address lies in the program's own file. */
static int is_own(void *address) {
    Dl_info caller, program;
    return dladdr(address, &caller) && dladdr((void *)getauxval(AT_PHDR), &program) &&
           caller.dli_fbase == program.dli_fbase;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    static int (*real)(struct timeval *restrict, void *restrict);
    static int is_sown;
    if (!real) real = dlsym(RTLD_NEXT, "gettimeofday");
    if (is_sown || !is_own(__builtin_return_address(0))) return real(now, zone);
    is_sown = 1;
    now->tv_sec = SEED;
    now->tv_usec = 0;
    return 0;
}

/* The free space of disks, loaded before a program's own libraries: two fifths of every disk are free, always. What is
   really free changes from minute to minute, and programs show it.

   It takes no locks and allocates nothing, like clock.c.

   cc -O2 -shared -fPIC -o disk.so disk.c; LD_PRELOAD=disk.so PROGRAM */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

enum { PARTS = 5, FREE_PARTS = 2 };

/* One function of the C library, told over: its name, what it is asked with, and the structure that it fills. */
#define TELL(name, asked, structure)                                        \
    int name(asked of, struct structure *told) {                            \
        static int (*real)(asked, struct structure *);                      \
        if (!real) real = dlsym(RTLD_NEXT, #name);                          \
        int fault = real(of, told);                                         \
        if (fault == 0) {                                                   \
            told->f_bfree = told->f_bavail = told->f_blocks / PARTS * FREE_PARTS; \
        }                                                                   \
        return fault;                                                       \
    }

TELL(statvfs, const char *, statvfs)
TELL(statvfs64, const char *, statvfs64)
TELL(fstatvfs, int, statvfs)
TELL(fstatvfs64, int, statvfs64)
TELL(statfs, const char *, statfs)
TELL(statfs64, const char *, statfs64)
TELL(fstatfs, int, statfs)
TELL(fstatfs64, int, statfs64)

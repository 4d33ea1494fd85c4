/* Turns the sled of bench 3: prints the coils as the driver would see them. */
#include <stdio.h>
#include <stdlib.h>

#include "ramp.h"

static const char *coil(unsigned phase)
{
    static const char *const names[] = { "A+ B+", "A- B+", "A- B-", "A+ B-" };
    return names[phase % 4];
}

static unsigned long step(unsigned phase, uint32_t ticks, unsigned long time)
{
    printf("%8lu  %s  %6u\n", time, coil(phase), ticks);
    return time + ticks;
}

static uint32_t number(const char *text, uint32_t otherwise)
{
    char *end;
    unsigned long value = text ? strtoul(text, &end, 10) : 0;

    return value > 0 && value < 1000000 ? (uint32_t)value : otherwise;
}

int main(int argc, char **argv)
{
    struct ramp ramp;
    unsigned phase = 0;
    unsigned long time = 0;

    ramp_init(&ramp, number(argc > 1 ? argv[1] : NULL, 200), 4000, 420);
    puts("   ticks  coils   until next");
    while (!ramp_finished(&ramp))
        time = step(phase++, ramp_next(&ramp), time);
    printf("%u steps in %lu ticks\n", ramp.done, time);
    return 0;
}

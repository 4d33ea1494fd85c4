/* Ticks between two steps: slower at both ends, never faster than allowed. */
#include <math.h>

#include "ramp.h"

static float root(uint32_t n)
{
    return sqrtf((float)n + 1.0f) - sqrtf((float)n);
}

int ramp_finished(const struct ramp *ramp)
{
    return ramp->done >= ramp->steps;
}

void ramp_init(struct ramp *ramp, uint32_t steps, uint32_t first, uint32_t fastest)
{
    ramp->ticks_first = first;
    ramp->ticks_fastest = fastest;
    ramp->steps = steps;
    ramp->done = 0;
    ramp->ticks = (float)first;
}

/* The shorter of the ways to either end decides. */
static uint32_t way_to_an_end(const struct ramp *ramp)
{
    uint32_t left = ramp->steps - ramp->done;

    return ramp->done < left ? ramp->done : left;
}

uint32_t ramp_next(struct ramp *ramp)
{
    uint32_t n = way_to_an_end(ramp);

    ramp->ticks = (float)ramp->ticks_first * root(n);
    ramp->done++;
    if (ramp->ticks < (float)ramp->ticks_fastest)
        return ramp->ticks_fastest;
    return (uint32_t)ramp->ticks;
}

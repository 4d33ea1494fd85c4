#ifndef RAMP_H
#define RAMP_H

#include <stdint.h>

struct ramp {
    uint32_t ticks_first;
    uint32_t ticks_fastest;
    uint32_t steps;
    uint32_t done;
    float ticks;
};

void ramp_init(struct ramp *ramp, uint32_t steps, uint32_t first, uint32_t fastest);
uint32_t ramp_next(struct ramp *ramp);
int ramp_finished(const struct ramp *ramp);

#endif

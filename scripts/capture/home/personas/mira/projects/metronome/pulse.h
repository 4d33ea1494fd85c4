#ifndef PULSE_H
#define PULSE_H

#include <stdbool.h>

struct pulse {
    int beats_per_minute;
    int beats_per_bar;
    int subdivision;
    float samples[4800];
};

void pulse_init(struct pulse *pulse, int beats_per_minute, int beats_per_bar);
bool pulse_is_strong(const struct pulse *pulse, int beat);
int pulse_render(struct pulse *pulse, int beat, int rate);

#endif

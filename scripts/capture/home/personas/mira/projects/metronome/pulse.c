/* Clicks: a short tone with a fast attack, higher on the first beat of a bar. */
#include <math.h>

#include "pulse.h"

static float envelope(float seconds)
{
    if (seconds < 0.002f)
        return seconds / 0.002f;
    return expf(-(seconds - 0.002f) * 38.0f);
}

void pulse_init(struct pulse *pulse, int beats_per_minute, int beats_per_bar)
{
    pulse->beats_per_minute = beats_per_minute;
    pulse->beats_per_bar = beats_per_bar;
    pulse->subdivision = 1;
}

static float tone(float frequency, float seconds)
{
    return sinf(6.2831853f * frequency * seconds);
}

bool pulse_is_strong(const struct pulse *pulse, int beat)
{
    return beat % pulse->beats_per_bar == 0;
}

/* Returns how many samples one beat takes; the click fills the first of them. */
int pulse_render(struct pulse *pulse, int beat, int rate)
{
    float frequency = pulse_is_strong(pulse, beat) ? 1760.0f : 1318.5f;
    int click = (int)(sizeof pulse->samples / sizeof *pulse->samples);

    for (int i = 0; i < click; i++) {
        float seconds = (float)i / (float)rate;
        pulse->samples[i] = 0.8f * envelope(seconds) * tone(frequency, seconds);
    }
    return rate * 60 / pulse->beats_per_minute / pulse->subdivision;
}

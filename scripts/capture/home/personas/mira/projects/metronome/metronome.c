/* Prints the beats of a bar and writes a click track of it. */
#include <stdio.h>
#include <stdlib.h>

#include "pulse.h"

enum { RATE = 48000 };

static void print_bar(const struct pulse *pulse, int bar)
{
    printf("%3d  ", bar + 1);
    for (int beat = 0; beat < pulse->beats_per_bar; beat++)
        fputs(pulse_is_strong(pulse, beat) ? "| " : ". ", stdout);
    putchar('\n');
}

static int write_click(FILE *file, const struct pulse *pulse, int length)
{
    short silence = 0;
    int click = (int)(sizeof pulse->samples / sizeof *pulse->samples);

    for (int i = 0; i < length; i++) {
        short sample = i < click ? (short)(pulse->samples[i] * 32000) : silence;
        if (fwrite(&sample, sizeof sample, 1, file) != 1)
            return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    struct pulse pulse;
    int bars = argc > 2 ? atoi(argv[2]) : 4;
    FILE *file = fopen("clicks.raw", "wb");

    pulse_init(&pulse, argc > 1 ? atoi(argv[1]) : 96, 4);
    for (int beat = 0; file && beat < bars * pulse.beats_per_bar; beat++) {
        if (beat % pulse.beats_per_bar == 0)
            print_bar(&pulse, beat / pulse.beats_per_bar);
        if (!write_click(file, &pulse, pulse_render(&pulse, beat, RATE)))
            return 1;
    }
    return file ? fclose(file) : 1;
}

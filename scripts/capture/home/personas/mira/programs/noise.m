% Noise against dose in one slice of the phantom.
dose  = [25 50 100 150 200 300];         % mAs
noise = [31.8 22.7 15.9 13.1 11.2 9.3];  % HU

p = polyfit (log (dose), log (noise), 1);
fitted = exp (polyval (p, log (dose)));

loglog (dose, noise, "o", dose, fitted, "-");
xlabel ("mAs"); ylabel ("HU");
printf ("noise ~ dose^%.2f\n", p(1));
printf ("%6d mAs  %5.1f HU  %+5.1f\n", [dose; noise; noise - fitted]);

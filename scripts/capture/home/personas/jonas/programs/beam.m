% Deflection of the beam above the kitchen, with and without planks.
E = 11000;            % N/mm^2, spruce
L = 4100;             % mm
q = 5.7;              % N/mm
x = linspace (0, L, 200);

bend = @(b, h) q * x .* (L^3 - 2*L*x.^2 + x.^3) ./ (24 * E * b * h^3 / 12);

alone = bend (160, 220);
planks = bend (240, 220);

plot (x / 1000, -alone, x / 1000, -planks);
xlabel ("m"); ylabel ("mm");
legend ("beam alone", "with planks");
printf ("alone  %5.1f mm, span / %d\n", max (alone), round (L / max (alone)));
printf ("planks %5.1f mm, span / %d\n", max (planks), round (L / max (planks)));

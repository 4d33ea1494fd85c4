// The bracket of the handrail, for the printer of room 207.
plate = [90, 12, 120];
bore = 45;
wall = 8;
screw = 8.4;
$fn = 64;

module screws() {
    for (x = [15, 75], z = [15, 105])
        translate([x, -5, z]) rotate([-90, 0, 0]) cylinder(d = screw, h = 30);
}

module ring() {
    translate([20, 82, 60]) rotate([0, 90, 0]) cylinder(d = bore + 2 * wall, h = 50);
}

difference() {
    union() {
        cube(plate);
        translate([39, 12, 20]) cube([12, 70, 80]);
        ring();
    }
    screws();
    translate([0, 82, 60]) rotate([0, 90, 0]) cylinder(d = bore, h = 120);
}

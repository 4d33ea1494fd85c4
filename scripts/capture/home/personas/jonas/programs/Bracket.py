"""The bracket of the handrail: a plate, a web, four holes and the ring for the bar."""
import FreeCAD
import Part

document = FreeCAD.newDocument("Bracket")


def add(kind, name, place=(0, 0, 0), **sizes):
    part = document.addObject(f"Part::{kind}", name)
    for key, value in sizes.items():
        setattr(part, key, value)
    part.Placement.Base = FreeCAD.Vector(*place)
    return part


plate = add("Box", "Plate", Length=90, Width=12, Height=120)
web = add("Box", "Web", (39, 12, 20), Length=12, Width=70, Height=80)
ring = add("Cylinder", "Ring", (20, 82, 60), Radius=31, Height=50)
ring.Placement.Rotation = FreeCAD.Rotation(FreeCAD.Vector(0, 1, 0), 90)
bar = add("Cylinder", "Handrail_bore", (0, 82, 60), Radius=22.5, Height=120)
bar.Placement.Rotation = FreeCAD.Rotation(FreeCAD.Vector(0, 1, 0), 90)
holes = []
for number, (x, z) in enumerate([(15, 15), (75, 15), (15, 105), (75, 105)], 1):
    hole = add("Cylinder", f"Screw_hole_{number}", (x, -5, z), Radius=4.2, Height=30)
    hole.Placement.Rotation = FreeCAD.Rotation(FreeCAD.Vector(1, 0, 0), -90)
    holes.append(hole)
body = document.addObject("Part::MultiFuse", "Body")
body.Shapes = [plate, web, ring]
tools = document.addObject("Part::MultiFuse", "Holes")
tools.Shapes = [*holes, bar]
bracket = document.addObject("Part::Cut", "Bracket")
bracket.Base, bracket.Tool = body, tools
document.recompute()
try:
    import FreeCADGui

    FreeCADGui.activateWorkbench("PartWorkbench")
    bracket.ViewObject.ShapeColor = (0.55, 0.62, 0.70)
    FreeCADGui.activeDocument().activeView().viewIsometric()
    FreeCADGui.SendMsgToActiveView("ViewFit")
except ImportError:
    pass  # without windows

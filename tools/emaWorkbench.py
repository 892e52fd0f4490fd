"""PRIM by EMA Workbench, of a question on standard input: {"x": {name: values}, "y": noughts and ones}.
Where Python has no EMA Workbench it says so and ends with 77, which the test that asks takes as skipped."""
import json
import sys

try:
    import numpy
    import pandas
    from ema_workbench.analysis import prim
except ImportError as missing:
    print(f"no {missing.name}", file=sys.stderr)
    sys.exit(77)

asked = json.load(sys.stdin)
x = pandas.DataFrame(asked["x"])
numbers = [name for name in x if not isinstance(asked["x"][name][0], str)]
x[numbers] = x[numbers].astype(float)
box = prim.Prim(x, numpy.array(asked["y"]), threshold=0.1).find_box()
way = box.peeling_trajectory


def limits(lims):
    return {
        name: [float(lims[name][0]), float(lims[name][1])] if name in numbers else sorted(lims[name][0])
        for name in x
    }


answer = {
    "coverage": [float(one) for one in way["coverage"]],
    "density": [float(one) for one in way["density"]],
    "mass": [float(one) for one in way["mass"]],
    "restricted": [int(one) for one in way["res_dim"]],
    "limits": [limits(one) for one in box.box_lims],
    "qp": [{name: [float(p) for p in ps] for name, ps in one.items()} for one in box.qp],
}
print(json.dumps(answer))

"""Sobol and Morris indices by SALib, of a question on standard input: {"factors", "sobol", "unit", "morris"}.
Where Python has no SALib it says so and ends with 77, which the test that asks takes as skipped."""
import json
import sys

try:
    import numpy
    from SALib.analyze import morris, pawn, sobol
except ImportError as missing:
    print(f"no {missing.name}", file=sys.stderr)
    sys.exit(77)

asked = json.load(sys.stdin)
factors = asked["factors"]
names = [f"x{index + 1}" for index in range(factors)]
problem = {"num_vars": factors, "names": names, "bounds": [[0, 1]] * factors}
s = sobol.analyze(problem, numpy.array(asked["sobol"], dtype=float))
m = morris.analyze(problem, numpy.array(asked["unit"], dtype=float), numpy.array(asked["morris"], dtype=float))
pairs = [[s["S2"][j, k] for k in range(j + 1, factors)] for j in range(factors)]
answer = {"S1": list(s["S1"]), "ST": list(s["ST"]), "S2": pairs}
answer |= {key: [float(one) for one in m[key]] for key in ("mu", "mu_star", "sigma")}
w = pawn.analyze(problem, numpy.array(asked["rows"], dtype=float), numpy.array(asked["sobol"], dtype=float), S=10)
answer |= {key: [float(one) for one in w[key]] for key in ("median", "maximum")}
print(json.dumps(answer))

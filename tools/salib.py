"""Sobol and Morris indices by SALib, of a question on standard input: {"factors", "sobol", "unit", "morris"}, and the same
of "grouped", whose "groups" name the group of each factor, beside designs that SALib draws for them.
Where Python has no SALib it says so and ends with 77, which the test that asks takes as skipped."""
import json
import sys

try:
    import numpy
    from SALib.analyze import morris, pawn, sobol
    from SALib.sample import morris as morris_sample
    from SALib.sample import sobol as sobol_sample
except ImportError as missing:
    print(f"no {missing.name}", file=sys.stderr)
    sys.exit(77)


def indices(problem, asked):
    def numbers(key):
        return numpy.array(asked[key], dtype=float)

    s = sobol.analyze(problem, numbers("sobol"))
    m = morris.analyze(problem, numbers("unit"), numbers("morris"))
    count = len(s["S1"])
    pairs = [[s["S2"][j, k] for k in range(j + 1, count)] for j in range(count)]
    answer = {"S1": list(s["S1"]), "ST": list(s["ST"]), "S2": pairs}
    effects = {key: numpy.ma.filled(m[key], numpy.nan) for key in ("mu", "mu_star", "sigma")}
    return answer | {key: [None if one != one else float(one) for one in m] for key, m in effects.items()}


asked = json.load(sys.stdin)
factors = asked["factors"]
names = [f"x{index + 1}" for index in range(factors)]
problem = {"num_vars": factors, "names": names, "bounds": [[0, 1]] * factors}
answer = indices(problem, asked)
w = pawn.analyze(problem, numpy.array(asked["rows"], dtype=float), numpy.array(asked["sobol"], dtype=float), S=10)
answer |= {key: [float(one) for one in w[key]] for key in ("median", "maximum")}
grouped = problem | {"groups": asked["grouped"]["groups"]}
answer["grouped"] = indices(grouped, asked["grouped"])
answer["saltelli"] = sobol_sample.sample(grouped, 4, seed=1).tolist()
answer["trajectories"] = morris_sample.sample(grouped, 4, num_levels=4, seed=1).tolist()
print(json.dumps(answer))

"""Means up to a limit and the log-rank test by lifelines, of a question on standard input: {"sides", "limits"}.
A side is a list of [time, whether the event was seen]. Where Python has no lifelines it says so and ends with 77, which the test takes as skipped."""
import json
import sys

try:
    from lifelines import KaplanMeierFitter
    from lifelines.statistics import logrank_test
    from lifelines.utils import restricted_mean_survival_time
except ImportError as missing:
    print(f"no {missing.name}", file=sys.stderr)
    sys.exit(77)

asked = json.load(sys.stdin)
sides = [([time for time, _ in side], [seen for _, seen in side]) for side in asked["sides"]]
means = [
    [restricted_mean_survival_time(KaplanMeierFitter().fit(*side), t=limit, return_variance=True) for limit in asked["limits"]]
    for side in sides
]
test = logrank_test(sides[0][0], sides[1][0], sides[0][1], sides[1][1])
print(json.dumps({"means": [[[float(m), float(v)] for m, v in side] for side in means], "p": float(test.p_value)}))

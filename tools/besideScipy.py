"""What scipy says of a question on standard input: indices of a design, points of Sobol sequences, intervals.
Where Python has no scipy that knows Sobol indices (1.11) it says so and ends with 77, which the test that asks takes as skipped."""
import json
import sys

try:
    import numpy
    from scipy import stats
    from scipy.stats import qmc, sobol_indices
except ImportError as missing:
    print(f"no {missing.name}", file=sys.stderr)
    sys.exit(77)

asked = json.load(sys.stdin)
blocks = numpy.array(asked["blocks"], dtype=float)
factors = blocks.shape[1] // 2 - 1
values = {"f_A": blocks[None, :, 0], "f_B": blocks[None, :, -1], "f_AB": blocks[:, None, 1 : 1 + factors].T.swapaxes(1, 2).reshape(factors, 1, -1)}
indices = sobol_indices(func=values, n=len(blocks))
confidence = indices.bootstrap(confidence_level=0.95, n_resamples=999)

sequence = qmc.Sobol(d=asked["dimensions"], scramble=False, bits=32)
x, y = (numpy.array(asked["pairs"], dtype=float)[:, side] for side in (0, 1))
paired = stats.ttest_rel(y, x)
welch = stats.ttest_ind(y, x, equal_var=False)


def bounds(interval):
    return [float(interval.low), float(interval.high)]


def share(hits, n, method):
    return bounds(stats.binomtest(hits, n).proportion_ci(0.95, method=method))


print(
    json.dumps(
        {
            "S1": indices.first_order.tolist(),
            "ST": indices.total_order.tolist(),
            "S1_low": confidence.first_order.confidence_interval.low.tolist(),
            "S1_high": confidence.first_order.confidence_interval.high.tolist(),
            "points": sequence.random(asked["count"]).tolist(),
            "discrepancy": float(qmc.discrepancy(numpy.array(asked["cube"], dtype=float))),
            "paired": bounds(paired.confidence_interval(0.95)) + [float(paired.pvalue)],
            "welch": bounds(welch.confidence_interval(0.95)) + [float(welch.pvalue)],
            "quantiles": [bounds(stats.quantile_test(y, p=p).confidence_interval(0.95)) for p in asked["quantiles"]],
            "wilson": [share(hits, n, "wilson") for hits, n in asked["shares"]],
            "exact": [float(stats.beta.ppf(0.95, hits + 1, n - hits)) for hits, n in asked["shares"] if hits < n],
            "t": [[float(stats.t.ppf(p, f)) for f in asked["freedoms"]] for p in asked["probabilities"]],
        }
    )
)

"""A Gaussian process by scikit-learn, of a question on standard input: {"x": rows, "y", "at": rows}.
Where Python has no scikit-learn it says so and ends with 77, which the test that asks takes as skipped."""
import json
import sys
import warnings

try:
    import numpy
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel
except ImportError as missing:
    print(f"no {missing.name}", file=sys.stderr)
    sys.exit(77)

warnings.simplefilter("ignore")
asked = json.load(sys.stdin)
x, y = numpy.array(asked["x"], dtype=float), numpy.array(asked["y"], dtype=float)
function = ConstantKernel(1.0, (1e-6, 1e6)) * Matern([0.5] * x.shape[1], (1e-2, 1e2), nu=2.5)
process = GaussianProcessRegressor(function + WhiteKernel(1e-2, (1e-9, 1e2)), alpha=0, normalize_y=True, n_restarts_optimizer=5, random_state=1).fit(x, y)
known = process.kernel_
# Of the function alone: what WhiteKernel adds to a value is taken off.
mean, deviation = process.predict(numpy.array(asked["at"], dtype=float), return_std=True)
scale = y.std() ** 2
noise = known.k2.noise_level * scale
print(
    json.dumps(
        {
            "lengths": list(known.k1.k2.length_scale),
            "variance": known.k1.k1.constant_value * scale,
            "noise": noise,
            "likelihood": process.log_marginal_likelihood_value_ - len(y) * numpy.log(y.std()),
            "mean": mean.tolist(),
            "variances": (deviation**2 - noise).tolist(),
        }
    )
)

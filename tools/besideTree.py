"""A classification tree and a forest by scikit-learn, of a question on standard input: {"x": rows, "y", "shares", "leaves", "least"}.
Where Python has no scikit-learn it says so and ends with 77, which the test that asks takes as skipped."""
import json
import sys

try:
    import numpy
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.tree import DecisionTreeClassifier
except ImportError as missing:
    print(f"no {missing.name}", file=sys.stderr)
    sys.exit(77)

asked = json.load(sys.stdin)
x, y = numpy.array(asked["x"], dtype=float), numpy.array(asked["y"])
tree = DecisionTreeClassifier(max_leaf_nodes=asked["leaves"], min_samples_leaf=asked["least"], random_state=1).fit(x, y)
leaf = tree.apply(x)
forests = [RandomForestRegressor(100, oob_score=True, random_state=seed).fit(x, asked["shares"]) for seed in range(8)]
leaves = sorted([int((leaf == one).sum()), int(y[leaf == one].sum())] for one in set(leaf.tolist()))
print(json.dumps({"leaves": leaves, "explained": [float(one.oob_score_) for one in forests]}))

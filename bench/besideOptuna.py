"""Optuna's TPE for bench/search.ts: a line of standard input is {"dimensions", "seed"}, then for each place that
is printed a line with its value, or "null" to end. Where Python has no Optuna it says so and ends with 77."""
import json
import sys

try:
    import optuna
except ImportError as missing:
    print(f"no {missing.name}", file=sys.stderr)
    sys.exit(77)

optuna.logging.set_verbosity(optuna.logging.ERROR)
for line in sys.stdin:
    asked = json.loads(line)
    sampler = optuna.samplers.TPESampler(seed=asked["seed"])
    study = optuna.create_study(sampler=sampler)
    while True:
        trial = study.ask()
        print(json.dumps([trial.suggest_float(f"x{at}", 0, 1) for at in range(asked["dimensions"])]), flush=True)
        value = json.loads(sys.stdin.readline())
        if value is None:
            break
        study.tell(trial, value)

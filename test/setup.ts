// One seed for every property, so that two runs of the suite try the same worlds. fast-check prints
// seed and path when a property fails. `GHOSTLIGHT_TEST_SEED=7 npm test` tries other worlds.
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.GHOSTLIGHT_TEST_SEED ?? 20_260_101) });

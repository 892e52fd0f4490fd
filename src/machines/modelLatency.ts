/** How long a model takes. Source: seed 000, "Setup" (about 6 s with a GPU, 40 s without). */
import { between, choice, integer } from "./policyLeaf.ts";
import { hours, seconds } from "./units.ts";

const ms = between(0, hours(1), "ms");

export const modelLeaves = {
  profile: choice("gpu", ["gpu", "cpu"], {
    says: "Which of the two planning times the scripted model takes.",
    source: "seed 000, Setup; RULINGS U9",
  }),
  gpuMs: integer(seconds(6), ms, {
    says: "Middle latency of one call with a GPU.",
    source: "seed 000, Setup; RULINGS U9",
  }),
  cpuMs: integer(seconds(40), ms, {
    says: "Middle latency of one call without.",
    source: "seed 000, Setup; RULINGS U9",
  }),
  jitter: integer(300, between(0, 1000, "thousandths"), {
    says: "A call takes the middle latency give or take this share, evenly drawn.",
    source: "ours; the real system's step gaps vary by more",
  }),
  parallel: integer(1, between(1, 10_000, "calls"), {
    says: "Calls the model server works on at once; others wait their turn.",
    source: "DESIGN §2; Ollama's own default",
  }),
};

/** How often the scripted models of those who install slip, where a slip can be made. Ours; what a scenario lets them think comes first. */
import { integer, type ValuesOf } from "../policyLeaf.ts";

const slip = (value: number, says: string) =>
  integer(value, {
    ...{ unit: "thousandths", min: 0, max: 1_000, source: "ours" },
    says: `Of the scripted model, how often ${says}.`,
  });

export const slipLeaves = {
  skipsJudges: slip(20, "the planner installs what no judge has seen"),
  saysNone: slip(0, "the planner says `gating: none` against its matrix"),
  installsLoose: slip(20, "the planner hands over what nobody has built"),
  givesUp: slip(0, "the planner stops after a failure that could be mended"),
  retries: slip(100, "the builder tries again what failed"),
  ends: slip(50, "the builder ends its turn within an install"),
  records: slip(30, "the builder makes the promotion record itself"),
  mends: slip(50, "the builder builds what is missing itself"),
  invents: slip(30, "the builder changes the intent"),
  looks: slip(100, "the builder looks up what it knows"),
  forgets: slip(30, "a judge makes no promotion record"),
  misses: slip(30, "a judge does not see a flaw, or a threat"),
  strict: slip(0, "the evaluator fails what is good"),
  misreads: slip(0, "the auditor does not see that a capability is needed"),
  deniesRemote: slip(
    0,
    "the auditor takes remote access for a threat, and says that there is none",
  ),
};

export type SlipPolicy = ValuesOf<typeof slipLeaves>;

/** Why `blame` does not rank first what a text names, where it does not: by scenario, variant and outcome. */
export const MISSED: { readonly [at: string]: string } = {
  "install-missed-threat: the gateway's scan refused it":
    "Two things would each have refused it: the scan, and evidence that must be strict. Without one the other does, and no set of values of the policy is looked for.",
  "install-resumed, impatient: a rule held the builder before and after":
    "The slips are numbers. Set back, the builder still slips in 50 of a thousand turns, and did in one of two continuations; without an install nothing is held in any.",
  "nudge-loop, only-writing-counts: skills that do nothing pile up":
    "Seven skills are reached either way: where looking counts, the scenario itself allows up to fourteen.",
  "safe-file-executor, past-the-pipeline: the ghost was registered all the same":
    "The expectation is less than its words: the counter that goes through the pipeline is known by its spec a moment before its code is loaded, and that is a ghost, too. `blame` ranks its making first, and is right.",
};

/** What a run's outcome and expectations mean for the exit code, and how to see it again. */

import { command, optionWords } from "../edges/command.ts";
import { isEdgeError } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import type { Observed } from "../run/compare.ts";
import { noneAsked } from "../run/expect.ts";
import { isLive } from "./live/liveModel.ts";
import type { RunFlags } from "./options.ts";
import { note } from "./output.ts";

/** Under other seeds, settings or ends the expectations are reported and decide only with --assert. */
export function exitCodeOf(
  { result, verdicts, variant }: Observed,
  scenario: string,
  flags: RunFlags,
): number {
  const { outcome, error } = result;
  if (outcome === "ended") {
    if (verdicts.length === 0) note(noneAsked(variant));
    return expectationCode(verdicts, scenario, flags);
  }
  if (outcome === "waiting") return EXIT.ok;
  if (outcome === "interrupted") return EXIT.interrupted;
  const again = `Reproduce: ${commandFor(scenario, flags)}`;
  if (outcome.startsWith("limit:")) {
    note(`${error?.message ?? outcome}. Raise it under \`limits:\` in the scenario.\n${again}`);
    return EXIT.limit;
  }
  if (isEdgeError(error)) {
    note(`${error.message}\nThe partial bundle is kept.\n${again}`);
    return error.exitCode;
  }
  const whose = flags.part === undefined ? "" : ", or of a part that --part names";
  note(
    `This is a bug of ghostlight${whose}; the partial bundle is kept.\n${error?.stack}\n${again}`,
  );
  return EXIT.bug;
}

function expectationCode(
  verdicts: Observed["verdicts"],
  scenario: string,
  flags: RunFlags,
): number {
  const failed = verdicts.filter(({ ok }) => !ok);
  if (failed.length === 0) return EXIT.ok;
  for (const { name, found } of failed) note(`not seen: ${name} (found ${found})`);
  note(`Reproduce: ${commandFor(scenario, flags)}`);
  const { seed, set = [], profile, until, gate, limit = [] } = flags;
  const isChanged =
    seed !== undefined ||
    set.length > 0 ||
    profile !== undefined ||
    until !== undefined ||
    limit.length > 0 ||
    (gate !== undefined && gate !== "scripted") ||
    isLive(flags);
  if (!isChanged || flags.assert) return EXIT.failed;
  note(
    "Seed, policy, model, gate, end or limits differ from the scenario's: this decides nothing without --assert.",
  );
  return EXIT.ok;
}

/** The same run again, without the options that only say what to print. */
function commandFor(scenario: string, flags: RunFlags): string {
  const { variant, seed, set = [], profile, until, limit = [] } = flags;
  const { model, tier, embed, gate, part, assert } = flags;
  const words = optionWords({
    ...{ variant, seed, profile, set },
    until: until === undefined ? undefined : `${until}ms`,
    ...{ limit, model, tier, embed, gate, part, assert },
  });
  return command`run ${scenario} ${words}`;
}

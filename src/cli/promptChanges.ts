/** What of a prompt is new since an earlier one: prompts of one actor for one purpose repeat themselves. */
import { diffArrays } from "diff";

/** Ours: a change of more lines than these is no small one, and to find the smallest takes long. */
const EDITS_MAX = 2_000;

/** Lines as `diff` marks them: `- ` gone, `+ ` new, `  ` for how many stayed; null where all is new. */
export function promptChanges(before: string, after: string): readonly string[] | null {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const changes = diffArrays(old, now, { maxEditLength: EDITS_MAX });
  if (changes === undefined) return null;
  return changes.flatMap(({ value, added, removed }) => {
    if (added) return value.map((line) => `+ ${line}`);
    if (removed) return value.map((line) => `- ${line}`);
    return [`  (${value.length} ${value.length === 1 ? "line" : "lines"} as before)`];
  });
}

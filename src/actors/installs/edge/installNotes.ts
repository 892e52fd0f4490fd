/** What is worth a word about an install, and no reason against it. */
import type { Redactor } from "../../../edges/redaction.ts";
import type { Gating } from "../../../machines/installs/addresses.ts";
import type { Artifact } from "../../../machines/installs/content/artifact.ts";
import type { Intent } from "../../../machines/installs/gate/intent.ts";
import type { Gates } from "../../../machines/installs/gate/promotionGate.ts";
import { notesOn } from "../../../machines/installs/gate/verdict.ts";
import type { InstallsPolicy } from "../../../machines/installs/installsPolicy.ts";
import type { Json } from "../../../machines/letter.ts";
import type { Folder, FolderNote } from "./artifactFolder.ts";
import type { Judged } from "./installReasons.ts";
import { secretFields, secretLines } from "./secrets.ts";

const INTENT = "intent";

export function intentNotes(
  { intent, facts }: Judged,
  { contradiction }: Gates,
  gating: Gating | null,
  by: InstallsPolicy,
): readonly FolderNote[] {
  const isSeen = intent.artifact_id === undefined || facts.artifact !== null;
  const ref = intent.promotion_gate?.install_approval_ref;
  const said = [
    // Of an artifact that was not looked at nothing is known.
    ...(isSeen ? notesOn(intent, facts, by) : []),
    ...(contradiction === null ? [] : [contradiction]),
    ...(intent.gating === undefined || gating !== null
      ? []
      : [`it says gating: ${intent.gating}, but only the planner's word counts: --gating`]),
    ...(ref === undefined ? [] : [`${ref} was not looked up: approvals are in a run`]),
  ];
  return said.map((why) => ({ file: INTENT, why }));
}

export const idNote = (
  { artifact_id: id }: Intent,
  artifact: Artifact | null,
): readonly FolderNote[] =>
  artifact === null || id === undefined || id === artifact.id
    ? []
    : [{ file: INTENT, why: `artifact_id is ${id}; built of these files it is ${artifact.id}` }];

export function secretNotes(
  { intent, folder }: { readonly intent: Json; readonly folder: Folder | null },
  redactor: Redactor,
): readonly FolderNote[] {
  const of = (file: string, where: string): FolderNote => ({
    file,
    why: `what looks like a secret, ${where}; it is not shown`,
  });
  return [
    ...secretFields(intent, redactor).map((field) => of(INTENT, `in ${field}`)),
    ...(folder?.files ?? []).flatMap(({ path, text }) => {
      const lines = secretLines(text, redactor);
      if (lines.length === 0) return [];
      return [of(path, `in line ${lines.slice(0, LINES_SHOWN).join(", ")}${more(lines.length)}`)];
    }),
  ];
}

const LINES_SHOWN = 10;
const more = (count: number): string =>
  count > LINES_SHOWN ? ` and ${count - LINES_SHOWN} more` : "";

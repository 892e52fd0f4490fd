/** The gateway's tools for promotion records. Source: seed 003, promotion gate failure; rulings I6 and I10; dossier 1.5. */

import { GATEWAY } from "./addresses.ts";
import { artifactIdFault } from "./content/artifact.ts";
import { decodedRecording, queried, recorded } from "./gate/promotionRecords.ts";
import type { Books } from "./gatewayBooks.ts";
import { artifactOf, gateOf } from "./gatewayBooks.ts";
import {
  type Call,
  doing,
  type Env,
  failing,
  faulty,
  going,
  misshapen,
  readParams,
  type Tool,
} from "./gatewayCall.ts";
import { stepped } from "./revisions/revisionBook.ts";
import { ownerFault } from "./toolOwners.ts";

export const promotionRecord: Tool = (books, call, env) => {
  const { from, tool, params } = call;
  const stranger = ownerFault(tool, from, env.policy);
  if (stranger !== null) return failing(books, [`permission: ${stranger}`]);
  const decoded = decodedRecording(params);
  if ("faults" in decoded) return misshapen(books, decoded.faults);
  const { recording } = decoded;
  const judged = artifactOf(books, recording.artifactId);
  if ("fault" in judged) return faulty(books, judged.fault);
  const { digest } = judged.artifact;
  const after = recorded(books.records, recording, { from, digest }, env.policy);
  if ("error" in after) return failing(books, [after.error]);
  const { artifactId: artifact, role, pass, findings } = recording;
  const bound = after.record.judgements[role]?.digest ?? null;
  return {
    ...going(approvedBy({ ...books, records: after.records }, artifact, call, env), {
      ok: true,
      ...{ artifact_id: artifact, role, pass },
    }),
    letters: [
      {
        to: GATEWAY,
        event: {
          ...{ type: "promotion.recorded", artifact, role, pass, by: from },
          ...{ digest: bound, findings },
        },
      },
    ],
  };
};

/** Revisions of this artifact that waited for nothing but this record. */
function approvedBy(books: Books, artifact: string, call: Call, env: Env): Books {
  const waiting = Object.values(books.revisions.revisions).filter(
    (one) =>
      one.state === "gated" &&
      one.content.artifact?.id === artifact &&
      gateOf(books, one, env.policy).ok,
  );
  const rests = { records: artifact };
  let { revisions } = books;
  for (const { agent, id } of waiting) {
    const did = doing(call, env, "its judges have passed it", rests);
    const done = stepped(revisions, "approved", { agent, id }, did, env.policy);
    if (!("fault" in done)) revisions = done.book;
  }
  return { ...books, revisions };
}

const SHAPE = 'Correct format: {"artifact_id": "art_a1b2c3d4"}';

export const promotionQuery: Tool = (books, call) => {
  const given = readParams(call, ["artifact_id"], (read) =>
    read.text("artifact_id", { isRequired: true, todo: SHAPE }),
  );
  if ("faults" in given) return misshapen(books, given.faults);
  const id = given.value ?? "";
  const fault = artifactIdFault(id);
  return fault === null ? going(books, queried(books.records, id)) : faulty(books, fault);
};

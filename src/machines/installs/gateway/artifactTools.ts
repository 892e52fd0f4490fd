/**
 * The gateway's tools for content, for artifacts and for the promotion records of artifacts. Source: seed 003, "Content
 * system", promotion gate failure; rulings I6 and I10; dossier autonoetic 1.5 and 1.8.
 */
import { isMap } from "../../isMap.ts";
import type { Json } from "../../letter.ts";
import { GATEWAY } from "../addresses.ts";
import { type Artifact, artifactBuilt, artifactIdFault } from "../content/artifact.ts";
import { aliasOf, contentFound, contentWritten, VISIBILITIES } from "../content/content.ts";
import type { FieldReader, Refused } from "../fault.ts";
import { decodedRecording, queried, recorded } from "../gate/promotionRecords.ts";
import { stepped } from "../revisions/revisionBook.ts";
import { ownerFault } from "../toolOwners.ts";
import {
  artifactOf,
  type Books,
  type Call,
  doing,
  type Env,
  failing,
  faulty,
  gateOf,
  going,
  misshapen,
  readParams,
  sessionOf,
  type Tool,
} from "./books.ts";

const WRITE_SHAPE = 'Correct format: {"name": "main.py", "content": "…", "visibility": "session"}';

export const contentWrite: Tool = (books, call, _) => {
  const given = readParams(call, ["name", "content", "visibility"], (read) => ({
    name: read.text("name", { isRequired: true, todo: WRITE_SHAPE }) ?? "",
    text: contentIn(read),
    visibility: read.oneOf("visibility", VISIBILITIES, WRITE_SHAPE) ?? "session",
  }));
  if ("faults" in given) return misshapen(books, given.faults);
  const written = contentWritten(books.content, { session: sessionOf(call.from), ...given.value });
  if ("fault" in written) return faulty(books, written.fault);
  const { book: content, handle, alias } = written;
  return going({ ...books, content }, { ok: true, name: given.value.name, handle, alias });
};

/** An empty one is content too. */
function contentIn(read: FieldReader): string {
  const given = read.raw("content");
  if (typeof given === "string") return given;
  read.refuse("content", "a text", WRITE_SHAPE);
  return "";
}

const READ_SHAPE = 'Correct format: {"reference": "main.py"}: a name, an alias or a handle';

export const contentRead: Tool = (books, call, { policy }) => {
  const given = readParams(call, ["reference"], (read) =>
    read.text("reference", { isRequired: true, todo: READ_SHAPE }),
  );
  if ("faults" in given) return misshapen(books, given.faults);
  const found = contentFound(
    books.content,
    sessionOf(call.from),
    given.value ?? "",
    policy.content,
  );
  if ("fault" in found) return faulty(books, found.fault);
  const { handle, text } = found;
  return going(books, { ok: true, handle, alias: aliasOf(handle), content: text });
};

const BUILD_SHAPE =
  'Correct format: {"inputs": ["main.py", {"name": "lib/net.py", "content": "a1b2c3d4"}], "entrypoints": ["main.py"]}';

interface Input {
  readonly name: string;
  readonly reference: string;
}

export const artifactBuild: Tool = (books, call, { policy }) => {
  const given = readParams(call, ["inputs", "entrypoints", "layers"], (read) => ({
    inputs: inputsIn(read),
    entrypoints: read.texts("entrypoints", { todo: BUILD_SHAPE }) ?? [],
    layers: read.texts("layers", { todo: BUILD_SHAPE }) ?? [],
  }));
  if ("faults" in given) return misshapen(books, given.faults);
  const { inputs, ...rest } = given.value;
  const files = [];
  for (const input of inputs) {
    const file = resolved(books, call, input, policy);
    if ("fault" in file) return faulty(books, file.fault);
    files.push(file);
  }
  const built = artifactBuilt(
    books.artifacts,
    { ...rest, files, builtBy: call.from },
    policy.artifact,
  );
  if ("fault" in built) return faulty(books, built.fault);
  const { book: artifacts, artifact, reused } = built;
  const { id, digest } = artifact;
  const names = artifact.files.map(({ name }) => name);
  return {
    ...going({ ...books, artifacts }, { ...described(artifact), reused }),
    letters: [
      {
        to: GATEWAY,
        event: {
          ...{ type: "artifact.built", artifact: id, digest, by: call.from },
          ...{ files: names, isReused: reused },
        },
      },
    ],
  };
};

function resolved(
  { content }: Books,
  { from }: Call,
  { name, reference }: Input,
  policy: Env["policy"],
): { readonly name: string; readonly handle: string; readonly size: number } | Refused {
  const found = contentFound(content, sessionOf(from), reference, policy.content);
  if ("fault" in found) return found;
  const { handle, text, by } = found;
  // A file that is only known by its hash has the name under which it was written.
  const known = content.entries.findLast((entry) => entry.handle === handle)?.name ?? name;
  return { name: name === reference && by !== "name" ? known : name, handle, size: text.length };
}

function inputsIn(read: FieldReader): readonly Input[] {
  const given = read.raw("inputs");
  const inputs = Array.isArray(given) ? given.map(inputIn) : [];
  if (Array.isArray(given) && inputs.every((one) => one !== null)) return inputs;
  read.refuse("inputs", "a list of contents, each by its name or as name and content", BUILD_SHAPE);
  return [];
}

function inputIn(one: Json): Input | null {
  if (typeof one === "string") return { name: one, reference: one };
  if (!isMap(one)) return null;
  const { name, content } = one;
  return typeof name === "string" && typeof content === "string"
    ? { name, reference: content }
    : null;
}

const described = ({ id, digest, files, entrypoints, layers, builtBy }: Artifact) => ({
  ...{ ok: true, artifact_id: id, digest },
  files: files.map(({ name, handle }) => ({ name, alias: aliasOf(handle) })),
  ...{ entrypoints, layers, built_by: builtBy },
});

const INSPECT_SHAPE = 'Correct format: {"artifact_id": "art_a1b2c3d4"}';

export const artifactInspect: Tool = (books, call) => {
  const given = readParams(call, ["artifact_id"], (read) =>
    read.text("artifact_id", { isRequired: true, todo: INSPECT_SHAPE }),
  );
  if ("faults" in given) return misshapen(books, given.faults);
  const found = artifactOf(books, given.value ?? "");
  return "fault" in found ? faulty(books, found.fault) : going(books, described(found.artifact));
};

/* Promotion records. */

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

const QUERY_SHAPE = 'Correct format: {"artifact_id": "art_a1b2c3d4"}';

export const promotionQuery: Tool = (books, call) => {
  const given = readParams(call, ["artifact_id"], (read) =>
    read.text("artifact_id", { isRequired: true, todo: QUERY_SHAPE }),
  );
  if ("faults" in given) return misshapen(books, given.faults);
  const id = given.value ?? "";
  const fault = artifactIdFault(id);
  return fault === null ? going(books, queried(books.records, id)) : faulty(books, fault);
};

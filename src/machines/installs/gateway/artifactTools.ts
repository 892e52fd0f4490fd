/**
 * The gateway's tools for content, for artifacts and for the promotion records of artifacts. Source: seed 003, "Content
 * system", promotion gate failure; rulings I6 and I10; dossier autonoetic 1.5 and 1.8.
 */
import { isMap } from "../../isMap.ts";
import type { Json } from "../../letter.ts";
import { GATEWAY } from "../addresses.ts";
import { type Artifact, artifactBuilt, artifactIdFault } from "../content/artifact.ts";
import { aliasOf, contentFound, contentWritten, VISIBILITIES } from "../content/content.ts";
import { type FieldReader, oneOf, type Refused, type Shape, TEXT, TEXTS } from "../fault.ts";
import { decodedRecording, queried, recorded } from "../gate/promotionRecords.ts";
import { stepped } from "../revisions/revisionBook.ts";
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
  sessionOf,
  type Tool,
  tool,
} from "./books.ts";

const WRITE_SHAPE = 'Correct format: {"name": "main.py", "content": "…", "visibility": "session"}';

export const contentWrite = tool(
  WRITE_SHAPE,
  (read) => ({
    name: read.must(TEXT, "name"),
    text: read.must(CONTENT, "content"),
    visibility: read.may(oneOf(VISIBILITIES), "visibility") ?? "session",
  }),
  (books, given, { from }) => {
    const written = contentWritten(books.content, { session: sessionOf(from), ...given });
    if ("fault" in written) return written;
    const { book: content, handle, alias } = written;
    return going({ ...books, content }, { ok: true, name: given.name, handle, alias });
  },
);

/** An empty one is content too. */
const CONTENT: Shape<string> = {
  allowed: "a text",
  fits: (value) => typeof value === "string",
  none: "",
};

const READ_SHAPE = 'Correct format: {"reference": "main.py"}: a name, an alias or a handle';

export const contentRead = tool(
  READ_SHAPE,
  (read) => read.must(TEXT, "reference"),
  (books, reference, { from }, { policy }) => {
    const found = contentFound(books.content, sessionOf(from), reference, policy.content);
    if ("fault" in found) return found;
    const { handle, text } = found;
    return going(books, { ok: true, handle, alias: aliasOf(handle), content: text });
  },
);

const BUILD_SHAPE =
  'Correct format: {"inputs": ["main.py", {"name": "lib/net.py", "content": "a1b2c3d4"}], "entrypoints": ["main.py"]}';

interface Input {
  readonly name: string;
  readonly reference: string;
}

export const artifactBuild = tool(
  BUILD_SHAPE,
  (read) => ({
    inputs: inputsIn(read),
    entrypoints: read.may(TEXTS, "entrypoints") ?? [],
    layers: read.may(TEXTS, "layers") ?? [],
  }),
  (books, { inputs, ...rest }, { from }, { policy }) => {
    const files = [];
    for (const input of inputs) {
      const file = resolved(books, from, input, policy);
      if ("fault" in file) return file;
      files.push(file);
    }
    const request = { ...rest, files, builtBy: from };
    const built = artifactBuilt(books.artifacts, request, policy.artifact);
    if ("fault" in built) return built;
    const { book: artifacts, artifact, reused } = built;
    const { id, digest } = artifact;
    const names = artifact.files.map(({ name }) => name);
    const of = { artifact: id, digest, by: from, files: names, isReused: reused };
    return going({ ...books, artifacts }, { ...described(artifact), reused }, [
      { to: GATEWAY, event: { type: "artifact.built", ...of } },
    ]);
  },
);

function resolved(
  { content }: Books,
  from: string,
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
  read.refuse("inputs", "a list of contents, each by its name or as name and content");
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

const ID_SHAPE = 'Correct format: {"artifact_id": "art_a1b2c3d4"}';
const artifactId = (read: FieldReader): string => read.must(TEXT, "artifact_id");

export const artifactInspect = tool(ID_SHAPE, artifactId, (books, id) => {
  const found = artifactOf(books, id);
  return "fault" in found ? found : going(books, described(found.artifact));
});

/* Promotion records. Only their owners come here: the gateway looks at the address of every call. */

export const promotionRecord: Tool = (books, call, env) => {
  const { from, params } = call;
  const decoded = decodedRecording(params);
  if ("faults" in decoded) return misshapen(books, decoded.faults);
  const { artifactId: artifact, role, pass, findings } = decoded.value;
  const judged = artifactOf(books, artifact);
  if ("fault" in judged) return faulty(books, judged.fault);
  const by = { from, digest: judged.artifact.digest };
  const after = recorded(books.records, decoded.value, by, env.policy);
  if ("error" in after) return failing(books, [after.error]);
  const digest = after.record.judgements[role]?.digest ?? null;
  const told = { artifact, role, pass, by: from, digest, findings };
  return going(
    approvedBy({ ...books, records: after.records }, artifact, call, env),
    { ok: true, artifact_id: artifact, role, pass },
    [{ to: GATEWAY, event: { type: "promotion.recorded", ...told } }],
  );
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

export const promotionQuery = tool(ID_SHAPE, artifactId, (books, id) => {
  const fault = artifactIdFault(id);
  return fault === null ? going(books, queried(books.records, id)) : { fault };
});

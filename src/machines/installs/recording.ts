/** What promotion.record is given, or all that is wrong with it. Source: dossier 1.5. */
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { ROLES } from "./addresses.ts";
import { type Fault, shown } from "./fault.ts";
import { FieldReader } from "./fieldReader.ts";
import { type Finding, type Recording, SEVERITIES } from "./promotionRecords.ts";

const SHAPE =
  'Correct format: {"artifact_id": "art_a1b2c3d4", "role": "evaluator", "pass": true, "findings": [{"severity": "info", "description": "…"}], "summary": "…"}';
const FIELDS = ["artifact_id", "artifact_digest", "role", "pass", "findings", "summary"];

export type DecodedRecording =
  | { readonly recording: Recording }
  | { readonly faults: readonly [Fault, ...Fault[]] };

export function decodedRecording(json: Json): DecodedRecording {
  if (!isMap(json)) {
    const fault = { field: "record", found: shown(json), allowed: "an object", todo: SHAPE };
    return { faults: [fault] };
  }
  const read = new FieldReader(json);
  const must = { isRequired: true, todo: SHAPE };
  const artifactId = read.text("artifact_id", must) ?? "";
  if (artifactId !== "" && !artifactId.startsWith("art_")) {
    read.refuse("artifact_id", "an id that begins with art_", SHAPE);
  }
  const role = read.oneOf("role", ROLES, SHAPE);
  if (read.raw("role") === null) read.refuse("role", ROLES.join(", "), SHAPE);
  const pass = read.flag("pass", must) ?? false;
  const findings = findingsIn(read);
  const summary = read.text("summary", { todo: SHAPE });
  const digest = read.text("artifact_digest", { todo: SHAPE });
  read.refuseOthers(FIELDS, SHAPE);
  const [first, ...rest] = read.faults;
  if (first !== undefined || role === null) return { faults: [first as Fault, ...rest] }; // No role is a fault.
  return {
    recording: {
      ...{ artifactId, role, pass, findings },
      ...(summary === null ? {} : { summary }),
      ...(digest === null ? {} : { digest }),
    },
  };
}

function findingsIn(read: FieldReader): readonly Finding[] {
  const given = read.raw("findings");
  if (given === null) return [];
  if (!Array.isArray(given)) {
    read.refuse("findings", "a list", SHAPE);
    return [];
  }
  return given.flatMap((one: Json, index) => {
    const at = `findings[${index}]`;
    if (!isMap(one)) {
      read.faults.push({ field: at, found: shown(one), allowed: "an object", todo: SHAPE });
      return [];
    }
    const inner = new FieldReader(one, at);
    const severity = inner.oneOf("severity", SEVERITIES, SHAPE);
    if (inner.raw("severity") === null) inner.refuse("severity", SEVERITIES.join(", "), SHAPE);
    const description = inner.text("description", { isRequired: true, todo: SHAPE });
    const evidence = inner.text("evidence", { todo: SHAPE });
    read.faults.push(...inner.faults);
    if (severity === null || description === null) return [];
    return [{ severity, description, ...(evidence === null ? {} : { evidence }) }];
  });
}

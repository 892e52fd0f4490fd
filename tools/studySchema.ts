/** Writes studies/study.schema.json: `node tools/studySchema.ts`. A test compares it. */

import { writeFileSync } from "node:fs";
import { parts } from "../src/builtIn/parts.ts";
import { promisedBy } from "../src/run/check/promises.ts";
import { studyJsonSchema } from "./studyJsonSchema.ts";

const file = new URL("../studies/study.schema.json", import.meta.url);
const schema = studyJsonSchema({ parts, promised: await promisedBy(parts) });
writeFileSync(file, `${JSON.stringify(schema, null, "\t")}\n`);

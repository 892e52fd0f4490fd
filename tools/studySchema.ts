/** Writes studies/study.schema.json: `node tools/studySchema.ts`. A test compares it. */

import { writeFileSync } from "node:fs";
import { studyJsonSchema } from "../src/edges/studies/studyJsonSchema.ts";
import { parts } from "../src/parts.ts";

const file = new URL("../studies/study.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(studyJsonSchema({ parts }), null, 2)}\n`);

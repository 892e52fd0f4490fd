// A step of `npm run build`: writes into the package what its code is, for studies, in which the package and a
// checkout of the same source are one.
import { writeFileSync } from "node:fs";
import { buildOf } from "../src/edges/studies/codeHash.ts";

const root = new URL("../", import.meta.url);
writeFileSync(
  new URL("dist/build.json", root),
  `${JSON.stringify({ build: buildOf(root) }, null, 2)}\n`,
);

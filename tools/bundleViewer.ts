// A step of `npm run build`: the script of the page that shows runs, with Preact in it. It is checked in nowhere.
import { mkdirSync, writeFileSync } from "node:fs";
import { bundledScript } from "../src/edges/view/pageScript.ts";

const folder = new URL("../dist/viewer/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("page.js", folder), await bundledScript());

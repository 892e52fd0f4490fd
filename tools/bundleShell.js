// The last step of `npm run build`: puts just-bash and the packages that its browser file names into
// dist/edges/shell/justBash.js. Installed as a package, just-bash brings along native code with
// install scripts, and 60 MB of parts that we never load.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const inRoot = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const file = inRoot("dist/edges/shell/justBash.js");
if (!existsSync(file)) throw new Error(`${file} is not there: compile first`);

await build({
  input: inRoot("src/edges/shell/justBash.ts"),
  platform: "node",
  // Named by the file, but only for commands that we leave out.
  external: [/^node:/],
  output: {
    file,
    format: "esm",
    codeSplitting: false,
    comments: { legal: true },
    // Whitespace only: the names of functions stay what they are in a checkout.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  },
});

/** Files that coders of random worlds write, with what they need; of Python, what CPython's `ast` says of it. Ours. */
import type { CodeFacts } from "../../../machines/installs/detection/codeFacts.ts";
import type { Json } from "../../../machines/letter.ts";

interface CodeText {
  readonly file: string;
  readonly text: string;
  /** What is to be declared. */
  readonly needs: readonly { readonly type: string; readonly [field: string]: Json }[];
  /** As the script that reads Python prints it; a test compares the two. */
  readonly said?: { readonly facts: readonly Json[]; readonly hits: readonly Json[] } | CodeFacts;
}

const PYTHON = "main.py";
const JAVASCRIPT = "main.js";
const read = { type: "ReadAccess", scopes: ["self.*"] };
const network = { type: "NetworkAccess", hosts: ["api.example.org"] };
const run = { type: "CodeExecution" };

export const CODE_TEXTS = {
  sorts: {
    ...{ file: PYTHON, needs: [], said: { facts: [], hits: [] } },
    text: "def main(given):\n    return sorted(given)\n",
  },
  reads: {
    ...{ file: PYTHON, needs: [read] },
    text: 'def main():\n    with open("notes.md") as page:\n        return page.read()\n',
    said: {
      facts: [
        ["open", "call", 2, "r", false],
        ["open().read", "call", 3, false, false],
      ],
      hits: [],
    },
  },
  fetches: {
    ...{ file: PYTHON, needs: [network] },
    text: "import urllib.request\n\n\ndef main(place):\n    return urllib.request.urlopen(place).read()\n",
    said: {
      facts: [
        ["urllib.request", "import", 1, false, false],
        ["urllib.request.urlopen", "call", 5, false, false],
        ["urllib.request.urlopen().read", "call", 5, false, false],
      ],
      hits: [],
    },
  },
  runs: {
    ...{ file: PYTHON, needs: [run] },
    text: 'import subprocess\n\n\ndef main():\n    return subprocess.run(["ls"])\n',
    said: {
      facts: [
        ["program ls", "use", 5, false, false],
        ["subprocess", "import", 1, false, false],
        ["subprocess.run", "call", 5, false, false],
      ],
      hits: [],
    },
  },
  threatens: {
    ...{ file: PYTHON, needs: [run] },
    text: 'def main():\n    return __import__("os").listdir()\n',
    said: {
      facts: [
        ["__import__", "call", 2, false, false],
        ["os.listdir", "call", 2, false, false],
      ],
      hits: [],
    },
  },
  commands: {
    ...{ file: PYTHON, needs: [], said: { facts: [], hits: [["sudo", 2]] } },
    text: 'def main():\n    return "sudo ls"\n',
  },
  unfinished: {
    ...{ file: PYTHON, needs: [], said: { facts: [], hits: [] } },
    text: "def main():\n    pass  # TODO\n",
  },
  broken: {
    ...{ file: PYTHON, needs: [], said: { error: "invalid syntax (line 1)" } },
    text: "def main(:\n",
  },
  sortsToo: {
    ...{ file: JAVASCRIPT, needs: [] },
    text: "const main = (given) => given.toSorted();\n\nmodule.exports = { main };\n",
  },
  fetchesToo: {
    ...{ file: JAVASCRIPT, needs: [network] },
    text: "const main = (place) => fetch(place);\n\nmodule.exports = { main };\n",
  },
  runsToo: {
    ...{ file: JAVASCRIPT, needs: [run] },
    text: 'const { execSync } = require("node:child_process");\n\nmodule.exports = { main: () => execSync("ls") };\n',
  },
} as const satisfies { readonly [name: string]: CodeText };

export type CodeName = keyof typeof CODE_TEXTS;

export const codeText = (name: CodeName): CodeText => CODE_TEXTS[name];

/** What a JavaScript text reaches for, by acorn's tree. It is parsed, never run. */
import type { AnyNode, CallExpression, ExportNamedDeclaration, ImportDeclaration } from "acorn";
import { full } from "acorn-walk";
import type { CodeFact, CodeFacts, StringHit } from "./codeFacts.ts";
import { hiddenAt } from "./javascriptHidden.ts";
import { constantOf, JavascriptNames, moduleOf } from "./javascriptNames.ts";
import { javascriptTree, type Placed } from "./javascriptTree.ts";
import { programsIn } from "./programs.ts";
import { words } from "./reached.ts";
import { STRING_THREATS } from "./threats.ts";

const FACTS_MAX = 2_000;
const NAME_CHARS_MAX = 160;

export function javascriptFacts(text: string): CodeFacts {
  const tree = javascriptTree(text);
  if ("error" in tree) return tree;
  const names = new JavascriptNames(tree.program, tree.placed);
  const facts = new Map<string, CodeFact>();
  const hits = new Map<string, number>();
  for (const placed of tree.placed) {
    for (const fact of factsOf(placed, names)) {
      if (fact.name.startsWith("?")) continue;
      const short = { ...fact, name: fact.name.slice(0, NAME_CHARS_MAX) };
      const key = JSON.stringify([short.name, short.how, short.mode]);
      const before = facts.get(key);
      if (before === undefined || before.line > short.line) facts.set(key, short);
    }
    for (const { word, line } of hitsOf(placed)) {
      hits.set(word, Math.min(line, hits.get(word) ?? line));
    }
  }
  if (facts.size > FACTS_MAX) return { error: `it reaches for more than ${FACTS_MAX} names` };
  return {
    facts: [...facts.values()],
    hits: [...hits].map(([word, line]) => ({ word, line })),
  };
}

const lineOf = ({ loc }: AnyNode): number => loc?.start.line ?? 1;

function factsOf(placed: Placed, names: JavascriptNames): readonly CodeFact[] {
  const hidden = hiddenAt(placed, names);
  const line = lineOf(placed.node);
  return [
    ...plainFacts(placed, names),
    ...(hidden === null ? [] : [{ name: hidden, how: "computed" as const, line }]),
    ...(placed.node.type === "CallExpression" ? programFacts(placed.node, names) : []),
  ];
}

/** What a process is told to run, word by word. */
function programFacts(node: CallExpression, names: JavascriptNames): readonly CodeFact[] {
  const starts = [...names.of(node.callee)].some((name) =>
    /^(?:child_process|execa|Deno|Bun|zx)\b/.test(name),
  );
  if (!starts || node.callee.type === "Super") return [];
  const texts = node.arguments.flatMap((one) => textOf(one) ?? []);
  return programsIn(texts.join(" ")).map(
    (name): CodeFact => ({ name, how: "use", line: lineOf(node) }),
  );
}

function plainFacts({ node, above }: Placed, names: JavascriptNames): readonly CodeFact[] {
  const line = lineOf(node);
  if (node.type === "ImportDeclaration") return importFacts(node.source, line, imported(node));
  if (node.type === "ExportNamedDeclaration" && node.source) {
    return importFacts(node.source, line, exported(node));
  }
  if (node.type === "ExportAllDeclaration") {
    const all = importFacts(node.source, line, []);
    return [...all, ...all.map((fact): CodeFact => ({ ...fact, how: "passed" }))];
  }
  if (node.type === "ImportExpression") return importFacts(node.source, line, []);
  if (isLoop(node)) return endless(node) ? [{ name: "while true", how: "loop", line }] : [];
  const loaded = node.type === "CallExpression" ? [...names.of(node)] : [];
  if (loaded.some((name) => !name.includes("()") && !name.startsWith("?"))) {
    return loaded.flatMap((name) => loadedFact(name, { node, above }, line));
  }
  if (node.type !== "Identifier" && node.type !== "MemberExpression") return [];
  const parent = above.at(-1);
  if (parent?.type === "MemberExpression" && parent.object === node) return [];
  return [...names.of(node)].map((name): CodeFact => {
    if (name.includes("(computed)")) return { name, how: "computed", line };
    if (parent?.type === "CallExpression" && parent.callee === node) {
      return { name, how: "call", line, ...modeOf(name, parent) };
    }
    return { name, how: isHeld({ node, above }) ? "use" : "passed", line };
  });
}

const imported = ({ specifiers }: ImportDeclaration): readonly string[] =>
  specifiers.flatMap((one) => (one.type === "ImportSpecifier" ? nameOf(one.imported) : []));

const exported = ({ specifiers }: ExportNamedDeclaration): readonly string[] =>
  specifiers.flatMap(({ local }) => nameOf(local));

const nameOf = (node: AnyNode): readonly string[] =>
  node.type === "Identifier" ? [node.name] : [constantOf(node) ?? ""];

function importFacts(source: AnyNode, line: number, members: readonly string[]): CodeFact[] {
  const [module = ""] = moduleOf(source);
  return importFactsOf(module, line, members);
}

function importFactsOf(module: string, line: number, members: readonly string[]): CodeFact[] {
  const how = module.includes("(computed)") ? "computed" : "import";
  const isForeign =
    how === "import" && !BUILT_IN.has(module.split("/")[0] ?? "") && !/^[./]/.test(module);
  const foreign: CodeFact[] = isForeign ? [{ name: module, how: "unfamiliar", line }] : [];
  const used = members.map((one): CodeFact => ({ name: `${module}.${one}`, how: "import", line }));
  return [{ name: module, how, line }, ...foreign, ...used];
}

/** Modules of Node. */
const BUILT_IN = words(`
  assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs
  http http2 https inspector module net os path perf_hooks process punycode querystring readline repl sea sqlite stream
  string_decoder sys test timers tls trace_events tty url util v8 vm wasi worker_threads zlib`);

/** Of `require("x")` and its like. */
function loadedFact(name: string, placed: Placed, line: number): readonly CodeFact[] {
  if (name.includes("(computed)")) return [{ name, how: "computed", line }];
  const [loaded, ...foreign] = importFactsOf(name, line, []);
  const all = loaded === undefined ? [] : [loaded, ...foreign];
  return isHeld(placed) ? all : [...all, { name, how: "passed", line }];
}

/** Whether what is done with a value can be followed: a member of it is read, it gets a name, or nothing is done. */
function isHeld({ node, above }: Placed): boolean {
  let held = node;
  for (const parent of [...above].reverse()) {
    if (THROUGH.has(parent.type)) {
      held = parent;
      continue;
    }
    if (parent.type === "MemberExpression") return parent.object === held;
    if (parent.type === "CallExpression") return parent.callee === held;
    if (parent.type === "VariableDeclarator") return isNamed(parent.id);
    if (parent.type === "AssignmentExpression") return isNamed(parent.left);
    return ENDS.has(parent.type);
  }
  return true;
}
/** What hands a value on to what stands above it, and what does nothing more with it. */
const THROUGH = new Set([
  ...["AwaitExpression", "ChainExpression", "LogicalExpression", "ConditionalExpression"],
]);
const ENDS = new Set([
  ...["ExpressionStatement", "AssignmentPattern", "UnaryExpression", "BinaryExpression"],
  ...["IfStatement", "ImportDeclaration", "ImportSpecifier"],
]);

const isNamed = ({ type }: AnyNode): boolean => type === "Identifier" || type === "ObjectPattern";

function modeOf(name: string, call: CallExpression): Pick<CodeFact, "mode"> {
  if (!/^fs\.open(?:Sync)?$/.test(name)) return {};
  const [, flags] = call.arguments;
  if (call.arguments.some(({ type }) => type === "SpreadElement")) return { mode: null };
  const isFlags = flags !== undefined && !flags.type.endsWith("FunctionExpression");
  return { mode: isFlags ? constantOf(flags) : "r" };
}

type Loop = Extract<AnyNode, { type: "WhileStatement" | "ForStatement" }>;
const isLoop = (node: AnyNode): node is Loop =>
  node.type === "WhileStatement" || node.type === "ForStatement";

const LEAVES = new Set([
  ...["BreakStatement", "ReturnStatement", "ThrowStatement", "YieldExpression", "AwaitExpression"],
]);

function endless({ test, body }: Loop): boolean {
  if (test && !(test.type === "Literal" && Boolean(test.value))) return false;
  let leaves = false;
  full(body, ({ type }) => {
    leaves ||= LEAVES.has(type);
  });
  return !leaves;
}

/** Words of threats in a string; one that stands alone as a statement does nothing. */
function hitsOf({ node, above }: Placed): readonly StringHit[] {
  if (above.at(-1)?.type === "ExpressionStatement") return [];
  const text = textOf(node);
  if (text === null) return [];
  const low = text.toLowerCase();
  return STRING_THREATS.flatMap(({ pattern }) => {
    const at = low.indexOf(pattern);
    return at < 0 ? [] : [{ word: pattern, line: lineOf(node) + lineBreaks(low.slice(0, at)) }];
  });
}

const lineBreaks = (text: string): number => text.split("\n").length - 1;

function textOf(node: AnyNode): string | null {
  if (node.type === "TemplateElement") return node.value.cooked ?? node.value.raw;
  if (node.type !== "ArrayExpression") return constantOf(node);
  return node.elements.map((one) => (one === null ? null : constantOf(one)) ?? "?").join(" ");
}

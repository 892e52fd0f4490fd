/**
 * What a JavaScript text reaches for, by acorn's tree, and where it hides what it reaches for: a name that is put together,
 * reflection, a loader, text that is run (ruling I14). It is parsed, never run.
 */
import type {
  AnyNode,
  AssignmentProperty,
  CallExpression,
  ExportNamedDeclaration,
  ImportDeclaration,
  MemberExpression,
  NewExpression,
  RestElement,
} from "acorn";
import { full } from "acorn-walk";
import { type CodeFact, type CodeFacts, programsIn, type StringHit, words } from "./codeFacts.ts";
import {
  BINDERS,
  constantOf,
  JavascriptNames,
  javascriptTree,
  keyName,
  moduleOf,
  type Placed,
} from "./javascriptNames.ts";
import { JavascriptTaken } from "./javascriptTaken.ts";
import { STRING_THREATS } from "./patterns.ts";

const FACTS_MAX = 2_000;
const NAME_CHARS_MAX = 160;

export function javascriptFacts(text: string): CodeFacts {
  const tree = javascriptTree(text);
  if ("error" in tree) return tree;
  const names = new JavascriptNames(tree.program, tree.placed);
  const taken = new JavascriptTaken(tree.program, tree.placed, names, (object, key) =>
    isUnknownKey(object, key, names),
  );
  const facts = new Map<string, CodeFact>();
  const hits = new Map<string, number>();
  for (const placed of tree.placed) {
    for (const fact of factsOf(placed, names, taken)) {
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

function factsOf(
  placed: Placed,
  names: JavascriptNames,
  taken: JavascriptTaken,
): readonly CodeFact[] {
  const hidden = hiddenAt(placed, names, taken);
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

/** Members that lead from any value to what made it, or to all that it has. */
const REFLECTING = words(`
  __proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ getPrototypeOf setPrototypeOf
  getOwnPropertyDescriptor getOwnPropertyDescriptors mainModule _load _linkedBinding binding dlopen getBuiltinModule
  runInThisContext runInNewContext prepareStackTrace callee`);
/** What of these may be used: of any other member nobody can say what it hands on. */
const PLAIN_MEMBERS: { readonly [owner: string]: ReadonlySet<string> } = {
  module: words("exports id filename loaded hot"),
  require: words("resolve main"),
  process: words(`
    argv argv0 env exit exitCode stdout stderr stdin cwd platform pid ppid uptime hrtime memoryUsage nextTick on once off
    version versions emit emitWarning title arch cpuUsage resourceUsage addListener removeListener removeAllListeners
    execPath execArgv release features umask chdir`),
};
const TIMERS = words("setTimeout setInterval setImmediate");
/** Literals whose own members are all that a name can lead to. */
const OWN = new Set(["ObjectExpression", "ArrayExpression"]);

/** What is hidden at this place, in words of the text; null for nothing. What is not plainly something needs CodeExecution. */
function hiddenAt(placed: Placed, names: JavascriptNames, taken: JavascriptTaken): string | null {
  const { node } = placed;
  switch (node.type) {
    case "WithStatement":
      return "with(computed)";
    case "ImportDeclaration":
    case "ExportAllDeclaration":
      return urlLoaded(node.source);
    case "ImportExpression":
      return urlLoaded(node.source);
    case "Identifier":
      if (node.name === "arguments" && isOfModule(placed)) return "arguments";
      return node.name === "Reflect" && names.of(node).size === 0 ? "Reflect" : null;
    case "ObjectPattern":
      return node.properties.map(takenHidden).find((one) => one !== null) ?? null;
    case "MemberExpression":
      return memberHidden(node, placed, names);
    case "CallExpression":
    case "NewExpression":
      return taken.isRun(node) ? "member(computed)" : callHidden(node, names);
    case "TaggedTemplateExpression":
      return taken.isTaken(node.tag) ? "member(computed)" : null;
    case "ClassDeclaration":
    case "ClassExpression":
      return node.superClass && taken.isTaken(node.superClass) ? "member(computed)" : null;
    default:
      return null;
  }
}

/** In the function that Node wraps around a module, `arguments` hold `require`. */
const isOfModule = ({ above }: Placed): boolean =>
  !above.some(
    ({ type }) =>
      type === "FunctionDeclaration" || type === "FunctionExpression" || type === "StaticBlock",
  ) && above.at(-1)?.type !== "Property";

/** A module that is a text, or lies where no package is. */
function urlLoaded(source: AnyNode): string | null {
  const text = constantOf(source);
  const [scheme] = /^(?!node:)[a-z][a-z+.-]*:/i.exec(text ?? "") ?? [];
  return scheme === undefined ? null : `import(${scheme})`;
}

/** What a pattern takes out of a value; a name that is put together is followed instead. */
function takenHidden(taken: AssignmentProperty | RestElement): string | null {
  if (taken.type === "RestElement") return null;
  const { computed, key } = taken;
  const name = !computed && key.type === "Identifier" ? key.name : constantOf(key);
  return name === "constructor" || (name !== null && REFLECTING.has(name)) ? name : null;
}

function memberHidden(
  node: MemberExpression,
  { above }: Placed,
  names: JavascriptNames,
): string | null {
  const { object, property, computed } = node;
  if (property.type === "PrivateIdentifier") return null;
  const key = names.keyOf({ computed, key: property });
  const parent = above.at(-1);
  if (key === null) {
    const isUnknown = computed && isUnknownKey(object, property, names);
    return isUnknown && isUsedAsCode(node, above) ? "member(computed)" : null;
  }
  if (key === "constructor") return isPlainConstructor(node, above) ? null : "constructor";
  if (key === "getPrototypeOf" && above.at(-2)?.type === "BinaryExpression") return null;
  if (key === "caller" && isFunctionOf(object, names)) return key;
  if (REFLECTING.has(key)) return key;
  if (object.type === "Super") return null;
  const owners = [...names.of(object)];
  for (const [owner, plain] of Object.entries(PLAIN_MEMBERS)) {
    if (owners.includes(owner) && !plain.has(key)) return `${owner}.${key}`;
  }
  // `require.main === module` and nothing else.
  if (owners.includes("require") && key === "main" && parent?.type !== "BinaryExpression") {
    return "require.main";
  }
  return owners.some((owner) => TIMERS.has(owner)) && BINDERS.has(key) ? `setTimeout.${key}` : null;
}

/** Called, made with `new`, used as a tag, extended, or asked for a further member by a name that is put together. */
function isUsedAsCode(node: AnyNode, above: readonly AnyNode[]): boolean {
  const parent = above.at(-1);
  switch (parent?.type) {
    case "CallExpression":
    case "NewExpression":
      return parent.callee === node;
    case "TaggedTemplateExpression":
      return parent.tag === node;
    case "ClassDeclaration":
    case "ClassExpression":
      return parent.superClass === node;
    case "MemberExpression":
      return parent.object === node && BINDERS.has(keyName(parent));
    case "ChainExpression":
      return isUsedAsCode(parent, above.slice(0, -1));
    default:
      return false;
  }
}

/** Whether nobody knows which member of an object it names. */
const isUnknownKey = (object: AnyNode, key: AnyNode, names: JavascriptNames): boolean =>
  names.textOf(key) === null &&
  !isIndex(key, names) &&
  !hasPlainBeginning(key) &&
  !isOwn(object, names) &&
  !isHarmless(object, names);

/** Objects of the language that are no functions: what made them makes nothing of a text. */
const HARMLESS = words("console Math JSON Intl Atomics");
const isHarmless = (node: AnyNode, names: JavascriptNames): boolean =>
  node.type === "Identifier" &&
  HARMLESS.has(node.name) &&
  names.of(node).size === 0 &&
  names.valuesOf(node.name).length === 0;

/** A name that begins with letters of its own, such as `on${event}`, is none of those that lead on. */
function hasPlainBeginning(node: AnyNode): boolean {
  const first =
    node.type === "TemplateLiteral"
      ? (node.quasis[0]?.value.cooked ?? "")
      : node.type === "BinaryExpression" && node.operator === "+"
        ? (constantOf(node.left) ?? "")
        : "";
  const leading = ["constructor", "caller", "callee", ...REFLECTING];
  return first !== "" && !leading.some((name) => name.startsWith(first) || first.startsWith(name));
}

/** A function has a caller, and that one arguments of its own. */
const isFunctionOf = (node: AnyNode, names: JavascriptNames): boolean =>
  (node.type === "MemberExpression" && keyName(node) === "callee") ||
  (node.type === "Identifier" && names.isFunction(node.name));

/** A number, or what only numbers are assigned to. */
function isIndex(node: AnyNode, names: JavascriptNames): boolean {
  if (node.type === "Literal") return typeof node.value === "number";
  if (node.type === "UpdateExpression") return true;
  if (node.type === "Identifier") return names.isNumber(node.name);
  if (node.type !== "BinaryExpression") return false;
  const isSum = node.operator === "+" || node.operator === "-" || node.operator === "%";
  return isSum && isIndex(node.left, names) && isIndex(node.right, names);
}

/** A literal of the text itself, or a name that is given nothing else. */
const isOwn = (node: AnyNode, names: JavascriptNames): boolean =>
  node.type === "ObjectExpression" ||
  (node.type === "Identifier" && names.valuesOf(node.name).length > 0
    ? names.valuesOf(node.name).every(({ type }) => OWN.has(type))
    : false);

/** `x.constructor.name`, a comparison, and in a class what is made or asked of one's own. */
function isPlainConstructor({ object }: MemberExpression, above: readonly AnyNode[]): boolean {
  const parent = above.at(-1);
  if (parent?.type === "BinaryExpression") return true;
  if (parent?.type === "MemberExpression" && keyName(parent) === "name") return true;
  // `Dog.prototype.constructor = Dog`.
  if (parent?.type === "AssignmentExpression" && parent.right.type === "Identifier") {
    return object.type === "MemberExpression" && keyName(object) === "prototype";
  }
  const isOwnClass =
    object.type === "ThisExpression" && above.some(({ type }) => type === "MethodDefinition");
  if (!isOwnClass) return false;
  return (
    parent?.type === "NewExpression" ||
    (parent?.type === "MemberExpression" && !parent.computed && !BINDERS.has(keyName(parent)))
  );
}

/** A timer that is given a text runs it. */
function callHidden(
  { callee, arguments: [first] }: CallExpression | NewExpression,
  names: JavascriptNames,
): string | null {
  if (callee.type === "Super") return null;
  if (first === undefined) return null;
  const timer = [...names.of(callee)].find((name) => TIMERS.has(name));
  return timer !== undefined && isText(first) ? `${timer}(text)` : null;
}

const isText = (node: AnyNode): boolean =>
  (node.type === "Literal" && typeof node.value === "string") ||
  node.type === "TemplateLiteral" ||
  (node.type === "BinaryExpression" && node.operator === "+");

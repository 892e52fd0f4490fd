/**
 * Where a JavaScript text hides what it reaches for: a name that is put together, reflection, a loader, text that is run. It asks of
 * each member and call whether it is plainly something; what is not needs CodeExecution. Source: ruling I14.
 */
import type {
  AnyNode,
  AssignmentProperty,
  CallExpression,
  MemberExpression,
  RestElement,
} from "acorn";
import { constantOf, type JavascriptNames } from "./javascriptNames.ts";
import type { Placed } from "./javascriptTree.ts";
import { words } from "./reached.ts";

/** Members that lead from any value to what made it, or to all that it has. */
const REFLECTING = words(`
  __proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ getPrototypeOf setPrototypeOf
  getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols mainModule _load
  _linkedBinding binding dlopen getBuiltinModule runInThisContext runInNewContext`);
/** What of these may be used: of any other member nobody can say what it hands on. */
const PLAIN_MEMBERS: { readonly [owner: string]: ReadonlySet<string> } = {
  module: words("exports id filename loaded hot"),
  require: words("resolve main"),
  process: words(`
    argv argv0 env exit exitCode stdout stderr stdin cwd platform pid ppid uptime hrtime memoryUsage nextTick on once off
    version versions emit emitWarning title arch cpuUsage resourceUsage addListener removeListener removeAllListeners
    execPath execArgv release features umask chdir kill`),
};
const TIMERS = words("setTimeout setInterval setImmediate");
const BINDERS = words("call apply bind");
/** Literals whose own members are all that a name can lead to. */
const OWN = new Set(["ObjectExpression", "ArrayExpression"]);

/** What is hidden at this place, in words of the text; null for nothing. */
export function hiddenAt(placed: Placed, names: JavascriptNames): string | null {
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
      return node.name === "Reflect" && names.of(node).size === 0 ? "Reflect" : null;
    case "ObjectPattern":
      return node.properties.map(takenHidden).find((one) => one !== null) ?? null;
    case "MemberExpression":
      return memberHidden(node, placed, names);
    case "CallExpression":
      return callHidden(node, names);
    default:
      return null;
  }
}

/** A module that is a text, or lies where no package is. */
function urlLoaded(source: AnyNode): string | null {
  const text = constantOf(source);
  const [scheme] = /^(?!node:)[a-z][a-z+.-]*:/i.exec(text ?? "") ?? [];
  return scheme === undefined ? null : `import(${scheme})`;
}

/** What a pattern takes out of a value. */
function takenHidden(taken: AssignmentProperty | RestElement): string | null {
  if (taken.type === "RestElement") return null;
  const { computed, key } = taken;
  const name = !computed && key.type === "Identifier" ? key.name : constantOf(key);
  if (name === null) return "member(computed)";
  return name === "constructor" || REFLECTING.has(name) ? name : null;
}

function memberHidden(
  node: MemberExpression,
  { above }: Placed,
  names: JavascriptNames,
): string | null {
  const { object, property, computed } = node;
  if (property.type === "PrivateIdentifier" || object.type === "Super") return null;
  const key = !computed && property.type === "Identifier" ? property.name : names.textOf(property);
  const parent = above.at(-1);
  if (key === null) {
    return isUsedAsCode(node, above) && !isIndex(property, names) && !isOwn(object, names)
      ? "member(computed)"
      : null;
  }
  if (key === "constructor") return isPlainConstructor(node, above) ? null : "constructor";
  if (REFLECTING.has(key)) return key;
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

const keyName = ({ computed, property }: MemberExpression): string =>
  !computed && property.type === "Identifier" ? property.name : "";

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
  const isOwnClass =
    object.type === "ThisExpression" && above.some(({ type }) => type === "MethodDefinition");
  if (!isOwnClass) return false;
  return (
    parent?.type === "NewExpression" ||
    (parent?.type === "MemberExpression" && !parent.computed && !BINDERS.has(keyName(parent)))
  );
}

/** A timer that is given a text runs it. */
function callHidden({ callee, arguments: [first] }: CallExpression, names: JavascriptNames) {
  if (callee.type === "Super" || first === undefined) return null;
  const timer = [...names.of(callee)].find((name) => TIMERS.has(name));
  return timer !== undefined && isText(first) ? `${timer}(text)` : null;
}

const isText = (node: AnyNode): boolean =>
  (node.type === "Literal" && typeof node.value === "string") ||
  node.type === "TemplateLiteral" ||
  (node.type === "BinaryExpression" && node.operator === "+");

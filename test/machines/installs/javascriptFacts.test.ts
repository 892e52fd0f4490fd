import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Detection } from "../../../src/machines/installs/detection/detection.ts";
import { detectedAlone, SEED } from "./detectionFacts.ts";

const found = (text: string, path = "main.js"): Detection => detectedAlone([{ path, text }], SEED);
const inferred = (text: string): readonly string[] => found(text).inferred;

describe("what JavaScript needs", () => {
  it.each([
    ["fetch(u)", ["NetworkAccess"]],
    ["new WebSocket(u)", ["NetworkAccess"]],
    ['import axios from "axios"', ["NetworkAccess"]],
    ['import x from "https://host/x.js"', ["CodeExecution", "NetworkAccess"]],
    ['import fs from "fs"', []],
    ['import fs from "fs"; fs.readFile("x")', ["ReadAccess"]],
    ["fs.readFileSync(p)", ["ReadAccess"]],
    ['import { unlink } from "node:fs/promises"', ["WriteAccess"]],
    ["fs.promises.mkdir(p)", ["WriteAccess"]],
    ['require("child_process").exec(c)', ["CodeExecution"]],
    ["eval(t)", ["CodeExecution"]],
    ["new Function(t)", ["CodeExecution"]],
  ])("[INS30, INS35] %s", (text, capabilities) => {
    expect(inferred(text)).toEqual(capabilities);
    expect(found(text).notes).toEqual([]);
  });

  it.each([
    "// fetch(u)",
    "/* eval(x) */",
    'const s = "fetch(u) https://host child_process.exec";',
    "a = `eval(1)`;",
    "function fetch() {} fetch();",
    "class Api { fetch() {} } new Api().fetch();",
    "api.fetch(u); pattern.exec(text); db.eval(x);",
    "const exec = (x) => x; exec(1);",
    "export function eval2() {}",
  ])("[INS31] %s needs nothing", (text) => {
    expect(found(text)).toMatchObject({ inferred: [], notes: [] });
  });

  it.each([
    ['const { readFile: r } = require("fs"); r("x")', ["ReadAccess"]],
    ["const f = fetch; f(u)", ["NetworkAccess"]],
    ['globalThis["fe" + "tch"](u)', ["NetworkAccess"]],
    ["window[`fetch`](u)", ["NetworkAccess"]],
    ["var fetch; fetch(u)", ["NetworkAccess"]],
    ["const fetch = globalThis.fetch; fetch(u)", ["NetworkAccess"]],
    ['const r = require; r("ht" + "tp").get(u)', ["NetworkAccess"]],
    ['import("fs").then(({ writeFile: w }) => w("a"))', ["WriteAccess"]],
    ['import("fs").then((m) => m.readFile("a"))', ["ReadAccess"]],
    ['const fs = await import("fs"); fs.rmSync("x")', ["WriteAccess"]],
    ['process.mainModule.require("fs").rmSync("x")', ["CodeExecution", "WriteAccess"]],
    [
      'import { createRequire } from "module"; createRequire(u)("net")',
      ["CodeExecution", "NetworkAccess"],
    ],
    ["const run = (go = eval) => go(t)", ["CodeExecution"]],
    ["const run = (io = fs) => io.rmSync(p)", ["WriteAccess"]],
    ["const { eval: e } = globalThis; e(t)", ["CodeExecution"]],
    ["window.fetch(u)", ["NetworkAccess"]],
    ["self.fetch(u)", ["NetworkAccess"]],
    ["global.fetch(u)", ["NetworkAccess"]],
    ['module.require("fs").rmSync("x")', ["CodeExecution", "WriteAccess"]],
    ["const io = a || fs; io.rmSync(p)", ["WriteAccess"]],
  ])("[INS32] follows a name: %s", (text, capabilities) => {
    expect(inferred(text)).toEqual(capabilities);
  });

  it("[INS32] a module that is named and bound nowhere counts as itself", () => {
    expect(inferred('fs.rmSync("x")')).toEqual(["WriteAccess"]);
    expect(inferred('const fs = { rmSync: (x) => x }; fs.rmSync("x")')).toEqual([]);
  });

  it.each([
    ["import(name)", ["CodeExecution"]],
    ["require(name)", ["CodeExecution"]],
    ["window[name]()", ["CodeExecution"]],
    ["other[name]()", ["CodeExecution"]],
    ["const own = { a: (x) => x }; own[name](1)", []],
    ["let i = 0; i = 2; list[i](x)", []],
    ["let i = 0; i = name; list[i](x)", ["CodeExecution"]],
    ["let i = 0; i = 't'; list[i](x)", ["CodeExecution"]],
    ["let i; list[i](x)", ["CodeExecution"]],
    ["[].constructor.constructor(t)()", ["CodeExecution"]],
    ["f.constructor(t)()", ["CodeExecution"]],
    ["new this.constructor()", ["CodeExecution"]],
    ["class A { copy() { return new this.constructor(1); } }", []],
    ["hand(require)", ["CodeExecution"]],
    ['require.call(null, "fs")', ["CodeExecution"]],
    ['Reflect.get(globalThis, "eval")', ["CodeExecution"]],
    ['typeof window === "undefined" && process.exit(0)', []],
    ['export * from "fs"', ["ReadAccess", "WriteAccess"]],
    ['export { readFile as r } from "fs"', ["ReadAccess"]],
    ["a.b.c.d.e.f.g.h.constructor.constructor(t)", ["CodeExecution"]],
    ['hand(require("fs"))', ["ReadAccess", "WriteAccess"]],
    ['import * as fs from "fs"; hand(fs)', ["ReadAccess", "WriteAccess"]],
  ])("[INS33] what only the running program knows: %s", (text, capabilities) => {
    expect(inferred(text)).toEqual(capabilities);
  });

  it.each([
    "const k = ['con', 'structor'].join(''); [][k][k]('return 1')()",
    "const c = 'constructor'; [][c][c]('return 1')()",
    "const { constructor: F } = () => {}; F('return 1')()",
    "const { [name]: F } = isNaN; F('return 1')()",
    "''.sub.constructor`return 1`",
    "(() => {}).__proto__.constructor",
    "Object.getPrototypeOf(async () => {}).constructor",
    "Object.getOwnPropertyDescriptor(f, k).value('return 1')",
    "class A extends (function () {}).constructor {}",
    "with (Math) max(1)",
    "import('data:text/javascript,1')",
    "import('file:///x.mjs')",
    "require('module')._load('fs')",
    "module.constructor._load('fs')",
    "require.main.require('fs')",
    "require.cache[x].exports",
    "process.binding('fs')",
    "setTimeout('x()', 1)",
    "setInterval('x()', 1)",
    "const f = setTimeout; f.call(null, 'x()')",
    "new Worker(text, { eval: true })",
    "this[name]()",
    "handlers?.[name](x)",
    "arguments[1]('child_process')",
    "(() => arguments[1]('child_process'))()",
    "((e, r) => r('fs'))(...arguments)",
    "function f() { return f.caller.arguments[1]; }",
    "(function () { return arguments.callee; })()",
    "const q = (() => {})[k]; q('return 1')()",
    "const at = (o, k) => o[k]; at(f, k)('return 1')",
    "p.split('.').reduce((a, k) => a[k], f)('return 1')",
    "class A { static m() { return super.constructor('return 1'); } }",
    "Error.prepareStackTrace = (e, s) => s[0].getFunction()",
    "this['const' + x]()",
    "const { [k]: F } = f; const G = F; G('return 1')",
    "const { [k]: F } = f; let G; G = F; const H = G; H('return 1')",
    "const { [k]: F } = f; F.call(null, 'return 1')",
    "const { [k]: F } = f; F['call'](null, t)",
    "const { [k]: F } = f; (0, F)(t); (true && F)(t)",
    "const { [k]: F } = f; const g = F || null; g(t)",
    "const { [k]: F } = f; let g; g ??= F; g(t)",
    "const { [k]: F } = f; let g; [g] = [F]; g(t)",
    "const { [k]: F } = f; for (const g of [F]) g(t)",
    "const { [k]: F } = f; [...[F]].forEach((g) => g(t))",
    "const { [k]: F } = f; ['return 1'].map(F)",
    "const { [k]: F } = f; const o = { F }; o.F(t)",
    "const { [k]: F } = f; const o = { get a() { return F; } }; o.a(t)",
    "const { [k]: F } = f; const h = () => F; h()(t)",
    "function h() { const { [k]: F } = f; return F; } h()(t)",
    "const { [k]: F } = f; class A extends F {} new A(t)",
    "const { [k]: F } = f; globalThis.zz = F; zz(t)",
    "const run = (g) => g(t); run(f[k])",
    "(0, f[k])(t)",
    "const g = f[k] || null; g`return 1`",
  ])("[INS152] %s hides what it reaches for, and needs CodeExecution", (text) => {
    expect(inferred(text)).toContain("CodeExecution");
  });

  it.each([
    "const xs = [1]; for (let i = 0; i < xs.length; i++) xs[i](1)",
    "fs_[0](x); row[i].map(f); rows.map((r) => r[key])",
    "const own = { a: (x) => x, b() {} }; own[name](1)",
    "module.exports = { a: 1 }; if (require.main === module) main()",
    "x.constructor.name; x.constructor === Map",
    "Object.prototype.hasOwnProperty.call(o, 'a'); Array.prototype.slice.call(a)",
    "setTimeout(() => tick(), 5); setTimeout(tick, 5)",
    "process.env.HOME; process.argv.slice(2); process.exit(1)",
    "import('./other.js')",
    "Dog.prototype.constructor = Dog",
    "this['on' + e]?.(e); this['visit_' + kind](node)",
    "console[level]('x'); Math[name](1, 2)",
    "const { [k]: _, ...rest } = o; rest.a",
    "const { [k]: a } = o; let b = a; b = a; a.length; show.of(b.name)",
    "const { [name]: g } = table; g.call(null, 1)",
    "const { [name]: hex = '#000' } = colours; console.log(hex)",
    "const { [name]: v } = table; String(v); Math.max(v, 1); use(v); Option.some(v)",
    "const { [type]: handler } = handlers; handler()",
    "const own = { a() {}, b() {} }; const { [type]: g } = own; g(event)",
    "const state = { error: errors[field] }; console.error('bad'); reporter.error('bad')",
    "const t = table[key]; function View() { const { t } = use(); return t('title'); }",
    "function f(s) { const next = table[s]; return next; } app.use((req, res, next) => next(err))",
    "const prop = (key) => (o) => o[key]; const name = prop('name'); users.map(name); name(user)",
    "for (const key of Object.keys(vars)) html = html.replace('{' + key + '}', vars[key])",
    "const handler = handlers[type]; if (handler) handler.call(this); handler.apply(this)",
    "const fn = o[key]; bound[key] = fn.bind(o)",
    `program${".option('--a', 'text')".repeat(60)}.parse()`,
    `x${".map((a) => a[k])".repeat(60)}`,
    "const all = rows.map((r) => r[key]); all.forEach((one) => out.push(one))",
    "Object.getPrototypeOf(o) === Object.prototype; Object.getOwnPropertyNames(o)",
    "function sum() { return arguments.length; }",
    "call.caller; import test from 'node:test'; test('adds', () => {})",
  ])("[INS152] %s is plain", (text) => {
    expect(inferred(text)).toEqual([]);
  });

  it.each([
    ["require('child_process').spawn('curl', ['-s', u])", true],
    ["require('child_process').execSync('A=1 sh -c \"/usr/bin/wget -q x | sh\"')", true],
    ["require('child_process').exec('git clone https://x/y')", true],
    ["require('child_process').exec('git status')", false],
    ["require('child_process').exec('ls curling')", false],
    ["require('child_process').exec('ls'); say('curl x')", false],
  ])("[INS154] whether %s starts a downloader: %s", (text, isNetwork) => {
    expect(inferred(text)).toEqual(["CodeExecution", ...(isNetwork ? ["NetworkAccess"] : [])]);
  });

  it("[INS153] tells of a plain import that no table knows, with file and line", () => {
    const text =
      "import fs from 'fs';\nimport _ from 'lodash';\nimport own from './own.js';\nrequire('ws');";

    expect(found(text).unfamiliar).toEqual([{ module: "lodash", file: "main.js", line: 2 }]);
    const own = ["src/lodash/index.js", "lodash.js"].map((path) =>
      detectedAlone(
        [
          { path: "main.js", text },
          { path, text: "" },
        ],
        SEED,
      ),
    );
    expect(own.map(({ unfamiliar }) => unfamiliar)).toEqual([[], []]);
    expect(inferred(text)).toEqual(["NetworkAccess"]);
  });

  it.each([
    ['fs.open(p, "r")', ["ReadAccess"]],
    ["fs.open(p, (error) => error)", ["ReadAccess"]],
    ['fs.openSync(p, "wx")', ["WriteAccess"]],
    ['fs.open(p, "r+")', ["ReadAccess", "WriteAccess"]],
    ["fs.open(p, flags)", ["ReadAccess", "WriteAccess"]],
  ])("[INS34] %s", (text, capabilities) => {
    expect(inferred(text)).toEqual(capabilities);
  });

  it("[INS36] says why a text is not parsed, and searches it for words", () => {
    const { inferred: by, notes } = found("fetch(u");

    expect(by).toEqual(["CodeExecution", "NetworkAccess"]);
    expect(notes).toEqual([{ file: "main.js", why: expect.stringMatching(/^no JavaScript: /) }]);
    expect(found("<!-- a\nwith (a) { b }").notes).toEqual([]);
  });

  it("[INS36] reads brackets and operators up to a depth of ours", () => {
    const brackets = (count: number) => found(`${"(".repeat(count)}a${")".repeat(count)}`).notes;
    const sums = (count: number) => found(Array(count).fill("a").join("+")).notes;

    expect([brackets(133), sums(401)]).toEqual([[], []]);
    const why = "no JavaScript: it is nested too deeply";
    expect(brackets(134)).toEqual([{ file: "main.js", why }]);
    expect(sums(402)).toEqual([{ file: "main.js", why }]);
    expect(found("a+b;\n".repeat(2_000)).notes).toEqual([]);
    expect(found("a = b + 1\n".repeat(2_000)).notes).toEqual([]);
    expect(found("var a = f(1)\n".repeat(2_000)).notes).toEqual([]);
    expect(found(Array(402).fill("a").join("\n+ ")).notes).toEqual([{ file: "main.js", why }]);
  });

  it.each([
    ["members", "a", ".b", ""],
    ["optional members", "a", "?.b", ""],
    ["calls", "a", "()", ""],
    ["templates", "a", "`$" + "{1}`", ""],
    ["branches", "", "if (a) b; else ", "c"],
    ["awaits", "", "await ", "a"],
  ])("[INS36] of %s too, whatever the host's stack holds", (_, head, link, tail) => {
    const why = "no JavaScript: it is nested too deeply";
    const notes = (count: number) => found(head + link.repeat(count) + tail).notes;

    expect(notes(100)).toEqual([]);
    expect(notes(1_000)).toEqual([{ file: "main.js", why }]);
    expect(notes(8_000)).toEqual([{ file: "main.js", why }]);
  });

  it("[INS43] finds commands in strings, and loops without an end", () => {
    const threats = (text: string) => found(text).threats.map(({ pattern }) => pattern);

    expect(threats('run("no " + "sudo")')).toEqual(["sudo"]);
    expect(threats("run(`a\n rm -rf $" + "{x}`)")).toEqual(["rm -rf"]);
    expect(threats('spawn(["rm", "-rf", dir])')).toEqual(["rm -rf"]);
    expect(threats('// sudo\n"sudo";\nsudo();')).toEqual([]);
    expect(threats("while (true) { a(); }")).toEqual(["while true"]);
    for (const end of ["break", "return", "throw b"]) {
      expect(threats(`for (;;) { if (a) ${end}; }`)).toEqual([]);
    }
  });

  const harmless = fc.stringMatching(/^[ -~]{0,60}$/);
  it("[INS31] whatever stands in a comment or a string", () => {
    fc.assert(
      fc.property(harmless, (text) => {
        const comment = `// ${text}\nconst a = 1;`;
        const string = `const a = ${JSON.stringify(`fetch(u) ${text}`)};`;
        expect([...inferred(comment), ...inferred(string)]).toEqual([]);
      }),
    );
  });
});

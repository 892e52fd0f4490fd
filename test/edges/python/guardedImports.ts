/**
 * A process of its own, since the guard takes the host's WebAssembly, clock and entropy away. It
 * imports the names of its argument into a module, and prints what a call of each comes to while
 * Python starts and after that.
 */
import { Guard } from "../../../src/edges/python/guard.ts";

type Call = () => unknown;

const names = JSON.parse(process.argv[2] ?? "[]") as string[];
const reached: string[] = [];
const env: Record<string, Call> = Object.fromEntries(
  names.map((name) => [
    name,
    () => {
      reached.push(name);
      return "the host";
    },
  ]),
);

const leb = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)];
const sized = (bytes: readonly number[]): number[] => [...leb(bytes.length), ...bytes];
const text = (word: string): number[] => sized([...Buffer.from(word)]);
/** A module with nothing but one type of function, () → (), and imports of it from `env`. */
const wasm = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, ...sized([1, 0x60, 0, 0])],
  ...[
    2,
    ...sized([
      ...leb(names.length),
      ...names.flatMap((name) => [...text("env"), ...text(name), 0, 0]),
    ]),
  ],
);

function outcome(name: string): unknown {
  reached.length = 0;
  try {
    const answer = (env[name] as Call)();
    return reached.length > 0 ? "reaches the host" : answer;
  } catch (error) {
    return (error as Error).message;
  }
}

const say = process.stdout.write.bind(process.stdout);
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { instantiate(source: Uint8Array, imports: object): Promise<unknown> };
};
const guard = new Guard(1_000_000);
guard.install();
try {
  await WebAssembly.instantiate(wasm, { env, wasi_snapshot_preview1: {} });
  const booting = Object.fromEntries(names.map((name) => [name, outcome(name)]));
  guard.lock({ growMemory: () => 1 });
  const locked = Object.fromEntries(names.map((name) => [name, outcome(name)]));
  say(JSON.stringify({ booting, locked }));
} catch (error) {
  say(JSON.stringify({ refused: (error as Error).message }));
}

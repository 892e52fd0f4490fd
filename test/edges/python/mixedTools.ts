/**
 * Tools put together from pieces, honest and nasty. Each piece leaves what it saw in `seen`; between
 * them they touch everything that one call could leave for the next.
 */
import fc from "fast-check";

const honest: readonly string[] = [
  "seen.append(json.dumps({'a': [1, 2], 'b': None}))",
  "seen.append(hashlib.sha256(str(random.random()).encode()).hexdigest())",
  "seen.append([time.time(), time.monotonic_ns(), str(datetime.datetime.now())])",
  "time.sleep(0.25); seen.append(time.time())",
  "print('hello'); print('oops', file=sys.stderr); seen.append(sys.stdout.fileno())",
  "open('note.txt', 'w').write('x' * 50); seen.append(open('note.txt').read())",
  "seen.append([open('/work/given.txt').read(), os.stat('/work/given.txt').st_mtime])",
  "os.makedirs('a/b/c'); seen.append(sorted(os.listdir('.')))",
  "seen.append([id(object()), hash('word'), str({'p', 'q', 'r'})])",
  "seen.append(sorted(sys.modules)[:5] + [len(sys.modules)])",
  "seen.append(sum(n * n for n in range(5000)))",
  "seen.append(asyncio.run(asyncio.sleep(0.1, 'slept')))",
  "seen.append([os.getcwd(), dict(os.environ), os.listdir('/tmp'), os.listdir('/dev')])",
  "seen.append([uuid.uuid4().hex, secrets.token_hex(4), os.urandom(3).hex()])",
  "seen.append(re.sub(r'(a+)b', r'\\1', 'aaab' * 50))",
  "seen.append([os.stat('/').st_mtime, os.stat('/lib').st_mode, os.umask(0o22)])",
  "seen.append(len(bytearray(9 * 1024 * 1024)))",
  "seen.append(decimal.getcontext().prec)",
  "seen.append([os.open('new', os.O_CREAT | os.O_RDWR), os.stat('new').st_ino])",
  "seen.append(open('/lib/python314.zip', 'rb').read(400).hex()[-20:])",
  "import csv, html, calendar; seen.append(calendar.month(2026, 5)[:20])",
  "seen.append(tempfile.mkdtemp())",
];

const nasty: readonly string[] = [
  "os.close(1)",
  "os.close(0); os.close(2)",
  "os.dup2(os.open('out', os.O_CREAT | os.O_RDWR), 1); print('gone')",
  "seen.append(os.dup(1))",
  "f = open('/lib/python314.zip', 'r+b'); m = mmap.mmap(f.fileno(), 200); m[:4] = b'PKxx'; m.flush()",
  "open('big', 'wb').write(b'x' * 70000); f = open('big', 'r+b'); m = mmap.mmap(f.fileno(), 0); m[0] = 1; m.flush()",
  "seen.append(len(bytearray(120 * 1024 * 1024)))",
  "keep = [bytearray(1 << 20) for _ in range(300)]",
  "json.loads('[' * 200000)",
  "seen.append(json.loads('[' * 6000 + ']' * 6000) is not None)",
  "sys.setrecursionlimit(10 ** 6); f = lambda n: n and f(n - 1); seen.append(f(30000))",
  "os._exit(124)",
  "sys.exit(3)",
  "os.abort()",
  "builtins.len = lambda _: 42; json.dumps = None; sys.path.insert(0, '/work')",
  "sys.monitoring.set_events(3, 0); sys.settrace(lambda *_: None)",
  "for n in range(10 ** 9): pass",
  "exec('try:\\n  while True: pass\\nexcept BaseException: pass\\nwhile True: pass')",
  "time.sleep(3600)",
  "signal.signal(signal.SIGINT, signal.SIG_IGN)",
  "os.chdir('/tmp'); os.chmod('/lib', 0); os.utime('/', (1, 1)); os.rename('/home', '/moved')",
  "r, w = os.pipe(); os.write(w, b'x' * 100); seen.append(os.read(r, 5).hex())",
  "os.symlink('/lib', 'link'); os.mkdir('__proto__'); open('__proto__/constructor', 'w').write('x')",
  "fcntl.fcntl(1, fcntl.F_DUPFD, 9); fcntl.fcntl(1, fcntl.F_SETFL, os.O_APPEND)",
  "os.ftruncate(1, 0)",
  "sys.stdout.write('x' * 200000); sys.stdout.close()",
  "gc.disable(); gc.set_threshold(1); atexit.register(print, 'left')",
  "socket.create_connection(('127.0.0.1', 80))",
  "os.posix_fallocate(os.open('f', os.O_CREAT | os.O_RDWR), 0, 10 ** 7)",
  "os.mkfifo('fifo'); os.mknod('node')",
  "os.lseek(0, 5, 0); seen.append(sys.stdin.read())",
  "decimal.getcontext().prec = 3; random.seed(1); locale.setlocale(locale.LC_ALL, 'C')",
];

export interface MixedTool {
  readonly code: string;
  readonly seed: number;
}

const toolOf = (pieces: readonly string[]): string => `
import asyncio, atexit, builtins, datetime, decimal, fcntl, gc, hashlib, json, locale, mmap, os, random, re
import secrets, signal, socket, sys, tempfile, time, uuid
def tool():
    seen = []
${pieces
  .map(
    (piece) =>
      `    try:\n        ${piece}\n    except Exception as error: seen.append(repr(error))`,
  )
  .join("\n")}
    return seen
`;

/** Two honest pieces around at most two nasty ones, so that what a nasty one spoilt shows. */
export const mixedTool: fc.Arbitrary<MixedTool> = fc
  .record({
    first: fc.constantFrom(...honest),
    more: fc.array(fc.constantFrom(...nasty), { maxLength: 2 }),
    last: fc.constantFrom(...honest),
    seed: fc.nat({ max: 9 }),
  })
  .map(({ first, more, last, seed }) => ({ code: toolOf([first, ...more, last]), seed }));

/** Ordinary tools only, the same ones each time. */
export const honestTools = (count: number): readonly MixedTool[] =>
  Array.from({ length: count }, (_, index) => {
    const piece = (step: number): string => honest[(index * step) % honest.length] ?? "";
    return { code: toolOf([piece(1), piece(7)]), seed: index };
  });

/** Each nasty piece by itself, behind an honest one. */
export const nastyTools: readonly MixedTool[] = nasty.map((piece) => ({
  code: toolOf([honest[0] ?? "", piece]),
  seed: 1,
}));

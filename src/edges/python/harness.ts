/**
 * The Python side, the same text in both sandboxes: runs a module, chooses the function, calls it and
 * turns what comes back into bounded JSON. It shares an interpreter with the code it runs, so it
 * keeps order and promises nothing; what must hold is held outside Python.
 */

import { syntaxReader } from "./syntaxReader.ts";

/** Imported before the snapshot is taken, so that tools find them loaded. */
const PRELOADED = `ast, asyncio, base64, bisect, builtins, collections, contextlib, copy,
    dataclasses, datetime, decimal, enum, fractions, functools, gc, hashlib, heapq, inspect, io,
    itertools, json, linecache, math, operator, os, pathlib, random, re, reprlib, secrets, signal,
    statistics, string, struct, sys, tempfile, textwrap, time, traceback, types, typing, uuid`;

export const harness = String.raw`
import ${PRELOADED.replaceAll(/\s+/g, " ")}
${syntaxReader}

def _ghostlight():
    import inspect, json, linecache, os, random, re, reprlib, sys, time, traceback, types
    NODES, DEPTH, TEXT, RESULT = 20000, 32, 65536, 262144
    read_syntax = _ghostlight_syntax
    addresses = re.compile(r" at 0x[0-9a-fA-F]+")
    short = reprlib.Repr()
    short.maxstring = short.maxother = 300

    class TooMuch(Exception):
        pass

    def clean(text, size):
        text = addresses.sub(" at 0x0", str.__getitem__(text, slice(size)))
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def tagged(value):
        try:
            text = short.repr(value)
        except Exception as error:
            text = "<repr raised " + type(error).__name__ + ">"
        return {"$python": {"type": clean(type(value).__name__, 100), "text": clean(text, 500)}}

    def key_of(key):
        if isinstance(key, str):
            return clean(key, 1000)
        if key is None or isinstance(key, (bool, int, float)):
            return json.dumps(plain(key, 0, [1]))
        raise TooMuch

    def plain(value, depth, left):
        left[0] -= 1
        if left[0] < 0:
            raise TooMuch
        if value is None or value is True or value is False:
            return value
        if isinstance(value, str):
            return clean(value, RESULT)
        if isinstance(value, int) and -9007199254740991 <= value <= 9007199254740991:
            return int.__add__(value, 0)
        if isinstance(value, float) and value - value == 0:
            return float.__add__(value, 0.0) if value != 0 else 0
        if depth < DEPTH:
            if isinstance(value, list):
                return [plain(item, depth + 1, left) for item in list.__iter__(value)]
            if isinstance(value, tuple):
                return [plain(item, depth + 1, left) for item in tuple.__iter__(value)]
            if isinstance(value, dict):
                try:
                    items = [(key_of(key), item) for key, item in dict.items(value)]
                except TooMuch:
                    return tagged(value)
                return {key: plain(item, depth + 1, left) for key, item in items}
        return tagged(value)

    def json_of(value):
        try:
            found = plain(value, 0, [NODES])
            if len(json.dumps(found)) <= RESULT:
                return found
        except (TooMuch, RecursionError):
            pass
        return tagged(value)

    def problem(error):
        try:
            text = str(error)
        except BaseException:
            text = "<str raised>"
        frames = [frame for frame in traceback.extract_tb(error.__traceback__)
                  if frame.filename == "<tool>"]
        lines = traceback.format_list(frames[-3:])
        return {"type": clean(type(error).__name__, 100), "message": clean(text, 500),
                "traceback": clean("".join(lines), 4000)[-2000:]}

    def chosen(space, name):
        own = {key: value for key, value in space.items() if isinstance(value, types.FunctionType)
               and value.__code__.co_filename == "<tool>"}
        if name in own:
            return name, own[name]
        public = sorted(key for key in own if not key.startswith("_"))
        return (public[0], own[public[0]]) if public else (None, None)

    def required(function):
        kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        found = inspect.signature(function).parameters.values()
        return [part.name for part in found
                if part.default is inspect.Parameter.empty and part.kind not in kinds]

    def work(asked, answer):
        if asked["mode"] == "syntax":
            answer["result"] = read_syntax(asked["code"])
            return
        name = "__main__" if asked["mode"] == "exec" else "tool"
        module = types.ModuleType(name)
        sys.modules[name] = module
        space = module.__dict__
        code = asked["code"]
        linecache.cache["<tool>"] = (len(code), None, code.splitlines(True), "<tool>")
        exec(compile(code, "<tool>", "exec", dont_inherit=True), space)
        if asked["mode"] == "exec":
            return
        answer["stage"] = "arguments"
        answer["functionName"], function = chosen(space, asked["functionName"])
        if function is None:
            raise LookupError("the module defines no public function")
        answer["requires"] = required(function)
        inspect.signature(function).bind(**asked["kwargs"])
        answer["stage"] = "call"
        answer["called"] = True
        value = function(**asked["kwargs"])
        if inspect.iscoroutine(value):
            value = run_to_end(value)
        answer["isNone"] = value is None
        answer["result"] = json_of(value)

    def run(text):
        asked = json.loads(text)
        random.seed(asked["seed"])
        answer = {"ok": False, "stage": "module", "called": False, "error": None}
        try:
            work(asked, answer)
            answer["ok"] = True
        except SystemExit as error:
            answer["ok"] = asked["mode"] == "exec" and error.code in (None, 0)
            answer["error"] = None if answer["ok"] else problem(error)
        except BaseException as error:
            answer["outOfMemory"] = isinstance(error, MemoryError)
            answer["error"] = problem(error)
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass
        return json.dumps(answer)

    def run_to_end(coroutine):
        import asyncio
        return asyncio.run(coroutine)

    return run

_ghostlight_run = _ghostlight()
del _ghostlight
`;

/** Sleeping moves the virtual clock, and asyncio gets a loop that needs no JavaScript. */
export const virtualTime = String.raw`
def _ghostlight_time():
    import asyncio, os, time
    advise = os.posix_fadvise

    def sleep(seconds):
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        advise(-5150, int(min(seconds, 8.64e9) * 1000000), 0, 0)

    class Selector:
        def select(self, timeout):
            if timeout:
                sleep(timeout)
            elif timeout is None:
                raise RuntimeError("asyncio waits for something that cannot come")
            return []
        def close(self):
            pass

    class Loop(asyncio.BaseEventLoop):
        def __init__(self):
            super().__init__()
            self._selector = Selector()
        def _process_events(self, events):
            pass
        def _write_to_self(self):
            pass
        def call_soon_threadsafe(self, callback, *args, context=None):
            return self.call_soon(callback, *args, context=context)

    def run(main, *, debug=None, loop_factory=None):
        asyncio.events._set_running_loop(None)
        loop = Loop()
        try:
            return loop.run_until_complete(main)
        finally:
            loop.close()
            asyncio.events._set_running_loop(None)

    time.sleep = sleep
    asyncio.run = run
    asyncio.events._set_running_loop(None)
    asyncio.events._event_loop_policy = None
    asyncio.new_event_loop = asyncio.events.new_event_loop = Loop

_ghostlight_time()
del _ghostlight_time
`;

/** Takes away what leads to JavaScript and to C by name. The import guard holds without it. */
export const scrub = String.raw`
def _ghostlight_scrub():
    import gc, importlib, sys
    sys.meta_path[:] = [finder for finder in sys.meta_path
                        if not hasattr(finder, "jsproxies") and "pyodide" not in type(finder).__module__]
    hidden = ("js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core", "webloop", "pyodide_kernel")
    for name in list(sys.modules):
        if name.split(".")[0] in hidden:
            del sys.modules[name]
    for name in hidden + ("_ctypes", "ctypes", "_ctypes_test"):
        sys.modules[name] = None
    importlib.invalidate_caches()
    main = sys.modules["__main__"].__dict__
    for name in [name for name in main if not name.startswith("_")]:
        del main[name]
    gc.collect()
_ghostlight_scrub()
del _ghostlight_scrub
`;

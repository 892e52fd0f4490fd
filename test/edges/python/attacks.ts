/**
 * What somebody who writes a tool might try against the host. `{host}` stands for a file outside with
 * a secret, `{drop}` for a file that must not appear, `{port}` for a server that must not be reached.
 * An attack holds the sandbox when nothing of this happens, whatever else it answers.
 */
export interface Attack {
  /** What it tries. */
  readonly tries: string;
  readonly code: string;
  /** What stopped it, in the answer as JSON text: so the attempt was really made, and not by chance in vain. */
  readonly answers: RegExp;
}

const unhide = String.raw`
import sys
for name in [name for name, module in sys.modules.items() if module is None]:
    del sys.modules[name]
`;

export const attacks: readonly Attack[] = [
  {
    tries: "os.system runs a shell command",
    code: `import os\ndef tool(): return os.system("touch {drop}")`,
    answers: /"result":-1/,
  },
  {
    tries: "subprocess, popen, fork, exec and spawn start a process",
    code: String.raw`
import os, subprocess
def tool():
    seen = []
    for attempt in (lambda: subprocess.run(["touch", "{drop}"]), lambda: os.popen("touch {drop}").read(),
                    lambda: os.fork(), lambda: os.execv("/bin/sh", ["sh", "-c", "touch {drop}"]),
                    lambda: os.spawnv(os.P_WAIT, "/bin/sh", ["sh", "-c", "touch {drop}"]),
                    lambda: os.posix_spawn("/bin/sh", ["sh", "-c", "touch {drop}"], {})):
        try: seen.append(repr(attempt()))
        except BaseException as error: seen.append(type(error).__name__)
    return seen`,
    answers: /"result":\["OSError","OSError","OSError","OSError","OSError","AttributeError"\]/,
  },
  {
    tries: "open reads a host file, by path, by .., by a symbolic link and by /proc",
    code: String.raw`
import os
def tool():
    seen = []
    os.symlink("{host}", "/work/link")
    for path in ("{host}", "../../../../../../../../{host}", "/work/link", "/proc/self/environ",
                 "/proc/self/root/{host}", "/proc/1/environ", "/etc/passwd", "/proc/self/fd/3"):
        try: seen.append(open(path).read())
        except OSError as error: seen.append(error.errno)
    return seen`,
    answers: /"result":\[44,44,44,44,44,44,44,8\]/,
  },
  {
    tries: "open writes a host file",
    code: `import os\ndef tool():\n    os.makedirs(os.path.dirname("{drop}"), exist_ok=True)\n    return open("{drop}", "w").write("x")`,
    answers: /"result":1/,
  },
  {
    tries: "sockets, getaddrinfo, urllib, http.client and asyncio reach a server on the host",
    code: String.raw`
import asyncio, http.client, socket, urllib.request
def tool():
    seen = []
    async def connect(): await asyncio.open_connection("127.0.0.1", {port})
    def raw():
        plug = socket.socket(); plug.connect(("127.0.0.1", {port})); plug.send(b"GET / HTTP/1.0\r\n\r\n")
    for attempt in (raw, lambda: socket.create_connection(("127.0.0.1", {port})),
                    lambda: urllib.request.urlopen("http://127.0.0.1:{port}/").read(),
                    lambda: http.client.HTTPConnection("127.0.0.1", {port}).request("GET", "/"),
                    lambda: asyncio.run(connect()), lambda: socket.socket().bind(("", 0)),
                    lambda: socket.gethostbyname("localhost")):
        try: seen.append(repr(attempt()))
        except BaseException as error: seen.append(type(error).__name__)
    return seen`,
    answers:
      /"result":\["PermissionError","gaierror","URLError","gaierror","PermissionError","PermissionError","gaierror"\]/,
  },
  {
    tries: "import js",
    code: `import js\ndef tool(): return js.process.pid`,
    answers: /"ModuleNotFoundError","message":"import of js halted; None in sys.modules"/,
  },
  {
    tries: "the hidden modules come back after their bars are removed from sys.modules",
    code: `${unhide}
def tool():
    seen = []
    for name in ("js", "pyodide_js", "pyodide.code", "_pyodide_core", "pyodide.http", "pyodide.ffi"):
        try: seen.append(str(__import__(name)))
        except BaseException as error: seen.append(type(error).__name__)
    return seen`,
    answers: /"result":\["ModuleNotFoundError","ModuleNotFoundError",/,
  },
  {
    tries: "pyodide.code.run_js evaluates JavaScript",
    code: `${unhide}\nfrom pyodide.code import run_js\ndef tool(): return run_js("process.pid")`,
    answers: /"ModuleNotFoundError","message":"No module named 'js'"/,
  },
  {
    tries: "pyodide_js.mountNodeFS mounts a host folder",
    code: `${unhide}
import gc
def tool():
    found = [thing for thing in gc.get_objects() if type(thing).__name__ == "JsFinder"]
    proxies = found[0].jsproxies
    return proxies["pyodide_js"].mountNodeFS("/host", "/")`,
    answers: /"type":"SandboxBreach","message":"reached for the host: JsProxy_GetAttr_js"/,
  },
  {
    tries: "to_js(...).constructor.constructor builds a JavaScript function",
    code: `${unhide}
from pyodide.ffi import to_js
def tool(): return to_js({"a": [1]}).constructor.constructor("return process.pid")()`,
    answers: /'dict' object has no attribute 'constructor'/,
  },
  {
    tries: "a JsProxy that the garbage collector still knows is called",
    code: String.raw`
import gc, types
def tool():
    for function in [thing for thing in gc.get_objects() if isinstance(thing, types.FunctionType)]:
        for name, value in list(function.__globals__.items()):
            if type(value).__name__ == "JsProxy":
                return name, value.constructor.constructor("return process")().pid
    return "none"`,
    answers: /"type":"SandboxBreach","message":"reached for the host: JsProxy_GetAttr_js"/,
  },
  {
    tries: "pyodide's raw_call and run_sync jump into JavaScript",
    code: `${unhide}
import _pyodide_core
def tool(): return _pyodide_core.raw_call(_pyodide_core.Py2JsConverter)`,
    answers: /"type":"SandboxBreach","message":"reached for the host: hiwire_invalid_ref_js"/,
  },
  {
    tries: "create_proxy hands a Python object to JavaScript",
    code: `${unhide}\nimport _pyodide_core\ndef tool(): return str(_pyodide_core.create_proxy(print))`,
    answers: /"type":"SandboxBreach","message":"reached for the host: pyproxy_new_ex"/,
  },
  {
    tries: "ctypes calls emscripten_run_script",
    code: `${unhide}
import ctypes
def tool(): return ctypes.CDLL(None).emscripten_run_script(b"require('fs').writeFileSync('{drop}', 'x')")`,
    answers: /"type":"SandboxBreach","message":"reached for the host: ffi_closure_alloc_js"/,
  },
  {
    tries: "_ctypes comes in through importlib and _imp, and opens the program itself",
    code: `${unhide}
import importlib.machinery, _imp
def tool():
    spec = importlib.machinery.ModuleSpec("_ctypes", importlib.machinery.BuiltinImporter)
    module = _imp.create_builtin(spec)
    _imp.exec_builtin(module)
    return module.dlopen(None, 0)`,
    answers: /"type":"SandboxBreach","message":"reached for the host: ffi_closure_alloc_js"/,
  },
  {
    tries: "crafted bytecode corrupts the interpreter's memory",
    code: String.raw`
import types
def tool():
    code = (lambda: 0).__code__
    for size in (1, 40, 400):
        broken = code.replace(co_code=bytes([size % 256, 255] * 200), co_stacksize=1, co_consts=())
        try: types.FunctionType(broken, {})()
        except Exception: pass`,
    answers:
      /"type":"InterpreterCrashed","message":"(memory access out of bounds|unreachable|.*table|null function)/,
  },
  {
    tries: "a native extension is loaded from a file",
    code: String.raw`
import importlib.machinery, importlib.util
def tool():
    open("/work/x.so", "wb").write(b"\0asm\1\0\0\0")
    loader = importlib.machinery.ExtensionFileLoader("x", "/work/x.so")
    spec = importlib.util.spec_from_file_location("x", "/work/x.so", loader=loader)
    try: return str(importlib.util.module_from_spec(spec))
    except ImportError as error: return repr(error)`,
    answers: /"result":"ImportError\('unknown dlopen\(\) error'\)"/,
  },
  {
    tries: "an answer is forged on the terminal and on every open file",
    code: String.raw`
import os
def tool():
    line = b'{"ok":true,"result":"forged"}\n'
    for fd in range(32):
        try: os.write(fd, line)
        except OSError: pass
    for path in ("/dev/tty", "/dev/tty1", "/dev/stdout", "/dev/stderr", "/proc/self/fd/1"):
        try: open(path, "wb").write(line)
        except OSError: pass
    return "own"`,
    answers: /"result":"own"/,
  },
  {
    tries: "the next request is read from standard input or the terminal",
    code: String.raw`
import os, sys
def tool():
    seen = [sys.stdin.read()]
    for path in ("/dev/tty", "/dev/tty1", "/dev/stdin"):
        try: seen.append(open(path).read(1))
        except OSError: seen.append("")
    return seen`,
    answers: /"result":\["","","",""\]/,
  },
  {
    tries: "environment, process id, user, host name and paths of the host show",
    code: String.raw`
import os, platform, sys, time, getpass
def tool():
    return [dict(os.environ), os.getpid(), os.getppid(), os.getuid(), os.umask(0), list(os.uname()),
            platform.platform(), sys.argv, sys.executable, sys.path, sys.prefix, os.getcwd(),
            time.tzname, os.cpu_count(), sys.flags.hash_randomization]`,
    answers: /web_user/,
  },
  {
    tries: "signals and alarms outlive the call or reach the host's process",
    code: String.raw`
import os, signal
def tool():
    seen = []
    for attempt in (lambda: os.kill(os.getpid(), 9), lambda: os.kill(os.getppid(), 15),
                    lambda: os.killpg(0, 9), lambda: signal.raise_signal(signal.SIGTERM)):
        try: seen.append(repr(attempt()))
        except BaseException as error: seen.append(type(error).__name__)
    return seen`,
    answers: /"InterpreterLeft","message":"the code ended the interpreter with exit code 137"/,
  },
  {
    tries: "the interpreter is ended by os._exit",
    code: `import os\ndef tool(): os._exit(0)`,
    answers: /"InterpreterLeft","message":"the code ended the interpreter with exit code 0"/,
  },
  {
    tries: "an end by os._exit passes for a time-out of the program `timeout`",
    code: `import os\ndef tool(): os._exit(124)`,
    answers: /"InterpreterLeft","message":"[^"]*exit code 124".*"timedOut":false/,
  },
  {
    tries: "the interpreter is ended by os.abort",
    code: `import os\ndef tool(): os.abort()`,
    answers: /"type":"SandboxBreach","message":"reached for the host: abort"/,
  },
  {
    tries: "threads and processes multiply",
    code: String.raw`
import multiprocessing, threading
def tool():
    seen = []
    for attempt in (lambda: threading.Thread(target=print).start(),
                    lambda: multiprocessing.Process(target=print).start(),
                    lambda: __import__("concurrent.futures").futures.ThreadPoolExecutor().submit(print)):
        try: seen.append(repr(attempt()))
        except BaseException as error: seen.append(type(error).__name__)
    return seen`,
    answers: /"result":\["RuntimeError","ModuleNotFoundError","RuntimeError"\]/,
  },
  {
    tries: "an answer with a forged shape, by replacing json.dumps under the harness",
    code: String.raw`
import json
def tool():
    json.dumps = lambda *_, **__: '{"ok": true, "killed": "x", "files": [{"path": 3}], "id": "y", "requires": {"a": 1}, "stdout": 7}'
    return 1`,
    answers: /"requires":\[\],.*"files":\[\]/,
  },
  {
    tries: "an answer claims a time-out that no limit reached",
    code: `import json\ndef tool():\n    json.dumps = lambda *_: '{"timedOut": true, "result": 1}'`,
    answers: /"timedOut":false/,
  },
];

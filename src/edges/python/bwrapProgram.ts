/** What the system's python3 runs inside bwrap: limits, virtual time and entropy, then the harness. */
import { harness } from "./harness.ts";

const prelude = String.raw`
import os, sys
sys.path[:] = [folder for folder in sys.path if folder]
import json, resource, time
_asked = json.loads(sys.stdin.buffer.read())
_answer_fd = os.dup(1)
_memory = _asked["memoryMb"] * 1048576
for _what, _most in ((resource.RLIMIT_AS, _memory), (resource.RLIMIT_FSIZE, 33554432),
                     (resource.RLIMIT_NOFILE, 256), (resource.RLIMIT_CORE, 0),
                     (resource.RLIMIT_NPROC, 32)):
    resource.setrlimit(_what, (_most, _most))
for _fd in (1, 2):
    os.dup2(os.open("/tmp/.stream%d" % _fd, os.O_RDWR | os.O_CREAT | os.O_TRUNC), _fd)

def _virtual(seed, now_ms, limit_ms):
    import hashlib
    state = {"ns": now_ms * 1000000, "draw": 0}
    def now_ns():
        state["ns"] += 1000
        return state["ns"]
    def sleep(seconds):
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        state["ns"] += int(seconds * 1e9)
        if state["ns"] - now_ms * 1000000 > limit_ms * 1000000:
            raise KeyboardInterrupt("slept past the limit")
    def urandom(size):
        out = b""
        while len(out) < size:
            state["draw"] += 1
            out += hashlib.sha256(b"%d/%d" % (seed, state["draw"])).digest()
        return out[:size]
    real = {name: getattr(time, name) for name in ("gmtime", "localtime", "ctime", "strftime")}
    os.urandom = urandom
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        setattr(time, name, lambda: now_ns() / 1e9)
        setattr(time, name + "_ns", now_ns)
    time.clock_gettime = lambda _clock: now_ns() / 1e9
    time.sleep = sleep
    time.gmtime = lambda at=None: real["gmtime"](now_ns() / 1e9 if at is None else at)
    time.localtime = lambda at=None: real["localtime"](now_ns() / 1e9 if at is None else at)
    time.ctime = lambda at=None: real["ctime"](now_ns() / 1e9 if at is None else at)
    time.strftime = lambda form, at=None: real["strftime"](form, at or time.localtime())
    import datetime
    class Now(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(now_ns() / 1e9, tz)
        @classmethod
        def utcnow(cls):
            return cls.fromtimestamp(now_ns() / 1e9)
        today = now
    class Today(datetime.date):
        @classmethod
        def today(cls):
            return cls.fromtimestamp(now_ns() / 1e9)
    Now.__name__ = Now.__qualname__ = "datetime"
    Today.__name__ = Today.__qualname__ = "date"
    datetime.datetime, datetime.date = Now, Today
    return lambda: (state["ns"] // 1000000) - now_ms

_elapsed = _virtual(_asked["seed"], _asked["nowMs"], _asked["limitMs"])
`;

const epilogue = String.raw`
def _main():
    given = {}
    for path, text in _asked["files"].items():
        full = path if path.startswith("/") else "/work/" + path
        os.makedirs(os.path.dirname(full), exist_ok=True)
        if full.endswith("/"):
            continue
        with open(full, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        given[full] = text
    request = {key: _asked[key]
               for key in ("mode", "code", "functionName", "kwargs", "seed", "nowMs", "events")}
    answer = json.loads(_ghostlight_run(json.dumps(request)))
    answer["elapsedMs"] = _elapsed()
    if answer["error"] and answer["error"]["type"] == "KeyboardInterrupt":
        answer["timedOut"] = True
    for fd, name in ((1, "stdout"), (2, "stderr")):
        with open("/tmp/.stream%d" % fd, "rb") as file:
            answer[name] = file.read(65536).decode("utf-8", "replace")
    answer["files"] = changes(given)
    os.write_all(_answer_fd, json.dumps(answer).encode())
    os._exit(0)

def changes(given):
    top = ["/" + name for name in os.listdir("/")]
    own = ("/usr", "/lib", "/lib64", "/bin", "/proc", "/dev", "/tmp")
    roots = {path for path in top if path not in own and not os.path.islink(path)}
    found, room = {}, 1048576
    for root in sorted(roots):
        for folder, _, names in os.walk(root):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path) and not os.path.islink(path):
                    found[path] = os.path.getsize(path)
    out = []
    for path in sorted(found)[:200]:
        text = None
        room -= found[path]
        if room >= 0:
            with open(path, "rb") as file:
                try:
                    text = file.read().decode("utf-8")
                except UnicodeDecodeError:
                    pass
        if path in given and given[path] == text:
            continue
        change = "changed" if path in given else "created"
        out.append({"path": path, "change": change, "bytes": found[path], "text": text})
    for path in given:
        if path not in found and not path.startswith("/tmp/"):
            out.append({"path": path, "change": "deleted", "bytes": 0, "text": None})
    return sorted(out, key=lambda change: change["path"])

def _write_all(fd, data):
    while data:
        data = data[os.write(fd, data):]

os.write_all = _write_all
_main()
`;

export const bwrapProgram = prelude + harness + epilogue;

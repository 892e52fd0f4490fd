/** What Python's names let a text do. Source: the seed's table (I3); the libraries that it means by "etc." are ours. */
import { ownValue } from "../../ownValue.ts";
import {
  type CodeFact,
  isBelow,
  isDownloader,
  LOOP,
  openedFor,
  type Reach,
  typedThreat,
  words,
} from "./codeFacts.ts";
import type { Inferable, ThreatPattern } from "./patterns.ts";

const NETWORK = words(`
  urllib requests httpx urllib3 aiohttp socket socketserver ssl ftplib smtplib imaplib poplib nntplib telnetlib
  http.client http.server xmlrpc websocket websockets paramiko fabric redis pymongo mysql psycopg psycopg2 sqlalchemy
  boto3 botocore google.cloud azure grpc pycurl webbrowser multiprocessing.connection
  antigravity xml.sax.parse xml.sax.make_parser
  asyncio.open_connection asyncio.start_server asyncio.open_unix_connection asyncio.start_unix_server
  logging.handlers.SocketHandler logging.handlers.DatagramHandler logging.handlers.SysLogHandler
  logging.handlers.SMTPHandler logging.handlers.HTTPHandler`);
/** They read and write texts, and open no connection. */
const NO_NETWORK = words("urllib.parse urllib.error urllib.response");

const READS = words(`
  os.listdir os.scandir os.walk os.fwalk os.stat os.lstat os.access os.readlink os.read
  os.path.exists os.path.lexists os.path.isfile os.path.isdir os.path.islink os.path.getsize os.path.getmtime
  glob fileinput linecache mmap filecmp shutil.copy shutil.copy2 shutil.copyfile shutil.copytree
  io.open_code xml.etree.ElementTree.parse xml.etree.ElementTree.iterparse xml.sax.parse configparser.ConfigParser().read
  configparser.RawConfigParser().read shutil.move os.open shelve dbm sqlite3.connect`);
const WRITES = words(`
  os.remove os.unlink os.rmdir os.removedirs os.rename os.renames os.replace os.makedirs os.mkdir os.mknod os.mkfifo
  os.symlink os.link os.truncate os.chmod os.chown os.utime os.write os.open shutil.rmtree shutil.move shutil.copy
  shutil.copy2 shutil.copyfile shutil.copytree shutil.chown shutil.make_archive shutil.unpack_archive tempfile shelve
  dbm sqlite3.connect xml.etree.ElementTree.ElementTree().write zipapp inplace=True logging.basicConfig(filename=) logging.FileHandler logging.handlers.WatchedFileHandler
  logging.handlers.BaseRotatingHandler logging.handlers.RotatingFileHandler logging.handlers.TimedRotatingFileHandler`);
/** What is given them as a text or as bytes they run, or have run by a process of its own. */
const RUNS = words(`
  eval exec os.system os.popen os.startfile os.fork os.forkpty os.posix_spawn os.posix_spawnp pty.spawn pty.fork
  runpy ctypes cffi code.interact code.InteractiveInterpreter code.InteractiveConsole
  asyncio.create_subprocess_exec asyncio.create_subprocess_shell shell=True
  timeit.timeit timeit.repeat timeit.Timer cProfile.run cProfile.runctx profile.run profile.runctx pdb.run pdb.runeval
  pdb.runcall bdb doctest trace.Trace marshal pkgutil.resolve_name setuptools distutils pip logging.config codeop compileall
  yaml.load yaml.load_all yaml.unsafe_load yaml.unsafe_load_all yaml.full_load yaml.UnsafeLoader yaml.Loader yaml.FullLoader
  dill cloudpickle joblib.load jsonpickle shelve torch.load pandas.read_pickle numpy.load string.Formatter().get_field
  inspect.currentframe inspect.stack inspect.getmodule gc.get_objects gc.get_referrers gc.get_referents site sitecustomize ensurepip venv pickle.load pickle.loads pickle.Unpickler pickle._load pickle._loads
  typing.get_type_hints typing.ForwardRef inspect.get_annotations eval_str=True pydoc importlib.metadata.EntryPoint
  importlib.metadata.entry_points breakpoint tkinter _interpreters concurrent.interpreters unittest.TestLoader
  unittest.defaultTestLoader sys.meta_path sys.path_hooks sys.breakpointhook sys.settrace sys.setprofile webbrowser.get
  webbrowser.register
  types.FunctionType types.CodeType multiprocessing.Process multiprocessing.Pool multiprocessing.get_context
  concurrent.futures.ProcessPoolExecutor importlib.util.spec_from_file_location importlib.machinery zipimport
  importlib.util.module_from_spec _posixsubprocess`);
/** Methods that reach the network, or run what they are given, whatever they are methods of. */
const NETWORK_METHODS = words(`
  create_connection create_datagram_endpoint create_server create_unix_connection urlopen open_connection getaddrinfo
  sendto`);
const RUN_METHODS = words(`
  subprocess_exec subprocess_shell create_subprocess_exec create_subprocess_shell exec_command enable_load_extension
  load_extension get_field`);
/** The same where they are called and nothing is known of the receiver. */
const RUN_CALLS = words("popen system");
/** Members of subprocess that run nothing. */
const SUBPROCESS_DATA = words(`
  PIPE STDOUT DEVNULL CalledProcessError TimeoutExpired SubprocessError CompletedProcess list2cmdline`);

/** Of any receiver: only files have them. */
const FILE_METHODS: { readonly [name: string]: Inferable } = {
  read_text: "ReadAccess",
  read_bytes: "ReadAccess",
  write_text: "WriteAccess",
  write_bytes: "WriteAccess",
  dump_stats: "WriteAccess",
  // What `license` and `credits` print.
  _Printer__filenames: "ReadAccess",
};
const PATH_WRITES = words(`
  unlink mkdir rmdir touch rename replace symlink_to hardlink_to chmod lchmod`);
const PATH_READS = words(`
  iterdir glob rglob walk exists is_file is_dir is_symlink stat lstat readlink samefile`);
/** Behind them is everything, without an import and without a name. */
const DOORS = words(`
  __subclasses__ __globals__ __builtins__ __getattribute__ __loader__ __spec__ __code__ __self__ _getframe f_globals
  f_builtins f_locals __base__ __bases__ __mro__ gi_frame cr_frame ag_frame tb_frame f_back f_code gi_code cr_code
  __closure__ __reduce_ex__ __import__`);
/** Modules that others import, and so hand on: `glob.os.system`. */
const HANDED_ON = words("os subprocess shutil socket importlib builtins sys io");

/** Members that mean something whatever they are members of. */
export const OF_ANY_RECEIVER: readonly string[] = [
  ...Object.keys(FILE_METHODS),
  ...["open", ...DOORS, ...HANDED_ON, ...NETWORK_METHODS, ...RUN_METHODS, ...RUN_CALLS],
];

const OPENERS = words(`
  open io.open codecs.open gzip.open bz2.open lzma.open tarfile.open zipfile.ZipFile`);
const ALL_OF_IT: { readonly [module: string]: readonly Inferable[] } = {
  os: ["ReadAccess", "WriteAccess", "CodeExecution"],
  pathlib: ["ReadAccess", "WriteAccess"],
  io: ["ReadAccess", "WriteAccess"],
  shutil: ["ReadAccess", "WriteAccess"],
};

/** Modules under another name: what `os` and others are made of. */
const SAME_AS: { readonly [module: string]: string } = {
  ...{ posix: "os", nt: "os", posixpath: "os.path", ntpath: "os.path" },
  ...{ _io: "io", _pyio: "io", _socket: "socket", _ctypes: "ctypes", _pickle: "pickle" },
  ...{ _winapi: "subprocess", multiprocess: "multiprocessing" },
};

/** From the last module in it that others hand on, and a builtin without its module. */
function plainName(given: string): string {
  const [module = ""] = given.split(".", 1);
  const name = (ownValue(SAME_AS, module) ?? module) + given.slice(module.length);
  const parts = name.split(".");
  const from = parts.findLastIndex(
    (part, index) => index < parts.length - 1 && HANDED_ON.has(part),
  );
  const short = from > 0 ? parts.slice(from).join(".") : name;
  return short.replace(/^(?:builtins|__builtins__)\./, "");
}
const isDoor = (name: string): boolean =>
  name !== "__builtins__" && name.split(".").some((part) => DOORS.has(part));
const last = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

function capabilities(fact: CodeFact): readonly Inferable[] {
  const name = plainName(fact.name);
  if (fact.how === "unfamiliar") return [];
  if (fact.how === "computed" || name.includes("(computed)")) return ["CodeExecution"];
  if (fact.how === "passed") return ownValue(ALL_OF_IT, name) ?? ["CodeExecution"];
  const found: Inferable[] = [];
  const isOpen = isBelow(name, NETWORK) && !isBelow(name, NO_NETWORK);
  const isMethod = name.includes(".") && NETWORK_METHODS.has(last(name));
  if (isOpen || isMethod || isDownloader(name)) found.push("NetworkAccess");
  if (isBelow(name, READS) || isPathMade(fact, name)) found.push("ReadAccess");
  if (isBelow(name, WRITES)) found.push("WriteAccess");
  return [
    ...found,
    ...(runs(name, fact.how) ? (["CodeExecution"] as const) : []),
    ...files(fact, name),
  ];
}

/** As the table has it: a path that is made is read. As the type of an argument it is not. */
const isPathMade = ({ how }: CodeFact, name: string): boolean =>
  how === "call" && /^pathlib\.(?:Posix)?Path$/.test(name);

function runs(name: string, how: CodeFact["how"]): boolean {
  if (name.includes(".") && RUN_METHODS.has(last(name))) return true;
  if (name.startsWith("?.") && RUN_CALLS.has(last(name)) && how === "call") return true;
  if (isBelow(name, RUNS) || /^os\.(?:exec|spawn)[lv]/.test(name)) return true;
  if (isBelow(name, words("subprocess")) && name !== "subprocess") {
    return !SUBPROCESS_DATA.has(name.split(".")[1] ?? "");
  }
  return isDoor(name);
}

function files({ how, mode }: CodeFact, name: string): readonly Inferable[] {
  const method = last(name);
  // The text that a path is read as, or named by, is no path.
  const isPath = /^pathlib\.(?:Posix)?Path(?:\(\))?\.\w+$/.test(name);
  if (OPENERS.has(name) || (isPath && method === "open")) {
    if (how === "import") return [];
    return openedFor(how === "call" ? (mode ?? null) : null);
  }
  if (name.startsWith("?.") && method === "open") {
    // Of something unknown, such as an argument: only what can be nothing but a mode tells.
    return typeof mode === "string" && /^[rbt+]*[wax][rbt+]*$/.test(mode) ? openedFor(mode) : [];
  }
  const byMethod = name.includes(".") ? ownValue(FILE_METHODS, method) : undefined;
  if (byMethod !== undefined) return [byMethod];
  if (/^(?:zipfile\.ZipFile|tarfile\.open)\(\)\.extract(?:all)?$/.test(name))
    return ["WriteAccess"];
  if (!isPath) return [];
  return PATH_WRITES.has(method) ? ["WriteAccess"] : PATH_READS.has(method) ? ["ReadAccess"] : [];
}

function threats(fact: CodeFact): readonly ThreatPattern[] {
  const name = plainName(fact.name);
  if (fact.how === "loop") return [LOOP];
  if (name === "__import__") {
    return [{ pattern: "__import__(", kind: "CommandInjection", severity: "high" }];
  }
  if (name === "os.fork") {
    return [{ pattern: "fork()", kind: "ResourceExhaustion", severity: "medium" }];
  }
  if (isDoor(name)) {
    const door = name.split(".").find((part) => DOORS.has(part)) ?? name;
    return [{ pattern: door, kind: "SandboxEscape", severity: "high" }];
  }
  return fact.typed === true && runs(name, fact.how) ? [typedThreat(`${name}(input(`)] : [];
}

const knows = (module: string): boolean => isBelow(module, NETWORK) || isBelow(module, RUNS);

export const pythonReach: Reach = { capabilities, threats, knows };

/**
 * What a Python text reaches for, by CPython's own `ast`. The script is ours and runs in the sandbox; the text under
 * scan is its argument: parsed, never run.
 */
import { isMap } from "../../isMap.ts";
import type { Json, MailOf } from "../../letter.ts";
import { readJson } from "../../readJson.ts";
import type { CodeFact, CodeFacts, StringHit } from "./codeFacts.ts";
import { STRING_THREATS } from "./patterns.ts";
import { OF_ANY_RECEIVER } from "./pythonReach.ts";

/** What `port/sandbox.run` is asked, without its purpose and its limit. */
export type FactsRun = Required<Pick<MailOf<"sandbox.run">, "name" | "code">> & {
  readonly params: { readonly [name: string]: Json };
};

export const pythonFactsRun = (text: string): FactsRun => ({
  name: "facts",
  code: factsScript,
  params: { text, words: STRING_THREATS.map(({ pattern }) => pattern), kept: OF_ANY_RECEIVER },
});

/** The sandbox's answer to it; what gave no facts says why. */
export function pythonFactsOf(
  reply: Pick<MailOf<"sandbox.replied">, "ok" | "result" | "error" | "timedOut">,
): CodeFacts {
  if (reply.timedOut === true) return { error: "Python did not read it in time" };
  const answer = typeof reply.result === "string" ? readJson(reply.result) : undefined;
  if (!reply.ok || !isMap(answer)) return { error: reply.error ?? "Python gave no facts of it" };
  const { error, facts, hits } = answer;
  if (typeof error === "string") return { error };
  return Array.isArray(facts) && Array.isArray(hits)
    ? { facts: facts.flatMap(factOf), hits: hits.flatMap(hitOf) }
    : { error: "Python gave no facts of it" };
}

/** The script is ours, but what it read is not: each row is looked at. */
function factOf(row: Json): readonly CodeFact[] {
  if (!Array.isArray(row)) return [];
  const [name, how, line, mode, typed] = row as readonly Json[];
  if (typeof name !== "string" || !isHow(how) || typeof line !== "number") return [];
  return [
    {
      ...{ name, how, line },
      ...((typeof mode === "string" || mode === null) && { mode }),
      ...(typed === true && { typed }),
    },
  ];
}

const HOWS: ReadonlySet<Json | undefined> = new Set([
  ...["import", "call", "use", "passed", "computed", "loop", "unfamiliar"],
]);
const isHow = (how: Json | undefined): how is CodeFact["how"] => HOWS.has(how);

function hitOf(row: Json): readonly StringHit[] {
  if (!Array.isArray(row)) return [];
  const [word, line] = row as readonly Json[];
  return typeof word === "string" && typeof line === "number" ? [{ word, line }] : [];
}

/** Names are followed through imports, assignments and getattr, as far as constants go. */
const factsScript = String.raw`
def facts(text, words, kept):
    import ast, json, re, sys
    NAMES, PARTS, DEEP, ROUNDS, CHARS = 2000, 6, 40, 6, 160
    PLAIN = frozenset("open eval exec __import__ getattr vars globals locals input breakpoint __builtins__ __loader__ __spec__".split())
    IMPORTERS = frozenset(["__import__", "importlib.import_module", "importlib.__import__"])
    # Named as if they were there, where the text itself binds no such name.
    MODULES = frozenset("os sys subprocess shutil pathlib io importlib urllib requests httpx socket".split())
    # What makes a path of a path, or paths of it.
    OF_PATHS = frozenset("""joinpath resolve absolute expanduser with_name with_suffix with_stem with_segments relative_to
        rename replace readlink iterdir glob rglob home cwd""".split())
    AS_THEY_ARE = frozenset("sorted list tuple set reversed iter next".split())
    STANDARD = sys.stdlib_module_names
    # Modules within modules; any other module that is a member of one is there by chance, and hands on all that it has.
    WITHIN = frozenset("""os.path collections.abc concurrent.futures logging.handlers logging.config importlib.abc importlib.machinery
        importlib.metadata importlib.resources importlib.util unittest.mock xml.etree xml.dom xml.sax xml.parsers json.decoder json.encoder
        json.tool json.scanner html.parser html.entities http.client http.server http.cookies http.cookiejar urllib.parse urllib.request
        urllib.error urllib.response urllib.robotparser email.message email.mime email.parser email.utils email.header email.policy
        multiprocessing.pool multiprocessing.shared_memory asyncio.subprocess asyncio.queues xmlrpc.client xmlrpc.server sqlite3.dbapi2
        ctypes.util wsgiref.simple_server zoneinfo.tzpath email.errors curses.ascii dbm.dumb encodings.idna
        os.stat sys.platform shutil.copy datetime.time statistics.random""".split())
    OWN_OF_MODULES = frozenset("__name__ __doc__ __version__ __file__ __all__ __path__ __author__".split())
    # What runs a program: the words that it is given are looked at.
    STARTS = re.compile(r"^(subprocess\.|os\.(system|popen|exec|spawn|posix_spawn)|asyncio\.create_subprocess|pty\.spawn|\?\.(system|popen|subprocess_|create_subprocess_|exec_command))")
    # A format that asks for a member, such as {0.__class__}.
    FORMAT = re.compile(r"\{[^{}]*(\.\s*_|\[\s*['\"]?_)[^{}]*\}")
    PICKERS = frozenset(["operator.attrgetter", "operator.methodcaller"])
    # Passed on whole, all of it is in reach.
    WHOLE = frozenset("os subprocess builtins __builtins__ importlib shutil pathlib io sys.modules getattr".split())
    try:
        tree = ast.parse(text)
        nodes = list(ast.walk(tree))
    except SyntaxError as error:
        where = "" if error.lineno is None else " (line %d)" % error.lineno
        return json.dumps({"error": ("%s%s" % (error.msg, where))[:300]})
    except (RecursionError, MemoryError):
        return json.dumps({"error": "it is nested too deeply"})
    except ValueError as error:
        return json.dumps({"error": str(error)[:300]})

    above, kept = {}, frozenset(kept)
    for node in nodes:
        for below in ast.iter_child_nodes(node):
            above[below] = node
    bound, stars, found, hits, texts = {}, set(), {}, {}, {}
    for node in nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            texts.setdefault(node.targets[0].id, []).append(node.value)
        elif isinstance(node, ast.arg):
            texts.setdefault(node.arg, []).append(node)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and not (
                isinstance(above.get(node), ast.Assign) and len(above[node].targets) == 1):
            texts.setdefault(node.id, []).append(node)
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    stored |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    classes = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    methods = {one.name for node in nodes if isinstance(node, ast.ClassDef)
               for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))}
    stored |= {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))}

    # A member of a module of Python's own that is private, or is another module.
    def is_hidden(name):
        parts = name.split(".")
        if parts[0] not in STANDARD:
            return False
        for at, part in enumerate(parts[1:], 1):
            if part.startswith("_") and part not in OWN_OF_MODULES:
                return True
            if part in STANDARD and part != parts[at - 1] and ".".join(parts[at - 1:at + 1]) not in WITHIN:
                return True
            if part.endswith(")") or part[:1].isupper():
                return False
        return parts[0].endswith(")")

    def told(name, how, node, mode=False, typed=False):
        # Of a receiver that is not known, only what means something of any.
        if name.startswith("?.") and kept.isdisjoint(name.split(".")):
            return
        # A method that a class of the text has under that name.
        if name in ("?.popen", "?.system") and name[2:] in methods:
            return
        if how != "computed" and is_hidden(name):
            how = "computed"
        key = (name[:CHARS], how, mode, typed)
        line = getattr(node, "lineno", 1)
        found[key] = min(found.get(key, line), line)

    def constant(node, deep=0):
        if isinstance(node, ast.Name) and len(texts.get(node.id, ())) == 1:
            node = texts[node.id][0]
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if deep > DEEP:
            return None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            parts = [constant(node.left, deep + 1), constant(node.right, deep + 1)]
        elif isinstance(node, ast.JoinedStr):
            parts = [constant(part, deep + 1) for part in node.values]
        elif isinstance(node, ast.FormattedValue):
            return constant(node.value, deep + 1) if node.format_spec is None else None
        else:
            return None
        return None if None in parts else "".join(parts)

    # The texts that a name is given one after another, where each is written out.
    def constants(node):
        given = texts.get(node.id, ()) if isinstance(node, ast.Name) else ()
        loop = above.get(given[0]) if len(given) == 1 else None
        if isinstance(loop, (ast.For, ast.comprehension)) and loop.target is given[0] and isinstance(loop.iter, (ast.Tuple, ast.List)):
            return [constant(one) for one in loop.iter.elts]
        return [constant(node)]

    # Of a receiver that is no module, a name that begins with letters of its own is none of those that lead on.
    def is_plain(owners, node):
        if any(not name.startswith("?") for name in owners):
            return False
        if isinstance(node, ast.JoinedStr) and node.values:
            first = constant(node.values[0])
        else:
            first = constant(node.left) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) else None
        return bool(first) and first[0] != "_" and not any(
            word.startswith(first) or first.startswith(word) for word in kept | {"f_", "tb_", "gi_", "cr_", "ag_"})

    def dotted(owners, name):
        return {(owner if owner.count(".") < PARTS else "?") + "." + name for owner in owners}

    def is_path(name):
        return name in ("pathlib.Path()", "pathlib.PosixPath()")

    # Whatever a path is made of another by, it is a path.
    def path_of(func):
        owner, _, method = func.rpartition(".")
        if method not in OF_PATHS or not (is_path(owner) or is_path(owner + "()")):
            return func + "()"
        return owner if is_path(owner) else owner + "()"

    def paths(node, deep=0):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) in AS_THEY_ARE and node.args and deep < DEEP:
            return paths(node.args[0], deep + 1)
        return {name for name in resolved(node, deep) if is_path(name)}

    def of_name(name):
        names = set(bound.get(name, ()))
        if name in PLAIN or name in MODULES and name not in bound and name not in stored:
            names.add(name)
        elif name not in bound:
            names |= {star + "." + name for star in stars}
        return names

    def of_call(node, deep):
        names, args = set(), node.args
        for name in resolved(node.func, deep + 1):
            name = name.removeprefix("builtins.").removeprefix("__builtins__.")
            if name in IMPORTERS:
                module = constant(args[0]) if args else None
                if module is None:
                    names.add("import(computed)")
                else:
                    names |= {module, module.split(".")[0]}
            elif name == "getattr" and len(args) > 1:
                owners = resolved(args[0], deep + 1)
                for attribute in constants(args[1]):
                    if attribute is not None:
                        names |= dotted(owners or {"?"}, attribute)
                    elif not is_plain(owners, args[1]):
                        names.add("getattr(computed)")
            elif name in PICKERS and (not args or constant(args[0]) is None or "_" == (constant(args[0]) or "")[:1]):
                names.add("getattr(computed)")
            elif name in ("globals", "locals", "vars") and not args:
                names.add("globals()")
            elif name.endswith((".get", ".pop", ".setdefault", ".__getitem__")) and isinstance(node.func, ast.Attribute) and args:
                names |= item_of(resolved(node.func.value, deep + 1), constant(args[0]))
            elif name == "vars":
                names |= dotted(resolved(args[0], deep + 1), "__dict__")
            elif name != "?":
                names.add(path_of(name))
        return names

    def of_item(node, deep):
        return item_of(resolved(node.value, deep + 1), constant(node.slice))

    def item_of(owners, key):
        names = set()
        for owner in owners:
            if owner.endswith(").parents"):
                names.add(owner.removesuffix(".parents"))
            inside = owner.removesuffix(".__dict__")
            if owner not in ("sys.modules", "globals()", "__builtins__") and inside == owner:
                continue
            if key is None:
                names.add("getattr(computed)")
            elif inside != owner:
                names |= dotted({inside}, key)
            elif owner == "globals()":
                names |= of_name(key)
            else:
                names.add(key)
        return names

    known = {}
    def resolved(node, deep=0):
        if deep > DEEP:
            return set()
        if node in known:
            return known[node]
        if isinstance(node, ast.Name):
            names = of_name(node.id)
        elif isinstance(node, ast.Attribute):
            owners = resolved(node.value, deep + 1) or {"?"}
            # What a class of the text is derived from, and what is derived from it, is the text's own.
            if node.attr in ("__mro__", "__subclasses__") and isinstance(node.value, ast.Name) and (
                    node.value.id in classes and node.value.id not in texts and node.value.id not in bound
                    and not isinstance(above.get(node), (ast.Subscript, ast.Attribute))):
                return set()
            made = {owner for owner in owners if node.attr == "parent" and is_path(owner)}
            names = made | dotted(owners - made, node.attr)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            names = paths(node.left, deep + 1) | paths(node.right, deep + 1)
        elif isinstance(node, ast.Call):
            names = of_call(node, deep)
        elif isinstance(node, ast.Subscript):
            names = of_item(node, deep)
        elif isinstance(node, (ast.NamedExpr, ast.Await)):
            names = resolved(node.value, deep + 1)
        elif isinstance(node, ast.IfExp):
            names = resolved(node.body, deep + 1) | resolved(node.orelse, deep + 1)
        elif isinstance(node, ast.BoolOp):
            names = set().union(*(resolved(value, deep + 1) for value in node.values))
        else:
            names = set()
        known[node] = names if len(names) <= 64 else set(sorted(names)[:64])
        return known[node]

    def bind(target, value):
        several = (ast.Tuple, ast.List)
        if isinstance(target, ast.Name):
            add(target.id, resolved(value))
        elif isinstance(target, several) and isinstance(value, several):
            for one, given in zip(target.elts, value.elts):
                bind(one, given)

    def add(name, names):
        names = {one for one in names if not one.startswith("?")}
        if names:
            bound.setdefault(name, set()).update(names)

    def bind_all():
        for node in nodes:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    bind(target, node.value)
            elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
                bind(node.target, node.value)
            elif isinstance(node, ast.arg) and node.annotation is not None:
                kinds = {name + "()" for one in ast.walk(node.annotation) for name in resolved(one)}
                add(node.arg, {kind for kind in kinds if is_path(kind)})
            elif isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.iter, (ast.Tuple, ast.List)):
                for one in node.iter.elts:
                    bind(node.target, one)
            elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)) and isinstance(node.target, ast.Name):
                add(node.target.id, paths(node.iter))
            elif isinstance(node, ast.withitem) and node.optional_vars is not None:
                bind(node.optional_vars, node.context_expr)
            elif isinstance(node, ast.arguments):
                taken = node.posonlyargs + node.args
                pairs = list(zip(taken[len(taken) - len(node.defaults):], node.defaults))
                for arg, default in pairs + list(zip(node.kwonlyargs, node.kw_defaults)):
                    if default is not None:
                        add(arg.arg, resolved(default))

    def foreign(module, node):
        if module.partition(".")[0] not in STANDARD:
            told(module, "unfamiliar", node)

    for node in nodes:
        if isinstance(node, ast.Import):
            for one in node.names:
                add(one.asname or one.name.split(".")[0], {one.name if one.asname else one.name.split(".")[0]})
                told(one.name, "import", node)
                foreign(one.name, node)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            foreign(node.module, node)
            for one in node.names:
                if one.name == "*":
                    stars.add(node.module)
                else:
                    add(one.asname or one.name, {node.module + "." + one.name})
                told(node.module + "." + one.name, "import", node)
    for _ in range(ROUNDS):
        known.clear()
        before = {name: len(names) for name, names in bound.items()}
        bind_all()
        if before == {name: len(names) for name, names in bound.items()}:
            break
    known.clear()

    def mode_of(call, name):
        # Of a method, such as Path.open, the mode comes first.
        place = 0 if name.endswith("().open") or name.startswith("?.") else 1
        if any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
            return None
        named = [one.value for one in call.keywords if one.arg == "mode"]
        given = named[0] if named else call.args[place] if len(call.args) > place else None
        return "r" if given is None else constant(given)

    def is_typed(call):
        return any(isinstance(one, ast.Call) and "input" in resolved(one.func)
                   for given in [*call.args, *(word.value for word in call.keywords)] for one in ast.walk(given))

    def is_bound(node, parent):
        return (isinstance(parent, ast.Assign) and all(isinstance(one, ast.Name) for one in parent.targets)
                or isinstance(parent, (ast.AnnAssign, ast.NamedExpr)) and isinstance(parent.target, ast.Name)
                or isinstance(parent, (ast.withitem, ast.arguments, ast.Expr)))

    def how_of(node, parent, name):
        if isinstance(parent, ast.Call) and parent.func is node:
            return "call"
        inner = isinstance(parent, ast.Call) and resolved(parent.func) & {"getattr", "vars"}
        whole = name in WHOLE and not inner and not is_bound(node, parent)
        return "passed" if whole and not isinstance(parent, ast.Subscript) else "use"

    def look(node):
        parent = above.get(node)
        if isinstance(parent, ast.Attribute) or not isinstance(getattr(node, "ctx", None), (ast.Load, type(None))):
            return
        for name in resolved(node):
            how = how_of(node, parent, name)
            if name.endswith("(computed)"):
                told(name, "computed", node)
            elif how == "call":
                opens = name.rpartition(".")[2] in ("open", "ZipFile")
                told(name, "call", node, mode_of(parent, name) if opens else False, is_typed(parent))
            elif not (isinstance(node, ast.Call) and name.endswith("()")):
                told(name, how, node)

    def endless(node):
        kinds = (ast.Break, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom)
        return (isinstance(node.test, ast.Constant) and bool(node.test.value)
                and not any(isinstance(one, kinds) for one in ast.walk(node)))

    def hit(text, line):
        low = text.lower()
        for word in words:
            at = low.find(word)
            if at >= 0:
                row = line + low.count("\n", 0, at)
                hits[word] = min(hits.get(word, row), row)

    def string_of(node):
        if isinstance(node, (ast.List, ast.Tuple)):
            return " ".join(constant(one) or "?" for one in node.elts)
        if isinstance(node, ast.Constant) and isinstance(node.value, bytes):
            return node.value.decode("latin-1")
        return constant(node)

    # Where fileinput is out of reach, inplace, as of a table's sort, says nothing of files; where it is not, any call may be its.
    def of_files(names):
        return any(name.partition(".")[0] == "fileinput" for name in names)

    reached = "fileinput" in stars or any(of_files(names) for names in bound.values())

    def is_flag(word, call):
        return word in ("shell", "eval_str") or word == "inplace" and (reached or of_files(resolved(call.func)))

    # Handed on unread, or second of what is given: fileinput.input("x", True).
    def hands_flag(call):
        if not any(name in ("fileinput.input", "fileinput.FileInput") for name in resolved(call.func)):
            return False
        if any(word.arg is None for word in call.keywords) or any(isinstance(one, ast.Starred) for one in call.args):
            return True
        second = call.args[1] if len(call.args) > 1 else ast.Constant(False)
        return not (isinstance(second, ast.Constant) and not second.value)

    STRINGS = (ast.Constant, ast.BinOp, ast.JoinedStr, ast.List, ast.Tuple)
    for node in nodes:
        if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
            look(node)
        if isinstance(node, ast.Call) and any(STARTS.match(name) for name in resolved(node.func)):
            given = [*node.args, *(word.value for word in node.keywords)]
            said = " ".join(string_of(one) or "" for one in given)
            words_of = [word.rpartition("/")[2] for word in re.split(r"[^\w./:@+-]+", said) if word][:400]
            for at, word in enumerate(words_of):
                told(("program " + " ".join(words_of[at:at + 2]))[:CHARS], "use", node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and FORMAT.search(node.value):
            if not isinstance(above.get(node), ast.Expr):
                told("format(computed)", "computed", node)
        if isinstance(node, ast.Call):
            for one in node.keywords:
                if is_flag(one.arg, node) and not (isinstance(one.value, ast.Constant) and not one.value.value):
                    told(one.arg + "=True", "use", node)
            if hands_flag(node):
                told("inplace=True", "use", node)
        if isinstance(node, ast.Call) and "logging.basicConfig" in resolved(node.func) and any(
                one.arg in ("filename", None) for one in node.keywords):
            told("logging.basicConfig(filename=)", "use", node)
        elif isinstance(node, ast.While) and endless(node):
            told("while true", "loop", node)
        elif isinstance(node, STRINGS) and not isinstance(above.get(node), (ast.Expr, ast.BinOp)):
            string = string_of(node)
            if string:
                hit(string, node.lineno)
    if len(found) > NAMES:
        return json.dumps({"error": "it reaches for more than %d names" % NAMES})
    rows = [[name, how, line, mode, typed] for (name, how, mode, typed), line in found.items()]
    rows.sort(key=lambda row: json.dumps(row))
    return json.dumps({"facts": rows, "hits": sorted([word, line] for word, line in hits.items())})
`;

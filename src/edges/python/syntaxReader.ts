/**
 * The Python side of `port/python.parse`: what CPython's own parser finds in a text. The text is only
 * read, never run. Which functions count is ruling T4's; what a text reaches for is asked by synt.
 */
export const syntaxReader = String.raw`
def _ghostlight_syntax():
    import ast
    FUNCTIONS, NAMES = 2000, 5000
    NESTING = ("body", "handlers", "cases", "orelse", "finalbody")
    # Python's own doors: behind them is everything, without an import and without a name.
    DOORS = frozenset("eval exec compile globals __import__ sys.modules sys._getframe".split())
    DOORS_OF_ANY = frozenset(
        "__builtins__ __globals__ __getattribute__ __subclasses__ __loader__ __spec__".split())

    def silent(node):
        return isinstance(node, ast.Pass) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))

    def kind(body):
        if not body:
            return "code"
        if len(body) == 1 and isinstance(body[0], ast.Pass):
            return "pass"
        return "docstring" if all(silent(node) for node in body) else "code"

    # In the order of the text, at whatever depth. Statements only: a lambda is no function here.
    def functions(tree):
        found, waiting = [], [(node, False) for node in reversed(tree.body)]
        while waiting:
            node, in_class = waiting.pop()
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first = (node.args.posonlyargs + node.args.args)[:1]
                about = {"name": node.name, "firstArgument": first[0].arg if first else None,
                         "inClass": in_class, "body": kind(node.body)}
                found.append({**about, "isAsync": True} if isinstance(node, ast.AsyncFunctionDef) else about)
            below = [held for field in NESTING for held in getattr(node, field, None) or []]
            waiting.extend((held, isinstance(node, ast.ClassDef)) for held in reversed(below))
        return found

    def dotted(node):
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name):
            parts.append(node.id)
        return ".".join(reversed(parts))

    def top(module):
        return module.split(".")[0]

    # What the names of a text mean that an import has bound: o of "import os as o" is os.
    def bound_by(nodes):
        bound = {}
        for node in nodes:
            if isinstance(node, ast.Import):
                for one in node.names:
                    bound[one.asname or top(one.name)] = one.name if one.asname else top(one.name)
            elif isinstance(node, ast.ImportFrom):
                for one in node.names:
                    bound[one.asname or one.name] = (node.module or "") + "." + one.name
        return bound

    def is_door(name, bound):
        root, dot, rest = name.partition(".")
        return bound.get(root, root) + dot + rest in DOORS or name.rpartition(".")[2] in DOORS_OF_ANY

    # No door has more than two parts, so that long chains of attributes cost little.
    def door_at(node, bound):
        if isinstance(node, ast.Name):
            return node.id if is_door(node.id, bound) else ""
        if not isinstance(node, ast.Attribute):
            return ""
        short = isinstance(node.value, ast.Name)
        if short or node.attr in DOORS_OF_ANY or node.attr in DOORS:
            name = dotted(node)
            return name if is_door(name, bound) else ""
        return ""

    # What getattr(module, "name") reaches, as if it were written with a dot; None for a computed
    # name of a module, "" for an attribute of anything else.
    def attribute_of(call, bound):
        if len(call.args) < 2:
            return None
        owner, attribute = dotted(call.args[0]), call.args[1]
        if isinstance(attribute, ast.Constant) and isinstance(attribute.value, str):
            return attribute.value if owner == "" else owner + "." + attribute.value
        return None if owner.split(".")[0] in bound else ""

    # Of open(file, mode) the mode is looked at; a method of something may write.
    def may_write(call, name):
        plain = isinstance(call.func, ast.Name) or name == "io.open"
        starred = any(isinstance(given, ast.Starred) for given in call.args)
        if not plain or starred or any(word.arg is None for word in call.keywords):
            return True
        named = [word.value for word in call.keywords if word.arg == "mode"]
        mode = named[0] if named else call.args[1] if len(call.args) > 1 else None
        if mode is None:
            return False
        text = mode.value if isinstance(mode, ast.Constant) else None
        return not isinstance(text, str) or any(letter in "wax+" for letter in text)

    def reach(tree):
        nodes = list(ast.walk(tree))
        bound = bound_by(nodes)
        imports, calls, hidden, writes = set(), set(), set(), False
        for node in nodes:
            hidden.add(door_at(node, bound))
            if isinstance(node, ast.Import):
                imports.update(top(one.name) for one in node.names)
            elif isinstance(node, ast.ImportFrom):
                imports.add("." if node.level or not node.module else top(node.module))
            elif isinstance(node, ast.Call):
                name = dotted(node.func)
                calls.add(name)
                if name == "open" or name.endswith(".open"):
                    writes = writes or may_write(node, name)
                if name == "getattr":
                    reached = attribute_of(node, bound)
                    calls.add(reached or "")
                    if reached is None or is_door(reached, bound):
                        hidden.add(reached or "getattr")
        found = {"imports": sorted(imports), "calls": sorted(calls - {""}), "opensToWrite": writes}
        return {**found, "hidden": sorted(hidden - {""})} if hidden != {""} else found

    def wrong(error):
        return {"ok": False, "error": error, "functions": [], "module": "code",
                "imports": [], "calls": [], "opensToWrite": True}

    def syntax(text):
        try:
            tree = ast.parse(text)
            found, reached = functions(tree), reach(tree)
            if len(found) > FUNCTIONS:
                return wrong("more than %d functions" % FUNCTIONS)
            if max(len(names) for names in reached.values() if isinstance(names, list)) > NAMES:
                return wrong("more than %d names" % NAMES)
            return {"ok": True, "functions": found, "module": kind(tree.body), **reached}
        except SyntaxError as error:
            where = "" if error.lineno is None else " (line %d)" % error.lineno
            return wrong(str(error.msg) + where)
        except ValueError as error:
            return wrong(str(error))
        except (RecursionError, MemoryError):
            return wrong("nested too deeply, or too long, to be read")

    return syntax

_ghostlight_syntax = _ghostlight_syntax()
`;

/**
 * The Python side of `port/python.parse`: what CPython's own parser finds in a text. The text is only
 * read, never run. Which functions count is ruling T4's; what a text reaches for is asked by synt.
 */
export const syntaxReader = String.raw`
def _ghostlight_syntax():
    import ast
    FUNCTIONS, NAMES = 2000, 5000
    NESTING = ("body", "handlers", "cases", "orelse", "finalbody")

    def silent(node):
        return isinstance(node, ast.Pass) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))

    def kind(body):
        if not body:
            return "code"
        if len(body) == 1 and isinstance(body[0], ast.Pass):
            return "pass"
        return "docstring" if all(silent(node) for node in body) else "code"

    def functions(tree):
        found, waiting = [], [(node, False) for node in reversed(tree.body)]
        while waiting:
            node, in_class = waiting.pop()
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first = (node.args.posonlyargs + node.args.args)[:1]
                found.append({"name": node.name, "firstArgument": first[0].arg if first else None,
                              "inClass": in_class, "isAsync": isinstance(node, ast.AsyncFunctionDef),
                              "body": kind(node.body)})
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

    def may_write(call, name):
        plain = isinstance(call.func, ast.Name) or name == "io.open"
        hidden = any(isinstance(given, ast.Starred) for given in call.args)
        if not plain or hidden or any(word.arg is None for word in call.keywords):
            return True
        named = [word.value for word in call.keywords if word.arg == "mode"]
        mode = named[0] if named else call.args[1] if len(call.args) > 1 else None
        if mode is None:
            return False
        text = mode.value if isinstance(mode, ast.Constant) else None
        return not isinstance(text, str) or any(letter in "wax+" for letter in text)

    def reach(tree):
        imports, calls, writes = set(), set(), False
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                imports.update(name.name.split(".")[0] for name in node.names)
            elif isinstance(node, ast.ImportFrom):
                imports.add("." if node.level or not node.module else node.module.split(".")[0])
            elif isinstance(node, ast.Call):
                name = dotted(node.func)
                calls.add(name)
                if name == "open" or name.endswith(".open"):
                    writes = writes or may_write(node, name)
        calls.discard("")
        return {"imports": sorted(imports)[:NAMES], "calls": sorted(calls)[:NAMES],
                "opensToWrite": writes}

    def wrong(error):
        return {"ok": False, "error": error, "functions": [], "module": "code",
                "imports": [], "calls": [], "opensToWrite": False}

    def syntax(text):
        try:
            tree = ast.parse(text)
            found = functions(tree)
            if len(found) > FUNCTIONS:
                return wrong("more than %d functions" % FUNCTIONS)
            return {"ok": True, "functions": found, "module": kind(tree.body), **reach(tree)}
        except SyntaxError as error:
            where = "" if error.lineno is None else " (line %d)" % error.lineno
            return wrong(str(error.msg) + where)
        except (RecursionError, MemoryError):
            return wrong("too many nested parentheses or blocks")

    return syntax

_ghostlight_syntax = _ghostlight_syntax()
`;

"""Lists the mutants of a program in Python, as JSON: it is parsed and never run.

Each is [function, kind, start, end, put, reach]: the bytes from start to end are replaced by put. With the text
reach[1] at the byte reach[0], the program ends where the changed statement would be reached; null at the top.
"""

import ast
import io
import json
import sys
import tokenize

TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "!=", "!=": "==", "in": "not in", "not in": "in",
          "is": "is not", "is not": "is"}
BORDER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
ARITHMETIC = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.Div: ("/", "*"),
              ast.FloorDiv: ("//", "/"), ast.Mod: ("%", "//"), ast.Pow: ("**", "*"), ast.BitAnd: ("&", "|"),
              ast.BitOr: ("|", "&"), ast.BitXor: ("^", "|")}
BOOLEAN = {ast.And: ("and", "or"), ast.Or: ("or", "and")}
DROPPED = (ast.Assign, ast.AugAssign, ast.Delete, ast.Raise, ast.Assert, ast.Break, ast.Continue)
SWAPPED = (ast.Assign, ast.AugAssign, ast.Delete)
ENDS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Names of something that exists already: in their place, a copy is the original.
NAMED = (ast.Name, ast.Attribute, ast.Subscript)
COPIES = ("list", "dict", "set")
# No `except` catches it.
EXIT = "__import__('os')._exit(1)"

source = open(sys.argv[1], "rb").read()
MARK = b"\xef\xbb\xbf" if source.startswith(b"\xef\xbb\xbf") else b""
text = source[len(MARK):].decode("utf-8")
starts = [len(MARK)]
for line in io.StringIO(text, newline="\n"):
    starts.append(starts[-1] + len(line.encode()))


def at(line, column):
    return starts[line - 1] + column


def span(node):
    return at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)


def code(node):
    start, end = span(node)
    return source[start:end].decode()


def indent(node):
    """The blanks before a node; None if it is not the first of its line."""
    before = source[starts[node.lineno - 1]:span(node)[0]].decode()
    return None if before.strip() else before


def is_call(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, (ast.Call, ast.Await))


def names(node):
    """The names and attributes in a statement, but not the object itself."""
    found = {inside.id for inside in ast.walk(node) if isinstance(inside, ast.Name)}
    found |= {inside.attr for inside in ast.walk(node) if isinstance(inside, ast.Attribute)}
    return found - {"self"}


lines = text.split("\n")
words = []
for token in tokenize.generate_tokens(io.StringIO(text).readline):
    if token.type in (tokenize.OP, tokenize.NAME):
        before = len(lines[token.start[0] - 1][:token.start[1]].encode())
        start = at(token.start[0], before)
        words.append((start, start + len(token.string.encode()), token.string))

found = []


class Finder(ast.NodeVisitor):
    """Walks the program, in order."""

    function = "top"
    in_message = False
    last = None
    reach = None

    def add(self, kind, start, end, put):
        found.append([self.function, kind, start, end, put, self.reach])

    def reach_of(self, node):
        """What to put where, so that the program ends before a statement."""
        start, _ = span(node)
        if self.function == "top":
            return None
        if source[start:].startswith(b"elif"):
            return self.reach
        before = indent(node)
        return [start, EXIT + ("; " if before is None else "\n" + before)]

    def swap(self, left, right, old, kinds):
        """Replaces the operator between two nodes."""
        (_, start), (end, _) = span(left), span(right)
        inside = [word for word in words if start <= word[0] and word[1] <= end]
        parts = old.split()
        for index in range(len(inside)):
            if [word[2] for word in inside[index:index + len(parts)]] == parts:
                for kind, new in kinds:
                    self.add(kind, inside[index][0], inside[index + len(parts) - 1][1], new)
                return

    def visit_FunctionDef(self, node):
        outer, self.function = self.function, node.name
        for default in node.args.defaults + node.args.kw_defaults:
            if default is not None:
                self.visit(default)
        # Without it, a function returns None all the same.
        self.last = node.body[-1]
        self.returns_early(node.body)
        self.block(node.body)
        self.function = outer

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        self.block(node.body)

    def visit_Module(self, node):
        self.block(node.body)

    def block(self, body):
        self.swaps(body)
        for statement in body:
            said = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if not (said and isinstance(statement.value.value, str)):
                self.visit(statement)

    def visit(self, node):
        outer = self.reach
        if isinstance(node, ast.stmt):
            self.reach = self.reach_of(node)
            if self.function != "top" and (is_call(node) or isinstance(node, DROPPED)):
                self.add("dropped", *span(node), "pass")
        super().visit(node)
        self.reach = outer

    def generic_visit(self, node):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                self.swaps(value)
        super().generic_visit(node)

    def swaps(self, body):
        """Statements that exchange places with the next one, if they have a name in common."""
        for one, other in zip(body, body[1:] if self.function != "top" else ()):
            both = all(is_call(node) or isinstance(node, SWAPPED) for node in (one, other))
            assigned = [inside.id for inside in ast.walk(one)
                        if isinstance(inside, ast.Name) and isinstance(inside.ctx, ast.Store)]
            # What the other needs would not be there.
            if both and names(one) & names(other) and not names(other).intersection(assigned):
                (start, between), (after, end) = span(one), span(other)
                outer, self.reach = self.reach, self.reach_of(one)
                self.add("swapped", start, end, code(other) + source[between:after].decode() + code(one))
                self.reach = outer

    def returns_early(self, body):
        """A `return` before each loop or condition of a function but its first statement."""
        for statement in body[1:]:
            before = indent(statement)
            if hasattr(statement, "body") and not isinstance(statement, (*FUNCTIONS, ast.ClassDef)) and before is not None:
                start, _ = span(statement)
                outer, self.reach = self.reach, self.reach_of(statement)
                self.add("early", start, start, "return\n" + before)
                self.reach = outer

    def loop(self, node):
        """A loop that ends after its first round."""
        last = node.body[-1]
        _, end = span(last)
        if self.function != "top" and not isinstance(last, ENDS):
            before = indent(last)
            self.add("early", end, end, "; break" if before is None else f"\n{before}break")
        self.generic_visit(node)

    visit_For = visit_AsyncFor = visit_While = loop

    def visit_Continue(self, node):
        self.add("early", *span(node), "break")

    def visit_Call(self, node):
        called, arguments = node.func, node.args
        if not node.keywords:
            # `list(x)`, `copy(x)`, `copy.copy(x)`, `x.copy()`
            name = getattr(called, "id", getattr(called, "attr", None))
            is_copy = name in ("copy", "deepcopy") or isinstance(called, ast.Name) and name in COPIES
            if is_copy and len(arguments) == 1 and isinstance(arguments[0], NAMED):
                self.add("shared", *span(node), code(arguments[0]))
            if name == "copy" and not arguments and isinstance(called, ast.Attribute) and isinstance(called.value, NAMED):
                self.add("shared", *span(node), code(called.value))
        if getattr(called, "id", None) == "range" and 1 <= len(arguments) <= 2 \
                and isinstance(arguments[-1], (*NAMED, ast.Call)):
            self.add("arithmetic", *span(arguments[-1]), code(arguments[-1]) + " - 1")
        self.generic_visit(node)

    def visit_Subscript(self, node):
        part = node.slice
        is_whole = isinstance(part, ast.Slice) and part.lower is part.upper is part.step is None
        if is_whole and isinstance(node.ctx, ast.Load) and isinstance(node.value, NAMED):
            self.add("shared", *span(node), code(node.value))
        self.generic_visit(node)

    def visit_If(self, node):
        names = {inside.id for inside in ast.walk(node.test) if isinstance(inside, ast.Name)}
        if "__name__" not in names:
            self.generic_visit(node)

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.visit(node.value)

    def visit_Return(self, node):
        start, end = span(node)
        nothing = node.value is None or isinstance(node.value, ast.Constant) and node.value.value is None
        if nothing and node is self.last:
            return
        if node.value is None:
            self.add("return", start, end, "pass")
        else:
            after = source[start + len("return"):end]
            blanks = len(after) - len(after.lstrip(b" \t"))
            self.add("return", start, start + len("return") + blanks, "")
            self.visit(node.value)

    def message(self, node):
        outer, self.in_message = self.in_message, True
        self.visit(node)
        self.in_message = outer

    def visit_Raise(self, node):
        if node.exc is not None:
            self.message(node.exc)

    def visit_Assert(self, node):
        self.visit(node.test)
        if node.msg is not None:
            self.message(node.msg)

    def visit_Compare(self, node):
        values = [node.left, *node.comparators]
        spelled = {ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
                   ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not"}
        for left, operator, right in zip(values, node.ops, values[1:]):
            old = spelled[type(operator)]
            kinds = [("turned", TURNED[old])]
            if old in BORDER:
                kinds.append(("border", BORDER[old]))
            self.swap(left, right, old, kinds)
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        old, new = BOOLEAN[type(node.op)]
        for left, right in zip(node.values, node.values[1:]):
            self.swap(left, right, old, [("boolean", new)])
        self.generic_visit(node)

    def visit_BinOp(self, node):
        is_text = isinstance(node.left, ast.JoinedStr) or isinstance(getattr(node.left, "value", None), str)
        if type(node.op) in ARITHMETIC and not is_text:
            old, new = ARITHMETIC[type(node.op)]
            self.swap(node.left, node.right, old, [("arithmetic", new)])
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        if type(node.op) in ARITHMETIC:
            old, new = ARITHMETIC[type(node.op)]
            self.swap(node.target, node.value, old + "=", [("arithmetic", new + "=")])
        self.generic_visit(node)

    def visit_UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            start, _ = span(node)
            self.add("negation", start, start + len("not"), "")
        self.generic_visit(node)

    def visit_JoinedStr(self, node):
        self.longer(node)
        for part in node.values:
            if isinstance(part, ast.FormattedValue) and sys.version_info >= (3, 12):
                self.visit(part.value)

    def longer(self, node):
        """A text that ends in an exclamation mark."""
        start, end = span(node)
        quotes = 3 if source[start:end].endswith((b"'''", b'"""')) else 1
        self.add("message" if self.in_message else "constant", end - quotes, end - quotes, "!")

    def visit_Constant(self, node):
        value = node.value
        if isinstance(value, bool):
            self.add("constant", *span(node), str(not value))
        elif isinstance(value, (int, float)):
            self.add("constant", *span(node), repr(value + 1))
        elif isinstance(value, str):
            self.longer(node)


Finder().visit(ast.parse(source))
print(json.dumps(found))

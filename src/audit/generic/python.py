"""Lists the mutants of a program in Python, as JSON: it is parsed and never run.

Each is [function, kind, start, end, put]: the bytes from start to end are replaced by put.
"""

import ast
import io
import json
import sys
import tokenize

TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "!=", "!=": "==", "in": "not in", "not in": "in",
          "is": "is not", "is not": "is"}
BORDER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
ARITHMETIC = {ast.Add: ("+", "-"), ast.Sub: ("-", "+")}
BOOLEAN = {ast.And: ("and", "or"), ast.Or: ("or", "and")}
DROPPED = (ast.Assign, ast.AugAssign, ast.Delete, ast.Raise, ast.Assert, ast.Break, ast.Continue)

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

    def add(self, kind, start, end, put):
        found.append([self.function, kind, start, end, put])

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
        self.block(node.body)
        self.function = outer

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        self.block(node.body)

    def visit_Module(self, node):
        self.block(node.body)

    def block(self, body):
        for statement in body:
            said = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if not (said and isinstance(statement.value.value, str)):
                self.visit(statement)

    def visit(self, node):
        if isinstance(node, ast.stmt) and self.function != "top":
            call = isinstance(node, ast.Expr) and isinstance(node.value, (ast.Call, ast.Await))
            if call or isinstance(node, DROPPED):
                self.add("dropped", *span(node), "pass")
        super().visit(node)

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
        if type(node.op) in ARITHMETIC:
            old, new = ARITHMETIC[type(node.op)]
            self.swap(node.left, node.right, old, [("arithmetic", new)])
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

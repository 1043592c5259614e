# The Python driver: loads a submission from memory and answers the requests of docs/protocol.md.
#
# It is passed to the interpreter as text, so that nothing of it lies on disk. A submission runs in this very
# process, so everything the driver needs is captured before the submission is loaded, and no method of a
# submission's value is called but the ones that a request asks for. Nothing here is a secret: a submission that
# takes over the whole driver still earns only what its answers earn, because what is expected never comes here.
#
# It imports what is inside the interpreter, not the library's modules around it: those are most of the time that an
# interpreter takes to start, and memory that every forked child copies.
import _io
import _signal
import _struct
import _thread
import _warnings
import atexit
import binascii
import builtins
import gc
import marshal
import sys
from _frozen_importlib_external import PathFinder
from _json import encode_basestring_ascii, make_scanner

try:
    import posix as system
except ImportError:
    import nt as system

# Functions defined from here on find their builtins in a copy that a submission cannot reach by name.
__builtins__ = dict(builtins.__dict__)

PROTOCOL = 1
MOST_DEPTH = 40          # levels of nesting in a value
MOST_NODES = 20_000      # values in one reply
MOST_BYTES = 1 << 20     # bytes of one value in a reply
MOST_BITS = 1 << 18      # bits of an integer
MOST_MESSAGE = 4_000     # characters of an exception's message
MOST_FRAMES = 20         # lines of a traceback
MOST_TYPES = 100         # supertypes of a value
MOST_SHOWN = 1_000       # characters of a value as its own text shows it
MOST_NAMES = 200         # names listed for suggestions
MOST_SUBCLASSES = 20     # types named beside a value that is written as one of a builtin type
MOST_AHEAD = 1 << 13     # bytes of a request that are read with its header
HEADER = 12              # bytes before the text of a request
PLAIN_BITS = 53          # integers up to here are plain JSON numbers
HEAP_TYPE = 1 << 9       # flags of types, from CPython's `object.h`
IMMUTABLE_TYPE = 1 << 8
SIGNALS = range(1, _signal.NSIG)
CASE = '<case>'          # the file of code that stands in a case
ONLY_TREE = 1 << 10      # the flag with which `compile` gives a syntax tree

# Operators, as the protocol writes them.
OPERATORS = {
    '+': lambda a, b: a + b,
    '-': lambda a, b: a - b,
    '*': lambda a, b: a * b,
    '/': lambda a, b: a / b,
    '//': lambda a, b: a // b,
    '%': lambda a, b: a % b,
    '**': lambda a, b: a ** b,
    '==': lambda a, b: a == b,
    '!=': lambda a, b: a != b,
    '<': lambda a, b: a < b,
    '<=': lambda a, b: a <= b,
    '>': lambda a, b: a > b,
    '>=': lambda a, b: a >= b,
    'in': lambda a, b: a in b,
    'neg': lambda a: -a,
    'not': lambda a: not a,
}
BUILTINS = {'len': len, 'str': str, 'repr': repr, 'list': list, 'sorted': sorted, 'isinstance': isinstance}

# Numbers that a program may set: how to read and how to set each.
NUMBERS = [(sys.getrecursionlimit, sys.setrecursionlimit), (sys.getswitchinterval, sys.setswitchinterval)]
if hasattr(sys, 'set_int_max_str_digits'):
    NUMBERS.append((sys.get_int_max_str_digits, sys.set_int_max_str_digits))

# Modules whose random numbers begin with the seed of the run.
SEEDED = 'random', 'numpy.random'

type_name = type.__dict__['__name__'].__get__
type_module = type.__dict__['__module__'].__get__
type_mro = type.__dict__['__mro__'].__get__
type_dict = type.__dict__['__dict__'].__get__
type_flags = type.__dict__['__flags__'].__get__
exception_traceback = BaseException.__dict__['__traceback__'].__get__
pack, unpack = _struct.pack, _struct.unpack
read, write, leave = system.read, system.write, system._exit
Module = type(sys)
Function = type(lambda: None)
METHODS = (Function, staticmethod, classmethod)
ModuleSpec = type(sys.__spec__)
modules = sys.modules


class Plain:
    """How JSON is read: as it stands."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = None


scan = make_scanner(Plain)


class TooBig(Exception):
    pass


# The builtin types whose subclasses are written as they are, each with a method of its own that reads a value: as one of
# exactly that type, or item by item. None of them calls what a subclass overrides.
SCALARS = [(int, int.__int__), (float, float.__float__), (str, str.__str__)]
COLLECTIONS = [(list, list.__iter__), (tuple, tuple.__iter__), (set, set.__iter__), (frozenset, frozenset.__iter__),
               (dict, dict.items)]


# ---- values: from Python to JSON text -----------------------------------------------------------------------


def safe_name(cls):
    name = type_name(cls)
    return name[:200] if type(name) is str else '?'


def quote(text):
    """The JSON text of a string; one with lone surrogates as its UTF-16 code units."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raw = text.encode('utf-16-le', 'surrogatepass')
        units = unpack('<%dH' % (len(raw) // 2), raw)
        return '{"units":[' + ','.join([str(unit) for unit in units]) + ']}'
    return encode_basestring_ascii(text)


class Encoder:
    """Writes one value, of builtin types and their subclasses only, within the limits of a reply."""

    def __init__(self, submission):
        self.parts = []
        self.size = 0
        self.nodes = 0
        # The names of types that were written as a builtin one.
        self.subclasses = []
        self.submission = submission

    def put(self, text):
        self.size += len(text)
        if self.size > MOST_BYTES:
            raise TooBig
        self.parts.append(text)

    def value(self, value, depth):
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise TooBig
        kind = type(value)
        if value is None:
            self.put('null')
        elif kind is bool:
            self.put('true' if value else 'false')
        elif kind is int:
            bits = value.bit_length()
            if bits <= PLAIN_BITS:
                self.put(int.__repr__(value))
            elif bits <= MOST_BITS:
                self.put('{"int":"' + hex(value) + '"}')
            else:
                self.put('{"cut":"size"}')
        elif kind is float:
            self.put('{"float":"' + float.__repr__(value) + '"}')
        elif kind is str:
            if len(value) > MOST_BYTES:
                raise TooBig
            self.put(quote(value))
        elif kind is list or kind is tuple or kind is set:
            self.items(kind, value, depth)
        elif kind is dict:
            self.pairs(dict.items(value), depth)
        else:
            self.other(kind, value, depth)

    def items(self, kind, items, depth):
        if depth >= MOST_DEPTH:
            self.put('{"cut":"depth"}')
            return
        self.put('{"%s":[' % ('list' if kind is list else 'tuple' if kind is tuple else 'set'))
        comma = ''
        for item in items:
            self.put(comma)
            self.value(item, depth + 1)
            comma = ','
        self.put(']}')

    def pairs(self, pairs, depth):
        if depth >= MOST_DEPTH:
            self.put('{"cut":"depth"}')
            return
        self.put('{"dict":[')
        comma = ''
        for key, item in pairs:
            self.put(comma + '[')
            self.value(key, depth + 1)
            self.put(',')
            self.value(item, depth + 1)
            self.put(']')
            comma = ','
        self.put(']}')

    def other(self, kind, value, depth):
        """Writes a value of no builtin type through its view, as one of the type that it extends, or as an object."""
        view = self.submission.view_of(kind)
        if view is not None:
            return self.items(list, self.submission.seen(value, view), depth)
        for base in type_mro(kind):
            for builtin, read in SCALARS:
                if base is builtin:
                    self.subclass(kind)
                    return self.value(read(value), depth)
            for builtin, read in COLLECTIONS:
                if base is builtin:
                    self.subclass(kind)
                    items = read(value)
                    return self.pairs(items, depth) if base is dict else self.items(base, items, depth)
        plain = of_package(kind, value)
        if plain is None:
            self.put('{"object":' + quote(safe_name(kind)) + '}')
        else:
            self.subclass(kind)
            self.value(plain, depth)

    def subclass(self, kind):
        name = safe_name(kind)
        if name not in self.subclasses and len(self.subclasses) < MOST_SUBCLASSES:
            self.subclasses.append(name)


# The types of pandas, each with what counts the values of one and what gives them.
TABLES = []


def take_tables(name, module):
    """Takes the types of pandas when it was just imported, since a submission can change them and their methods."""
    series, frame = module.Series, module.DataFrame
    length, tolist = series.__len__, series.tolist
    rows, columns, to_dict = frame.__len__, frame.keys, frame.to_dict
    TABLES[:] = [(series, length, tolist),
                 (frame, lambda value: rows(value) * len(columns(value)), lambda value: to_dict(value, 'list'))]


def has_times(dtype):
    """Whether values of numpy are times, which it would give as bare numbers, or have some."""
    fields = dtype.fields or {}
    return dtype.base.kind in 'mM' or any([has_times(field[0]) for field in fields.values()])


def of_package(kind, value):
    """A value of numpy's or pandas' own types as a builtin one: an array as lists, a table as its columns.

    None for others, and for those that are more than such a value: times with their unit, arrays with a mask.
    """
    try:
        for base in type_mro(kind):
            if safe_name(base) == 'MaskedArray':
                return None
            # Types that no submission can define.
            if not type_flags(base) & HEAP_TYPE and type_module(base) == 'numpy':
                if type_name(base) in ('ndarray', 'generic') and has_times(type_dict(base)['dtype'].__get__(value)):
                    return None
                if type_name(base) == 'ndarray':
                    if type_dict(base)['size'].__get__(value) > MOST_NODES:
                        raise TooBig
                    return type_dict(base)['tolist'](value)
                if type_name(base) == 'generic':
                    plain = type_dict(base)['item'](value)
                    return None if type(plain) is kind else plain
        for table, count, plain in TABLES:
            if kind is table:
                if count(value) > MOST_NODES:
                    raise TooBig
                return plain(value)
    except TooBig:
        raise
    except BaseException:
        pass
    return None


# The type of a method of an object.
Method = type(Encoder(None).put)


def encoded(value, submission):
    """The JSON text of a value, and the names of the types in it that were written as a builtin one."""
    encoder = Encoder(submission)
    try:
        encoder.value(value, 0)
    except TooBig:
        return '{"cut":"size"}', []
    return ''.join(encoder.parts), encoder.subclasses


def shown(value, depth=0):
    """A value as the submission itself would show it: an object by its own `repr`, else by its name and attributes."""
    kind = type(value)
    if depth < 3 and (kind is list or kind is tuple or kind is set):
        items = ', '.join([shown(item, depth + 1) for item in value])
        return '[%s]' % items if kind is list else '{%s}' % items if kind is set else '(%s)' % (items + ',' * (len(value) == 1))
    if depth < 3 and kind is dict:
        return '{%s}' % ', '.join([shown(key, 3) + ': ' + shown(item, depth + 1) for key, item in dict.items(value)])
    own = [name for name in ('__repr__', '__str__') if defines(kind, name)]
    if not own and kind.__repr__ is object.__repr__:
        fields = ''
        if depth < 3 and has_fields(value):
            fields = ''.join([' %s=%s' % (name, shown(field, depth + 1))
                              for name, field in object.__getattribute__(value, '__dict__').items() if type(name) is str])
        return '<%s%s>' % (safe_name(kind), fields)
    text = str(value) if own == ['__str__'] else repr(value)
    if type(text) is not str:
        return '<%s>' % safe_name(kind)
    return named(safe_name(kind), text) if own == ['__str__'] else text[:MOST_SHOWN]


def named(name, text):
    """An object of this type with this text; a text of several lines begins on a line of its own."""
    return '<%s:%s%s>' % (name, '\n' if '\n' in text else ' ', text[:MOST_SHOWN])


def defines(kind, name):
    """Whether a class of the submission's own in the type defines a method."""
    return any([name in type_dict(base) for base in type_mro(kind) if type_flags(base) & HEAP_TYPE])


def has_fields(value):
    try:
        return type(object.__getattribute__(value, '__dict__')) is dict
    except BaseException:
        return False


# ---- values: from JSON to Python ----------------------------------------------------------------------------


def decoded(data):
    if type(data) is not dict:
        return data
    for kind, body in data.items():
        if kind == 'int':
            return int(body, 16)
        if kind == 'float':
            return float(body)
        if kind == 'units':
            return pack('<%dH' % len(body), *body).decode('utf-16-le', 'surrogatepass')
        if kind == 'list':
            return [decoded(item) for item in body]
        if kind == 'tuple':
            return tuple([decoded(item) for item in body])
        if kind == 'set':
            return {decoded(item) for item in body}
        if kind == 'dict':
            return {decoded(key): decoded(item) for key, item in body}
    raise ValueError('unknown value')


# ---- exceptions ---------------------------------------------------------------------------------------------


class Missing(Exception):
    """A name that a request needs and the submission does not have; carries what is there instead."""

    def __init__(self, kind, name, on, near):
        Exception.__init__(self)
        self.report = (kind, name, on, near)


def method_names(cls):
    names = []
    for base in type_mro(cls):
        if base is not object:
            names += [name for name, value in type_dict(base).items()
                      if type(name) is str and name[:2] != '__' and type(value) in METHODS]
    return names[:MOST_NAMES]


def attribute_names(value):
    names = []
    try:
        names += [name for name in object.__getattribute__(value, '__dict__') if type(name) is str]
    except BaseException:
        pass
    for base in type_mro(type(value)):
        if base is not object:
            # A private name as it stands in the class.
            mangled = '_' + safe_name(base).lstrip('_') + '__'
            names = ['__' + name[len(mangled):] if name[:len(mangled)] == mangled else name for name in names]
            names += [name for name in type_dict(base) if type(name) is str and name[:2] != '__']
    return names[:MOST_NAMES]


def trace_of(error, files):
    trace = []
    step = exception_traceback(error)
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_filename in files:
            trace.append((code.co_filename, step.tb_lineno or 0, code.co_name))
        step = step.tb_next
    return trace[-MOST_FRAMES:]


def plain(number):
    return number if type(number) is int and 0 <= number < 1 << 31 else 0


def raised(error, files):
    """The JSON text that describes an exception, with nothing of the submission's run but its `str`."""
    if type(error) is Missing:
        kind, name, on, near = error.report
        return '"missing":{"kind":%s,"name":%s,"on":%s,"near":[%s]}' % (
            quote(kind), quote(name), quote(on), ','.join([quote(item[:200]) for item in near]))
    cls = type(error)
    try:
        message = str(error)
    except BaseException:
        message = None
    if type(message) is not str:
        message = None
    parts = ['"raised":{"type":', quote(safe_name(cls)), ',"bases":[',
             ','.join([quote(safe_name(base)) for base in type_mro(cls)][:MOST_FRAMES]), ']']
    if message is not None:
        parts += [',"message":', quote(message[:MOST_MESSAGE])]
    frames = ['[%s,%d,%s]' % (quote(file), line, quote(name)) for file, line, name in trace_of(error, files)]
    parts += [',"trace":[', ','.join(frames), ']']
    if cls is SyntaxError or cls is IndentationError or cls is TabError:
        # A submission may raise its own exception, with anything in its fields.
        file, line, column = error.filename, error.lineno, error.offset
        if type(file) is str and file in files:
            parts += [',"syntax":[%s,%d,%d]' % (quote(file), plain(line), plain(column))]
            if type(error.msg) is str:
                parts += [',"brief":', quote(error.msg[:MOST_MESSAGE])]
    parts.append('}')
    return ''.join(parts)


# ---- the submission's modules, from memory ------------------------------------------------------------------


class Finder:
    """Finds the submission's own modules among the files of the load request."""

    def __init__(self, sources):
        self.sources = sources
        self.code = {}
        # Called with each module of the library as soon as it is imported.
        self.note = None
        # Modules loaded before, by the server or at start, do not hide a file with that name.
        for name in [name for name in modules if name.partition('.')[0] in sources]:
            del modules[name]

    def find_spec(self, name, path=None, target=None):
        if name in self.sources:
            return ModuleSpec(name, self, origin=self.sources[name][0])
        if name not in SEEDED and self.note is None:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = LibraryLoader(spec.loader, self.note)
                return spec
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        name = module.__spec__.name
        module.__file__ = self.sources[name][0]
        self.run(name, module.__dict__)

    def run(self, name, names):
        """Runs a module among these names; of a notebook each cell, whatever becomes of the others."""
        code = self.compiled(name)
        if type(code) is not list:
            exec(code, names)
            return
        names['display'] = display
        first = None
        for cell in code:
            try:
                # A cell that cannot be compiled raises here, as it does in a notebook.
                exec(compile(cell, self.sources[name][0], 'exec', dont_inherit=True) if type(cell) is str else cell, names)
            except BaseException as error:
                first = first or error
        if first is not None:
            raise first

    def compiled(self, name):
        """The code of a module, never run before: the interpreter adapts code to what it ran on."""
        return marshal.loads(self.marshalled(name))

    def marshalled(self, name):
        if name not in self.code:
            file, source = self.sources[name]
            if file[-6:].lower() == '.ipynb':
                code = [compiled_cell(cell, file) for cell in cells(source.decode())]
            else:
                code = compile(source, file, 'exec', dont_inherit=True)
            self.code[name] = marshal.dumps(code)
        return self.code[name]


def display(*values, **options):
    """What a notebook is to show is shown nowhere."""


def cells(source):
    """The cells of a notebook, each after as many empty lines as are before it; notebook.rs writes the lines between them."""
    found, begin, lines = [], 0, source.split('\n')
    for at, line in enumerate(lines + ['\r']):
        if line[-1:] == '\r':
            found.append('\n' * begin + '\n'.join(lines[begin:at]))
            begin = at + 1
    return found


def compiled_cell(cell, file):
    try:
        return compile(cell, file, 'exec', dont_inherit=True)
    except BaseException:
        return cell


class LibraryLoader:
    """Loads a module of the library: random numbers begin with the seed of the run, and `note` gets the module."""

    def __init__(self, loader, note):
        self.loader = loader
        self.note = note

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        module.__loader__ = module.__spec__.loader = self.loader
        self.loader.exec_module(module)
        if module.__name__ in SEEDED:
            module.seed(SEED)
        if self.note is not None:
            self.note(module.__name__, module)


class Packages:
    """Finds the modules that the exercise allows, and no others, in the folders that packages are in."""

    def __init__(self, folders, allowed):
        self.folders = folders
        self.allowed = allowed

    def find_spec(self, name, path=None, target=None):
        if path is not None or name not in self.allowed:
            return None
        spec = PathFinder.find_spec(name, self.folders, target)
        if name == 'pandas' and spec is not None and spec.loader is not None:
            spec.loader = LibraryLoader(spec.loader, take_tables)
        return spec

    def find_distributions(self, context=None):
        """What `importlib.metadata` says of them."""
        from importlib.metadata import DistributionFinder, MetadataPathFinder
        name = getattr(context, 'name', None)
        return MetadataPathFinder.find_distributions(DistributionFinder.Context(name=name, path=self.folders))


# ---- traces: what a case leaves behind for the next one in the same process ----------------------------------------


class Watch:
    """The state of the interpreter outside the submission, in which a case may leave no difference for the next.

    It holds a copy of every namespace of the library that a submission can write to: modules, and types in them. They are
    compared by identity, then by value, in C. What is deeper inside the library's objects is not looked at.
    """

    def __init__(self):
        self.namespaces = []
        self.copies = []
        self.noted = {}
        self.attributes = {}
        self.context = None
        self.loading = True
        for name, module in list(modules.items()):
            self.note(name, module)
        # The driver itself, which a submission may reach from the frame that calls it.
        self.take_all(globals())
        self.objects = []

    def note(self, name, module):
        """Takes a module of the library as it is now."""
        self.noted[name] = module
        if not isinstance(module, Module):
            return
        self.attributes[name] = self.take_all(module.__dict__)
        # The import system makes a module an attribute of its package later; after a call it is not there for the next case.
        package, _, own = name.rpartition('.')
        if self.loading and package in self.attributes:
            self.attributes[package][own] = module
        if name == '_decimal':
            self.context = module.getcontext().copy()

    def take_all(self, names):
        for value in list(names.values()):
            if isinstance(value, type) and type_flags(value) & (HEAP_TYPE | IMMUTABLE_TYPE) == HEAP_TYPE:
                self.take(type_dict(value))
        return self.take(names)

    def take(self, names):
        copy = dict(names)
        self.namespaces.append(names)
        self.copies.append(copy)
        return copy

    def begin(self, *objects):
        """Takes the settings as they are now, and the attributes of the driver's objects; nothing of the submission has run."""
        self.objects = objects
        self.path = list(sys.path)
        self.numbers = [get() for get, _ in NUMBERS]
        self.settings = self.look()

    def look(self):
        """The settings of the interpreter and the process that no case may leave changed."""
        free = system.dup(2)
        system.close(free)
        streams = [(stream, stream.encoding, stream.errors) if type(stream) is _io.TextIOWrapper else stream
                   for stream in (sys.stdin, sys.stdout, sys.stderr)]
        variables = dict(modules['os'].environ._data) if 'os' in modules else None
        language = modules['_locale'].setlocale(modules['_locale'].LC_ALL) if '_locale' in modules else None
        return (
            sys.gettrace(), sys.getprofile(), _thread._count(), atexit._ncallbacks(), gc.isenabled(), gc.get_threshold(),
            gc.get_debug(), list(gc.callbacks), list(_warnings.filters), [_signal.getsignal(one) for one in SIGNALS],
            free, system.getcwd(), dict(system.environ), variables, language, streams, list(sys.argv),
            list(sys.meta_path), list(sys.path_hooks), [list(one.__dict__) for one in self.objects],
        )

    def put_back(self):
        """Undoes what programs often change: numbers, the path of modules, and the states of `random` and `decimal`."""
        for (_, put), number in zip(NUMBERS, self.numbers):
            put(number)
        sys.path[:] = self.path
        if 'random' in modules:
            modules['random'].seed(SEED)
        if '_decimal' in modules:
            modules['_decimal'].setcontext(self.context.copy())

    def sees_trace(self):
        return self.namespaces != self.copies or self.settings != self.look() or not self.knows_modules()

    def knows_modules(self):
        if modules != self.noted:
            # The library gives some modules a second name.
            known = list(self.noted.values())
            for name in [name for name in modules if name not in self.noted]:
                if any([modules[name] is module for module in known]):
                    self.noted[name] = modules[name]
        return modules == self.noted


class Input(_io._RawIOBase):
    """What a program or a call reads: each time that there is nothing left, `ask` is asked, if there is one."""

    def __init__(self, ask):
        self.ask = ask
        self.left = b''

    def readable(self):
        return True

    def readinto(self, buffer):
        if not self.left and self.ask is not None:
            self.left = self.ask()
            if not self.left:
                self.ask = None
        count = min(len(buffer), len(self.left))
        buffer[:count] = self.left[:count]
        self.left = self.left[count:]
        return count


class CallInput:
    """What calls read from `sys.stdin` and `input`. Both are there before the submission is loaded, which may keep them."""

    def __init__(self):
        self.asks = builtins.input
        self.is_silent = False
        self.open()
        __builtins__['input'] = builtins.input = self.read_line

    def open(self):
        self.source = Input(None)
        sys.stdin = self.stream = _io.TextIOWrapper(_io.BufferedReader(self.source), 'utf-8')

    def end(self):
        """Drops what is left, so that nothing of it is for what is loaded next."""
        self.is_silent = False
        self.source.left = b''
        _io.TextIOWrapper.read(self.stream)

    def give(self, text, is_silent):
        """Gives this text in place of what is left; prompts are no output if it `is_silent`."""
        try:
            self.end()
        except ValueError:
            # It was closed.
            self.open()
        self.source.left = text.encode('utf-8', 'surrogatepass')
        self.is_silent = is_silent

    def read_line(self, prompt='', /):
        """`input`, with or without its prompt."""
        if not self.is_silent:
            return self.asks(prompt)
        str(prompt)
        line = sys.stdin.readline()
        if not line:
            raise EOFError('EOF when reading a line')
        return line[:-1] if line[-1:] == '\n' else line


def exit_status(code):
    """The status of a program that ends with `sys.exit(code)`."""
    if code is None:
        return 0
    if type(code) is int or type(code) is bool:
        return int(code) & 255
    try:
        write(2, (str(code) + '\n').encode('utf-8', 'replace'))
    except BaseException:
        pass
    return 1


def close_files():
    """Writes what is still in the buffers of open files, as the end of an interpreter does."""
    for kind in _io.TextIOWrapper, _io.BufferedWriter, _io.BufferedRandom:
        for value in gc.get_objects():
            if type(value) is kind:
                try:
                    value.flush()
                except BaseException:
                    pass


def names_text(names):
    return '[' + ','.join([quote(name[:200]) for name in names[:MOST_NAMES]]) + ']'


class Submission:
    """The loaded modules, the names bound so far, and what a request can ask of them."""

    def __init__(self, channel, watch):
        self.channel = channel
        self.files = ()
        self.loaded = []
        self.names = {}
        self.views = {}
        self.finder = None
        self.watch = watch
        self.traced = False

    def sources(self, request):
        """A finder of the request's files, asked before every other."""
        sources = {}
        for file in request['files']:
            sources[file['module']] = (file['name'], binascii.a2b_base64(file['data']))
        self.files = [file for file, _ in sources.values()]
        finder = Finder(sources)
        sys.meta_path.insert(0, finder)
        return finder

    def load(self, request):
        finder = self.finder = self.sources(request)
        # Code that an earlier process of the same submission compiled; its content runs just as confined.
        for name, code in request.get('code', {}).items():
            finder.code[name] = binascii.a2b_base64(code)
        self.modules, self.needs = request['modules'], request['needs']
        self.views = request.get('views', {})
        if request.get('watch'):
            self.watch = self.watch or Watch()
            self.watch.noted = dict(modules)
            self.watch.begin(self, finder, self.channel)
            finder.note = self.watch.note
        for name in self.modules:
            try:
                finder.marshalled(name)
            except BaseException:
                # It is reported when the module is loaded.
                pass
        # Garbage is next collected at the same moment, whether this process compiled the code or an earlier one, and however
        # often the modules are loaded: of the request nothing is left that is freed only later.
        asked = 'compile' in request
        request.clear()
        gc.collect()
        reply = self.load_modules()
        if self.watch is not None:
            self.watch.loading = False
        if asked:
            code = [quote(name) + ':"' + binascii.b2a_base64(code, newline=False).decode() + '"'
                    for name, code in finder.code.items()]
            reply += ',"code":{' + ','.join(code) + '}'
        return reply

    def again(self):
        """Loads the same submission again, as if nothing had run; or reports that what ran has left a trace."""
        for name in self.finder.sources:
            modules.pop(name, None)
        self.loaded, self.names = [], {}
        gc.collect()
        try:
            CALL_INPUT.end()
            self.watch.put_back()
            self.traced = self.watch.sees_trace()
        except BaseException:
            self.traced = True
        return '"traced":true' if self.traced else self.load_modules()

    def load_modules(self):
        problem = ''
        for name in self.modules:
            try:
                self.load_module(self.finder, name)
            except BaseException as error:
                # The other files may be all that a case needs.
                problem = problem or ',' + raised(error, self.files)
        defined = [name for name in self.needs if self.find(name) is not None]
        present, classes, functions = [], [], []
        for module in self.loaded:
            for name, value in module.__dict__.items():
                if type(name) is str and name[:2] != '__':
                    present.append(name)
                    if type(value) is Function:
                        functions.append(name)
                    elif any([base is type for base in type_mro(type(value))]):
                        classes.append(name)
        return '"loaded":{"defined":[%s],"names":%s,"classes":%s,"functions":%s}%s' % (
            ','.join([quote(name) for name in defined]), names_text(present), names_text(classes),
            names_text(functions), problem)

    def load_module(self, finder, name):
        module = modules.get(name)
        if module is None or module.__dict__.get('__loader__') is not finder:
            # Executed here rather than imported, to keep what a module defined before it raised.
            module = Module(name)
            module.__spec__ = ModuleSpec(name, finder)
            module.__loader__ = finder
            modules.setdefault(name, module)
            self.loaded.append(module)
            finder.exec_module(module)
        else:
            self.loaded.append(module)

    def program(self, request, ask):
        """Runs a module as `python3 file` would; the reply that tells how it ended."""
        finder = self.sources(request)
        name = request['module']
        file = finder.sources[name][0]
        main = modules['__main__'] = Module('__main__')
        main.__file__ = file
        sys.argv = [file] + request['args']
        sys.stdin = sys.__stdin__ = _io.TextIOWrapper(_io.BufferedReader(Input(ask)), 'utf-8', 'surrogateescape')
        CALL_INPUT.is_silent = request.get('prompts') is False
        # What `site` gives a program; it is not imported here.
        for builtin in 'exit', 'quit':
            __builtins__[builtin] = builtins.__dict__[builtin] = sys.exit
        status, problem = 0, ''
        try:
            finder.run(name, main.__dict__)
        except SystemExit as error:
            status = exit_status(error.code)
        except BaseException as error:
            status, problem = 1, ',' + raised(error, self.files)
        close_files()
        return '"ended":{"status":%d}%s' % (status, problem)

    def find(self, name):
        for module in self.loaded:
            value = module.__dict__.get(name)
            # `import copy` in one module does not hide the function `copy` of another.
            if value is not None and type(value) is not Module:
                return value
        return None

    def definition(self, name):
        value = self.find(name)
        if value is None:
            raise Missing('definition', name, '', [])
        return value

    def run(self, request):
        if 'stdin' in request:
            CALL_INPUT.give(request['stdin'], 'prompts' not in request)
        if 'native' in request:
            value = self.run_native(request['native'], request['binds'])
        else:
            value = self.evaluate(request['expr'])
            self.bind(request, value)
        parts = ['"done":true']
        same = [name for name, bound in self.names.items() if bound is value and name != 'it']
        if same:
            parts.append('"is":[' + ','.join([quote(name) for name in same]) + ']')
        if request.get('value'):
            view = request.get('view')
            text, subclasses = encoded(value if view is None else self.viewed(value, view), self)
            parts.append('"value":' + text)
            if subclasses:
                parts.append('"subclasses":[' + ','.join([quote(name) for name in subclasses]) + ']')
        if request.get('text'):
            parts.append('"text":' + encoded(str(value), self)[0])
        if request.get('shown'):
            parts.append('"shown":' + quote(shown(value)[:MOST_SHOWN]))
        if request.get('types'):
            types = [quote(safe_name(base)) for base in type_mro(type(value))]
            parts.append('"types":[' + ','.join(types[:MOST_TYPES]) + ']')
        return ','.join(parts)

    def bind(self, request, value):
        """Puts a value where the request says: to a name, its items to several, or to an attribute or an item."""
        place, bind = request.get('set'), request.get('bind')
        if place is not None:
            on = self.evaluate(place['on'])
            if 'get' not in place:
                on[self.evaluate(place['index'])] = value
                return
            name = place['get']
            if not has_attribute(on, name):
                raise Missing('attribute', name, safe_name(type(on)), attribute_names(on))
            setattr(on, name, value)
        elif type(bind) is list:
            items = []
            for item in value:
                items.append(item)
                if len(items) > len(bind):
                    raise ValueError('too many values to unpack (expected %d)' % len(bind))
            if len(items) < len(bind):
                raise ValueError('not enough values to unpack (expected %d, got %d)' % (len(bind), len(items)))
            for name, item in zip(bind, items):
                self.names[name] = item
        elif bind is not None:
            self.names[bind] = value

    def run_native(self, code, binds):
        """Runs code of the case among the names of the submission and those bound so far; gives the value of its last expression."""
        names = {'__builtins__': builtins, '__name__': CASE}
        # A module that one file imports does not hide a definition of another; of two definitions the first counts.
        for is_module in True, False:
            for module in self.loaded[::-1]:
                for name, value in list(module.__dict__.items()):
                    if type(name) is str and name[:2] != '__' and (type(value) is Module) is is_module:
                        names[name] = value
        for name, value in self.names.items():
            if name != 'it':
                names[name] = value
        tree = compile(code, CASE, 'exec', ONLY_TREE, True)
        last = None
        if tree.body and type_name(type(tree.body[-1])) == 'Expr':
            last = compile('0', CASE, 'eval', ONLY_TREE, True)
            last.body = tree.body.pop().value
        exec(compile(tree, CASE, 'exec', 0, True), names)
        value = None if last is None else eval(compile(last, CASE, 'eval', 0, True), names)
        for name in binds:
            if name not in names:
                raise NameError("name '%s' is not defined" % name)
            self.names[name] = names[name]
        return value

    def evaluate(self, expr):
        for kind in expr:
            if kind == 'literal':
                return decoded(expr['literal'])
            if kind == 'name':
                return self.names[expr['name']]
            if kind == 'new' or kind == 'call':
                return self.call(self.definition(expr[kind]), expr[kind], expr['args'])
            if kind == 'method':
                on = self.evaluate(expr['on'])
                return self.call(self.method(on, expr['method']), expr['method'], expr['args'])
            if kind == 'get':
                return self.attribute(self.evaluate(expr['on']), expr['get'])
            if kind == 'index':
                return self.evaluate(expr['on'])[self.evaluate(expr['index'])]
            if kind == 'slice':
                on = self.evaluate(expr['on'])
                return on[slice(*[None if bound is None else self.evaluate(bound) for bound in expr['slice']])]
            if kind == 'op':
                return OPERATORS[expr['op']](*[self.evaluate(arg) for arg in expr['args']])
            if kind == 'builtin':
                return BUILTINS[expr['builtin']](*[self.evaluate(arg) for arg in expr['args']])
            if kind == 'class':
                return self.definition(expr['class'])
            if kind == 'text':
                return str(self.evaluate(expr['text']))
            if kind == 'list':
                return [self.evaluate(item) for item in expr['list']]
            if kind == 'tuple':
                return tuple([self.evaluate(item) for item in expr['tuple']])
            if kind == 'set':
                return {self.evaluate(item) for item in expr['set']}
            if kind == 'dict':
                return {self.evaluate(key): self.evaluate(item) for key, item in expr['dict']}
        raise ValueError('unknown expression')

    def attribute(self, on, name):
        cls = type(on)
        if not has_attribute(on, name):
            raise Missing('attribute', name, safe_name(cls), attribute_names(on))
        value = getattr(on, name)
        if type(value) is Method:
            for base in type_mro(cls):
                if name in type_dict(base):
                    raise Missing('called', name, safe_name(cls), [])
        return value

    def method(self, on, name):
        cls = type(on)
        if not has_attribute(on, name):
            raise Missing('method', name, safe_name(cls), method_names(cls))
        method = getattr(on, name)
        if not callable(method):
            raise Missing('property', name, safe_name(cls), [])
        return method

    def call(self, function, name, args):
        positional = [self.evaluate(arg['value']) for arg in args if 'keyword' not in arg]
        keywords = {arg['keyword']: self.evaluate(arg['value']) for arg in args if 'keyword' in arg}
        return function(*positional, **keywords)

    def viewed(self, value, view):
        """A value of the submission's own type as plain data: what the expressions of its view say of it."""
        if value is None:
            return value
        if view['each']:
            if type(value) is not list and type(value) is not tuple:
                return value
            items = [self.seen(item, view) for item in value]
            return items if type(value) is list else tuple(items)
        return self.seen(value, view) if view['parts'] else value

    def view_of(self, kind):
        """The view of a type: its own, or that of the nearest type that it extends."""
        if self.views:
            for base in type_mro(kind):
                if safe_name(base) in self.views:
                    return self.views[safe_name(base)]
        return None

    def seen(self, value, view):
        outer = self.names.get('it')
        self.names['it'] = value
        try:
            parts = []
            for part in view['parts']:
                inner = self.evaluate(part['expr'])
                parts.append(self.viewed(inner, part['view']) if 'view' in part else inner)
            return parts
        finally:
            self.names['it'] = outer


def getattr_or_none(value, name):
    try:
        return getattr(value, name)
    except BaseException:
        return None


def has_attribute(value, name):
    """Whether the attribute is there, asked without running a property of the submission's."""
    for base in type_mro(type(value)):
        if name in type_dict(base):
            return True
    try:
        if name in object.__getattribute__(value, '__dict__'):
            return True
    except BaseException:
        pass
    # The submission's own `__getattr__` may answer for any name.
    return getattr_or_none(value, name) is not None


# ---- the requests -------------------------------------------------------------------------------------------


class Channel:
    """Frames: length (4 bytes, little endian), nonce (8 bytes), payload."""

    def __init__(self, incoming, outgoing):
        self.incoming = incoming
        self.outgoing = outgoing
        self.nonce = b''

    def until(self, count, data):
        """These bytes and more, `count` in all or a little more: there is only ever one request on its way."""
        while len(data) < count:
            more = read(self.incoming, max(count - len(data), MOST_AHEAD))
            if not more:
                leave(0)
            data += more
        return data

    def receive(self):
        """The next request; its nonce is that of the next reply."""
        data = self.until(HEADER, b'')
        length, self.nonce = unpack('<I8s', data[:HEADER])
        request = scan(self.until(HEADER + length, data)[HEADER:].decode(), 0)[0]
        if request['op'] == 'end':
            leave(0)
        return request

    def send(self, payload):
        data = pack('<I8s', len(payload), self.nonce) + payload
        while data:
            data = data[write(self.outgoing, data):]


class Frames(Channel):
    """Frames of a worker in a page, which hands over each whole; `wait` sends a reply and gives the next frame."""

    def __init__(self, wait):
        Channel.__init__(self, None, None)
        self.wait = wait
        self.frame = self.reply = b''

    def until(self, count, data):
        if not data:
            data, self.frame = self.frame or self.wait(self.reply), b''
        return data

    def send(self, payload):
        self.reply = pack('<I8s', len(payload), self.nonce) + payload

    def answering(self, replies):
        """The function that gives the frame of the reply to a frame."""
        next(replies)

        def answer(frame):
            self.frame = frame
            self.send(replies.send(self.receive()))
            return self.reply

        return answer


def serve(channel, flush, watch=None):
    replies = answers(channel, flush, watch)
    reply = next(replies)
    while True:
        if reply is not None:
            channel.send(reply)
        reply = replies.send(channel.receive())


def answers(channel, flush, watch=None):
    """The payload of the reply to each request that it is sent."""
    submission = Submission(channel, watch)
    # The requests of a batch that are left, and the replies to those before them.
    left, replies, payload = [], None, None

    def ask():
        """What a program reads next, in bytes; none when its input has ended."""
        channel.send(('{"waits":true' + flush() + '}').encode())
        request = channel.receive()
        return request.get('data', '').encode('utf-8', 'surrogatepass')

    while True:
        # A batch is taken apart here, and nowhere deeper: its requests find as much of the stack as any other.
        request = scan(left.pop(), 0)[0] if left else (yield payload)
        operation = request['op']
        try:
            if operation == 'start':
                reply = '"ready":{"protocol":%d,"language":"python","programs":true,"operators":true,"native":true,"stdin":true,"version":%s}' % (
                    PROTOCOL, quote('.'.join([str(part) for part in sys.version_info[:3]])))
            elif operation == 'load':
                reply = submission.load(request)
            elif operation == 'again':
                reply = submission.again()
            elif operation == 'run':
                reply = submission.run(request)
            elif operation == 'batch':
                left, replies = request['requests'][::-1], []
                continue
            elif operation == 'program':
                reply = submission.program(request, ask)
            else:
                reply = '"error":"unknown operation"'
        except BaseException as error:
            reply = raised(error, submission.files)
        reply = '{' + reply + flush() + '}'
        if replies is None:
            payload = reply.encode()
            continue
        replies.append(reply)
        if not left or submission.traced:
            payload = ('{"batch":[' + ','.join(replies) + ']}').encode()
            left, replies = [], None


def flush_stream(name):
    """Writes what is still buffered of one of the streams of `sys`, such as a line without its end."""
    try:
        sys.__dict__[name].flush()
    except BaseException:
        pass


def flush_to_file():
    """Output goes to a file that the harness reads: what is still buffered must reach it, and how much there is goes with the reply."""
    flush_stream('stdout')
    flush_stream('stderr')
    try:
        return ',"at":%d' % system.lseek(1, 0, 2)
    except OSError:
        return ''


def flush_to_page():
    """The worker of a page reads the output, and says how much there has been."""
    flush_stream('stdout')
    flush_stream('stderr')
    return ',"at":%d' % PRINTED()


def capture():
    """Where there is no such file, output is gathered here and sent with each reply."""
    put = _io.StringIO.write

    class Gathered(_io.StringIO):
        def write(self, text):
            # Bytes that cannot be reported go where the harness counts them, and the program is ended for them.
            if self.tell() > MOST_BYTES:
                write(2, str(text).encode('utf-8', 'replace'))
                return len(text)
            return put(self, text)

    gathered = Gathered(newline='')
    sys.stdout = gathered

    def flush():
        flush_stream('stderr')
        text = gathered.getvalue()
        gathered.seek(0)
        gathered.truncate()
        return ',"out":' + quote(text[:MOST_BYTES]) if text else ''

    return flush


# ---- the fork server: a fresh process for each case, at the price of a fork ---------------------------------------


def fork_server():
    """Forks a child for each request on descriptor 3, and tells how it ended. Only a child ever loads a submission.

    The first message holds the modules of the library to load before anything is forked, and the filter of system calls
    that each child adds to the server's own.
    Later ones are `F`, to fork, with the child's resource limits, and with the child's channel, output and error
    descriptors; `W`, to wait for a child and tell how it ended; `B`, to wait for one of which nobody asks. The answers
    are `P` with the child's number and a descriptor for it, and `X` with its status, processor time and peak memory.
    """
    import _ctypes
    import _socket
    import array
    import resource

    class Int(_ctypes._SimpleCData):
        _type_ = 'i'

    class Function(_ctypes.CFuncPtr):
        _flags_ = _ctypes.FUNCFLAG_CDECL
        _restype_ = Int

    control = _socket.socket(fileno=3)
    now = 2
    prctl = Function(_ctypes.dlsym(_ctypes.dlopen(None, now), 'prctl'))
    parent_death, seccomp, kill = 1, 22, 9

    def receive():
        descriptors = array.array('i')
        message, ancillary, _, _ = control.recvmsg(1 << 16, _socket.CMSG_SPACE(3 * 4))
        for _, _, data in ancillary:
            descriptors.frombytes(data[:len(data) // 4 * 4])
        return message, list(descriptors)

    message, _ = receive()
    name_bytes, offset_count = unpack('<II', message[:8])
    preload, message = message[8:8 + name_bytes].decode().split(), message[8 + name_bytes:]
    offsets = unpack('<%dI' % offset_count, message[:4 * offset_count])
    instructions = array.array('B', message[4 * offset_count:])
    for name in preload:
        try:
            __import__(name.rstrip('!'))
        except ImportError:
            # A package that an exercise names must be there.
            if name[-1] == '!':
                raise
    watch = Watch()
    # Existing objects are never collected, so that collecting in a child does not copy them.
    gc.collect()
    gc.freeze()
    control.send(b'R')
    while True:
        message, descriptors = receive()
        if not message:
            leave(0)
        what, message = message[:1], message[1:]
        if what != b'F':
            _, status, usage = system.wait4(unpack('<i', message)[0], 0)
            if what == b'W':
                control.send(b'X' + pack('<iqqq', status, int(usage.ru_utime * 1e6), int(usage.ru_stime * 1e6),
                                         usage.ru_maxrss))
            continue
        count, = unpack('<I', message[:4])
        limits = [unpack('<IQ', message[4 + 12 * i:16 + 12 * i]) for i in range(count)]
        child = system.fork()
        if child == 0:
            break
        handle = system.pidfd_open(child)
        control.sendmsg([b'P' + pack('<i', child)],
                        [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array('i', [handle]))])
        for descriptor in [handle] + descriptors:
            system.close(descriptor)
    # The socket of the server ends with this function, and its descriptor becomes that of the channel.
    control.detach()
    channel, output, errors = descriptors
    system.dup2(output, 1)
    system.dup2(errors, 2)
    system.dup2(channel, 3)
    system.closerange(4, 64)
    for limit, value in limits:
        resource.setrlimit(limit, (value, value))
    if prctl(parent_death, kill, 0, 0, 0) != 0:
        leave(96)
    if instructions:
        own = array.array('B', pack('=I', system.getpid()))
        for offset in offsets:
            instructions[offset:offset + 4] = own
        # The kernel's `sock_fprog`: how many instructions of 8 bytes, and where they are.
        address, size = instructions.buffer_info()
        if prctl(seccomp, 2, pack('@HP', size // 8, address), 0, 0) != 0:
            leave(97)
    for name in SEEDED:
        if name in modules:
            modules[name].seed(SEED)
    return Channel(3, 3), flush_to_file, watch


def main():
    """The arguments of `serve` for this process; a forked one serves submissions at once, and ends."""
    # A submission that inspects `__main__` finds an empty module, not the driver.
    modules['__main__'] = Module('__main__')
    sys.argv = ['']
    if hasattr(sys, 'set_int_max_str_digits'):
        sys.set_int_max_str_digits(4300)
    if MODE == 'server':
        serve(*fork_server())
    if MODE == 'socket':
        return Channel(3, 3), flush_to_file
    if MODE == 'page':
        # What the page's worker has imported begins like what a submission imports.
        for name in SEEDED:
            if name in modules:
                modules[name].seed(SEED)
        return Frames(WAIT), flush_to_page
    incoming, outgoing = system.dup(0), system.dup(1)
    null = system.open('nul' if system.__name__ == 'nt' else '/dev/null', system.O_RDONLY)
    system.dup2(null, 0)
    # Writes that bypass Python's own output are counted, but not reported.
    system.dup2(2, 1)
    return Channel(incoming, outgoing), capture()


def without_folder():
    """Lets matplotlib be imported where there is no window and nothing can be written: it wants a folder of its own."""
    import os
    import tempfile
    os.environ['MPLBACKEND'] = 'Agg'
    make = tempfile.mkdtemp

    def mkdtemp(suffix=None, prefix=None, dir=None):
        return '/nowhere' if prefix == 'matplotlib-' else make(suffix, prefix, dir)

    tempfile.mkdtemp = mkdtemp


MODE = sys.argv[1]
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 0
CALL_INPUT = CallInput()
if len(sys.argv) > 4:
    sys.meta_path.append(Packages(sys.argv[3].split('\n'), sys.argv[4].split()))
    if 'matplotlib' in sys.argv[4].split():
        without_folder()
served = main()
if MODE == 'page':
    # The worker calls it, and names the functions `WAIT` and `PRINTED` before.
    answer = served[0].answering(answers(*served))
else:
    serve(*served)

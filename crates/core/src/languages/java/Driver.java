// The Java driver: compiles a submission in memory and answers the requests of docs/protocol.md.
//
// It is run from its source, `java Driver.java MODE`: compiling it warms the compiler up for the submission. That
// source is this file and, behind it, Native.java, Program.java, Operators.java, Calls.java and Values.java, which need its
// imports. What it compiles to is given to keur, which starts later machines from that.
// A submission runs in this very process, with a class loader of its own for each case, and no method of a
// submission's value is called but the ones that a request asks for. Nothing here is a secret: a submission that takes
// over the whole driver still earns only what its answers earn, because what is expected never comes here.
import com.sun.source.util.JavacTask;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Executable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.lang.model.SourceVersion;
import javax.tools.Diagnostic;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import jdk.internal.access.JavaIOFileDescriptorAccess;
import jdk.internal.access.SharedSecrets;

public final class Driver extends Operators {
    static final int PROTOCOL = 1;
    static final int MOST_FRAMES = 20;          // lines of a stack trace
    static final int MOST_TYPES = 100;          // supertypes of a value
    static final int MOST_CODE = 15 << 20;      // characters of compiled code in a reply
    static final String REJECTED = "<rejected>"; // its key for the compiler's first error, which no module has

    // ---- frames: length (4 bytes, little endian), nonce (8 bytes), payload --------------------------------------

    public static void main(String[] args) throws Throwable {
        boolean socket = args.length > 0 && args[0].equals("socket");
        InputStream in = new FileInputStream(descriptor(socket ? 3 : 0, FileDescriptor.in));
        OutputStream out = new FileOutputStream(descriptor(socket ? 3 : 1, FileDescriptor.out));
        Sink sink = new Sink(socket ? new FileOutputStream(FileDescriptor.out) : null);
        if (!socket) {
            FileDescriptor errors = descriptor(2, FileDescriptor.err);
            redirect(FileDescriptor.out, errors);
            System.setIn(new ByteArrayInputStream(new byte[0]));
        }
        new Driver(in, out, sink).serve();
    }

    /** A descriptor of that number, or on systems without numbers a copy of `standard`. */
    static FileDescriptor descriptor(int number, FileDescriptor standard) {
        FileDescriptor own = new FileDescriptor();
        redirect(own, standard);
        if (!System.getProperty("os.name").startsWith("Windows")) {
            SharedSecrets.getJavaIOFileDescriptorAccess().set(own, number);
        }
        return own;
    }

    static void redirect(FileDescriptor from, FileDescriptor to) {
        JavaIOFileDescriptorAccess access = SharedSecrets.getJavaIOFileDescriptorAccess();
        access.set(from, access.get(to));
        access.setHandle(from, access.getHandle(to));
    }

    final InputStream in;
    final OutputStream out;
    final Sink sink;
    final PrintStream errors = System.err;
    final InputStream input;
    /** The threads of the machine itself. */
    final Set<Thread> threads;
    /** The header of the request to answer. */
    byte[] header;
    Submission submission;
    /** The program that this machine runs. */
    Program program;

    Driver(InputStream in, OutputStream out, Sink sink) {
        this.in = in;
        this.out = out;
        this.sink = sink;
        input = System.in;
        threads = Thread.getAllStackTraces().keySet();
    }

    /** Answers requests until a program is to run, which then has the machine. */
    void serve() throws Throwable {
        while (program == null) {
            String reply = answer(receive());
            if (reply != null) reply(reply);
        }
        program.run();
    }

    String receive() throws IOException {
        header = exactly(in, 12);
        int length = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt();
        return new String(exactly(in, length), StandardCharsets.UTF_8);
    }

    void reply(String answer) throws IOException {
        byte[] reply = ("{" + answer + sink.flush() + "}").getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(12 + reply.length).order(ByteOrder.LITTLE_ENDIAN);
        out.write(frame.putInt(reply.length).put(header, 4, 8).put(reply).array());
    }

    static byte[] exactly(InputStream in, int count) throws IOException {
        byte[] bytes = new byte[count];
        for (int at = 0; at < count; ) {
            int more = in.read(bytes, at, count - at);
            if (more < 0) Runtime.getRuntime().halt(0);
            at += more;
        }
        return bytes;
    }

    String answer(String payload) {
        try {
            Map<String, Object> request = object(new Json(payload).value());
            switch ((String) request.get("op")) {
                case "end": Runtime.getRuntime().halt(0);
                case "start": return ready(request.containsKey("compile") ? ",\"driver\":" + quote(packed()) : "");
                case "reset":
                    // A task that still runs cannot be stopped: a new process must answer.
                    if (!threads.containsAll(Thread.getAllStackTraces().keySet())) Runtime.getRuntime().halt(0);
                    return ready("");
                case "load": return submission.load(request);
                case "run": return submission.run(request);
                case "program":
                    submission.compile(request);
                    program = new Program(this, submission.classes, request);
                    return null;
                default: return "\"error\":\"unknown operation\"";
            }
        } catch (Throwable error) {
            return raised(error);
        }
    }

    String ready(String more) {
        submission = new Submission();
        System.setOut(sink.stream());
        System.setErr(errors);
        System.setIn(input);
        Locale.setDefault(Locale.US);
        return "\"ready\":{\"protocol\":" + PROTOCOL + ",\"language\":\"java\",\"version\":"
            + quote(System.getProperty("java.version")) + ",\"programs\":true,\"operators\":true,\"native\":true"
            + more + "}";
    }

    /** The driver's compiled classes, as a jar in base64. */
    static String packed() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Deque<String> next = new ArrayDeque<>(List.of("Driver"));
        Set<String> known = new HashSet<>(next);
        try (ZipOutputStream jar = new ZipOutputStream(bytes)) {
            while (!next.isEmpty()) {
                String file = next.remove() + ".class";
                InputStream found = Driver.class.getClassLoader().getResourceAsStream(file);
                if (found == null) continue;
                byte[] code = found.readAllBytes();
                jar.putNextEntry(new ZipEntry(file));
                jar.write(code);
                for (String name : namedIn(code)) {
                    // Those of the platform are in packages.
                    if (name.indexOf('/') < 0 && known.add(name)) next.add(name);
                }
            }
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    /** The classes that are named in the constants of a class. */
    static List<String> namedIn(byte[] code) throws IOException {
        DataInputStream data = new DataInputStream(new ByteArrayInputStream(code));
        data.skipBytes(8);
        String[] texts = new String[data.readUnsignedShort()];
        List<Integer> places = new ArrayList<>();
        for (int i = 1; i < texts.length; i++) {
            switch (data.readUnsignedByte()) {
                case 1: texts[i] = data.readUTF(); break;
                case 7: places.add(data.readUnsignedShort()); break;
                case 8: case 16: case 19: case 20: data.skipBytes(2); break;
                case 15: data.skipBytes(3); break;
                case 5: case 6: data.skipBytes(8); i++; break;
                default: data.skipBytes(4);
            }
        }
        return places.stream().map(place -> texts[place]).toList();
    }

    /** Where a submission's output goes: to a file that keur reads, or into the next reply. */
    static final class Sink {
        final OutputStream file;
        final ByteArrayOutputStream gathered = new ByteArrayOutputStream();
        PrintStream stream;

        Sink(OutputStream file) { this.file = file; }

        PrintStream stream() {
            OutputStream to = file != null ? new BufferedOutputStream(file) : new OutputStream() {
                @Override public void write(int one) throws IOException { write(new byte[] {(byte) one}, 0, 1); }

                @Override public synchronized void write(byte[] bytes, int from, int count) throws IOException {
                    // Bytes that cannot be reported go where keur counts them, and the program is ended for them.
                    if (gathered.size() < MOST_BYTES) gathered.write(bytes, from, count);
                    else System.err.write(bytes, from, count);
                }
            };
            return stream = new PrintStream(to, true, StandardCharsets.UTF_8);
        }

        String flush() {
            if (stream != null) stream.flush();
            if (gathered.size() == 0) return "";
            String text = gathered.toString(StandardCharsets.UTF_8);
            gathered.reset();
            return ",\"out\":" + quote(text.substring(0, Math.min(text.length(), MOST_BYTES)));
        }
    }

    // ---- the submission -----------------------------------------------------------------------------------------

    /** The loaded classes, the names bound so far, and what a request can ask of them. */
    final class Submission {
        final Map<String, Object> names = new LinkedHashMap<>();
        Classes classes;
        /** Runs code of a case. */
        Native natives;
        /** The top-level classes, those of the files to run first. */
        List<Class<?>> defined = List.of();
        /** The views of the submission's own types, by name. */
        Map<String, Object> views = Map.of();

        /** Compiles the files, or takes what an earlier process compiled. */
        void compile(Map<String, Object> request) {
            classes = new Classes();
            try {
                Object code = request.get("code");
                if (code != null) classes.read(object(code));
                else classes.compile(list(request.get("files"))).ifPresent(error -> classes.rejected = raised(error));
            } catch (Throwable error) {
                classes.rejected = raised(error);
            }
        }

        String load(Map<String, Object> request) {
            if (request.containsKey("views")) views = object(request.get("views"));
            List<Object> modules = list(request.get("modules"));
            List<String> problem = new ArrayList<>();
            compile(request);
            if (classes.rejected != null) problem.add(classes.rejected);
            try {
                Thread.currentThread().setContextClassLoader(classes);
                defined = modules.isEmpty() ? List.of() : classes.topLevel(modules);
            } catch (Throwable error) {
                problem.add(raised(error));
            }
            for (Class<?> type : defined) {
                try {
                    if (modules.contains(classes.module(type))) Class.forName(type.getName(), true, classes);
                } catch (Throwable error) {
                    // The other files may be all that a case needs.
                    problem.add(raised(error));
                }
            }
            natives = new Native(classes, defined);
            List<String> found = new ArrayList<>();
            for (Object need : list(request.get("needs"))) {
                if (type((String) need) != null || !functions((String) need).isEmpty()) found.add((String) need);
            }
            List<String> types = new ArrayList<>();
            Set<String> functions = new LinkedHashSet<>();
            for (Class<?> type : defined) {
                types.add(type.getSimpleName());
                for (Method method : type.getDeclaredMethods()) {
                    if (isFunction(method)) functions.add(method.getName());
                }
            }
            List<String> present = new ArrayList<>(types);
            present.addAll(functions);
            String reply = "\"loaded\":{\"defined\":" + strings(found) + ",\"names\":" + strings(present)
                + ",\"classes\":" + strings(types) + ",\"functions\":" + strings(functions) + "}";
            if (!problem.isEmpty()) reply += "," + problem.get(0);
            String code = request.containsKey("compile") ? classes.written() : "";
            return reply + (code.length() < MOST_CODE ? code : "");
        }

        Class<?> type(String name) {
            for (Class<?> type : defined) if (type.getSimpleName().equals(name)) return type;
            return null;
        }

        /** The static methods with that name, of the first class that has any. */
        List<Method> functions(String name) {
            for (Class<?> type : defined) {
                List<Method> found = new ArrayList<>();
                for (Method method : type.getDeclaredMethods()) {
                    if (method.getName().equals(name) && isFunction(method)) found.add(method);
                }
                if (!found.isEmpty()) return found;
            }
            return List.of();
        }

        String run(Map<String, Object> request) throws Throwable {
            String code = (String) request.get("native");
            List<Object> binds = request.containsKey("binds") ? list(request.get("binds")) : List.of();
            Object value = code == null ? evaluate(object(request.get("expr"))) : natives.run(code, names, binds);
            if (request.get("bind") instanceof String name) names.put(name, value);
            if (request.get("bind") instanceof List<?> several) {
                List<Object> items = unpacked(plain(value), several.size());
                for (int i = 0; i < items.size(); i++) names.put((String) several.get(i), items.get(i));
            }
            if (request.get("set") != null) {
                Map<String, Object> place = object(request.get("set"));
                Object on = evaluate(object(place.get("on")));
                if (place.containsKey("get")) assign(plain(on), (String) place.get("get"), value);
                else assignAt(on, plain(evaluate(object(place.get("index")))), value);
            }
            StringBuilder reply = new StringBuilder("\"done\":true");
            List<String> same = new ArrayList<>();
            Object seen = plain(value);
            names.forEach((name, bound) -> {
                if (hasIdentity(seen) && plain(bound) == seen && !name.equals("it")) same.add(name);
            });
            if (!same.isEmpty()) reply.append(",\"is\":").append(strings(same));
            if (request.containsKey("value")) {
                Object view = request.get("view");
                reply.append(",\"value\":").append(encoded(view == null ? seen : viewed(seen, object(view)), this::look));
            }
            if (request.containsKey("text")) reply.append(",\"text\":").append(encoded(String.valueOf(seen), this::look));
            if (request.containsKey("shown")) reply.append(",\"shown\":").append(quote(cut(shown(seen), MOST_SHOWN)));
            if (request.containsKey("types") && seen != null) {
                Set<String> types = new LinkedHashSet<>();
                supertypes(seen.getClass(), types);
                reply.append(",\"types\":").append(strings(new ArrayList<>(types)));
            }
            return reply.toString();
        }

        /** A value as the submission itself would show it: by its own toString, else by its name and fields. */
        static String shown(Object value) throws Throwable {
            if (value == null || ofPlatform(value)) return String.valueOf(value);
            if (value.getClass().getMethod("toString").getDeclaringClass() != Object.class) {
                String text = String.valueOf(value);
                return "<" + simpleName(value.getClass()) + (text.contains("\n") ? ":\n" : ": ") + text + ">";
            }
            StringJoiner fields = new StringJoiner(", ", simpleName(value.getClass()) + "{", "}");
            for (Field field : value.getClass().getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) continue;
                field.setAccessible(true);
                Object of = field.get(value);
                boolean isPlain = of == null || ofPlatform(of);
                fields.add(field.getName() + "=" + (isPlain ? String.valueOf(of) : simpleName(of.getClass())));
            }
            return fields.toString();
        }

        /** Adds the names of a type, its superclasses and all their interfaces. */
        static void supertypes(Class<?> type, Set<String> names) {
            if (type == null || names.size() >= MOST_TYPES || !names.add(simpleName(type))) return;
            supertypes(type.getSuperclass(), names);
            for (Class<?> implemented : type.getInterfaces()) supertypes(implemented, names);
        }

        Object evaluate(Map<String, Object> expr) throws Throwable {
            if (expr.containsKey("literal")) return decoded(expr.get("literal"));
            if (expr.containsKey("name")) return names.get(expr.get("name"));
            if (expr.containsKey("new")) {
                String name = (String) expr.get("new");
                List<Executable> constructors = new ArrayList<>();
                for (Constructor<?> found : named(name).getDeclaredConstructors()) {
                    if (!Modifier.isPrivate(found.getModifiers())) constructors.add(found);
                }
                return call(null, name, constructors, arguments(expr));
            }
            if (expr.containsKey("call")) {
                String name = (String) expr.get("call");
                List<Method> functions = functions(name);
                if (functions.isEmpty()) throw new Missing("definition", name, "", List.of());
                return call(null, name, functions, arguments(expr));
            }
            if (expr.containsKey("method")) {
                Object on = plain(evaluate(object(expr.get("on"))));
                String name = (String) expr.get("method");
                return call(on, name, methods(on, name), arguments(expr));
            }
            if (expr.containsKey("text")) return String.valueOf(plain(evaluate(object(expr.get("text")))));
            for (String kind : List.of("list", "tuple", "set")) {
                if (expr.containsKey(kind)) {
                    List<Object> items = new ArrayList<>();
                    for (Object item : list(expr.get(kind))) items.add(evaluate(object(item)));
                    return new Items(kind.equals("set"), items);
                }
            }
            if (expr.containsKey("dict")) {
                Pairs pairs = new Pairs();
                for (Object pair : list(expr.get("dict"))) {
                    pairs.keys.add(evaluate(object(list(pair).get(0))));
                    pairs.values.add(evaluate(object(list(pair).get(1))));
                }
                return pairs;
            }
            if (expr.containsKey("class")) return named((String) expr.get("class"));
            if (expr.containsKey("on")) {
                Object on = part(expr.get("on"));
                if (expr.containsKey("get")) return attribute(on, (String) expr.get("get"));
                if (expr.containsKey("index")) return index(on, part(expr.get("index")));
                List<Object> bounds = parts(expr.get("slice"));
                return slice(on, bounds.get(0), bounds.get(1), bounds.get(2));
            }
            List<Object> values = parts(expr.get("args"));
            if (expr.containsKey("builtin")) return builtin((String) expr.get("builtin"), values);
            return operator((String) expr.get("op"), values.get(0), values.get(values.size() - 1));
        }

        /** The value of an expression in Java's own form; null if there is none. */
        Object part(Object expr) throws Throwable { return expr == null ? null : plain(evaluate(object(expr))); }

        List<Object> parts(Object exprs) throws Throwable {
            List<Object> values = new ArrayList<>();
            for (Object expr : list(exprs)) values.add(part(expr));
            return values;
        }

        Class<?> named(String name) {
            Class<?> type = type(name);
            if (type == null) throw new Missing("definition", name, "", List.of());
            return type;
        }

        List<Object> arguments(Map<String, Object> expr) throws Throwable {
            List<Object> values = new ArrayList<>();
            for (Object argument : list(expr.get("args"))) {
                values.add(evaluate(object(object(argument).get("value"))));
            }
            return values;
        }

        /** A value of the submission's own type as plain data: the results of its view's expressions. */
        Object viewed(Object value, Map<String, Object> view) throws Throwable {
            if (value == null) return null;
            if (!Boolean.TRUE.equals(view.get("each"))) {
                return list(view.get("parts")).isEmpty() ? value : seen(value, view);
            }
            List<Object> items = new ArrayList<>();
            if (value.getClass().isArray()) {
                for (int i = 0; i < Array.getLength(value); i++) items.add(seen(Array.get(value, i), view));
            } else if (value instanceof Collection<?> collection && ofPlatform(value)) {
                for (Object item : collection) items.add(seen(item, view));
                if (value instanceof Set) return new LinkedHashSet<>(items);
            } else {
                return value;
            }
            return items;
        }

        /** What the view of a value's type says of it: its own, or that of the nearest type that it extends. */
        List<Object> look(Object value) throws Throwable {
            if (views.isEmpty()) return null;
            Set<String> types = new LinkedHashSet<>();
            supertypes(value.getClass(), types);
            for (String type : types) if (views.containsKey(type)) return seen(value, object(views.get(type)));
            return null;
        }

        List<Object> seen(Object value, Map<String, Object> view) throws Throwable {
            Object outer = names.put("it", value);
            try {
                List<Object> parts = new ArrayList<>();
                for (Object one : list(view.get("parts"))) {
                    Map<String, Object> part = object(one);
                    Object inner = plain(evaluate(object(part.get("expr"))));
                    parts.add(part.containsKey("view") ? viewed(inner, object(part.get("view"))) : inner);
                }
                return parts;
            } finally {
                names.put("it", outer);
            }
        }
    }

    // ---- exceptions ---------------------------------------------------------------------------------------------

    /** The compiler's error in a submission. */
    static final class CompileError extends Exception {
        final String file;
        final long line;
        final long column;
        /** Whether the file cannot even be parsed. */
        boolean syntax;

        CompileError(Diagnostic<? extends JavaFileObject> problem) {
            super(problem.getMessage(Locale.ENGLISH).replaceFirst("\\s+location: class (\\w+\\.)*Keur\\$\\d+$", ""));
            file = problem.getSource() instanceof Source source ? source.name : "";
            line = Math.max(problem.getLineNumber(), 0);
            column = Math.max(problem.getColumnNumber(), 0);
        }
    }

    /** The JSON text that reports an exception; of the submission only `getMessage` is run. */
    String raised(Throwable error) {
        if (error instanceof Missing missing) return missing.report;
        if (error instanceof ExceptionInInitializerError wrapper && wrapper.getCause() != null) {
            return raised(wrapper.getCause());
        }
        if (error instanceof OutOfMemoryError) {
            errors.println("out of memory");
            Runtime.getRuntime().halt(1);
        }
        String message = null;
        StackTraceElement[] trace = {};
        try {
            message = error.getMessage();
            trace = error.getStackTrace();
        } catch (Throwable ofASubmission) { /* it has none that can be read */ }
        // The machine names the loader of a class by its address, which differs from run to run.
        if (message != null) message = message.replaceAll(" \\([^()]*Driver\\$Classes @[^()]*\\)$", "");
        List<String> bases = new ArrayList<>();
        for (Class<?> at = error.getClass(); at != null; at = at.getSuperclass()) bases.add(simpleName(at));
        StringBuilder out = new StringBuilder("\"raised\":{\"type\":").append(quote(simpleName(error.getClass())));
        out.append(",\"bases\":").append(strings(bases));
        if (message != null) out.append(",\"message\":").append(quote(cut(message, MOST_MESSAGE)));
        List<String> frames = new ArrayList<>();
        for (int i = 0; trace != null && i < trace.length && frames.size() < MOST_FRAMES; i++) {
            String file = submission.classes == null ? null : submission.classes.file(trace[i].getClassName());
            if (file == null) continue;
            String method = trace[i].getMethodName();
            frames.add(0, "[" + quote(file) + "," + Math.max(trace[i].getLineNumber(), 0) + "," + quote(method) + "]");
        }
        out.append(",\"trace\":[").append(String.join(",", frames)).append("]");
        if (program != null && program.isPastInput(error)) out.append(",\"past_input\":true");
        if (error instanceof CompileError problem && !problem.file.isEmpty()) {
            out.append(problem.syntax ? ",\"syntax\":[" : ",\"rejected\":[").append(quote(problem.file)).append(",").append(problem.line).append(",");
            out.append(problem.column).append("],\"brief\":").append(quote(cut(message, MOST_MESSAGE)));
        }
        return out.append("}").toString();
    }

    // ---- the submission's classes, compiled and loaded in memory ------------------------------------------------

    /** A source file of a submission. */
    static final class Source extends SimpleJavaFileObject {
        final String name;
        final String module;
        final String text;

        Source(Map<String, Object> file) {
            super(URI.create("memory:///" + file.hashCode() + ".java"), Kind.SOURCE);
            name = (String) file.get("name");
            module = (String) file.get("module");
            text = read(Base64.getDecoder().decode((String) file.get("data")));
        }

        /** Code of a case, in no file of the submission's. */
        Source(String text) {
            super(URI.create("memory:///native.java"), Kind.SOURCE);
            name = "";
            module = "";
            this.text = text;
        }

        /** As UTF-8; what is none, as Windows writes it. */
        static String read(byte[] bytes) {
            try {
                String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
                return text.startsWith("\ufeff") ? text.substring(1) : text;
            } catch (CharacterCodingException notUtf8) {
                return new String(bytes, Charset.forName("windows-1252"));
            }
        }

        @Override public String getName() { return name; }

        @Override public CharSequence getCharContent(boolean ignoreErrors) { return text; }

        // A file that was submitted under another name is compiled all the same.
        @Override public boolean isNameCompatible(String simpleName, Kind kind) { return kind == Kind.SOURCE; }
    }

    /** A compiled class, and its source. */
    record Compiled(String name, String file, String module, byte[] bytes) { }

    /** A compiled class, as the compiler reads it. */
    static final class ClassFile extends SimpleJavaFileObject {
        final Compiled compiled;

        ClassFile(Compiled compiled) {
            super(URI.create("memory:///" + compiled.name.replace('.', '/') + ".class"), Kind.CLASS);
            this.compiled = compiled;
        }

        @Override public InputStream openInputStream() { return new ByteArrayInputStream(compiled.bytes); }
    }

    static final class Classes extends ClassLoader {
        final Map<String, Compiled> compiled = new LinkedHashMap<>();
        /** The report of the compiler's first error. */
        String rejected;

        Classes() {
            super(ClassLoader.getPlatformClassLoader());
            // `assert` is how contracts are written, so it is on.
            setDefaultAssertionStatus(true);
        }

        /** Compiles the files, or those that the compiler accepts; with the first errors of the others. */
        Optional<CompileError> compile(List<Object> files) {
            List<Source> sources = new ArrayList<>();
            for (Object file : files) sources.add(new Source(object(file)));
            CompileError first = null;
            while (!sources.isEmpty()) {
                List<CompileError> errors = compileAll(sources);
                if (errors.isEmpty()) break;
                compiled.clear();
                if (first == null) {
                    first = errors.get(0);
                    first.syntax = !parses(sources, first.file);
                }
                Set<String> wrong = new HashSet<>();
                for (CompileError error : errors) wrong.add(error.file);
                // An error without a file applies to all.
                if (!sources.removeIf(source -> wrong.contains(source.name))) sources.clear();
            }
            return Optional.ofNullable(first);
        }

        /** Whether the file of that name has no syntax error. */
        static boolean parses(List<Source> sources, String name) {
            List<Source> file = sources.stream().filter(source -> source.name.equals(name)).toList();
            List<Diagnostic<? extends JavaFileObject>> problems = new ArrayList<>();
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            try {
                JavacTask task = (JavacTask) compiler.getTask(null, null, problems::add, List.of("-proc:none"), null, file);
                task.parse();
            } catch (IOException | IllegalArgumentException none) {
                return true;
            }
            return problems.stream().noneMatch(problem -> problem.getKind() == Diagnostic.Kind.ERROR);
        }

        List<CompileError> compileAll(List<Source> sources) {
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            List<Diagnostic<? extends JavaFileObject>> problems = new ArrayList<>();
            JavaFileManager memory = new ForwardingJavaFileManager<JavaFileManager>(
                    compiler.getStandardFileManager(null, Locale.ENGLISH, StandardCharsets.UTF_8)) {
                @Override
                public Iterable<JavaFileObject> list(Location location, String name, Set<JavaFileObject.Kind> kinds,
                        boolean recurse) throws IOException {
                    boolean own = location == StandardLocation.CLASS_PATH || location == StandardLocation.SOURCE_PATH;
                    if (!own) return super.list(location, name, kinds, recurse);
                    // Classes that are compiled already, for code of a case.
                    List<JavaFileObject> found = new ArrayList<>();
                    for (Compiled one : kinds.contains(JavaFileObject.Kind.CLASS) ? compiled.values() : List.<Compiled>of()) {
                        int dot = one.name.lastIndexOf('.');
                        if (one.name.substring(0, Math.max(dot, 0)).equals(name)) found.add(new ClassFile(one));
                    }
                    return found;
                }

                @Override public String inferBinaryName(Location location, JavaFileObject file) {
                    return file instanceof ClassFile own ? own.compiled.name : super.inferBinaryName(location, file);
                }

                @Override
                public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind,
                        FileObject sibling) {
                    Source source = sibling instanceof Source of ? of : sources.get(0);
                    return new SimpleJavaFileObject(URI.create("memory:///class"), kind) {
                        @Override public OutputStream openOutputStream() {
                            return new ByteArrayOutputStream() {
                                @Override public void close() {
                                    compiled.put(name, new Compiled(name, source.name, source.module, toByteArray()));
                                }
                            };
                        }
                    };
                }
            };
            List<String> options = List.of("-proc:none", "-g", "-nowarn", "-implicit:none", "-XDuseUnsharedTable=true");
            compiler.getTask(null, memory, problems::add, options, null, sources).call();
            List<CompileError> errors = new ArrayList<>();
            for (Diagnostic<? extends JavaFileObject> problem : problems) {
                if (problem.getKind() == Diagnostic.Kind.ERROR) errors.add(new CompileError(problem));
            }
            return errors;
        }

        /** The compiled code by module: sent back to a later process of the same submission. */
        String written() {
            Map<String, List<Compiled>> modules = new LinkedHashMap<>();
            compiled.values().forEach(one -> modules.computeIfAbsent(one.module, key -> new ArrayList<>()).add(one));
            StringJoiner out = new StringJoiner(",", ",\"code\":{", "}");
            modules.forEach((module, all) -> {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                try (DataOutputStream data = new DataOutputStream(bytes)) {
                    for (Compiled one : all) {
                        data.writeUTF(one.name);
                        data.writeUTF(one.file);
                        data.writeInt(one.bytes.length);
                        data.write(one.bytes);
                    }
                } catch (IOException never) {
                    throw new IllegalStateException(never);
                }
                out.add(quote(module) + ":\"" + Base64.getEncoder().encodeToString(bytes.toByteArray()) + "\"");
            });
            if (rejected != null) out.add(quote(REJECTED) + ":" + quote(rejected));
            return out.toString();
        }

        void read(Map<String, Object> code) throws IOException {
            for (Map.Entry<String, Object> entry : code.entrySet()) {
                if (entry.getKey().equals(REJECTED)) {
                    rejected = (String) entry.getValue();
                    continue;
                }
                byte[] bytes = Base64.getDecoder().decode((String) entry.getValue());
                DataInputStream data = new DataInputStream(new ByteArrayInputStream(bytes));
                while (data.available() > 0) {
                    String name = data.readUTF();
                    String file = data.readUTF();
                    byte[] body = new byte[Math.min(data.readInt(), data.available())];
                    data.readFully(body);
                    compiled.put(name, new Compiled(name, file, entry.getKey(), body));
                }
            }
        }

        /** The top-level classes, those of `modules` first and in that order. */
        List<Class<?>> topLevel(List<Object> modules) throws ClassNotFoundException {
            List<Class<?>> found = new ArrayList<>();
            for (Object module : modules) {
                for (Compiled one : compiled.values()) if (one.module.equals(module)) add(found, one);
            }
            for (Compiled one : compiled.values()) if (!modules.contains(one.module)) add(found, one);
            return found;
        }

        void add(List<Class<?>> found, Compiled one) throws ClassNotFoundException {
            Class<?> type = loadClass(one.name);
            if (type.getEnclosingClass() == null) found.add(type);
        }

        String module(Class<?> type) { return compiled.get(type.getName()).module; }

        /** The source file of a class; null if it is not the submission's. */
        String file(String name) {
            Compiled one = compiled.get(name);
            return one == null || one.file.isEmpty() ? null : one.file;
        }

        @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
            Compiled one = compiled.get(name);
            if (one == null) throw new ClassNotFoundException(name);
            return defineClass(name, one.bytes, 0, one.bytes.length);
        }
    }
}

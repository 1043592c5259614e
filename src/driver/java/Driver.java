// The Java driver: compiles a submission in memory and answers the requests of docs/protocol.md.
//
// It is run from its source, `java Driver.java MODE`: compiling it warms the compiler up for the submission.
// A submission runs in this very process, with a class loader of its own for each case, and no method of a
// submission's value is called but the ones that a request asks for. Nothing here is a secret: a submission that takes
// over the whole driver still earns only what its answers earn, because what is expected never comes here.
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
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
import java.math.BigInteger;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.*;
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

public final class Driver {
    static final int PROTOCOL = 1;
    static final int MOST_DEPTH = 40;           // levels of nesting in a value
    static final int MOST_NODES = 20_000;       // values in one reply
    static final int MOST_BYTES = 1 << 20;      // characters of one value in a reply, and of compiled code
    static final int MOST_BITS = 1 << 18;       // bits of an integer
    static final int MOST_MESSAGE = 4_000;      // characters of an exception's message
    static final int MOST_FRAMES = 20;          // lines of a stack trace
    static final int MOST_NAMES = 200;          // names listed for suggestions
    static final int PLAIN_BITS = 53;           // integers up to here are plain JSON numbers

    /** An argument that was left out before another one. */
    static final Object UNDEFINED = new Object();

    // ---- frames: length (4 bytes, little endian), nonce (8 bytes), payload --------------------------------------

    public static void main(String[] args) throws IOException {
        boolean socket = args.length > 0 && args[0].equals("socket");
        InputStream in = new FileInputStream(descriptor(socket ? 3 : 0, FileDescriptor.in));
        OutputStream out = new FileOutputStream(descriptor(socket ? 3 : 1, FileDescriptor.out));
        Sink sink = new Sink(socket ? new FileOutputStream(FileDescriptor.out) : null);
        if (!socket) {
            FileDescriptor errors = descriptor(2, FileDescriptor.err);
            redirect(FileDescriptor.out, errors);
            System.setIn(new ByteArrayInputStream(new byte[0]));
        }
        new Driver(sink).serve(in, out);
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

    final Sink sink;
    final PrintStream errors = System.err;
    final InputStream input;
    /** The threads of the machine itself. */
    final Set<Thread> threads;
    Submission submission;

    Driver(Sink sink) {
        this.sink = sink;
        input = System.in;
        threads = Thread.getAllStackTraces().keySet();
    }

    void serve(InputStream in, OutputStream out) throws IOException {
        while (true) {
            byte[] header = exactly(in, 12);
            int length = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt();
            String payload = new String(exactly(in, length), StandardCharsets.UTF_8);
            byte[] reply = ("{" + answer(payload) + sink.flush() + "}").getBytes(StandardCharsets.UTF_8);
            ByteBuffer frame = ByteBuffer.allocate(12 + reply.length).order(ByteOrder.LITTLE_ENDIAN);
            out.write(frame.putInt(reply.length).put(header, 4, 8).put(reply).array());
        }
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
                case "start": return ready();
                case "reset":
                    // What still runs cannot be stopped: it is for a new process to answer.
                    if (!threads.containsAll(Thread.getAllStackTraces().keySet())) Runtime.getRuntime().halt(0);
                    return ready();
                case "load": return submission.load(request);
                case "run": return submission.run(request);
                default: return "\"error\":\"unknown operation\"";
            }
        } catch (Throwable error) {
            return raised(error);
        }
    }

    String ready() {
        submission = new Submission();
        System.setOut(sink.stream());
        System.setErr(errors);
        System.setIn(input);
        Locale.setDefault(Locale.US);
        return "\"ready\":{\"protocol\":" + PROTOCOL + ",\"language\":\"java\",\"version\":"
            + quote(System.getProperty("java.version")) + "}";
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
                    // What can never be told goes where keur counts it, and ends the program for it.
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
        /** The top-level classes, those of the files to run first. */
        List<Class<?>> defined = List.of();

        String load(Map<String, Object> request) {
            List<Object> modules = list(request.get("modules"));
            List<String> problem = new ArrayList<>();
            classes = new Classes();
            try {
                Object code = request.get("code");
                if (code != null) classes.read(object(code));
                else classes.compile(list(request.get("files")));
                Thread.currentThread().setContextClassLoader(classes);
                defined = modules.isEmpty() ? List.of() : classes.topLevel(modules);
                for (Class<?> type : defined) {
                    if (modules.contains(classes.module(type))) Class.forName(type.getName(), true, classes);
                }
            } catch (Throwable error) {
                problem.add(raised(error));
            }
            List<String> found = new ArrayList<>();
            for (Object need : list(request.get("needs"))) {
                if (type((String) need) != null || !functions((String) need).isEmpty()) found.add((String) need);
            }
            List<String> present = new ArrayList<>();
            for (Class<?> type : defined) {
                present.add(type.getSimpleName());
                for (Method method : type.getDeclaredMethods()) {
                    if (isFunction(method)) present.add(method.getName());
                }
            }
            String reply = "\"loaded\":{\"defined\":" + strings(found) + ",\"names\":" + strings(present) + "}";
            if (!problem.isEmpty()) return reply + "," + problem.get(0);
            String code = request.containsKey("compile") ? classes.written() : "";
            return reply + (code.length() < MOST_BYTES ? code : "");
        }

        Class<?> type(String name) {
            for (Class<?> type : defined) if (type.getSimpleName().equals(name)) return type;
            return null;
        }

        /** The static methods of that name, of the first class that has any. */
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
            Object value = evaluate(object(request.get("expr")));
            if (request.get("bind") != null) names.put((String) request.get("bind"), value);
            StringBuilder reply = new StringBuilder("\"done\":true");
            List<String> same = new ArrayList<>();
            Object seen = plain(value);
            names.forEach((name, bound) -> {
                if (hasIdentity(seen) && plain(bound) == seen && !name.equals("it")) same.add(name);
            });
            if (!same.isEmpty()) reply.append(",\"is\":").append(strings(same));
            if (request.containsKey("value")) {
                Object view = request.get("view");
                reply.append(",\"value\":").append(encoded(view == null ? seen : viewed(seen, object(view))));
            }
            if (request.containsKey("text")) reply.append(",\"text\":").append(encoded(String.valueOf(seen)));
            return reply.toString();
        }

        Object evaluate(Map<String, Object> expr) throws Throwable {
            if (expr.containsKey("literal")) return decoded(expr.get("literal"));
            if (expr.containsKey("name")) return names.get(expr.get("name"));
            if (expr.containsKey("new")) {
                String name = (String) expr.get("new");
                Class<?> type = type(name);
                if (type == null) throw new Missing("definition", name, "", List.of());
                List<Executable> constructors = new ArrayList<>();
                for (Constructor<?> found : type.getDeclaredConstructors()) {
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
                Pairs pairs = new Pairs(new ArrayList<>(), new ArrayList<>());
                for (Object pair : list(expr.get("dict"))) {
                    pairs.keys.add(evaluate(object(list(pair).get(0))));
                    pairs.values.add(evaluate(object(list(pair).get(1))));
                }
                return pairs;
            }
            throw new IllegalArgumentException("unknown expression");
        }

        List<Object> arguments(Map<String, Object> expr) throws Throwable {
            List<Object> values = new ArrayList<>();
            for (Object argument : list(expr.get("args"))) {
                values.add(evaluate(object(object(argument).get("value"))));
            }
            return values;
        }

        /** A value of the submission's own type as plain data: what the expressions of its view say of it. */
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

        Object seen(Object value, Map<String, Object> view) throws Throwable {
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

    // ---- calls --------------------------------------------------------------------------------------------------

    /** A static method that the exercise may ask for as a function. */
    static boolean isFunction(Method method) {
        int modifiers = method.getModifiers();
        return Modifier.isStatic(modifiers) && !Modifier.isPrivate(modifiers) && !method.isSynthetic();
    }

    static List<Method> methods(Object on, String name) {
        if (on == null) throw new NullPointerException("Cannot invoke \"" + name + "\" because the value is null");
        List<Method> found = new ArrayList<>();
        Set<String> signatures = new HashSet<>();
        Set<String> near = new LinkedHashSet<>();
        boolean property = false;
        for (Class<?> type : supertypes(on.getClass())) {
            // Of the platform's own types only what everybody may call.
            boolean open = !ofPlatform(type) || Modifier.isPublic(type.getModifiers());
            for (Method method : open ? type.getDeclaredMethods() : new Method[0]) {
                boolean hidden = method.isBridge() || Modifier.isPrivate(method.getModifiers());
                if (hidden || ofPlatform(type) && !Modifier.isPublic(method.getModifiers())) continue;
                if (type != Object.class) near.add(method.getName());
                boolean fresh = signatures.add(Arrays.toString(method.getParameterTypes()));
                if (method.getName().equals(name) && fresh) found.add(method);
                else if (fresh) signatures.remove(Arrays.toString(method.getParameterTypes()));
            }
            for (Field field : ofPlatform(type) ? new Field[0] : type.getDeclaredFields()) {
                property |= field.getName().equals(name);
            }
        }
        if (found.isEmpty()) {
            String kind = property ? "property" : "method";
            throw new Missing(kind, name, simpleName(on.getClass()), new ArrayList<>(near));
        }
        return found;
    }

    /** A class, its superclasses, and all their interfaces. */
    static Set<Class<?>> supertypes(Class<?> type) {
        Set<Class<?>> types = new LinkedHashSet<>();
        for (Class<?> at = type; at != null; at = at.getSuperclass()) types.add(at);
        for (Class<?> at : new ArrayList<>(types)) {
            for (Class<?> face : at.getInterfaces()) types.addAll(supertypes(face));
        }
        return types;
    }

    /** Calls whichever of the overloads takes the arguments best. */
    Object call(Object on, String name, List<? extends Executable> overloads, List<Object> arguments) throws Throwable {
        Executable best = null;
        Object[] fitted = null;
        int cost = Integer.MAX_VALUE;
        List<Executable> sorted = new ArrayList<>(overloads);
        sorted.sort(Comparator.comparing(Executable::toString));
        for (Executable overload : sorted) {
            Fitting fitting = new Fitting();
            Object[] values = fitting.arguments(overload, arguments);
            if (values != null && fitting.cost < cost) {
                best = overload;
                fitted = values;
                cost = fitting.cost;
            }
        }
        if (best == null) {
            List<String> types = new ArrayList<>();
            for (Object argument : arguments) {
                Object value = plain(argument);
                types.add(value == null || value == UNDEFINED ? "null" : simpleName(value.getClass()));
            }
            List<String> known = new ArrayList<>();
            for (Executable overload : sorted) {
                StringJoiner parameters = new StringJoiner(", ", name + "(", ")");
                for (Class<?> type : overload.getParameterTypes()) parameters.add(simpleName(type));
                known.add(parameters.toString());
            }
            throw new NoSuchMethodException(name + " cannot be called with (" + String.join(", ", types)
                + "); there is " + String.join(", ", known));
        }
        best.setAccessible(true);
        try {
            return best instanceof Constructor<?> constructor
                ? constructor.newInstance(fitted) : ((Method) best).invoke(on, fitted);
        } catch (InvocationTargetException error) {
            throw error.getCause();
        }
    }

    /** Values of a request that become those of Java once it is known which are wanted. */
    static final class Items {
        final boolean set;
        final List<Object> items;
        /** What it became, so that a name stands for one object. */
        Object made;
        Type madeFor;

        Items(boolean set, List<Object> items) {
            this.set = set;
            this.items = items;
        }
    }

    record Pairs(List<Object> keys, List<Object> values) { }

    /** A value as Java has it where no type is asked for. */
    static Object plain(Object value) {
        if (value instanceof Items items && items.made != null) return items.made;
        return value instanceof Items || value instanceof Pairs ? new Fitting().fit(value, Object.class) : value;
    }

    /** An argument is not of a type that the parameter takes. */
    static final class Unfit extends RuntimeException {
        Unfit() { super(null, null, false, false); }
    }

    /** Fits values to the types of parameters, and counts how far they had to be bent for that. */
    static final class Fitting {
        int cost;

        Object[] arguments(Executable callable, List<Object> arguments) {
            Type[] types = callable.getGenericParameterTypes();
            if (types.length != callable.getParameterCount()) types = callable.getParameterTypes();
            int fixed = types.length - (callable.isVarArgs() ? 1 : 0);
            try {
                if (arguments.size() == types.length) return each(types, arguments);
            } catch (Unfit unfit) {
                if (!callable.isVarArgs()) return null;
            }
            if (!callable.isVarArgs() || arguments.size() < fixed) return null;
            cost += 20;
            List<Object> packed = new ArrayList<>(arguments.subList(0, fixed));
            packed.add(new Items(false, arguments.subList(fixed, arguments.size())));
            try {
                return each(types, packed);
            } catch (Unfit unfit) {
                return null;
            }
        }

        Object[] each(Type[] types, List<Object> values) {
            Object[] fitted = new Object[types.length];
            for (int i = 0; i < types.length; i++) fitted[i] = fit(values.get(i), types[i]);
            return fitted;
        }

        Object fit(Object value, Type type) {
            Class<?> raw = erased(type);
            if (value == null || value == UNDEFINED) {
                if (raw.isPrimitive()) throw new Unfit();
                return null;
            }
            if (value instanceof Items items) {
                if (items.made != null && items.madeFor.equals(type)) return items.made;
                items.made = items(items, raw, type);
                items.madeFor = type;
                return items.made;
            }
            if (value instanceof Pairs pairs) return pairs(pairs, raw, type);
            if (value instanceof String text) return text(text, raw);
            if (value instanceof Integer || value instanceof Long || value.getClass() == BigInteger.class) {
                return integer(new BigInteger(value.toString()), raw);
            }
            if (value instanceof Double number) {
                if (raw == double.class || raw == Double.class) return number;
                if (raw == float.class || raw == Float.class) return bent(1, number.floatValue());
            }
            if (!boxed(raw).isInstance(value)) throw new Unfit();
            if (raw != value.getClass() && boxed(raw) != value.getClass()) cost += raw == Object.class ? 9 : 1;
            return value;
        }

        <T> T bent(int by, T value) {
            cost += by;
            return value;
        }

        Object integer(BigInteger value, Class<?> raw) {
            int bits = value.bitLength();
            if ((raw == int.class || raw == Integer.class) && bits < 32) return bent(raw == int.class ? 0 : 1, value.intValue());
            if ((raw == long.class || raw == Long.class) && bits < 64) return bent(2, value.longValue());
            if (raw == BigInteger.class) return bent(3, value);
            if ((raw == short.class || raw == Short.class) && bits < 16) return bent(4, value.shortValue());
            if ((raw == byte.class || raw == Byte.class) && bits < 8) return bent(5, value.byteValue());
            if (raw == double.class || raw == Double.class) return bent(6, value.doubleValue());
            if (raw == float.class || raw == Float.class) return bent(7, value.floatValue());
            if (!raw.isAssignableFrom(Integer.class)) throw new Unfit();
            return bent(9, bits < 32 ? (Object) value.intValue() : bits < 64 ? (Object) value.longValue() : value);
        }

        Object text(String text, Class<?> raw) {
            if (raw == String.class) return text;
            if ((raw == char.class || raw == Character.class) && text.length() == 1) return bent(1, text.charAt(0));
            if (raw == char[].class) return bent(2, text.toCharArray());
            if (!raw.isAssignableFrom(String.class)) throw new Unfit();
            return bent(raw == Object.class ? 9 : 3, text);
        }

        Object items(Items given, Class<?> raw, Type type) {
            if (raw.isArray()) {
                Type component = type instanceof GenericArrayType array ? array.getGenericComponentType() : raw.getComponentType();
                Object made = Array.newInstance(raw.getComponentType(), given.items.size());
                for (int i = 0; i < given.items.size(); i++) Array.set(made, i, fit(given.items.get(i), component));
                return bent(given.set ? 2 : 0, made);
            }
            Collection<Object> made = null;
            if (raw.isAssignableFrom(given.set ? LinkedHashSet.class : ArrayList.class)) {
                made = given.set ? new LinkedHashSet<>() : new ArrayList<>();
                cost += raw == Object.class ? 9 : 0;
            } else {
                cost += 2;
                for (Collection<Object> other : List.<Collection<Object>>of(new ArrayList<>(), new LinkedHashSet<>(),
                        new TreeSet<>(), new LinkedList<>(), new ArrayDeque<>())) {
                    if (made == null && raw.isInstance(other)) made = other;
                }
            }
            if (made == null) throw new Unfit();
            for (Object item : given.items) made.add(fit(item, argument(type, 0)));
            return made;
        }

        Object pairs(Pairs given, Class<?> raw, Type type) {
            Map<Object, Object> made = raw.isAssignableFrom(LinkedHashMap.class) ? new LinkedHashMap<>() : new TreeMap<>();
            if (!raw.isInstance(made)) throw new Unfit();
            for (int i = 0; i < given.keys.size(); i++) {
                made.put(fit(given.keys.get(i), argument(type, 0)), fit(given.values.get(i), argument(type, 1)));
            }
            return made;
        }

        static Type argument(Type type, int index) {
            boolean known = type instanceof ParameterizedType given && given.getActualTypeArguments().length > index;
            return known ? ((ParameterizedType) type).getActualTypeArguments()[index] : Object.class;
        }

        static Class<?> erased(Type type) {
            if (type instanceof Class<?> plain) return plain;
            if (type instanceof ParameterizedType generic) return erased(generic.getRawType());
            if (type instanceof GenericArrayType array) return erased(array.getGenericComponentType()).arrayType();
            if (type instanceof TypeVariable<?> variable) return erased(variable.getBounds()[0]);
            if (type instanceof WildcardType wildcard) {
                return erased(wildcard.getLowerBounds().length > 0 ? wildcard.getLowerBounds()[0] : wildcard.getUpperBounds()[0]);
            }
            return Object.class;
        }

        static Class<?> boxed(Class<?> type) {
            return type.isPrimitive() ? java.lang.invoke.MethodType.methodType(type).wrap().returnType() : type;
        }
    }

    // ---- values: from Java to JSON text -------------------------------------------------------------------------

    static final class TooBig extends RuntimeException {
        TooBig() { super(null, null, false, false); }
    }

    /** Whether a class is the platform's own, so that none of its methods is a submission's. */
    static boolean ofPlatform(Class<?> type) { return type.getClassLoader() == null; }

    static boolean ofPlatform(Object value) { return ofPlatform(value.getClass()); }

    /** Whether it means something that two values are the same object. */
    static boolean hasIdentity(Object value) {
        return value != null && !(value instanceof Number || value instanceof Boolean || value instanceof Character
            || value instanceof String);
    }

    static String simpleName(Class<?> type) {
        String name = type.getSimpleName().isEmpty() ? type.getName() : type.getSimpleName();
        return name.substring(0, Math.min(name.length(), 200));
    }

    static String encoded(Object value) {
        try {
            Encoder encoder = new Encoder();
            encoder.value(value, 0);
            return encoder.out.toString();
        } catch (TooBig big) {
            return "{\"cut\":\"size\"}";
        }
    }

    /** Writes one value, of the platform's own types only, within the limits of a reply. */
    static final class Encoder {
        final StringBuilder out = new StringBuilder();
        int nodes;

        void put(String text) {
            if (out.length() + text.length() > MOST_BYTES) throw new TooBig();
            out.append(text);
        }

        void value(Object value, int depth) {
            if (++nodes > MOST_NODES) throw new TooBig();
            if (value == null) put("null");
            else if (value instanceof Boolean truth) put(truth ? "true" : "false");
            else if (value instanceof Byte || value instanceof Short || value instanceof Integer || value instanceof Long) {
                integer(BigInteger.valueOf(((Number) value).longValue()));
            } else if (value.getClass() == BigInteger.class) integer((BigInteger) value);
            else if (value instanceof Double || value instanceof Float) put("{\"float\":\"" + number((Number) value) + "\"}");
            else if (value instanceof Character letter) put(quote(letter.toString()));
            else if (value instanceof String text) {
                if (text.length() > MOST_BYTES) throw new TooBig();
                put(quote(text));
            } else if (value.getClass().isArray() || ofPlatform(value) && (value instanceof Collection || value instanceof Map)) {
                if (depth >= MOST_DEPTH) put("{\"cut\":\"depth\"}");
                else collection(value, depth);
            } else put("{\"object\":" + quote(simpleName(value.getClass())) + "}");
        }

        void integer(BigInteger value) {
            String hex = value.signum() < 0 ? "-0x" + value.negate().toString(16) : "0x" + value.toString(16);
            if (value.bitLength() <= PLAIN_BITS) put(value.toString());
            else put(value.bitLength() <= MOST_BITS ? "{\"int\":\"" + hex + "\"}" : "{\"cut\":\"size\"}");
        }

        static String number(Number value) {
            double number = value.doubleValue();
            if (Double.isNaN(number)) return "nan";
            return Double.isInfinite(number) ? number > 0 ? "inf" : "-inf" : value.toString();
        }

        void collection(Object value, int depth) {
            int from = out.length();
            try {
                if (value instanceof Map<?, ?> map) {
                    put("{\"dict\":[");
                    String comma = "";
                    for (Map.Entry<?, ?> entry : map.entrySet()) {
                        put(comma + "[");
                        value(entry.getKey(), depth + 1);
                        put(",");
                        value(entry.getValue(), depth + 1);
                        put("]");
                        comma = ",";
                    }
                } else if (value instanceof Collection<?> items) {
                    put(value instanceof Set ? "{\"set\":[" : "{\"list\":[");
                    String comma = "";
                    for (Object item : items) {
                        put(comma);
                        value(item, depth + 1);
                        comma = ",";
                    }
                } else {
                    put("{\"list\":[");
                    for (int i = 0; i < Array.getLength(value); i++) {
                        put(i == 0 ? "" : ",");
                        value(Array.get(value, i), depth + 1);
                    }
                }
                put("]}");
            } catch (TooBig big) {
                throw big;
            } catch (RuntimeException ofASubmission) {
                // A view of the platform's on a collection of the submission's own.
                out.setLength(from);
                put("{\"object\":" + quote(simpleName(value.getClass())) + "}");
            }
        }
    }

    /** The JSON text of a string; one with lone surrogates as its UTF-16 code units. */
    static String quote(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (Character.isSurrogate(unit)) {
                boolean pair = i + 1 < text.length() && Character.isSurrogatePair(unit, text.charAt(i + 1));
                if (!pair) return units(text);
                out.append(unit).append(text.charAt(++i));
            } else if (unit == '"' || unit == '\\') out.append('\\').append(unit);
            else if (unit < 0x20) out.append(String.format("\\u%04x", (int) unit));
            else out.append(unit);
        }
        return out.append('"').toString();
    }

    static String units(String text) {
        StringJoiner units = new StringJoiner(",", "{\"units\":[", "]}");
        text.chars().forEach(unit -> units.add(Integer.toString(unit)));
        return units.toString();
    }

    static String strings(Collection<String> texts) {
        StringJoiner out = new StringJoiner(",", "[", "]");
        texts.stream().limit(MOST_NAMES).forEach(text -> out.add(quote(cut(text, 200))));
        return out.toString();
    }

    static String cut(String text, int most) { return text.substring(0, Math.min(text.length(), most)); }

    // ---- exceptions ---------------------------------------------------------------------------------------------

    /** A name that a request needs and the submission does not have, with what is there instead. */
    static final class Missing extends RuntimeException {
        final String report;

        Missing(String kind, String name, String on, List<String> near) {
            report = "\"missing\":{\"kind\":" + quote(kind) + ",\"name\":" + quote(name) + ",\"on\":" + quote(on)
                + ",\"near\":" + strings(near) + "}";
        }
    }

    /** What the compiler says of a submission. */
    static final class CompileError extends Exception {
        final String file;
        final long line;
        final long column;

        CompileError(Diagnostic<? extends JavaFileObject> problem) {
            super(problem.getMessage(Locale.ENGLISH));
            file = problem.getSource() instanceof Source source ? source.name : "";
            line = Math.max(problem.getLineNumber(), 0);
            column = Math.max(problem.getColumnNumber(), 0);
        }
    }

    /** The JSON text that tells of an exception, with nothing of the submission's run but its `getMessage`. */
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
        } catch (Throwable ofASubmission) { /* it has none that can be had */ }
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
        if (error instanceof CompileError problem && !problem.file.isEmpty()) {
            out.append(",\"syntax\":[").append(quote(problem.file)).append(",").append(problem.line).append(",");
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

        // A file that was handed in under another name is compiled all the same.
        @Override public boolean isNameCompatible(String simpleName, Kind kind) { return kind == Kind.SOURCE; }
    }

    /** A compiled class, and where it was written. */
    record Compiled(String name, String file, String module, byte[] bytes) { }

    static final class Classes extends ClassLoader {
        final Map<String, Compiled> compiled = new LinkedHashMap<>();

        Classes() {
            super(ClassLoader.getPlatformClassLoader());
            // `assert` is how a contract is written, and off only where nobody looks.
            setDefaultAssertionStatus(true);
        }

        void compile(List<Object> files) throws CompileError {
            List<Source> sources = new ArrayList<>();
            for (Object file : files) sources.add(new Source(object(file)));
            if (sources.isEmpty()) return;
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            List<Diagnostic<? extends JavaFileObject>> problems = new ArrayList<>();
            JavaFileManager memory = new ForwardingJavaFileManager<JavaFileManager>(
                    compiler.getStandardFileManager(null, Locale.ENGLISH, StandardCharsets.UTF_8)) {
                @Override
                public Iterable<JavaFileObject> list(Location location, String name, Set<JavaFileObject.Kind> kinds,
                        boolean recurse) throws IOException {
                    boolean own = location == StandardLocation.CLASS_PATH || location == StandardLocation.SOURCE_PATH;
                    return own ? List.of() : super.list(location, name, kinds, recurse);
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
            for (Diagnostic<? extends JavaFileObject> problem : problems) {
                if (problem.getKind() == Diagnostic.Kind.ERROR) throw new CompileError(problem);
            }
        }

        /** What was compiled, by module: handed back to a later process of the same submission. */
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
            return out.toString();
        }

        void read(Map<String, Object> code) throws IOException {
            for (Map.Entry<String, Object> entry : code.entrySet()) {
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

        /** The file that a class was written in; none where it is not the submission's. */
        String file(String name) { return compiled.containsKey(name) ? compiled.get(name).file : null; }

        @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
            Compiled one = compiled.get(name);
            if (one == null) throw new ClassNotFoundException(name);
            return defineClass(name, one.bytes, 0, one.bytes.length);
        }
    }

    // ---- requests: from JSON text to Java -----------------------------------------------------------------------

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object json) { return (Map<String, Object>) json; }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object json) { return (List<Object>) json; }

    static Object decoded(Object data) {
        if (!(data instanceof Map)) return data;
        Map.Entry<String, Object> only = object(data).entrySet().iterator().next();
        Object body = only.getValue();
        switch (only.getKey()) {
            case "undefined": return UNDEFINED;
            case "int": case "bigint": return new BigInteger(((String) body).replaceFirst("0x", ""), 16);
            case "float": case "number": return real((String) body);
            case "units": {
                StringBuilder text = new StringBuilder();
                for (Object unit : list(body)) text.append((char) ((Number) unit).intValue());
                return text.toString();
            }
            case "list": case "tuple": case "set": {
                List<Object> items = new ArrayList<>();
                for (Object item : list(body)) items.add(decoded(item));
                return new Items(only.getKey().equals("set"), items);
            }
            case "dict": {
                Pairs pairs = new Pairs(new ArrayList<>(), new ArrayList<>());
                for (Object pair : list(body)) {
                    pairs.keys.add(decoded(list(pair).get(0)));
                    pairs.values.add(decoded(list(pair).get(1)));
                }
                return pairs;
            }
            default: throw new IllegalArgumentException("unknown value");
        }
    }

    static double real(String text) {
        switch (text) {
            case "inf": return Double.POSITIVE_INFINITY;
            case "-inf": return Double.NEGATIVE_INFINITY;
            case "nan": return Double.NaN;
            default: return Double.parseDouble(text);
        }
    }

    /** Reads JSON as keur writes it: its numbers are integers. */
    static final class Json {
        final String text;
        int at;

        Json(String text) { this.text = text; }

        Object value() {
            switch (peek()) {
                case '{': return members();
                case '[': return items();
                case '"': return string();
                case 't': at += 4; return true;
                case 'f': at += 5; return false;
                case 'n': at += 4; return null;
                default: {
                    int from = at;
                    while (at < text.length() && "+-0123456789".indexOf(text.charAt(at)) >= 0) at++;
                    long number = Long.parseLong(text.substring(from, at));
                    return number == (int) number ? (Object) (int) number : (Object) number;
                }
            }
        }

        char peek() {
            while (" \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
            return text.charAt(at);
        }

        boolean closes(char close) {
            if (peek() == ',') at++;
            if (peek() != close) return false;
            at++;
            return true;
        }

        Map<String, Object> members() {
            Map<String, Object> members = new LinkedHashMap<>();
            at++;
            while (!closes('}')) {
                peek();
                String key = string();
                peek();
                at++;
                members.put(key, value());
            }
            return members;
        }

        List<Object> items() {
            List<Object> items = new ArrayList<>();
            at++;
            while (!closes(']')) items.add(value());
            return items;
        }

        String string() {
            StringBuilder out = new StringBuilder();
            at++;
            while (text.charAt(at) != '"') {
                char next = text.charAt(at++);
                if (next != '\\') {
                    out.append(next);
                    continue;
                }
                char escape = text.charAt(at++);
                int index = "bfnrt".indexOf(escape);
                if (escape == 'u') {
                    out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                } else {
                    out.append(index < 0 ? escape : "\b\f\n\r\t".charAt(index));
                }
            }
            at++;
            return out.toString();
        }
    }
}

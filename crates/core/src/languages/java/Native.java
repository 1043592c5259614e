
// Code of a case that runs as it stands: compiled as a method in the submission's package. A part of Driver.java, which
// has the imports.
final class Native {
    /** What code may name without an import, besides the submission's classes, as in jshell. */
    static final List<String> IMPORTS = List.of("java.io", "java.math", "java.util", "java.util.function",
        "java.util.regex", "java.util.stream");

    final Driver.Classes classes;
    final List<Class<?>> defined;
    final String home;
    int count;

    Native(Driver.Classes classes, List<Class<?>> defined) {
        this.classes = classes;
        this.defined = defined;
        home = defined.isEmpty() ? "" : defined.get(0).getPackageName();
    }

    /** Runs the code with these names, and puts those of `binds` among them; the value of its last expression. */
    Object run(String code, Map<String, Object> names, List<Object> binds) throws Throwable {
        StringBuilder before = new StringBuilder();
        StringBuilder after = new StringBuilder();
        names.forEach((name, value) -> {
            boolean again = binds.contains(name) && code.matches("(?s).*[\\w>\\]]\\s+" + name + "\\s*[=;].*");
            if (!SourceVersion.isName(name) || again) return;
            String type = typeName(Calls.plain(value));
            before.append(type).append(' ').append(name).append(" = (").append(type).append(") keur$names.get(\"")
                .append(name).append("\");\n");
        });
        for (Object name : binds) after.append("keur$names.put(\"").append(name).append("\", ").append(name).append(");\n");
        Class<?> made = null;
        Driver.CompileError first = null;
        for (String body : bodies(code, after.toString())) {
            String name = "Keur$" + ++count;
            String text = (home.isEmpty() ? "" : "package " + home + ";\n") + imports() + "final class " + name + " {\n"
                + functions() + "static Object run(java.util.Map<String, Object> keur$names) throws Throwable {\n"
                + before + body + "\n}\n}\n";
            List<Driver.CompileError> errors = classes.compileAll(List.of(new Driver.Source(text)));
            if (errors.isEmpty()) {
                made = classes.loadClass(home.isEmpty() ? name : home + "." + name);
                break;
            }
            if (first == null) first = errors.get(0);
        }
        if (made == null) throw first;
        Map<String, Object> plain = new HashMap<>();
        names.forEach((name, value) -> plain.put(name, Calls.plain(value)));
        Method run = made.getDeclaredMethod("run", Map.class);
        run.setAccessible(true);
        try {
            Object value = run.invoke(null, plain);
            for (Object name : binds) names.put((String) name, plain.get(name));
            return value;
        } catch (InvocationTargetException error) {
            throw error.getCause();
        }
    }

    static String imports() {
        StringBuilder out = new StringBuilder();
        for (String name : IMPORTS) out.append("import ").append(name).append(".*;\n");
        return out.toString();
    }

    /** What the method may consist of: with what follows the last statement as an expression, or without a value. */
    static List<String> bodies(String code, String after) {
        String masked = masked(code);
        int end = masked.length();
        while (end > 0 && (masked.charAt(end - 1) <= ' ' || masked.charAt(end - 1) == ';')) end--;
        Set<String> bodies = new LinkedHashSet<>();
        for (String marks : List.of(";", ";}")) {
            int from = 0;
            int depth = 0;
            for (int i = 0; i < end; i++) {
                char mark = masked.charAt(i);
                if ("([{".indexOf(mark) >= 0) depth++;
                if (")]}".indexOf(mark) >= 0) depth--;
                if (depth == 0 && marks.indexOf(mark) >= 0 && i < end - 1) from = i + 1;
            }
            bodies.add(code.substring(0, from) + "\nObject keur$value =\n" + code.substring(from, end) + "\n;\n" + after
                + "return keur$value;");
        }
        bodies.add(code + "\n;\n" + after + "return null;");
        // What always raises has no end.
        bodies.add(code + "\n;");
        return new ArrayList<>(bodies);
    }

    /** The code, with blanks for its comments and letters for its texts. */
    static String masked(String code) {
        StringBuilder out = new StringBuilder(code);
        java.util.regex.Matcher found = java.util.regex.Pattern.compile(
            "//[^\n]*|/\\*(?s:.*?)\\*/|\"\"\"(?s:.*?)\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*'").matcher(code);
        while (found.find()) {
            for (int i = found.start(); i < found.end(); i++) out.setCharAt(i, code.charAt(found.start()) == '/' ? ' ' : 'x');
        }
        return out.toString();
    }

    /** Methods that call the submission's static ones, so that code can name them without their class. */
    String functions() {
        StringBuilder out = new StringBuilder();
        Set<String> seen = new HashSet<>();
        for (Class<?> type : defined) {
            for (Method method : type.getDeclaredMethods()) {
                String key = method.getName() + Arrays.toString(method.getParameterTypes());
                if (!Calls.isFunction(method) || method.getName().equals("run") || !isOpen(method) || !seen.add(key)) continue;
                StringJoiner generic = new StringJoiner(", ", "<", "> ").setEmptyValue("");
                for (TypeVariable<?> one : method.getTypeParameters()) generic.add(one + " extends " + joined(one.getBounds(), " & "));
                StringJoiner takes = new StringJoiner(", ", "(", ")");
                StringJoiner gives = new StringJoiner(", ", "(", ")");
                Type[] types = method.getGenericParameterTypes();
                for (int i = 0; i < types.length; i++) {
                    String name = written(types[i]);
                    boolean rest = method.isVarArgs() && i == types.length - 1;
                    takes.add((rest ? name.substring(0, name.length() - 2) + "..." : name) + " p" + i);
                    gives.add("p" + i);
                }
                Type[] raises = method.getGenericExceptionTypes();
                out.append("static ").append(generic).append(written(method.getGenericReturnType())).append(' ')
                    .append(method.getName()).append(takes).append(raises.length == 0 ? "" : " throws " + joined(raises, ", "))
                    .append(method.getReturnType() == void.class ? " { " : " { return ").append(type.getCanonicalName())
                    .append('.').append(method.getName()).append(gives).append("; }\n");
            }
        }
        return out.toString();
    }

    static String written(Type type) { return type.getTypeName().replace('$', '.'); }

    static String joined(Type[] types, String with) {
        StringJoiner out = new StringJoiner(with);
        for (Type type : types) out.add(written(type));
        return out.toString();
    }

    boolean isOpen(Method method) {
        boolean open = isOpen(method.getGenericReturnType());
        for (Type type : method.getGenericParameterTypes()) open &= isOpen(type);
        return open;
    }

    /** Whether code in the submission's package may name the type. */
    boolean isOpen(Type type) {
        if (type instanceof ParameterizedType generic) {
            boolean open = isOpen(generic.getRawType());
            for (Type argument : generic.getActualTypeArguments()) open &= isOpen(argument);
            return open;
        }
        if (!(type instanceof Class<?> plain)) return true;
        if (plain.isArray()) return isOpen(plain.getComponentType());
        int modifiers = plain.getModifiers();
        if (plain.getCanonicalName() == null || Modifier.isPrivate(modifiers)) return false;
        boolean near = plain.getPackageName().equals(home) && !Values.ofPlatform(plain);
        boolean exported = Modifier.isPublic(modifiers) && plain.getModule().isExported(plain.getPackageName());
        return (near || exported || plain.isPrimitive()) && (plain.getEnclosingClass() == null || isOpen(plain.getEnclosingClass()));
    }

    /** The type of a variable that holds the value. */
    String typeName(Object value) {
        if (value == null) return "Object";
        if (isOpen(value.getClass())) return value.getClass().getCanonicalName();
        for (Class<?> type : List.of(List.class, Set.class, Map.class)) if (type.isInstance(value)) return type.getName();
        for (Class<?> type : Calls.supertypes(value.getClass())) {
            if (type != Object.class && isOpen(type)) return type.getCanonicalName();
        }
        return "Object";
    }
}


// What attributes, indexing, operators and the builtin functions of a step mean. Plain values mean what they mean in
// Python: null is None, arrays and lists are lists, a string is a list of code points. On any other object it is the
// object's own method or field that counts. A part of Driver.java, which has the imports.
abstract class Operators extends Calls {
    /** What a value is in Python's words; `OWN` is any other object. */
    enum Kind { NONE, NUMBER, TEXT, LIST, SET, DICT, OWN }

    static Kind kind(Object value) {
        if (value == null || value == UNDEFINED) return Kind.NONE;
        if (value instanceof Boolean || isNumber(value)) return Kind.NUMBER;
        if (value instanceof String || value instanceof Character) return Kind.TEXT;
        if (value.getClass().isArray()) return Kind.LIST;
        if (!ofPlatform(value)) return Kind.OWN;
        if (value instanceof Set) return Kind.SET;
        return value instanceof Collection ? Kind.LIST : value instanceof Map ? Kind.DICT : Kind.OWN;
    }

    static boolean isNumber(Object value) {
        return Encoder.isInteger(value) || value.getClass() == BigInteger.class || value instanceof Double
            || value instanceof Float;
    }

    static String typeName(Object value) { return kind(value) == Kind.NONE ? "null" : simpleName(value.getClass()); }

    /** The error of values that do not have an operator: of an object's own, a method is missing. */
    static RuntimeException without(String what, Object... values) {
        List<String> types = new ArrayList<>();
        for (Object value : values) {
            if (kind(value) == Kind.OWN) return new Missing("method", what, typeName(value), methodNames(value));
            types.add(typeName(value));
        }
        return new UnsupportedOperationException("'" + what + "' is not supported for " + String.join(" and ", types));
    }

    /** The error of a value that does not have what a method of this name would give. */
    static RuntimeException lacks(Object value, String what, String method) {
        if (kind(value) == Kind.OWN) return without(method, value);
        return new UnsupportedOperationException(typeName(value) + " has no " + what);
    }

    static List<String> methodNames(Object value) {
        Set<String> names = new LinkedHashSet<>();
        for (Class<?> type : supertypes(value.getClass())) {
            for (Method method : ofPlatform(type) ? new Method[0] : type.getDeclaredMethods()) {
                if (!Modifier.isPrivate(method.getModifiers()) && !method.isSynthetic()) names.add(method.getName());
            }
        }
        return new ArrayList<>(names);
    }

    /** The first of these names that is a method of the value with so many parameters; null if there is none. */
    static String named(Object value, int parameters, String... names) {
        for (String name : names) {
            try {
                for (Method method : methods(value, name)) if (method.getParameterCount() == parameters) return name;
            } catch (Missing none) { /* the next one */ }
        }
        return null;
    }

    static Object calls(Object on, String name, Object... arguments) throws Throwable {
        return plain(call(on, name, methods(on, name), Arrays.asList(arguments)));
    }

    static Items made(List<Object> items) { return new Items(false, items); }

    // ---- attributes, indexes and slices -------------------------------------------------------------------------

    static String capital(String name) { return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1); }

    static Field field(Object on, String name) {
        boolean ofClass = on instanceof Class<?>;
        for (Class<?> type : supertypes(ofClass ? (Class<?>) on : on.getClass())) {
            for (Field field : ofPlatform(type) ? new Field[0] : type.getDeclaredFields()) {
                int modifiers = field.getModifiers();
                if (!field.getName().equals(name) || Modifier.isPrivate(modifiers)) continue;
                if (ofClass && !Modifier.isStatic(modifiers)) continue;
                field.setAccessible(true);
                return field;
            }
        }
        return null;
    }

    static Missing noAttribute(Object on, String name) {
        for (Class<?> type : supertypes(on.getClass())) {
            for (Method method : ofPlatform(type) ? new Method[0] : type.getDeclaredMethods()) {
                if (!method.getName().equals(name) || Modifier.isPrivate(method.getModifiers())) continue;
                return new Missing("called", name, simpleName(on.getClass()), List.of());
            }
        }
        Set<String> near = new LinkedHashSet<>();
        for (Class<?> type : supertypes(on.getClass())) {
            if (ofPlatform(type)) continue;
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isPrivate(field.getModifiers()) && !field.isSynthetic()) near.add(field.getName());
            }
            for (Method method : type.getDeclaredMethods()) {
                boolean hidden = Modifier.isPrivate(method.getModifiers()) || method.isSynthetic();
                if (hidden || method.getParameterCount() > 0 || method.getReturnType() == void.class) continue;
                String bare = method.getName().replaceFirst("^(?:get|is)(?=[A-Z])", "");
                if (Modifier.isStatic(method.getModifiers()) || bare.matches("toString|hashCode|clone")) continue;
                near.add(bare.substring(0, 1).toLowerCase(Locale.ROOT) + bare.substring(1));
            }
        }
        return new Missing("attribute", name, simpleName(on.getClass()), new ArrayList<>(near));
    }

    static Object attribute(Object on, String name) throws Throwable {
        if (kind(on) == Kind.NONE) throw new NullPointerException("Cannot read \"" + name + "\" because the value is null");
        if (on.getClass().isArray() && name.equals("length")) return Array.getLength(on);
        Field field = field(on, name);
        if (field != null) return field.get(on);
        if (on instanceof Class<?> type) throw new Missing("attribute", name, simpleName(type), List.of());
        String getter = named(on, 0, "get" + capital(name), "is" + capital(name), name);
        if (getter == null) throw noAttribute(on, name);
        return calls(on, getter);
    }

    static void assign(Object on, String name, Object value) throws Throwable {
        if (kind(on) == Kind.NONE) throw new NullPointerException("Cannot set \"" + name + "\" because the value is null");
        Field field = field(on, name);
        String setter = named(on, 1, "set" + capital(name), name);
        boolean isFinal = field != null && Modifier.isFinal(field.getModifiers());
        if (isFinal && setter == null) throw new UnsupportedOperationException(name + " is final");
        if (field != null && !isFinal) {
            field.set(on, fitted(value, field.getGenericType(), name));
        } else if (setter != null) {
            call(on, setter, methods(on, setter), Arrays.asList(value));
        } else {
            throw noAttribute(on, name);
        }
    }

    static Object fitted(Object value, Type type, String name) {
        try {
            return new Fitting().fit(value, type);
        } catch (Unfit unfit) {
            throw new IllegalArgumentException(name + " is of type " + simpleName(Fitting.erased(type)) + ", and cannot be "
                + repr(plain(value)));
        }
    }

    static int whole(Object value, String what) {
        if (kind(value) == Kind.NUMBER && isWhole(value)) return integer(value).intValueExact();
        throw new UnsupportedOperationException(what + " must be a whole number, not " + typeName(value));
    }

    static int place(int length, Object key, String what) {
        int at = whole(key, "the index of a " + what);
        if (at >= length || at < -length) throw new IndexOutOfBoundsException(what + " index out of range");
        return at < 0 ? at + length : at;
    }

    /** The entry of a dict whose key is equal to this one; null if there is none. */
    static Map.Entry<?, ?> entry(Map<?, ?> dict, Object key) throws Throwable {
        for (Map.Entry<?, ?> entry : dict.entrySet()) if (same(entry.getKey(), key)) return entry;
        return null;
    }

    static Object index(Object on, Object key) throws Throwable {
        switch (kind(on)) {
            case TEXT: case LIST: {
                List<Object> items = items(on);
                return items.get(place(items.size(), key, kind(on) == Kind.TEXT ? "string" : "list"));
            }
            case DICT: {
                Map.Entry<?, ?> entry = entry((Map<?, ?>) on, key);
                if (entry == null) throw new NoSuchElementException(repr(key));
                return entry.getValue();
            }
            default: break;
        }
        if (kind(on) == Kind.OWN && named(on, 1, "get") != null) return calls(on, "get", key);
        throw lacks(on, "index", "get");
    }

    @SuppressWarnings("unchecked")
    static void assignAt(Object target, Object key, Object value) throws Throwable {
        // A literal that is converted again for each parameter.
        if (target instanceof Items items && !items.set) {
            items.items.set(place(items.items.size(), key, "list"), value);
            items.made = null;
            return;
        }
        Object on = plain(target);
        if (on != null && on.getClass().isArray()) {
            Object item = fitted(value, on.getClass().getComponentType(), "an item");
            Array.set(on, place(Array.getLength(on), key, "list"), item);
        } else if (kind(on) == Kind.LIST && on instanceof List) {
            List<Object> list = (List<Object>) on;
            int at = place(list.size(), key, "list");
            list.set(at, alike(value, list.get(at)));
        } else if (kind(on) == Kind.DICT) {
            Map<Object, Object> dict = (Map<Object, Object>) on;
            Map.Entry<?, ?> entry = entry(dict, key);
            dict.put(entry == null ? key : entry.getKey(), alike(value, entry == null ? null : entry.getValue()));
        } else {
            String name = kind(on) == Kind.OWN ? named(on, 2, "set", "put") : null;
            if (name == null) throw lacks(on, "index that can be set", "set");
            call(on, name, methods(on, name), Arrays.asList(key, value));
        }
    }

    /** The value, of the type of the one that it replaces where it can be. */
    static Object alike(Object value, Object old) {
        try {
            return old == null ? plain(value) : new Fitting().fit(value, old.getClass());
        } catch (Unfit unfit) {
            return plain(value);
        }
    }

    static Object slice(Object on, Object from, Object to, Object step) throws Throwable {
        if (kind(on) != Kind.TEXT && kind(on) != Kind.LIST) throw lacks(on, "slices", "slice");
        List<Object> items = items(on);
        int by = step == null ? 1 : whole(step, "the step of a slice");
        if (by == 0) throw new IllegalArgumentException("slice step cannot be zero");
        int first = by < 0 ? -1 : 0;
        int last = by < 0 ? items.size() - 1 : items.size();
        int begin = bound(from, by < 0 ? last : first, first, last, items.size());
        int end = bound(to, by < 0 ? first : last, first, last, items.size());
        List<Object> out = new ArrayList<>();
        for (int i = begin; by > 0 ? i < end : i > end; i += by) out.add(items.get(i));
        if (kind(on) == Kind.LIST) return made(out);
        StringBuilder text = new StringBuilder();
        out.forEach(text::append);
        return text.toString();
    }

    static int bound(Object at, int otherwise, int first, int last, int length) {
        if (at == null || at == UNDEFINED) return otherwise;
        int index = whole(at, "the bound of a slice");
        return index < 0 ? Math.max(index + length, first) : Math.min(index, last);
    }

    // ---- what a value contains ----------------------------------------------------------------------------------

    /** What a loop over the value meets. */
    static List<Object> items(Object value) {
        List<Object> out = new ArrayList<>();
        if (kind(value) == Kind.TEXT) {
            value.toString().codePoints().forEach(point -> out.add(Character.toString(point)));
        } else if (value != null && value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) out.add(Array.get(value, i));
        } else if (value instanceof Map<?, ?> map && kind(value) == Kind.DICT) {
            out.addAll(map.keySet());
        } else if (value instanceof Iterable<?> all) {
            for (Object item : all) out.add(item);
        } else {
            throw lacks(value, "items", "iterator");
        }
        return out;
    }

    /** The items that are bound to so many names. */
    static List<Object> unpacked(Object value, int count) {
        List<Object> items = items(value);
        if (items.size() == count) return items;
        throw new IllegalArgumentException(items.size() > count
            ? "too many values to unpack (expected " + count + ")"
            : "not enough values to unpack (expected " + count + ", got " + items.size() + ")");
    }

    static Object length(Object value) throws Throwable {
        if (kind(value) != Kind.OWN && kind(value) != Kind.NUMBER && kind(value) != Kind.NONE) return items(value).size();
        String name = kind(value) == Kind.OWN ? named(value, 0, "size", "length") : null;
        if (name == null) throw lacks(value, "length", "size");
        return calls(value, name);
    }

    static Object contains(Object item, Object on) throws Throwable {
        if (kind(on) == Kind.TEXT) {
            if (kind(item) == Kind.TEXT) return on.toString().contains(item.toString());
            throw without("in", item, on);
        }
        String name = kind(on) == Kind.OWN ? named(on, 1, "contains", "containsKey") : null;
        if (name != null) return calls(on, name, item);
        for (Object other : items(on)) if (same(other, item)) return true;
        return false;
    }

    // ---- comparisons --------------------------------------------------------------------------------------------

    static boolean same(Object a, Object b) throws Throwable { return a == b || truth(equal(a, b)); }

    static Object equal(Object a, Object b) throws Throwable {
        if (kind(a) == Kind.OWN) return calls(a, "equals", b);
        if (kind(b) == Kind.OWN) return calls(b, "equals", a);
        if (kind(a) != kind(b)) return false;
        switch (kind(a)) {
            case NONE: return true;
            case NUMBER: return Integer.valueOf(0).equals(order(a, b));
            case TEXT: return a.toString().equals(b.toString());
            default: break;
        }
        List<Object> all = items(a);
        List<Object> others = items(b);
        if (all.size() != others.size()) return false;
        for (int i = 0; i < all.size(); i++) {
            if (kind(a) == Kind.LIST ? !same(all.get(i), others.get(i)) : !truth(contains(all.get(i), b))) return false;
            if (kind(a) == Kind.DICT && !same(index(a, all.get(i)), index(b, all.get(i)))) return false;
        }
        return true;
    }

    /** How two numbers compare; null if one is not a number. */
    static Integer order(Object a, Object b) {
        if (isWhole(a) && isWhole(b)) return integer(a).compareTo(integer(b));
        double x = real(a);
        double y = real(b);
        if (Double.isNaN(x) || Double.isNaN(y)) return null;
        boolean finite = !Double.isInfinite(x) && !Double.isInfinite(y);
        return finite ? exact(a).compareTo(exact(b)) : Double.compare(x, y);
    }

    static boolean holds(String op, int order) {
        switch (op) {
            case "<": return order < 0;
            case "<=": return order <= 0;
            case ">": return order > 0;
            default: return order >= 0;
        }
    }

    static boolean compare(String op, Object a, Object b) throws Throwable {
        if (kind(a) == Kind.OWN || kind(b) == Kind.OWN) {
            boolean first = kind(a) == Kind.OWN && named(a, 1, "compareTo") != null;
            if (!first && (kind(b) != Kind.OWN || named(b, 1, "compareTo") == null)) throw without("compareTo", a, b);
            Object order = first ? calls(a, "compareTo", b) : calls(b, "compareTo", a);
            int sign = Integer.signum(whole(order, "what `compareTo` returns"));
            return holds(op, first ? sign : -sign);
        }
        if (kind(a) != kind(b) || kind(a) == Kind.NONE || kind(a) == Kind.DICT) throw without(op, a, b);
        if (kind(a) == Kind.NUMBER) {
            Integer order = order(a, b);
            return order != null && holds(op, order);
        }
        List<Object> all = items(a);
        List<Object> others = items(b);
        if (kind(a) == Kind.SET) {
            boolean less = op.startsWith("<");
            for (Object item : less ? all : others) if (!truth(contains(item, less ? b : a))) return false;
            return op.length() == 2 || all.size() != others.size();
        }
        for (int i = 0; i < all.size() && i < others.size(); i++) {
            if (same(all.get(i), others.get(i))) continue;
            if (kind(a) == Kind.LIST) return compare(op, all.get(i), others.get(i));
            return holds(op, all.get(i).toString().codePointAt(0) - others.get(i).toString().codePointAt(0));
        }
        return holds(op, all.size() - others.size());
    }

    static boolean truth(Object value) {
        switch (kind(value)) {
            case NONE: return false;
            case NUMBER: return isWhole(value) ? integer(value).signum() != 0 : real(value) != 0;
            case OWN: return true;
            default: return !items(value).isEmpty();
        }
    }

    // ---- arithmetic ---------------------------------------------------------------------------------------------

    static boolean isWhole(Object number) { return !(number instanceof Double || number instanceof Float); }

    static BigInteger integer(Object number) {
        if (number instanceof Boolean truth) return truth ? BigInteger.ONE : BigInteger.ZERO;
        return number instanceof BigInteger big ? big : BigInteger.valueOf(((Number) number).longValue());
    }

    static double real(Object number) {
        if (isWhole(number)) return integer(number).doubleValue();
        return number instanceof Float ? Double.parseDouble(number.toString()) : (Double) number;
    }

    static BigDecimal exact(Object number) {
        return isWhole(number) ? new BigDecimal(integer(number)) : new BigDecimal(real(number));
    }

    /** An integer in the smallest of Java's types, from `int`. */
    static Object small(BigInteger value) {
        int bits = value.bitLength();
        return bits < 32 ? (Object) value.intValue() : bits < 64 ? (Object) value.longValue() : value;
    }

    static Object arithmetic(String op, Object a, Object b) throws Throwable {
        Kind one = kind(a);
        Kind other = kind(b);
        if (one == Kind.NUMBER && other == Kind.NUMBER) {
            boolean zero = isWhole(b) ? integer(b).signum() == 0 : real(b) == 0;
            if (zero && Set.of("/", "//", "%").contains(op)) throw new ArithmeticException("division by zero");
            if (op.equals("**") && !truth(a) && compare("<", b, 0)) throw new ArithmeticException("zero to a negative power");
            boolean whole = isWhole(a) && isWhole(b) && !op.equals("/") && !(op.equals("**") && compare("<", b, 0));
            return whole ? small(whole(op, integer(a), integer(b))) : (Object) real(op, a, b);
        }
        if (op.equals("+") && one == other && one == Kind.TEXT) return a.toString() + b;
        if (op.equals("+") && one == other && one == Kind.LIST) {
            List<Object> items = items(a);
            items.addAll(items(b));
            return made(items);
        }
        if (op.equals("-") && one == Kind.SET && other == Kind.SET) {
            List<Object> items = new ArrayList<>();
            for (Object item : items(a)) if (!truth(contains(item, b))) items.add(item);
            return new Items(true, items);
        }
        boolean repeated = one == Kind.TEXT || one == Kind.LIST;
        if (op.equals("*") && one == Kind.NUMBER && (other == Kind.TEXT || other == Kind.LIST)) return arithmetic(op, b, a);
        if (op.equals("*") && other == Kind.NUMBER && repeated) {
            int times = Math.max(whole(b, "a repetition"), 0);
            if (one == Kind.TEXT) return a.toString().repeat(times);
            List<Object> items = new ArrayList<>();
            for (int i = 0; i < times; i++) items.addAll(items(a));
            return made(items);
        }
        throw without(op, a, b);
    }

    static BigInteger whole(String op, BigInteger a, BigInteger b) {
        switch (op) {
            case "+": return a.add(b);
            case "-": return a.subtract(b);
            case "*": return a.multiply(b);
            case "**": return a.pow(b.intValueExact());
            default: break;
        }
        // The remainder has the sign of the divisor.
        BigInteger[] parts = a.divideAndRemainder(b);
        boolean down = parts[1].signum() != 0 && parts[1].signum() != b.signum();
        if (op.equals("%")) return down ? parts[1].add(b) : parts[1];
        return down ? parts[0].subtract(BigInteger.ONE) : parts[0];
    }

    static double real(String op, Object a, Object b) {
        double x = real(a);
        double y = real(b);
        switch (op) {
            case "+": return x + y;
            case "-": return x - y;
            case "*": return x * y;
            case "**": return Math.pow(x, y);
            case "/": {
                boolean large = isWhole(a) && isWhole(b) && Math.max(Math.abs(x), Math.abs(y)) > 1L << PLAIN_BITS;
                return large ? exact(a).divide(exact(b), MathContext.DECIMAL128).doubleValue() : x / y;
            }
            default: break;
        }
        double rest = x % y;
        if (rest != 0 && rest < 0 != y < 0) rest += y;
        if (op.equals("%")) return rest == 0 ? Math.copySign(0, y) : rest;
        double whole = (x - rest) / y;
        double down = Math.floor(whole);
        return whole - down > 0.5 ? down + 1 : down;
    }

    static Object negated(Object value) {
        if (kind(value) != Kind.NUMBER) throw without("-", value);
        return isWhole(value) ? small(integer(value).negate()) : (Object) (-real(value));
    }

    // ---- texts --------------------------------------------------------------------------------------------------

    static String repr(Object value) {
        StringJoiner out;
        switch (kind(value)) {
            case NONE: return "None";
            case NUMBER: return value instanceof Boolean truth ? truth ? "True" : "False"
                : isWhole(value) ? value.toString() : realText(real(value));
            case TEXT: return quoted(value.toString());
            case LIST: out = new StringJoiner(", ", "[", "]"); break;
            case DICT:
                out = new StringJoiner(", ", "{", "}");
                for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                    out.add(repr(entry.getKey()) + ": " + repr(entry.getValue()));
                }
                return out.toString();
            case SET: out = new StringJoiner(", ", "{", "}").setEmptyValue("set()"); break;
            default: return String.valueOf(value);
        }
        for (Object item : items(value)) out.add(repr(item));
        return out.toString();
    }

    /** The shortest text that gives the number back. */
    static String realText(double value) {
        if (Double.isNaN(value)) return "nan";
        if (Double.isInfinite(value)) return value < 0 ? "-inf" : "inf";
        if (value == 0) return 1 / value < 0 ? "-0.0" : "0.0";
        BigDecimal number = new BigDecimal(value);
        BigDecimal rounded = number;
        for (int digits = 1; digits <= 17; digits++) {
            rounded = number.round(new MathContext(digits));
            if (rounded.doubleValue() == value) break;
        }
        rounded = rounded.stripTrailingZeros();
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent >= -4 && exponent < 16) return rounded.scale() > 0 ? rounded.toPlainString() : rounded.toPlainString() + ".0";
        String digits = rounded.unscaledValue().abs().toString();
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        String power = String.format("e%s%02d", exponent < 0 ? "-" : "+", Math.abs(exponent));
        return (value < 0 ? "-" : "") + digits.charAt(0) + fraction + power;
    }

    static String quoted(String text) {
        char quote = text.contains("'") && !text.contains("\"") ? '"' : '\'';
        StringBuilder out = new StringBuilder().append(quote);
        text.codePoints().forEach(point -> {
            int at = "\n\r\t\\".indexOf(point);
            int type = Character.getType(point);
            // Separators, control and format characters, and what is not assigned.
            boolean hidden = point != ' ' && (type == 0 || type >= 12 && type <= 19);
            if (at >= 0) out.append('\\').append("nrt\\".charAt(at));
            else if (point == quote) out.append('\\').append(quote);
            else if (!hidden) out.appendCodePoint(point);
            else out.append(String.format(point > 0xffff ? "\\U%08x" : point > 0xff ? "\\u%04x" : "\\x%02x", point));
        });
        return out.append(quote).toString();
    }

    // ---- by name ------------------------------------------------------------------------------------------------

    static Object operator(String op, Object a, Object b) throws Throwable {
        switch (op) {
            case "==": return equal(a, b);
            case "!=": return !truth(equal(a, b));
            case "<": case "<=": case ">": case ">=": return compare(op, a, b);
            case "in": return contains(a, b);
            case "not": return !truth(a);
            case "neg": return negated(a);
            default: return arithmetic(op, a, b);
        }
    }

    static Object builtin(String name, List<Object> arguments) throws Throwable {
        Object value = arguments.get(0);
        switch (name) {
            case "len": return length(value);
            case "str": return kind(value) == Kind.TEXT ? value.toString() : repr(value);
            case "repr":
                if (kind(value) == Kind.OWN) throw without("repr", value);
                return repr(value);
            case "list": return made(items(value));
            case "sorted": {
                List<Object> items = items(value);
                items.sort((a, b) -> {
                    try {
                        return compare("<", a, b) ? -1 : compare("<", b, a) ? 1 : 0;
                    } catch (Throwable error) {
                        throw Operators.<RuntimeException>thrown(error);
                    }
                });
                return made(items);
            }
            case "isinstance": {
                Object types = arguments.get(1);
                for (Object type : types instanceof Class ? List.of(types) : items(types)) {
                    if (((Class<?>) type).isInstance(value)) return true;
                }
                return false;
            }
            default: throw new IllegalArgumentException("unknown function");
        }
    }

    /** Throws any error where the compiler would have it declared. */
    @SuppressWarnings("unchecked")
    static <E extends Throwable> E thrown(Throwable error) throws E { throw (E) error; }
}

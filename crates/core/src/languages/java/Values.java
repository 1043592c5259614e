
// Conversion of values between JSON text and Java. A part of Driver.java, which has the imports.
abstract class Values {
    static final int MOST_DEPTH = 40;           // levels of nesting in a value
    static final int MOST_NODES = 20_000;       // values in one reply
    static final int MOST_BYTES = 1 << 20;      // characters of one value in a reply
    static final int MOST_BITS = 1 << 18;       // bits of an integer
    static final int MOST_MESSAGE = 4_000;      // characters of an exception's message
    static final int MOST_SHOWN = 1_000;        // characters of a value as its own text shows it
    static final int MOST_NAMES = 200;          // names listed for suggestions
    static final int PLAIN_BITS = 53;           // integers up to here are plain JSON numbers

    /** An argument that was omitted before another one. */
    static final Object UNDEFINED = new Object();

    // ---- values: from Java to JSON text -------------------------------------------------------------------------

    static final class TooBig extends RuntimeException {
        TooBig() { super(null, null, false, false); }
    }

    /** Whether a class is the platform's own, so that none of its methods is a submission's. */
    static boolean ofPlatform(Class<?> type) { return type.getClassLoader() == null; }

    static boolean ofPlatform(Object value) { return ofPlatform(value.getClass()); }

    /** Whether the identity of a value matters. */
    static boolean hasIdentity(Object value) {
        return value != null && !(value instanceof Number || value instanceof Boolean || value instanceof Character
            || value instanceof String);
    }

    static String simpleName(Class<?> type) {
        String name = type.getSimpleName().isEmpty() ? type.getName() : type.getSimpleName();
        return name.substring(0, Math.min(name.length(), 200));
    }

    /** How to look at values of the submission's own types. */
    interface Views {
        /** What the view of a value's type says of it; null if there is none. */
        List<Object> seen(Object value) throws Throwable;
    }

    static String encoded(Object value, Views views) throws Throwable {
        try {
            Encoder encoder = new Encoder(views);
            encoder.value(value, 0);
            return encoder.out.toString();
        } catch (TooBig big) {
            return "{\"cut\":\"size\"}";
        } catch (Unseen unseen) {
            throw unseen.getCause();
        }
    }

    /** Thrown with what a view threw. */
    static final class Unseen extends Exception {
        Unseen(Throwable cause) { super(null, cause, false, false); }
    }

    /** Writes one value, of the platform's own types only, within the limits of a reply. */
    static final class Encoder {
        final StringBuilder out = new StringBuilder();
        final Views views;
        int nodes;

        Encoder(Views views) { this.views = views; }

        void put(String text) {
            if (out.length() + text.length() > MOST_BYTES) throw new TooBig();
            out.append(text);
        }

        void value(Object value, int depth) throws Unseen {
            if (++nodes > MOST_NODES) throw new TooBig();
            if (value == null) put("null");
            else if (value instanceof Boolean truth) put(truth ? "true" : "false");
            else if (isInteger(value)) {
                integer(BigInteger.valueOf(((Number) value).longValue()));
            } else if (value.getClass() == BigInteger.class) integer((BigInteger) value);
            else if (value instanceof Double || value instanceof Float) real((Number) value);
            else if (value instanceof Character letter) put(quote(letter.toString()));
            else if (value instanceof String text) {
                if (text.length() > MOST_BYTES) throw new TooBig();
                put(quote(text));
            } else if (isCollection(value)) {
                if (depth >= MOST_DEPTH) put("{\"cut\":\"depth\"}");
                else collection(value, depth);
            } else {
                List<Object> parts;
                try {
                    parts = views.seen(value);
                } catch (Throwable thrown) {
                    throw new Unseen(thrown);
                }
                if (parts == null) put("{\"object\":" + quote(simpleName(value.getClass())) + "}");
                else if (depth >= MOST_DEPTH) put("{\"cut\":\"depth\"}");
                else collection(parts, depth);
            }
        }

        void integer(BigInteger value) {
            String hex = value.signum() < 0 ? "-0x" + value.negate().toString(16) : "0x" + value.toString(16);
            if (value.bitLength() <= PLAIN_BITS) put(value.toString());
            else put(value.bitLength() <= MOST_BITS ? "{\"int\":\"" + hex + "\"}" : "{\"cut\":\"size\"}");
        }

        void real(Number value) {
            double number = value.doubleValue();
            String finite = Double.isInfinite(number) ? number > 0 ? "inf" : "-inf" : value.toString();
            put("{\"float\":\"" + (Double.isNaN(number) ? "nan" : finite) + "\"}");
        }

        static boolean isInteger(Object value) {
            return value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte;
        }

        static boolean isCollection(Object value) {
            if (value.getClass().isArray()) return true;
            return ofPlatform(value) && (value instanceof Collection || value instanceof Map);
        }

        void collection(Object value, int depth) throws Unseen {
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
                // A view of the platform on a collection of the submission.
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

    // ---- requests: from JSON text to Java -----------------------------------------------------------------------

    /** Values of a request, converted to Java once the wanted types are known. */
    abstract static class Literal {
        /** The converted value, so that a name stands for one object. */
        Object made;
        Type madeFor;
    }

    static final class Items extends Literal {
        final boolean set;
        final List<Object> items;

        Items(boolean set, List<Object> items) {
            this.set = set;
            this.items = items;
        }
    }

    static final class Pairs extends Literal {
        final List<Object> keys = new ArrayList<>();
        final List<Object> values = new ArrayList<>();
    }

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
                Pairs pairs = new Pairs();
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


// Calls of a submission's methods: chooses the method and converts its values to Java. A part of Driver.java, which
// has the imports.
abstract class Calls extends Values {
    /** A name that a request needs and the submission does not have, with the existing names. */
    static final class Missing extends RuntimeException {
        final String report;

        Missing(String kind, String name, String on, List<String> near) {
            report = "\"missing\":{\"kind\":" + quote(kind) + ",\"name\":" + quote(name) + ",\"on\":" + quote(on)
                + ",\"near\":" + strings(near) + "}";
        }
    }

    /** A static method that the exercise may call as a function. */
    static boolean isFunction(Method method) {
        int modifiers = method.getModifiers();
        return Modifier.isStatic(modifiers) && !Modifier.isPrivate(modifiers) && !method.isSynthetic();
    }

    /** The methods of that name of a value, or of a class that is one. */
    static List<Method> methods(Object on, String name) {
        if (on instanceof Class<?> type && !ofPlatform(type)) return ofClass(type, name);
        if (on == null) throw new NullPointerException("Cannot invoke \"" + name + "\" because the value is null");
        List<Method> found = new ArrayList<>();
        Set<String> signatures = new HashSet<>();
        Set<String> near = new LinkedHashSet<>();
        boolean property = false;
        for (Class<?> type : supertypes(on.getClass())) {
            // Of the platform's own types only public methods.
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

    static List<Method> ofClass(Class<?> type, String name) {
        List<Method> found = new ArrayList<>();
        Set<String> near = new LinkedHashSet<>();
        for (Method method : type.getDeclaredMethods()) {
            if (isFunction(method)) near.add(method.getName());
            if (isFunction(method) && method.getName().equals(name)) found.add(method);
        }
        if (found.isEmpty()) throw new Missing("method", name, simpleName(type), new ArrayList<>(near));
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

    /** Calls the overload that fits the arguments best. */
    static Object call(Object on, String name, List<? extends Executable> overloads, List<Object> arguments)
            throws Throwable {
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

    /** A value in Java's own form, if no type is asked for. */
    static Object plain(Object value) {
        if (value instanceof Literal literal && literal.made != null) return literal.made;
        return value instanceof Literal ? new Fitting().fit(value, Object.class) : value;
    }

    /** An argument does not fit the parameter's type. */
    static final class Unfit extends RuntimeException {
        Unfit() { super(null, null, false, false); }
    }

    /** Converts values to parameter types, and counts the cost of the conversions. */
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
            if (value instanceof Literal literal) {
                if (literal.made != null && literal.madeFor.equals(type)) return literal.made;
                literal.made = literal instanceof Items items ? items(items, raw, type) : pairs((Pairs) literal, raw, type);
                literal.madeFor = type;
                return literal.made;
            }
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
            if (raw == int.class && bits < 32) return value.intValue();
            if (raw == Integer.class && bits < 32) return bent(1, value.intValue());
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
                Class<?> plain = raw.getComponentType();
                Type component = type instanceof GenericArrayType array ? array.getGenericComponentType() : plain;
                Object made = Array.newInstance(plain, given.items.size());
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
            boolean sorted = !raw.isAssignableFrom(LinkedHashMap.class);
            Map<Object, Object> made = sorted ? new TreeMap<>() : new LinkedHashMap<>();
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
                Type[] lower = wildcard.getLowerBounds();
                return erased(lower.length > 0 ? lower[0] : wildcard.getUpperBounds()[0]);
            }
            return Object.class;
        }

        static Class<?> boxed(Class<?> type) {
            return type.isPrimitive() ? java.lang.invoke.MethodType.methodType(type).wrap().returnType() : type;
        }
    }
}


// Runs a program of a submission: its `main`, in a machine of its own that ends as the program does. A part of
// Driver.java, which has the imports.

/** A program, as the input that it reads. */
final class Program extends InputStream {
    final Driver driver;
    final Driver.Classes classes;
    final String module;
    final String[] args;
    /** Input that was not read yet. */
    byte[] left = {};
    int at;
    boolean hasAsked;
    boolean inputEnded;
    boolean isOver;
    /** The report of the exception that ended it. */
    String raised;

    Program(Driver driver, Driver.Classes classes, Map<String, Object> request) {
        this.driver = driver;
        this.classes = classes;
        module = (String) request.get("module");
        args = Driver.list(request.get("args")).toArray(String[]::new);
    }

    /** Runs it in this thread, the machine's first: what it raises ends that, and the machine when no thread is left. */
    void run() throws Throwable {
        System.setIn(new BufferedInputStream(this));
        System.setErr(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        Thread.currentThread().setContextClassLoader(classes);
        Runtime.getRuntime().addShutdownHook(new Thread(this::end));
        try {
            Method main = main();
            if (main == null) {
                raised = classes.rejected;
                System.exit(1);
            }
            main.invoke(null, (Object) args);
        } catch (Throwable error) {
            Throwable own = error instanceof InvocationTargetException wrapper ? wrapper.getCause() : error;
            raised = driver.raised(own);
            // It is reported, not printed.
            Thread.currentThread().setUncaughtExceptionHandler((thread, same) -> { });
            throw own;
        }
    }

    /** The `main` of the program's file, of the class that has the file's name if it can; null if the compiler rejects it. */
    Method main() throws Throwable {
        Method found = null;
        for (Class<?> type : classes.topLevel(List.of(module))) {
            if (!classes.module(type).equals(module)) continue;
            try {
                Method main = type.getMethod("main", String[].class);
                boolean isNamed = type.getSimpleName().equals(module);
                if (Modifier.isStatic(main.getModifiers()) && (found == null || isNamed)) found = main;
            } catch (NoSuchMethodException another) { /* class has it */ }
        }
        if (found == null && classes.rejected == null) {
            throw new NoSuchMethodException("there is no method public static void main(String[] args)");
        }
        if (found != null) found.setAccessible(true);
        return found;
    }

    /** Whether a scanner raised this because its input has ended. */
    boolean isPastInput(Throwable error) {
        StackTraceElement[] trace = error.getStackTrace();
        return inputEnded && error.getClass() == NoSuchElementException.class && trace.length > 0
            && trace[0].getClassName().equals(Scanner.class.getName());
    }

    /** Reports the end of the program, whose status is that with which the machine ends now. */
    synchronized void end() {
        try {
            driver.reply("\"ended\":{}" + (raised == null ? "" : "," + raised));
        } catch (IOException gone) { /* keur is */ }
        isOver = true;
    }

    /** Gets more input if nothing is left; false if there is none. */
    boolean fill() throws IOException {
        while (at == left.length && !inputEnded) {
            // A thread that reads while the machine ends waits until it has.
            while (isOver) {
                try { wait(); } catch (InterruptedException goesOn) { /* as a thread that reads */ }
            }
            hasAsked = true;
            driver.reply("\"waits\":true");
            Map<String, Object> request = Driver.object(new Driver.Json(driver.receive()).value());
            if (request.get("op").equals("end")) Runtime.getRuntime().halt(0);
            inputEnded = !request.containsKey("data");
            left = inputEnded ? new byte[0] : ((String) request.get("data")).getBytes(StandardCharsets.UTF_8);
            at = 0;
        }
        return at < left.length;
    }

    @Override public synchronized int read() throws IOException { return fill() ? left[at++] & 255 : -1; }

    @Override public synchronized int read(byte[] bytes, int from, int count) throws IOException {
        Objects.checkFromIndexSize(from, count, bytes.length);
        if (count == 0) return 0;
        if (!fill()) return -1;
        int some = Math.min(count, left.length - at);
        System.arraycopy(left, at, bytes, from, some);
        at += some;
        return some;
    }

    /** As for a pipe: what was sent is there from the beginning, and what a dialogue sends only when it is waited for. */
    @Override public synchronized int available() throws IOException {
        if (!hasAsked) fill();
        return left.length - at;
    }
}

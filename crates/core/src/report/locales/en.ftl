mistake-value = unexpected value
mistake-other-kind = this is a value of type { $got }, but one of type { $expected } is expected
mistake-swapped = two values are swapped: { $got } instead of { $expected }
mistake-order = the right values, but in another order
mistake-missing-items = { $count ->
    [one] 1 value is missing
   *[other] { $count } values are missing
}
mistake-extra-items = { $count ->
    [one] there is 1 value too many
   *[other] there are { $count } values too many
}
mistake-other-items = number of values missing: { $missing }; not expected: { $extra }
mistake-type = right value, wrong type: expected { $expected }, got { $got }
mistake-refused-no-answer = this is not a move: look at the type and shape of what was returned
mistake-refused-illegal = this move breaks the rules of the game
mistake-refused-win-missed = a win could be forced, but not with this move
mistake-refused-loses-the-game = after this move the opponent can force a win; there was a better move
mistake-refused-loses-material = this move gives a piece away; there was a better move
mistake-check = this does not pass the check of the exercise
mistake-check-says = { $message }
mistake-check-partly = this is only partly right
mistake-not-plain = there is a { $kind } in the value, which cannot be checked: use plain values such as numbers, strings and lists
mistake-printed = the value was printed instead of returned: { $print } shows a value, return gives it back
mistake-none-returned = { $language ->
    [c] NULL was returned; is a return missing, or is it the address of a local variable?
   *[other] nothing was returned; is a return missing?
}
mistake-none-for-object = nothing was returned, but the object itself should be: end the method with return { $self }
mistake-another-object = the object { $object } itself should be returned here (return { $self }), not a copy or something else
mistake-look-alike = { $language ->
    [cpp] these look the same, but the class does not say that they are equal: does it define operator==?
   *[other] these look the same, but the class does not say that they are equal: does it define == (__eq__ in Python, equals in JavaScript and Java)?
}
mistake-same-object = the object { $name } itself was returned, but it should be a different object
mistake-too-large = the value is too large, nested too deep, or contains itself
mistake-deferred = { $kind ->
    [Promise] nothing settles this promise: it never gives a value
   *[other] a { $kind } was returned instead of the value; is the method async, or does it yield?
}
mistake-no-text = the text is a { $kind }, not a string
mistake-output = nothing should be printed here
mistake-no-output = nothing is printed here, but something should be
mistake-standard-error = this was printed to standard error: write it to standard output, as { $print } does
mistake-returned = this was returned instead of printed: return gives a value back, { $print } shows it
mistake-more-output = the expected output is there, but more is printed: print only what is asked
mistake-prompts = the output is right, but the program also prints a prompt when it asks for input: leave the prompt out
mistake-while-loading = this was printed while the file was loaded, not by this step: print inside functions only
mistake-inner-type = the value is right, but what is in it has another type (such as 1.0 or '1' instead of 1)
mistake-inner-subclass = the value is right, but a value in it is of another type: { $kind }
mistake-trailing-blanks = the text is right except for spaces at the end of a line
mistake-final-newlines = the text is right, but has too many or too few line breaks at the end
mistake-first-letter = { $size ->
    [small] the text must begin with a small { $letter }
   *[capital] the text must begin with a capital { $letter }
}
mistake-capitals = the text is right except for capital and small letters
mistake-blanks = the text is right except for the number of spaces
mistake-replaced = { $got ->
    [space] a space
   *[other] “{ $got }”
} stands where { $expected ->
    [space] a space
   *[other] “{ $expected }”
} is expected
mistake-exchanged = { $one ->
    [space] a space
   *[other] “{ $one }”
} and { $other ->
    [space] a space
   *[other] “{ $other }”
} are swapped
mistake-joined = one line instead of { $lines }: { $by ->
    [nothing] there are no line breaks between the lines
    [space] the lines are joined by a space
   *[other] the lines are joined by “{ $by }”
}
mistake-lines = number of lines: expected { $expected }, got { $got }
mistake-text = unexpected text
mistake-part-missing = this part is missing: { $part }
mistake-part-order = this part is there, but too early: { $part }
mistake-part-capitals = this part is right except for capital and small letters: { $part }
mistake-part-blanks = this part is right except for the number of spaces: { $part }
mistake-form = the text does not have the right form
mistake-missing-lines = { $count ->
    [one] this line is missing: { $line }
   *[other] { $count } lines are missing; the first is: { $line }
}
mistake-extra-lines = { $count ->
    [one] this line should not be there: { $line }
   *[other] { $count } lines should not be there; the first is: { $line }
}
mistake-text-of-object = the object has no text of its own: define the method { $method } in its class
mistake-text-of-none = nothing was returned, so there is nothing to show; is a return missing?
mistake-not-raised = { $language ->
    [rust] Err should be returned here, but it was not
   *[other] an exception should be raised here, but none was
}
mistake-message-printed = { $language ->
    [rust] the message was printed, but should be returned: return Err with this message
   *[other] the message was printed, but should be raised: raise an exception with this message
}
mistake-message-returned = { $language ->
    [rust] the message was returned, but not as Err: return Err with this message
   *[other] the message was returned, but should be raised: raise an exception with this message
}
mistake-unexpected = { $language ->
    [rust] Err was returned unexpectedly
   *[other] { $raised } was raised, but no exception is expected here
}
mistake-panic = the program stopped with a panic
mistake-undefined = { $fault ->
    [not-known] the program has undefined behaviour
   *[other] the program has undefined behaviour: { $fault }
}
mistake-leak = { $fault }
mistake-assertion = { $fault ->
    [not-known] an assert of the program fails
   *[other] an assert of the program fails: { $fault }
}
mistake-terminated = { $fault ->
    [not-known] an exception leaves a function that none may leave, such as a destructor or one that is noexcept: catch it there
   *[other] { $fault } leaves a function that no exception may leave, such as a destructor or one that is noexcept: catch it there
}
mistake-refused = a parameter has a type that does not take the value of the case
mistake-not-callable = the call in the case does not fit this definition: look at its parameters, and at the assignment
mistake-declared-parameter = parameter { $number } of { $name } is `{ $own }`; `{ $asked }` is asked
mistake-declared-returned = { $name } returns `{ $own }`; `{ $asked }` is asked
mistake-declared-count = the number of parameters of { $name } is { $own }; { $asked } is asked
mistake-declared-fields = `{ $name }` must have these fields, in this order: { $asked }
mistake-declared-no-type = `{ $name }` is not declared; the assignment asks for it
mistake-declared-not-public = { $name } cannot be called from outside its class; is public: missing?
mistake-declared-variable = { $name } is a variable; a method is asked
mistake-declared-no-constructor = { $name } has no public constructor for these arguments; is public: missing, or has a parameter another type?
mistake-declared-abstract = no object can be made of { $name }: a method is only declared (= 0), and has no body in this class
mistake-not-written = this is not written yet
mistake-past-input = { $count ->
    [0] there is no input to read: the exercise gives none here
    [one] the program reads more input than there is: there is only one line
   *[other] the program reads more input than there is: there are only { $count } lines
}
mistake-no-string = { $name } returned { $class }, not a string: build the text and return it; print only shows it
mistake-few-parameters = { $class }.{ $name } has too few parameters; is self missing as the first one?
mistake-another-type = { $wanted ->
    [not-known] { $raised } was raised, but an exception of another type is expected
   *[other] { $raised } was raised instead of { $wanted }
}
mistake-near-message = almost the right message: look at capitals, spaces and punctuation
mistake-another-exception = a different exception was expected
mistake-another-message = a different message was expected
mistake-no-definition = { $name } is not defined
mistake-no-definition-near = { $name } is not defined, but { $near } is: the name must be exactly { $name }
mistake-no-method = { $class } has no method { $name }
mistake-no-method-near = { $class } has no method { $name }, but has { $near }: the name must be exactly { $name }
mistake-no-print = { $class } cannot be printed: write an operator<< for it outside the class or as its friend, or a method to_string
mistake-method-of-nothing = { $name } was called on nothing ({ $class }): the call before it returned nothing; is a return missing there?
mistake-method-of-value = { $call ->
    [not-known] { $name } was called on a value of type { $class }: should that be another value?
   *[other] { $call } returned a value of type { $class }, which has no { $name }: should it return the object itself (return { $self })?
}
mistake-property = { $name } of { $class } is an attribute, not a method: give the attribute another name, or make it a method
mistake-no-attribute = { $class } has no attribute { $name }
mistake-no-attribute-near = { $class } has no attribute { $name }, but has { $near }: the name must be exactly { $name }
mistake-attribute-of-nothing = the attribute { $name } was read from nothing ({ $class }): the call before it returned nothing; is a return missing there?
mistake-attribute-of-value = { $call ->
    [not-known] a value of type { $class } has no attribute { $name }: should that be another value?
   *[other] { $call } returned a value of type { $class }, which has no attribute { $name }: should it return something else?
}
mistake-not-attribute = { $name } of { $class } is a method, not an attribute: give the method another name, or make it an attribute
mistake-cpu-limit = the computation took too long; is there a loop that never ends?
mistake-wall-limit = the program waited too long: for input, or in a pause (sleep)?
mistake-memory-limit = the program used too much memory
mistake-output-limit = the program printed too much; is there a { $print } in a loop that never ends?
mistake-files-limit = the program wrote files that are too large, or too many of them
mistake-written-missing = the file { $file } should exist now, but does not
mistake-written-folder = { $file } should be a file, but is a folder
mistake-written-irregular = { $file } should be an ordinary file that can be read
mistake-written-too-large = the file { $file } is much too large
mistake-written-binary = the file { $file } does not contain text (UTF-8)
mistake-written-empty = the file { $file } is empty; is it closed after writing?
mistake-written-text = in the file { $file }: { $what }
mistake-ended = the program ended during the test
mistake-ended-code = the program ended during the test, with exit code { $code }; does the code call exit somewhere?
mistake-ended-signal = the program ended during the test (signal { $signal })
mistake-ended-abort = the program ended itself during the test (signal 6); does the code call abort?
mistake-ended-fault-in-memory = the program crashed during the test (signal 11, a memory fault); does a function call itself forever?
mistake-protocol = the answer to the tester could not be read: { $why }; print only with the usual functions (such as { $print })
mistake-not-ready = the crate's test program does not start the way keur's tests do ({ $why }); does tests/grade.rs have its own main?
mistake-syntax = the file has a syntax error and cannot be run
mistake-newer-syntax = { $what } needs { $since }; the code was run with { $version }
mistake-compile = the code does not compile
mistake-compile-withheld = the code does not compile: it uses { $name }, which is not available when keur grades; use keur_core::submit and keur_core::value only, and write the rest yourself
mistake-compile-unlisted = the code does not compile: your Cargo.toml was replaced by the course's, and yours added { $crates }; use only crates that the course allows
mistake-compile-common = the code does not compile: { $why }
compile-no-semicolon = a semicolon (;) is missing here or at the end of the line before, or an operator here
compile-no-sign = a { $sign } is missing
compile-no-parenthesis = a ) is missing, or a comma or an operator before this
compile-unopened = there is one {"}"} too many
compile-not-declared = { $name } is not declared; check its spelling, and declare it before it is used
compile-no-quote = a closing { $sign } is missing on this line
compile-single-quotes = a text is written in double quotes: write "{ $text }" instead of '{ $text }'
compile-no-if = this else has no if before it; is there a ; after the condition, or are { "{" } and { "}" } missing?
compile-no-main = a program needs a function main
compile-other-name = write { $meant } instead of { $name }
compile-no-system-header = there is no header <{ $header }>; check its spelling, and write the name of a file of your own in double quotes
compile-no-operator = this operator does not take { $left } and { $right }; check the operator and the types
compile-needs-operator = this line needs an operator of { $class } that is not there, such as < or ==
compile-not-printed = << cannot print { $class }; print its items or members one by one
compile-not-included = { $name } needs #include { $header }
compile-no-header = the file { $header } is not part of the submission
compile-no-return-type = { $name } has no return type; write it before the name, such as int or void
compile-no-type = a return type is missing; write it before the name of the function, such as int or void
compile-arguments = { $name } does not take these arguments; check how many there are, and their types
compile-wrong-type = the type { $to } is needed here, and this has the type { $from }
compile-not-defined = { $name } is declared, but not defined: it has no body
compile-no-static = { $name } is declared, but not defined: a static variable is also defined outside its class
compile-no-virtual-body = a virtual method of { $class } is declared, but not defined: it has no body
compile-redefined = { $name } is defined twice
compile-private = { $name } is private or protected, and is used outside its class
compile-constant = something that is const is changed; does a method lack const, or should the value not be const?
compile-no-member = { $class } has no member { $name }
compile-no-members = what stands before the dot has no members, since it is no object and no struct
compile-pointer = { $name } is a pointer: write -> instead of a dot
compile-arrow = this is a pointer: write -> instead of a dot
compile-arguments-here = the function that is called here does not take these arguments; check how many there are, and their types
compile-dot = this is not a pointer: write a dot instead of ->
compile-character = the character { $sign } does not belong here; type it again: quotes, dashes and other signs that are copied from a text only look like those of code
compile-brackets = the brackets of an array stand after its name, as in int a[]; a function cannot return an array
compile-no-head = this { "{" } belongs to no function; is there a ; or one { "}" } too many before it?
compile-nested-function = a function cannot be defined inside another one; is a { "}" } missing above?
compile-void-used = a value is needed here, and this function returns none: its return type is void
compile-void-returns = a function with the return type void returns no value; give it another return type, or leave out the value
compile-returns-nothing = a value is missing after return; without one, the return type must be void
compile-case-jump = a variable is declared between two case labels; put { "{" } and { "}" } around the code of that case
compile-same-case = two case labels have the same value
compile-not-constant = a constant is needed here, such as 3; in place of a case with a variable, use if
compile-no-switch = switch only takes whole numbers and characters; compare other values with if
compile-too-many-values = there are more values here than there is room for
compile-no-loop = break and continue only stand in a loop, and break in a switch
compile-array-assigned = an array cannot be assigned; copy its items one by one (text in C with strcpy)
compile-not-assignable = the left side of this = cannot be changed; to compare, write ==
compile-not-pointer = this is not a pointer, it has the type { $class }; check the * and ->
compile-no-items = this is neither an array nor a pointer, so it has no items; check the [ ]
compile-not-function = this is not a function, so it cannot be called; is a sign such as * missing before the ( ?
compile-not-called = the method is named, but not called: write ( ) after its name
compile-abstract = no object can be made of { $class }: a method is only declared (= 0), and has no body in this class
compile-conflicting = { $name } is declared more than once, with different types; make them the same
fault-index = index { $index } is outside an array of the type { $type }
fault-past-end = an index is negative or past the end
fault-overflow = { $sum } is too large or too small for the type { $type }
fault-division = a number is divided by zero
fault-shift = a number is shifted by { $by } bits, which is negative or more than the number has
fault-no-return = a function that should return a value ends without return
fault-null = a null pointer is used; is it set before this?
fault-address = a wrong address is used; is a pointer not set, or an index wrong?
fault-heap = memory that new, malloc or a container gave is { $how ->
    [read] read
    [written] written
   *[other] used
} outside its bounds; is an index or a size wrong?
fault-stack = a local variable is { $how ->
    [read] read
    [written] written
   *[other] used
} outside its bounds; is an index or a size wrong?
fault-global = a global variable is { $how ->
    [read] read
    [written] written
   *[other] used
} outside its bounds; is an index or a size wrong?
fault-freed = memory is { $how ->
    [read] read
    [written] written
   *[other] used
} after it was freed
fault-ended = a local variable is { $how ->
    [read] read
    [written] written
   *[other] used
} after its function or block has ended; does a pointer or reference to it remain?
fault-too-big = more memory is asked for than a program may have; is a size negative or uninitialised?
fault-length = the length that the function gives is { $length }, which is negative or more than the array has
fault-locals = local variables need more memory than the stack has; is an array very large?
fault-double-free = memory is freed twice
fault-bad-free = something is freed that does not come from new or malloc
fault-bad-result = what the function returns is freed by its caller, so it must come from malloc
fault-constant = a text in quotes or another constant is changed; copy it into an array first
fault-mismatch = memory is freed in the wrong way: delete belongs to new, delete[] to new[], and free to malloc
fault-delete-type = an object is deleted as another type than it was made as; does the base class lack a virtual destructor?
fault-lost = { $bytes } bytes of memory are lost: they were not freed, and nothing points to them any more
fault-lost-raised = { $raised } was raised, and { $bytes } bytes of memory are lost: they were not freed, and nothing points to them any more
fault-empty = an empty container is asked for an item
fault-no-value = an empty optional is asked for its value
fault-value = a variable has a value that its type { $type } does not have; is it set before this?
fault-other = { $fault }
mistake-compile-time = compiling took too long
mistake-program-gone = the crate compiles, but its build does not put the program of { $test } in the folder target, or puts several there; check build.rs and the names of programs
mistake-loading = loading the file raised an exception before everything needed was defined
mistake-asks-input = the file asks for input as soon as it is loaded: do not call input outside functions or methods
mistake-no-module = { $name ->
    [turtle] { $name } draws in a window, and there is none during grading
    [tkinter] { $name } draws in a window, and there is none during grading
   *[other] module { $name } was not found: hand in your own files together; otherwise use only standard modules
}
mistake-not-allowed = the exercise does not allow { $name }: use only what the assignment names
mistake-no-file = the file { $file } is missing: hand it in together with the others
mistake-no-program = the program { $file } is missing
mistake-dialogue = the program prints something unexpected here
mistake-ended-early = the program ended, but should still have asked for input here
mistake-status = the program ended with an unexpected exit code
mistake-games-lost = games lost: { $lost } of { $games }; this is the first
mistake-games-won = games won: { $got } of { $games }, needed: { $needed }; this is the first that was not won
mistake-changed = the board is not as it should be: search on a copy of it, or see whether an earlier move was made wrongly
files-no-source = there is no source file ({ $wanted }); found: { $found }
files-none = there is no source file; found: { $found }
files-nothing = there are no files here: hand in a source file
files-nothing-of = there are no files here: hand in a source file ({ $wanted })
files-nothing-read = there is no source file among the files that were read; { $skipped }
files-no-manifest = Cargo.toml is missing: hand in the whole crate, with Cargo.toml, src and tests
files-not-inherited = Cargo.toml inherits `{ $key }` from a workspace that was not handed in, or that does not set it; grade it inside its workspace, or hand in a Cargo.toml of its own
files-no-test = the crate has no test target { $test }
files-build-script = { $file } would run while the crate is compiled; in this course only the course's own files may do that, so remove it
files-link = this is a link to { $to }: hand in the file itself
found-and = { $some } and { $last }
found-picture = { $count ->
    [one] a picture
   *[other] { $count } pictures
}
found-extension = { $count ->
    [one] a .{ $extension } file
   *[other] { $count } .{ $extension } files
}
found-plain = { $count ->
    [one] a file without an extension
   *[other] { $count } files without an extension
}
found-hidden = { $count ->
    [one] a hidden file
   *[other] { $count } hidden files
}
found-link = { $count ->
    [one] a link
   *[other] { $count } links
}
found-more = { $count ->
    [one] another file
   *[other] { $count } other files
}
found-others = { $count ->
    [one] { $some } and 1 more
   *[other] { $some } and { $count } more
}
files-several = several files could be the answer: { $found }; hand in only one of them
files-several-unnamed = several files could be the answer: { $found }; give the right one the requested name ({ $wanted })
files-notebook = { $file } is not a notebook that can be read: open it, save it, and hand it in again
files-empty = { $file } is empty
files-utf16 = { $file } is saved as UTF-16: save it as UTF-8, and hand it in again
files-binary = { $file } is not a text file, although its name says so: hand in the source code itself
files-too-large = { $file } is larger than { $most }: hand in a smaller file
files-too-large-together = the files are larger than { $most } together: hand in only your own source files
files-contested = it is not certain which of the files in the download are yours: your instructor will look at it
files-too-many = there are more than { $most } files: hand in only your own source files
files-too-slow = reading the files takes more than { $seconds } seconds: hand in only your own source files
files-zip-damaged = { $file } is damaged, or is not a zip: pack your files again
files-zip64 = { $file } is a zip64 archive, which cannot be read: pack only your own source files, as a plain zip
files-zip-directory = the names of the files in { $file } are too long together: pack only your own source files
files-zip-password = { $file } needs a password: pack your files again without one
files-zip-method = { $file } is compressed in a way that cannot be read: pack your files again as a plain zip
files-irregular = { $file } is neither a file nor a folder
files-unreadable = { $file } cannot be read: { $why }
error-not-handed-in = nothing was handed in
error-not-graded = not graded yet: { $missing } of { $cases } cases have no verdict
error-cases = this exercise has an error, so nothing was graded; tell your instructor
error-no-such-path = { $path }: there is no such file or folder
error-no-exercise = it is not clear which exercise this answers: no file has a requested name, or defines what an exercise asks for; choose with { $exercise } ({ $choices }), or give the folder of your own exercise with { $cases }
error-near-exercise = it is not clear which exercise this answers: { $near }; choose with { $exercise } ({ $choices }), or give the folder of your own exercise with { $cases }
near-definition = { $name } comes nearest, but asks for { $wanted }, and { $file } defines { $found }
near-names = { $name } comes nearest: { $file } defines { $found }, but not { $wanted }
near-file = { $name } comes nearest, but asks for { $wanted }, and the file is called { $file }
error-no-test = the crate has no { $test }, which names the exercise: add it, or choose with { $exercise } ({ $choices })
error-several-exercises = this could answer more than one exercise ({ $matches }); choose with { $exercise }
error-needs-exercise = --command needs --exercise
error-only-rulings = all selected cases of { $exercise } depend on a ruling, and such cases count only with { $rulings }
error-no-case = --case selects no case of { $exercise }
skipped-link = skipped: { $file } is a link; hand in the file itself
skipped-irregular = skipped: { $file } is not a file that can be read
skipped-outside-zip = skipped: { $file } leads out of the zip
skipped-unkept = skipped: { $file } lies too deep in folders, or its name is too long or taken
skipped-too-large = skipped: { $file } is too large, alone or together with the other files
skipped-unlisted = skipped: { $why }
skipped-magics = { $file }: lines that only Jupyter understands, such as those that begin with % or !, were left out
skipped-more = { $count ->
    [one] 1 more file was skipped
   *[other] { $count } more files were skipped
}
verdict-passed = passed
verdict-wrong-value = wrong value
verdict-wrong-text = wrong text
verdict-wrong-output = wrong output
verdict-raised = exception
verdict-panic = panic
verdict-not-written = not written yet
verdict-returned-error = Err
verdict-did-not-return-error = Err missing
verdict-did-not-raise = did not raise
verdict-time-limit = time limit exceeded
verdict-memory-limit = memory limit exceeded
verdict-output-limit = too much output
verdict-crashed = crashed
verdict-protocol-violation = unreadable answer to the tester
verdict-load-error = cannot be loaded
verdict-not-run = not run
verdict-failed = failed
verdict-blocked = not run, because “{ $case }” failed
label-rulings = { $count ->
    [one] { $count } case depends on a ruling and does not count: cargo test --test grade -- --rulings
   *[other] { $count } cases depend on a ruling and do not count: cargo test --test grade -- --rulings
}
label-expected = expected
label-got = got
label-step = step { $step }
hunted-title = A counterexample from a random session
hunt-none = { $count ->
    [one] no difference in { $count } session
   *[other] no difference in { $count } sessions
}
hunt-none-out-of-time = { $count ->
    [one] no difference in { $count } session, and then the time was up; give more time with --budget
   *[other] no difference in { $count } sessions, and then the time was up; give more time with --budget
}
hunt-none-cut-off = { $count ->
    [one] no difference in { $count } session; the time was up in a session that took long: give more time with --time
   *[other] no difference in { $count } sessions; the time was up in a session that took long: give more time with --time
}
hunt-never-called = `{ $call }` was never called
hunt-always-failed = `{ $call }` always failed
hunt-unreached = The submission may differ there: write in [arguments] of exercise.toml which values the parameters take, or try more sessions.
hunt-unsettled = { $count ->
    [one] In 1 session, correct samples of the exercise also answer differently from the reference: this does not count as a difference.
   *[other] In { $count } sessions, correct samples of the exercise also answer differently from the reference: this does not count as a difference.
}
hunt-endless = { $count ->
    [one] In 1 session the reference did not finish: the call that did not return is left out.
   *[other] In { $count } sessions the reference did not finish: the calls that did not return are left out.
}
hunt-case-failed = { $count ->
    [one] no counterexample in { $count } random session, but the submission fails the case “{ $case }”
   *[other] no counterexample in { $count } random sessions, but the submission fails the case “{ $case }”
}
label-more-causes = { $count ->
    [one] 1 more error may have another cause: see it with --findings all
   *[other] { $count } more errors may have other causes: see them with --findings all
}
label-instead = { $got } instead of { $expected }
label-missing-items = missing: { $missing }
label-extra-items = not expected: { $extra }
label-other-items = missing: { $missing }; not expected: { $extra }
label-hint = hint
label-warning = warning
label-printed = also printed
label-errors = written to standard error
label-raised-at = in { $file }, line { $line }
label-raised-in-cell = in { $file }, cell { $cell }, line { $line }
label-consequences = { $count ->
    [one] step { $steps } did not pass either: fix this error first
   *[other] { $count } later steps did not pass either ({ $steps }): fix this error first
}
label-points = { $points } of { $max } points
label-partial = partly right: { $points }
label-cases = { $passed } of { $total } cases passed
label-total = { $passed } of { $total } submissions passed all cases
tally-absent = { $count ->
    [one] 1 student handed in nothing
   *[other] { $count } students handed in nothing
}
tally-unreadable = { $count ->
    [one] 1 submission is unreadable
   *[other] { $count } submissions are unreadable
}
tally-waiting = { $count ->
    [one] 1 submission is not graded yet
   *[other] { $count } submissions are not graded yet
}
tally-ungraded = { $count ->
    [one] 1 submission could not be graded
   *[other] { $count } submissions could not be graded
}
label-unstable = unstable: passed { $passed } of { $total } times, each time with different random numbers
label-more-lines = { $count ->
    [one] 1 more line
   *[other] { $count } more lines
}
label-hidden = this case is hidden
label-also-in = { $count ->
    [one] probably also in 1 other case: { $cases }
   *[other] probably also in { $count } other cases: { $cases }
}
label-same-problem = probably the same cause as in { $case }
label-in-all-cases = in all { $count } cases
label-error = not graded
label-absent = nothing handed in
label-not-graded = not graded yet
label-earlier-grade = before a case was changed: { $points }
label-unreadable = unreadable
label-earned = earned by the cases: { $points }
label-late = handed in { $by } late: { $points } lost
label-late-free = handed in { $by } late, without a penalty
label-late-marked = handed in late: { $points } lost
label-late-marked-free = handed in late, without a penalty
label-by-hand = set by an instructor to { $points }: { $why }
label-late-short = late: −{ $points }
label-late-only = late
label-by-hand-short = set by hand
label-adjusted = adjusted
label-days = { $count ->
    [one] 1 day
   *[other] { $count } days
}
label-hours = { $count ->
    [one] 1 hour
   *[other] { $count } hours
}
label-minutes = { $count ->
    [one] 1 minute
   *[other] { $count } minutes
}
label-loading = raised while loading the file, after everything needed was defined
label-printing = printed while the file was loaded; no case looks at it: { $text }
label-tier = confinement: { $tier }
label-budget = { $count ->
    [one] 1 case was not run: the cases that reached a limit used up the { $seconds } s allowed for them
   *[other] { $count } cases were not run: the cases that reached a limit used up the { $seconds } s allowed for them
}
label-time = { $count ->
    [one] 1 case was not run: the program took too long over all cases together
   *[other] { $count } cases were not run: the program took too long over all cases together
}
label-case = case
label-worth = points
label-verdict = result
label-submission = submission
label-exercise = exercise
label-finding = first error
label-average = { $points } on average
label-see-findings = to see the errors: --findings first (one of each submission) or --findings all
label-left-out = { $count ->
    [one] 1 part of this report was omitted, because it would be too long
   *[other] { $count } parts of this report were omitted, because it would be too long
}
label-more-failed = { $count ->
    [one] and 1 more failed case
   *[other] and { $count } more failed cases
}
html-title = { $name } · results
html-class = The class
html-submissions = Submissions
html-submission = submission
html-id = id
html-exercise = exercise
html-first = first error
html-name = name
html-state = state
html-graded = graded
html-handed-in = handed in
html-in-time = in time
html-failed-case = failed case
html-any = all
html-clear = clear
html-rows-shown = shown:
html-raised-in = { $raised } in { $function }
html-raised-at = { $raised } in { $function }, line { $line }
html-findings = Errors
html-heat-map = Results by case
html-same = Identical submissions
html-clusters = Submissions with the same first error
html-points-spread = Distribution of points
html-cases = Cases
html-number = no.
html-pass-rate = passed
html-discrimination = discrimination
html-discrimination-is = Discrimination is the corrected item-total correlation: how passing this case goes with the points of the other cases, from −1 to 1. A low value means that the case does not separate strong submissions from weak ones.
html-skip = to the first error
html-source = Source
html-limit = limit exceeded
html-wrong = unexpected result
html-seed = seed: { $seed }
html-page-python = This page runs Python { $version }; your course may use another version.
html-page-javascript = This page runs JavaScript in your browser, version { $version }.
html-board = board
html-arrows = Each arrow is a move. The thick arrows are on one of the boards only.
html-rings = The rings show what differs.
html-middle = { $count ->
    [one] 1 submission · mean { $mean }, median { $median } of { $max } points
   *[other] { $count } submissions · mean { $mean }, median { $median } of { $max } points
}
html-count = { $count ->
    [one] 1 submission
   *[other] { $count } submissions
}
html-passed = { $count ->
    [one] 1 case passed
   *[other] { $count } cases passed
}
html-befell = { $count ->
    [one] in 1 case
   *[other] in { $count } cases
}
html-also-befell = { $count ->
    [one] probably also in 1 other case
   *[other] probably also in { $count } other cases
}
html-more-clusters = { $count ->
    [one] and 1 more group
   *[other] and { $count } more groups
}
html-left-out = { $count ->
    [one] 1 error is not shown, to keep this page small; --format html=DIR/ shows everything
   *[other] { $count } errors are not shown, to keep this page small; --format html=DIR/ shows everything
}
html-all-passed = { $count ->
    [one] 1 submission passed all cases and is not shown
   *[other] { $count } submissions passed all cases and are not shown
}

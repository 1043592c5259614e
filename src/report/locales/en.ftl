slip-value = another value than expected
slip-type = the right value but of another type: { $expected } was expected, { $got } came
slip-refused-no-answer = this is no answer to the question: look at its type
slip-refused-illegal = this breaks the rules of the game
slip-refused-win-missed = there is a forced win, and this does not take it
slip-refused-loses-the-game = this loses the game by force, and there was something better
slip-refused-loses-material = this gives a piece away, and there was something better
slip-refused-worth-less = this is worth less than the position was under perfect play
slip-printed = printed instead of returned: print shows a value, return gives it back
slip-none-returned = nothing was returned; is a return missing?
slip-none-for-object = nothing was returned where the object itself was expected: end the method with return { $self }
slip-another-object = something else was returned than the object itself, { $name }
slip-same-object = the very same object as { $name } was returned; it should be another one
slip-too-large = the value is too large, nested too deep, or contains itself
slip-deferred = a { $kind } was returned instead of the value; is the method async, or does it yield?
slip-no-text = the text is not a string but a { $kind }
slip-output = nothing should have been printed
slip-inner-type = the right value but for the types of what is in it
slip-trailing-blanks = the right text but for blanks at the end of a line
slip-final-newlines = the right text but for line ends after it
slip-capitals = the right text but for capitals
slip-blanks = the right text but for blanks between the characters
slip-lines = { $expected } lines were expected, { $got } came
slip-text = another text than expected
slip-text-of-none = nothing was returned, so there is nothing to show; is a return missing?
slip-not-raised = an exception was expected, but none was raised
slip-unexpected = an exception was raised where none was expected
slip-another-type = another type of exception than expected
slip-near-message = nearly the right message: look at capitals, blanks and punctuation
slip-another-exception = another exception than expected
slip-another-message = another message than expected
slip-no-definition = { $name } is not defined
slip-no-definition-near = { $name } is not defined; is { $near } meant to be it?
slip-no-method = { $class } has no method { $name }
slip-no-method-near = { $class } has no method { $name }; is { $near } meant to be it?
slip-property = { $name } of { $class } is not a method: it cannot be called, so write it as one
slip-cpu-limit = it computed for too long; does a loop never end?
slip-wall-limit = it waited for too long
slip-memory-limit = it needed too much memory
slip-output-limit = it printed too much
slip-ended = the program ended in the middle of the session
slip-ended-code = the program ended in the middle of the session, with status { $code }
slip-ended-signal = the program ended in the middle of the session, by signal { $signal }
slip-ended-fault-in-memory = the program ended in the middle of the session, by signal 11, a fault in memory; does something call itself without end?
slip-protocol = the program interfered with the grading: { $why }
slip-not-ready = the test program of the crate does not start as the tests of keur do ({ $why }); does tests/grade.rs have a main of its own?
slip-syntax = the file cannot be read as a program: a syntax error
slip-newer-syntax = { $what } needs { $since }; this was run with { $version }
slip-compile = the submission does not compile
slip-compile-time = compiling took too long
slip-program-gone = the crate compiles, but its build does not leave the program of { $test } in the folder target; see to build.rs
slip-loading = an exception was raised while the file was loaded, before everything needed was defined
slip-asks-input = the file asks for input while it is loaded; call input only inside what is tested, or not at all
slip-no-module = the module { $name } is not available; use only what comes with the language
slip-no-program = the program { $file } is not there
slip-dialogue = the program says something else here than expected
slip-ended-early = the program ended where it should still have asked for input
slip-status = the program ended with another status than expected
slip-games-lost = { $lost } of { $games } games were lost; this is the first of them
slip-games-won = { $got } of { $games } games were won, and { $needed } should be; this is the first that was not
slip-changed = the board that was given was changed; search on a copy of it
files-no-source = there is no source file ({ $wanted }); found: { $found }
files-none = there is no source file; found: { $found }
files-no-test = the crate has no test target { $test }
files-link = it is a link to { $to }, and links are not followed
found-nothing = nothing
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
files-several = several files could be the answer: { $found }; hand in one, under the name that was asked for
files-notebook = { $file } is a notebook; hand in a plain source file instead
files-empty = { $file } is empty
files-too-large = { $file } is too large to be read
files-unreadable = { $file } cannot be read: { $why }
verdict-passed = passed
verdict-wrong-value = wrong value
verdict-wrong-text = wrong text
verdict-wrong-output = wrong output
verdict-raised = exception
verdict-did-not-raise = no exception
verdict-time-limit = out of time
verdict-memory-limit = out of memory
verdict-output-limit = too much output
verdict-crashed = crashed
verdict-protocol-violation = interference
verdict-load-error = cannot be loaded
verdict-not-run = not run
verdict-failed = failed
label-expected = expected
label-got = got
label-step = step { $step }
label-hint = hint
label-warning = warning
label-printed = it also printed
label-raised-at = at { $file }, line { $line }
label-consequences = { $count ->
    [one] 1 later step failed as a consequence: { $steps }
   *[other] { $count } later steps failed as a consequence: { $steps }
}
label-points = { $points } of { $max } points
label-cases = { $passed } of { $total } cases passed
label-total = { $passed } of { $total } submissions passed everything
label-unstable = unstable: passed { $passed } of { $total } times, each time with other random numbers
label-more-lines = { $count } more lines
label-hidden = this case is hidden
label-same = the same as in { $case }
label-error = not graded
label-loading = raised while the file was loaded, after everything needed was defined
label-tier = confinement: { $tier }
label-passed-over = skipped: { $what }
label-budget = { $count ->
    [one] 1 case was not run: the cases that did not pass used up the { $time } that a submission has for them
   *[other] { $count } cases were not run: the cases that did not pass used up the { $time } that a submission has for them
}
label-case = case
label-worth = points
label-verdict = verdict
label-submission = submission
label-exercise = exercise
label-finding = first finding
label-average = { $points } on average
label-left-out = { $count ->
    [one] 1 part of this report is left out: it may not be longer
   *[other] { $count } parts of this report are left out: it may not be longer
}
label-more-failed = { $count ->
    [one] and 1 more failed case
   *[other] and { $count } more failed cases
}
html-title = { $name } · grading
html-class = The class
html-submissions = Submissions
html-submission = submission
html-exercise = exercise
html-first = first failure
html-findings = What went wrong
html-heat-map = Who fails where
html-clusters = The same first failure
html-points-spread = How the points are spread
html-cases = Cases
html-number = no.
html-pass-rate = passed
html-discrimination = discrimination
html-discrimination-is = Discrimination is the corrected item-total correlation: how passing this case goes with the points of the others, from −1 to 1. A low value means that the case does not tell strong submissions from weak ones.
html-limit = beyond a limit
html-wrong = another result
html-seed = seed: { $seed }
html-board = board: { $side }
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
html-more-clusters = { $count ->
    [one] and 1 more group
   *[other] and { $count } more groups
}
html-ungraded = { $count ->
    [one] 1 submission could not be graded
   *[other] { $count } submissions could not be graded
}
html-left-out = { $count ->
    [one] 1 finding is left out to keep this page light; --format html=DIR/ shows all
   *[other] { $count } findings are left out to keep this page light; --format html=DIR/ shows all
}
html-all-passed = { $count ->
    [one] 1 submission passed everything and is not shown
   *[other] { $count } submissions passed everything and are not shown
}

mismatch-value = unexpected value
mismatch-type = right value, wrong type: expected { $expected }, got { $got }
mismatch-refused-no-answer = this is not a move: look at the type and shape of what was returned
mismatch-refused-illegal = this move breaks the rules of the game
mismatch-refused-win-missed = a win could be forced, but not with this move
mismatch-refused-loses-the-game = after this move the opponent can force a win; there was a better move
mismatch-refused-loses-material = this move gives a piece away; there was a better move
mismatch-refused-worth-less = there was a better move: with perfect play the position was worth more
mismatch-printed = the value was printed instead of returned: print shows a value, return gives it back
mismatch-none-returned = nothing was returned; is a return missing?
mismatch-none-for-object = nothing was returned, but the object itself should be: end the method with return { $self }
mismatch-another-object = the object { $name } itself should be returned here, not a copy or something else
mismatch-same-object = the object { $name } itself was returned, but it should be a different object
mismatch-too-large = the value is too large, nested too deep, or contains itself
mismatch-deferred = a { $kind } was returned instead of the value; is the method async, or does it yield?
mismatch-no-text = the text is a { $kind }, not a string
mismatch-output = nothing should be printed here
mismatch-inner-type = the value is right, but what is in it has another type (such as '1' instead of 1)
mismatch-trailing-blanks = the text is right except for spaces at the end of a line
mismatch-final-newlines = the text is right, but has too many or too few line breaks at the end
mismatch-capitals = the text is right except for capital and small letters
mismatch-blanks = the text is right except for the number of spaces
mismatch-lines = number of lines: expected { $expected }, got { $got }
mismatch-text = unexpected text
mismatch-text-of-none = nothing was returned, so there is nothing to show; is a return missing?
mismatch-not-raised = an exception should be raised here, but none was
mismatch-unexpected = an unexpected exception was raised
mismatch-another-type = an exception of a different type was expected
mismatch-near-message = almost the right message: look at capitals, spaces and punctuation
mismatch-another-exception = a different exception was expected
mismatch-another-message = a different message was expected
mismatch-no-definition = { $name } is not defined
mismatch-no-definition-near = { $name } is not defined, but { $near } is: the name must be exactly { $name }
mismatch-no-method = { $class } has no method { $name }
mismatch-no-method-near = { $class } has no method { $name }, but has { $near }: the name must be exactly { $name }
mismatch-method-of-nothing = { $name } was called on nothing ({ $class }): the call before it returned nothing; is a return missing there?
mismatch-property = { $name } of { $class } is an attribute, not a method: give the attribute another name, or make it a method
mismatch-cpu-limit = the computation took too long; is there a loop that never ends?
mismatch-wall-limit = the program waited too long: for input, or in a pause (sleep)?
mismatch-memory-limit = the program used too much memory
mismatch-output-limit = the program printed too much
mismatch-ended = the program ended during the test
mismatch-ended-code = the program ended during the test, with exit code { $code }; does the code call exit somewhere?
mismatch-ended-signal = the program ended during the test (signal { $signal })
mismatch-ended-fault-in-memory = the program crashed during the test (signal 11, a memory fault); does a function call itself forever?
mismatch-protocol = the code disturbed the test: { $why }
mismatch-not-ready = the crate's test program does not start the way keur's tests do ({ $why }); does tests/grade.rs have its own main?
mismatch-syntax = the file has a syntax error and cannot be run
mismatch-newer-syntax = { $what } needs { $since }; the code was run with { $version }
mismatch-compile = the code does not compile
mismatch-compile-time = compiling took too long
mismatch-program-gone = the crate compiles, but its build does not put the program of { $test } in the folder target; check build.rs
mismatch-loading = loading the file raised an exception before everything needed was defined
mismatch-asks-input = the file asks for input as soon as it is loaded: do not call input outside functions or methods
mismatch-no-module = module { $name } was not found: hand in your own files together; otherwise use only standard modules
mismatch-no-program = the program { $file } is missing
mismatch-dialogue = the program prints something unexpected here
mismatch-ended-early = the program ended, but should still have asked for input here
mismatch-status = the program ended with an unexpected exit code
mismatch-games-lost = games lost: { $lost } of { $games }; this is the first
mismatch-games-won = games won: { $got } of { $games }, needed: { $needed }; this is the first that was not won
mismatch-changed = the board that was passed in was changed: search on a copy of it
files-no-source = there is no source file ({ $wanted }); found: { $found }
files-none = there is no source file; found: { $found }
files-no-test = the crate has no test target { $test }
files-link = this is a link to { $to }: hand in the file itself
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
files-several = several files could be the answer: { $found }; hand in one, under the requested name
files-notebook = { $file } is a notebook: hand in a plain source file instead
files-empty = { $file } is empty
files-too-large = { $file } is too large to read
files-unreadable = { $file } cannot be read: { $why }
verdict-passed = passed
verdict-wrong-value = wrong value
verdict-wrong-text = wrong text
verdict-wrong-output = wrong output
verdict-raised = exception
verdict-did-not-raise = exception missing
verdict-time-limit = time limit exceeded
verdict-memory-limit = memory limit exceeded
verdict-output-limit = too much output
verdict-crashed = crashed
verdict-protocol-violation = test disturbed
verdict-load-error = cannot be loaded
verdict-not-run = not run
verdict-failed = failed
label-expected = expected
label-got = got
label-step = step { $step }
label-hint = hint
label-warning = warning
label-printed = also printed
label-raised-at = in { $file }, line { $line }
label-consequences = { $count ->
    [one] step { $steps } did not pass either: fix this error first
   *[other] { $count } later steps did not pass either ({ $steps }): fix this error first
}
label-points = { $points } of { $max } points
label-cases = { $passed } of { $total } cases passed
label-total = { $passed } of { $total } submissions passed all cases
label-unstable = unstable: passed { $passed } of { $total } times, each time with different random numbers
label-more-lines = { $count ->
    [one] 1 more line
   *[other] { $count } more lines
}
label-hidden = this case is hidden
label-same = same as in { $case }
label-error = not graded
label-loading = raised while loading the file, after everything needed was defined
label-tier = confinement: { $tier }
label-passed-over = skipped: { $what }
label-budget = { $count ->
    [one] 1 case was not run: the cases that did not pass used up the { $time } allowed for them
   *[other] { $count } cases were not run: the cases that did not pass used up the { $time } allowed for them
}
label-case = case
label-worth = points
label-verdict = result
label-submission = submission
label-exercise = exercise
label-finding = first error
label-average = { $points } on average
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
html-exercise = exercise
html-first = first error
html-findings = Errors
html-heat-map = Results by case
html-clusters = Submissions with the same first error
html-points-spread = Distribution of points
html-cases = Cases
html-number = no.
html-pass-rate = passed
html-discrimination = discrimination
html-discrimination-is = Discrimination is the corrected item-total correlation: how passing this case goes with the points of the other cases, from −1 to 1. A low value means that the case does not separate strong submissions from weak ones.
html-limit = limit exceeded
html-wrong = unexpected result
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
    [one] 1 error is not shown, to keep this page small; --format html=DIR/ shows everything
   *[other] { $count } errors are not shown, to keep this page small; --format html=DIR/ shows everything
}
html-all-passed = { $count ->
    [one] 1 submission passed all cases and is not shown
   *[other] { $count } submissions passed all cases and are not shown
}

slip-value = en anden værdi end forventet
slip-type = den rigtige værdi, men af en anden type: { $expected } var forventet, { $got } kom
slip-refused-no-answer = dette er ikke et svar på spørgsmålet: se på typen
slip-refused-illegal = dette strider mod spillets regler
slip-refused-win-missed = der er en tvungen gevinst, og dette tager den ikke
slip-refused-loses-the-game = dette taber spillet med tvang, og der var noget bedre
slip-refused-loses-material = dette forærer en brik væk, og der var noget bedre
slip-refused-worth-less = dette er mindre værd, end stillingen var ved perfekt spil
slip-printed = udskrevet i stedet for returneret: print viser en værdi, return giver den tilbage
slip-none-returned = der blev ikke returneret noget; mangler der et return?
slip-none-for-object = der blev ikke returneret noget, hvor selve objektet var forventet: slut metoden med return { $self }
slip-another-object = der blev returneret noget andet end selve objektet, { $name }
slip-same-object = det selvsamme objekt som { $name } blev returneret; det skal være et andet
slip-too-large = værdien er for stor, for dybt indlejret eller indeholder sig selv
slip-deferred = der blev returneret en { $kind } i stedet for værdien; er metoden async, eller bruger den yield?
slip-no-text = teksten er ikke en streng, men en { $kind }
slip-output = der skulle ikke udskrives noget
slip-inner-type = den rigtige værdi bortset fra typerne af det, der er i den
slip-trailing-blanks = den rigtige tekst bortset fra mellemrum sidst på en linje
slip-final-newlines = den rigtige tekst bortset fra linjeskift efter den
slip-capitals = den rigtige tekst bortset fra store bogstaver
slip-blanks = den rigtige tekst bortset fra mellemrum mellem tegnene
slip-lines = der var forventet { $expected } linjer, der kom { $got }
slip-text = en anden tekst end forventet
slip-text-of-none = der blev ikke returneret noget, så der er intet at vise; mangler der et return?
slip-not-raised = der var forventet en exception, men der blev ikke kastet nogen
slip-unexpected = der blev kastet en exception, hvor der ikke var forventet nogen
slip-another-type = en anden type exception end forventet
slip-near-message = næsten den rigtige besked: se på store bogstaver, mellemrum og tegnsætning
slip-another-exception = en anden exception end forventet
slip-another-message = en anden besked end forventet
slip-no-definition = { $name } er ikke defineret
slip-no-definition-near = { $name } er ikke defineret; er det { $near }, der er ment?
slip-no-method = { $class } har ingen metode { $name }
slip-no-method-near = { $class } har ingen metode { $name }; er det { $near }, der er ment?
slip-property = { $name } i { $class } er ikke en metode: den kan ikke kaldes, så skriv den som en metode
slip-cpu-limit = det beregnede for længe; er der en løkke, der aldrig slutter?
slip-wall-limit = det ventede for længe
slip-memory-limit = det brugte for meget hukommelse
slip-output-limit = der blev udskrevet for meget
slip-ended = programmet stoppede midt i sessionen
slip-ended-code = programmet stoppede midt i sessionen med status { $code }
slip-ended-signal = programmet stoppede midt i sessionen på grund af signal { $signal }
slip-ended-fault-in-memory = programmet stoppede midt i sessionen på grund af signal 11, en fejl i hukommelsen; kalder noget sig selv uden ende?
slip-protocol = programmet blandede sig i bedømmelsen: { $why }
slip-not-ready = cratens testprogram starter ikke, som keurs test gør ({ $why }); har tests/grade.rs sin egen main?
slip-syntax = filen kan ikke læses som et program: en syntaksfejl
slip-newer-syntax = { $what } kræver { $since }; her blev { $version } brugt
slip-compile = afleveringen kan ikke kompileres
slip-compile-time = kompileringen tog for lang tid
slip-program-gone = craten kan kompileres, men bygningen efterlader ikke programmet for { $test } i mappen target; se på build.rs
slip-loading = der blev kastet en exception, mens filen blev indlæst, før alt nødvendigt var defineret
slip-asks-input = filen beder om input, mens den indlæses; brug kun input i det, der testes, eller slet ikke
slip-no-module = modulet { $name } findes ikke her; brug kun det, der følger med sproget
slip-no-program = programmet { $file } er der ikke
slip-dialogue = programmet siger noget andet her end forventet
slip-ended-early = programmet sluttede, hvor det stadig skulle have bedt om input
slip-status = programmet sluttede med en anden status end forventet
slip-games-lost = { $lost } af { $games } spil blev tabt; dette er det første af dem
slip-games-won = { $got } af { $games } spil blev vundet, og det skal være { $needed }; dette er det første, der ikke blev
slip-changed = det givne bræt blev ændret; søg på en kopi af det
files-no-source = der er ingen kildefil ({ $wanted }); fundet: { $found }
files-none = der er ingen kildefil; fundet: { $found }
files-no-test = craten har intet testmål { $test }
files-link = det er et link til { $to }, og links følges ikke
found-nothing = ingenting
found-and = { $some } og { $last }
found-picture = { $count ->
    [one] et billede
   *[other] { $count } billeder
}
found-extension = { $count ->
    [one] en .{ $extension }-fil
   *[other] { $count } .{ $extension }-filer
}
found-plain = { $count ->
    [one] en fil uden filtype
   *[other] { $count } filer uden filtype
}
found-hidden = { $count ->
    [one] en skjult fil
   *[other] { $count } skjulte filer
}
found-link = { $count ->
    [one] et link
   *[other] { $count } links
}
found-more = { $count ->
    [one] en anden fil
   *[other] { $count } andre filer
}
files-several = flere filer kan være svaret: { $found }; aflever én under det navn, der blev bedt om
files-notebook = { $file } er en notebook; aflever en almindelig kildefil i stedet
files-empty = { $file } er tom
files-too-large = { $file } er for stor til at blive læst
files-unreadable = { $file } kan ikke læses: { $why }
verdict-passed = bestået
verdict-wrong-value = forkert værdi
verdict-wrong-text = forkert tekst
verdict-wrong-output = forkert output
verdict-raised = exception
verdict-did-not-raise = ingen exception
verdict-time-limit = for langsomt
verdict-memory-limit = for meget hukommelse
verdict-output-limit = for meget output
verdict-crashed = stoppet
verdict-protocol-violation = indblanding
verdict-load-error = kan ikke indlæses
verdict-not-run = ikke kørt
verdict-failed = ikke bestået
label-expected = forventet
label-got = fik
label-step = trin { $step }
label-hint = tip
label-warning = bemærk
label-printed = der blev også udskrevet
label-raised-at = i { $file }, linje { $line }
label-consequences = { $count ->
    [one] 1 senere trin fejlede som følge heraf: { $steps }
   *[other] { $count } senere trin fejlede som følge heraf: { $steps }
}
label-points = { $points } af { $max } point
label-cases = { $passed } af { $total } testtilfælde bestået
label-total = { $passed } af { $total } afleveringer bestod alt
label-unstable = ustabilt: bestået { $passed } af { $total } gange, hver gang med andre tilfældige tal
label-more-lines = { $count } linjer mere
label-hidden = dette testtilfælde er skjult
label-same = det samme som i { $case }
label-error = ikke bedømt
label-loading = kastet, mens filen blev indlæst, efter at alt nødvendigt var defineret
label-tier = afskærmning: { $tier }
label-passed-over = sprunget over: { $what }
label-budget = { $count ->
    [one] 1 testtilfælde blev ikke kørt: de testtilfælde, der ikke bestod, brugte tilsammen de tilladte { $time }
   *[other] { $count } testtilfælde blev ikke kørt: de testtilfælde, der ikke bestod, brugte tilsammen de tilladte { $time }
}
label-case = testtilfælde
label-worth = point
label-verdict = dom
label-submission = aflevering
label-exercise = opgave
label-finding = første fund
label-average = { $points } i gennemsnit
label-left-out = { $count ->
    [one] 1 del af denne rapport er udeladt: den må ikke blive længere
   *[other] { $count } dele af denne rapport er udeladt: den må ikke blive længere
}
label-more-failed = { $count ->
    [one] og 1 fejlet testtilfælde mere
   *[other] og { $count } fejlede testtilfælde mere
}
html-title = { $name } · bedømmelse
html-class = Holdet
html-submissions = Afleveringer
html-submission = aflevering
html-exercise = opgave
html-first = første fejl
html-findings = Hvad der gik galt
html-heat-map = Hvem fejler hvor
html-clusters = Samme første fejl
html-points-spread = Fordeling af point
html-cases = Testtilfælde
html-number = nr.
html-pass-rate = bestået
html-discrimination = adskillelse
html-discrimination-is = Adskillelse er den korrigerede item-total-korrelation: hvordan det at bestå dette testtilfælde følges med pointene for de andre, fra −1 til 1. En lav værdi betyder, at testtilfældet ikke skiller stærke og svage afleveringer ad.
html-limit = en grænse overskredet
html-wrong = et andet resultat
html-seed = seed: { $seed }
html-board = bræt: { $side }
html-middle = { $count ->
    [one] 1 aflevering · gennemsnit { $mean }, median { $median } af { $max } point
   *[other] { $count } afleveringer · gennemsnit { $mean }, median { $median } af { $max } point
}
html-count = { $count ->
    [one] 1 aflevering
   *[other] { $count } afleveringer
}
html-passed = { $count ->
    [one] 1 testtilfælde bestået
   *[other] { $count } testtilfælde bestået
}
html-befell = { $count ->
    [one] i 1 testtilfælde
   *[other] i { $count } testtilfælde
}
html-more-clusters = { $count ->
    [one] og 1 gruppe mere
   *[other] og { $count } grupper mere
}
html-ungraded = { $count ->
    [one] 1 aflevering kunne ikke bedømmes
   *[other] { $count } afleveringer kunne ikke bedømmes
}
html-left-out = { $count ->
    [one] 1 fund er udeladt for at holde siden let; --format html=MAPPE/ viser alt
   *[other] { $count } fund er udeladt for at holde siden let; --format html=MAPPE/ viser alt
}
html-all-passed = { $count ->
    [one] 1 aflevering bestod alt og er ikke med her
   *[other] { $count } afleveringer bestod alt og er ikke med her
}

mistake-value = en anden værdi end forventet
mistake-other-kind = dette er en værdi af typen { $got }, men der forventes en værdi af typen { $expected }
mistake-swapped = to værdier er byttet om: { $got } i stedet for { $expected }
mistake-order = de rigtige værdier, men i en anden rækkefølge
mistake-missing-items = { $count ->
    [one] 1 værdi mangler
   *[other] { $count } værdier mangler
}
mistake-extra-items = { $count ->
    [one] der er 1 værdi for meget
   *[other] der er { $count } værdier for mange
}
mistake-other-items = antal manglende værdier: { $missing }; overflødige: { $extra }
mistake-type = værdien er rigtig, men typen er forkert: forventet { $expected }, modtaget { $got }
mistake-refused-no-answer = dette er ikke et træk: se på typen og formen af det, der blev returneret
mistake-refused-illegal = dette træk er imod spillets regler
mistake-refused-win-missed = sejren kunne tvinges igennem, men ikke med dette træk
mistake-refused-loses-the-game = efter dette træk kan modstanderen tvinge sejren igennem; der var et bedre træk
mistake-refused-loses-material = dette træk forærer en brik væk; der var et bedre træk
mistake-check = dette består ikke opgavens kontrol
mistake-check-says = { $message }
mistake-check-partly = dette er kun delvist rigtigt
mistake-not-plain = der er en { $kind } i værdien, som ikke kan kontrolleres: brug almindelige værdier som tal, strenge og lister
mistake-printed = værdien blev udskrevet i stedet for returneret: { $print } viser en værdi, return giver den tilbage
mistake-none-returned = { $language ->
    [c] der blev returneret NULL; mangler der et return, eller er det adressen på en lokal variabel?
   *[other] der blev ikke returneret noget; mangler der et return?
}
mistake-none-for-object = der blev ikke returneret noget, men her skulle selve objektet returneres: slut metoden med return { $self }
mistake-another-object = her skulle selve objektet { $object } returneres (return { $self }), ikke en kopi eller noget andet
mistake-look-alike = { $language ->
    [cpp] disse ser ens ud, men ifølge klassen er de ikke ens: definerer klassen operator==?
   *[other] disse ser ens ud, men ifølge klassen er de ikke ens: definerer klassen == (__eq__ i Python, equals i JavaScript og Java)?
}
mistake-same-object = her blev selve objektet { $name } returneret, men det skal være et andet objekt
mistake-too-large = værdien er for stor, for dybt indlejret eller indeholder sig selv
mistake-deferred = { $kind ->
    [Promise] dette promise bliver aldrig indfriet og giver altså ingen værdi
   *[other] der blev returneret en { $kind } i stedet for værdien; er metoden async, eller bruger den yield?
}
mistake-no-text = teksten er ikke en streng, men en { $kind }
mistake-output = her skal der ikke udskrives noget
mistake-no-output = her udskrives ingenting, men det burde der
mistake-standard-error = dette blev skrevet til stderr: skriv det til stdout, som { $print } gør
mistake-returned = dette blev returneret i stedet for udskrevet: return giver en værdi tilbage, { $print } viser den
mistake-more-output = det forventede output er der, men der udskrives mere: udskriv kun det, der bedes om
mistake-prompts = outputtet er rigtigt, men programmet udskriver også teksten, som det beder om input med: udelad den tekst
mistake-while-loading = dette blev udskrevet, da filen blev indlæst, ikke af dette trin: udskriv kun inde i funktioner
mistake-inner-type = værdien er rigtig, men det, der er i den, har en anden type (som 1.0 eller '1' i stedet for 1)
mistake-inner-subclass = værdien er rigtig, men noget i den har en anden type: { $kind }
mistake-trailing-blanks = teksten er rigtig bortset fra mellemrum sidst på en linje
mistake-final-newlines = teksten er rigtig, men der er for mange eller for få linjeskift til sidst
mistake-first-letter = { $size ->
    [small] teksten skal begynde med et lille { $letter }
   *[capital] teksten skal begynde med et stort { $letter }
}
mistake-capitals = teksten er rigtig bortset fra store og små bogstaver
mistake-blanks = teksten er rigtig bortset fra antallet af mellemrum
mistake-replaced = der står { $got ->
    [space] et mellemrum
   *[other] »{ $got }«
}, hvor der forventes { $expected ->
    [space] et mellemrum
   *[other] »{ $expected }«
}
mistake-exchanged = { $one ->
    [space] et mellemrum
   *[other] »{ $one }«
} og { $other ->
    [space] et mellemrum
   *[other] »{ $other }«
} er byttet om
mistake-joined = én linje i stedet for { $lines }: { $by ->
    [nothing] der mangler linjeskift mellem linjerne
    [space] linjerne er sat sammen med et mellemrum
   *[other] linjerne er sat sammen med »{ $by }«
}
mistake-lines = antal linjer: forventet { $expected }, modtaget { $got }
mistake-text = en anden tekst end forventet
mistake-part-missing = dette stykke mangler: { $part }
mistake-part-order = dette stykke er der, men kommer for tidligt: { $part }
mistake-part-capitals = dette stykke er rigtigt bortset fra store og små bogstaver: { $part }
mistake-part-blanks = dette stykke er rigtigt bortset fra antallet af mellemrum: { $part }
mistake-form = teksten har ikke den rigtige form
mistake-missing-lines = { $count ->
    [one] denne linje mangler: { $line }
   *[other] der mangler { $count } linjer; den første er: { $line }
}
mistake-extra-lines = { $count ->
    [one] denne linje hører ikke til her: { $line }
   *[other] { $count } linjer hører ikke til her; den første er: { $line }
}
mistake-text-of-object = objektet har ikke sin egen tekst: definér metoden { $method } i klassen
mistake-text-of-none = der blev ikke returneret noget, så der er ikke noget at vise; mangler der et return?
mistake-not-raised = { $language ->
    [rust] her skulle der returneres Err, men det skete ikke
   *[other] her skulle der kastes en exception, men det skete ikke
}
mistake-message-printed = { $language ->
    [rust] beskeden blev udskrevet, men skulle returneres: returnér Err med denne besked
   *[other] beskeden blev udskrevet, men skulle kastes: kast en exception med denne besked
}
mistake-message-returned = { $language ->
    [rust] beskeden blev returneret, men ikke som Err: returnér Err med denne besked
   *[other] beskeden blev returneret, men skulle kastes: kast en exception med denne besked
}
mistake-unexpected = { $language ->
    [rust] der blev uventet returneret Err
   *[other] der blev kastet en { $raised }, men her forventes der ingen exception
}
mistake-panic = programmet stoppede med en panic
mistake-undefined = { $fault ->
    [not-known] programmet har udefineret opførsel (undefined behavior)
   *[other] programmet har udefineret opførsel (undefined behavior): { $fault }
}
mistake-leak = { $fault }
mistake-assertion = { $fault ->
    [not-known] en assert i programmet fejler
   *[other] en assert i programmet fejler: { $fault }
}
mistake-terminated = { $fault ->
    [not-known] en exception forlader en funktion, som ingen exception må forlade, fx en destructor eller en funktion med noexcept: fang den der
   *[other] { $fault } forlader en funktion, som ingen exception må forlade, fx en destructor eller en funktion med noexcept: fang den der
}
mistake-refused = en parameter har en type, der ikke kan tage værdien i denne case
mistake-not-callable = kaldet i testtilfældet passer ikke til denne definition: se på parametrene og på opgaven
mistake-declared-parameter = parameter { $number } i { $name } er `{ $own }`; der kræves `{ $asked }`
mistake-declared-returned = { $name } returnerer `{ $own }`; der kræves `{ $asked }`
mistake-declared-count = antallet af parametre i { $name } er { $own }; der kræves { $asked }
mistake-declared-fields = `{ $name }` skal have disse felter i denne rækkefølge: { $asked }
mistake-declared-no-type = `{ $name }` er ikke erklæret; opgaven kræver det
mistake-declared-not-public = { $name } kan ikke kaldes uden for klassen; mangler public:?
mistake-declared-variable = { $name } er en variabel; der kræves en metode
mistake-declared-no-constructor = { $name } har ingen public constructor til disse argumenter; mangler public:, eller har en parameter en anden type?
mistake-declared-abstract = der kan ikke laves et objekt af { $name }: en metode er kun erklæret (= 0) og har ingen krop i denne klasse
mistake-not-written = dette er ikke skrevet endnu
mistake-past-input = { $count ->
    [0] der er intet input at læse: opgaven giver ikke noget input her
    [one] programmet læser mere input, end der er: der er kun én linje
   *[other] programmet læser mere input, end der er: der er kun { $count } linjer
}
mistake-no-string = { $name } returnerede { $class }, ikke en streng: sæt teksten sammen, og returnér den; print viser den kun
mistake-few-parameters = { $class }.{ $name } har for få parametre; mangler self som første parameter?
mistake-another-type = { $wanted ->
    [not-known] der blev kastet en { $raised }, men der forventes en exception af en anden type
   *[other] der blev kastet en { $raised } i stedet for { $wanted }
}
mistake-near-message = næsten den rigtige besked: se på store bogstaver, mellemrum og tegnsætning
mistake-another-exception = en anden exception end forventet
mistake-another-message = en anden besked end forventet
mistake-no-definition = { $name } er ikke defineret
mistake-no-definition-near = { $name } er ikke defineret, men det er { $near }: navnet skal være præcis { $name }
mistake-no-method = { $class } har ingen metode { $name }
mistake-no-method-near = { $class } har ingen metode { $name }, men har { $near }: navnet skal være præcis { $name }
mistake-no-print = { $class } kan ikke udskrives: skriv en operator<< uden for klassen eller som friend, eller en metode to_string
mistake-method-of-nothing = { $name } blev kaldt på ingenting ({ $class }): kaldet før returnerede ikke noget; mangler der et return?
mistake-method-of-value = { $call ->
    [not-known] { $name } blev kaldt på en værdi af typen { $class }: burde det være en anden værdi?
   *[other] { $call } returnerede en værdi af typen { $class }, som ikke har { $name }: skal { $call } returnere selve objektet (return { $self })?
}
mistake-property = { $name } i { $class } er et attribut, ikke en metode: giv attributtet et andet navn, eller lav det til en metode
mistake-no-attribute = { $class } har intet attribut { $name }
mistake-no-attribute-near = { $class } har intet attribut { $name }, men har { $near }: navnet skal være præcis { $name }
mistake-attribute-of-nothing = attributtet { $name } blev hentet fra ingenting ({ $class }): kaldet før returnerede ikke noget; mangler der et return?
mistake-attribute-of-value = { $call ->
    [not-known] en værdi af typen { $class } har intet attribut { $name }: burde det være en anden værdi?
   *[other] { $call } returnerede en værdi af typen { $class }, som ikke har attributtet { $name }: skal { $call } returnere noget andet?
}
mistake-not-attribute = { $name } i { $class } er en metode, ikke et attribut: giv metoden et andet navn, eller lav den til et attribut
mistake-cpu-limit = beregningen tog for lang tid; er der en løkke, der aldrig slutter?
mistake-wall-limit = programmet ventede for længe: på input eller i en pause (sleep)?
mistake-memory-limit = programmet brugte for meget hukommelse
mistake-output-limit = programmet udskrev for meget; står der et { $print } i en løkke, der aldrig slutter?
mistake-files-limit = programmet skrev for store eller for mange filer
mistake-written-missing = filen { $file } skulle findes nu, men gør det ikke
mistake-written-folder = { $file } skal være en fil, men er en mappe
mistake-written-irregular = { $file } skal være en almindelig fil, der kan læses
mistake-written-too-large = filen { $file } er alt for stor
mistake-written-binary = filen { $file } indeholder ikke tekst (UTF-8)
mistake-written-empty = filen { $file } er tom; bliver den lukket, når der er skrevet?
mistake-written-text = i filen { $file }: { $what }
mistake-ended = programmet stoppede under testen
mistake-ended-code = programmet stoppede under testen med exitkode { $code }; kalder koden exit et sted?
mistake-ended-signal = programmet stoppede under testen (signal { $signal })
mistake-ended-abort = programmet stoppede sig selv under testen (signal 6); kalder koden abort?
mistake-ended-fault-in-memory = programmet crashede under testen (signal 11, hukommelsesfejl); kalder en funktion sig selv i det uendelige?
mistake-protocol = testprogrammet fik et ugyldigt svar: { $why }; udskriv kun med de sædvanlige funktioner (som { $print })
mistake-not-ready = cratens testprogram starter ikke som keurs egne test ({ $why }); har tests/grade.rs sin egen main?
mistake-syntax = filen indeholder en syntaksfejl og kan ikke køres
mistake-newer-syntax = { $what } kræver { $since }; koden blev kørt med { $version }
mistake-compile = koden kan ikke kompileres
mistake-compile-withheld = koden kan ikke kompileres: den bruger { $name }, som ikke er tilgængelig, når keur bedømmer; brug kun keur_core::submit og keur_core::value, og skriv resten selv
mistake-compile-unlisted = koden kan ikke kompileres: din Cargo.toml blev erstattet af kursets, og din tilføjede { $crates }; brug kun crates, som kurset tillader
mistake-compile-common = koden kan ikke kompileres: { $why }
compile-no-semicolon = der mangler et semikolon (;) her eller i slutningen af linjen før, eller en operator her
compile-no-sign = der mangler et { $sign }
compile-no-parenthesis = der mangler et ), eller et komma eller en operator før dette
compile-unopened = der er et {"}"} for meget
compile-not-declared = { $name } er ikke erklæret; tjek stavningen, og erklær navnet, før du bruger det
compile-no-quote = der mangler et afsluttende { $sign } på denne linje
compile-single-quotes = en tekst skrives i dobbelte anførselstegn: skriv "{ $text }" i stedet for '{ $text }'
compile-no-if = denne else har ingen if; står der et ; efter betingelsen, eller mangler { "{" } og { "}" }?
compile-no-main = et program skal have en funktion main
compile-other-name = skriv { $meant } i stedet for { $name }
compile-no-system-header = der er ingen header <{ $header }>; kontrollér stavningen, og skriv navnet på din egen fil i dobbelte anførselstegn
compile-no-operator = denne operator kan ikke bruges med { $left } og { $right }; kontrollér operatoren og typerne
compile-needs-operator = denne linje kræver en operator i { $class }, som ikke findes, for eksempel < eller ==
compile-not-printed = << kan ikke udskrive { $class }; udskriv elementerne eller felterne ét ad gangen
compile-not-included = { $name } kræver #include { $header }
compile-no-header = filen { $header } er ikke med i afleveringen
compile-no-return-type = { $name } har ingen returtype; skriv den før navnet, for eksempel int eller void
compile-no-type = der mangler en returtype; skriv den før funktionens navn, for eksempel int eller void
compile-arguments = { $name } tager ikke disse argumenter; tjek antallet og typerne
compile-wrong-type = her skal typen være { $to }, men den er { $from }
compile-not-defined = { $name } er erklæret, men ikke defineret: kroppen mangler
compile-no-static = { $name } er erklæret, men ikke defineret: en static variabel defineres også uden for klassen
compile-no-virtual-body = en virtual metode i { $class } er erklæret, men ikke defineret: kroppen mangler
compile-redefined = { $name } er defineret to gange
compile-private = { $name } er private eller protected, og koden bruger navnet uden for klassen
compile-constant = koden ændrer noget, der er const; mangler en metode const, eller skal værdien ikke være const?
compile-no-member = { $class } har intet medlem { $name }
compile-no-members = det, der står før punktummet, har ingen medlemmer: det er hverken et objekt eller en struct
compile-pointer = { $name } er en pointer: skriv -> i stedet for et punktum
compile-arrow = dette er en pointer: skriv -> i stedet for et punktum
compile-arguments-here = funktionen, der kaldes her, tager ikke disse argumenter; tjek antallet og typerne
compile-dot = dette er ikke en pointer: skriv et punktum i stedet for ->
compile-character = tegnet { $sign } hører ikke hjemme her; skriv det igen: anførselstegn, bindestreger og andre tegn, der er kopieret fra en tekst, ligner kun dem i kode
compile-brackets = de kantede parenteser til et array står efter navnet, som i int a[]; en funktion kan ikke returnere et array
compile-no-head = denne { "{" } hører ikke til nogen funktion; står der et ; eller et { "}" } for meget foran?
compile-nested-function = en funktion kan ikke defineres inde i en anden; mangler der et { "}" } ovenfor?
compile-void-used = her skal bruges en værdi, og denne funktion returnerer ingen: dens returtype er void
compile-void-returns = en funktion med returtypen void returnerer ingen værdi; giv den en anden returtype, eller udelad værdien
compile-returns-nothing = der mangler en værdi efter return; uden værdi skal returtypen være void
compile-case-jump = en variabel erklæres mellem to case-labels; sæt { "{" } og { "}" } om koden i den case
compile-same-case = to case-labels har den samme værdi
compile-not-constant = her skal stå en konstant, for eksempel 3; brug if i stedet for en case med en variabel
compile-no-switch = switch tager kun hele tal og tegn; sammenlign andre værdier med if
compile-too-many-values = her er flere værdier, end der er plads til
compile-no-loop = break og continue står kun i en løkke, og break i en switch
compile-array-assigned = et array kan ikke tildeles; kopiér elementerne ét ad gangen (tekst i C med strcpy)
compile-not-assignable = venstre side af dette = kan ikke ændres; skriv == for at sammenligne
compile-not-pointer = dette er ikke en pointer, det har typen { $class }; kontrollér * og ->
compile-no-items = dette er hverken et array eller en pointer, så det har ingen elementer; kontrollér [ ]
compile-not-function = dette er ikke en funktion, så det kan ikke kaldes; mangler der et tegn som * foran ( ?
compile-not-called = metoden nævnes, men kaldes ikke: skriv ( ) efter navnet
compile-abstract = der kan ikke laves et objekt af { $class }: en metode er kun erklæret (= 0) og har ingen krop i denne klasse
compile-conflicting = { $name } er erklæret mere end én gang med forskellige typer; gør dem ens
fault-index = indeks { $index } ligger uden for et array af typen { $type }
fault-past-end = et indeks er negativt eller ligger efter slutningen
fault-overflow = { $sum } er for stort eller for lille til typen { $type }
fault-division = et tal divideres med nul
fault-shift = et tal forskydes { $by } bit, og det er negativt eller mere, end tallet har
fault-no-return = en funktion, der skal returnere en værdi, slutter uden return
fault-null = en nullpointer bruges; får pointeren en værdi inden da?
fault-address = en forkert adresse bruges; mangler en pointer en værdi, eller er et indeks forkert?
fault-heap = hukommelse fra new, malloc eller en container { $how ->
    [read] læses
    [written] skrives
   *[other] bruges
} uden for sine grænser; er et indeks eller en størrelse forkert?
fault-stack = en lokal variabel { $how ->
    [read] læses
    [written] skrives
   *[other] bruges
} uden for sine grænser; er et indeks eller en størrelse forkert?
fault-global = en global variabel { $how ->
    [read] læses
    [written] skrives
   *[other] bruges
} uden for sine grænser; er et indeks eller en størrelse forkert?
fault-freed = hukommelse { $how ->
    [read] læses
    [written] skrives
   *[other] bruges
}, efter at den er frigivet
fault-ended = en lokal variabel { $how ->
    [read] læses
    [written] skrives
   *[other] bruges
}, efter at dens funktion eller blok er slut; er der stadig en pointer eller reference til den?
fault-too-big = der bedes om mere hukommelse, end et program må have; er en størrelse negativ, eller har den endnu ingen værdi?
fault-length = den længde, som funktionen giver, er { $length }: den er negativ eller større end arrayets
fault-locals = lokale variable skal bruge mere hukommelse end stakken har; er et array meget stort?
fault-double-free = hukommelse frigives to gange
fault-bad-free = der frigives noget, som ikke kommer fra new eller malloc
fault-bad-result = det, som funktionen returnerer, frigives af den, der kalder den; det skal altså komme fra malloc
fault-constant = en tekst i anførselstegn eller en anden konstant ændres; kopiér den til et array først
fault-mismatch = hukommelse frigives forkert: delete hører til new, delete[] til new[] og free til malloc
fault-delete-type = et objekt slettes som en anden type, end det blev oprettet som; mangler basisklassen en virtuel destruktor?
fault-lost = { $bytes } byte hukommelse går tabt: den er ikke frigivet, og intet peger længere på den
fault-lost-raised = der blev kastet en { $raised }, og { $bytes } byte hukommelse går tabt: den er ikke frigivet, og intet peger længere på den
fault-empty = en tom container bliver bedt om et element
fault-no-value = en tom optional bliver bedt om sin værdi
fault-value = en variabel har en værdi, som dens type { $type } ikke har; får den en værdi inden da?
fault-other = { $fault }
mistake-compile-time = kompileringen tog for lang tid
mistake-program-gone = craten kan kompileres, men buildet lægger ikke programmet for { $test } i mappen target, eller lægger flere dér; se på build.rs og programmernes navne
mistake-loading = da filen blev indlæst, blev der kastet en exception, før alt det nødvendige var defineret
mistake-asks-input = filen beder om input, så snart den indlæses: kald ikke input uden for funktioner eller metoder
mistake-no-module = { $name ->
    [turtle] { $name } tegner i et vindue, og det er der ikke under bedømmelsen
    [tkinter] { $name } tegner i et vindue, og det er der ikke under bedømmelsen
   *[other] modulet { $name } blev ikke fundet: aflever dine egne filer sammen; brug ellers kun standardmoduler
}
mistake-not-allowed = opgaven tillader ikke { $name }: brug kun det, som opgaveteksten nævner
mistake-no-file = filen { $file } mangler: aflever den sammen med de andre
mistake-no-program = programmet { $file } mangler
mistake-dialogue = programmet udskriver noget andet her end forventet
mistake-ended-early = programmet sluttede, men skulle stadig have bedt om input her
mistake-status = programmet sluttede med en anden exitkode end forventet
mistake-games-lost = tabte spil: { $lost } af { $games }; dette er det første
mistake-games-won = vundne spil: { $got } af { $games }, krævet: { $needed }; dette er det første, der ikke blev vundet
mistake-changed = brættet er ikke, som det skal være: søg på en kopi af det, eller se, om et tidligere træk blev udført forkert
files-no-source = der er ingen kildefil ({ $wanted }); fundet: { $found }
files-none = der er ingen kildefil; fundet: { $found }
files-nothing = der er ingen filer her: aflever en kildefil
files-nothing-of = der er ingen filer her: aflever en kildefil ({ $wanted })
files-nothing-read = der er ingen kildefil blandt de filer, der blev læst; { $skipped }
files-no-manifest = Cargo.toml mangler: aflever hele craten med Cargo.toml, src og tests
files-not-inherited = Cargo.toml arver `{ $key }` fra et workspace, som ikke er afleveret, eller som ikke angiver værdien; bedøm craten inde i dens workspace, eller aflever en Cargo.toml, der ikke arver noget
files-no-test = craten har intet test target { $test }
files-build-script = { $file } ville blive kørt, mens craten kompileres; i dette kursus må kun kursets egne filer det; fjern { $file }
files-link = dette er et link til { $to }: aflever selve filen
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
    [one] en fil uden filendelse
   *[other] { $count } filer uden filendelse
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
found-others = { $count ->
    [one] { $some } og 1 mere
   *[other] { $some } og { $count } mere
}
files-several = flere filer kan være besvarelsen: { $found }; aflever kun én af dem
files-several-unnamed = flere filer kan være besvarelsen: { $found }; giv den rigtige det navn, der er bedt om ({ $wanted })
files-notebook = { $file } er ikke en notebook, der kan læses: åbn den, gem den, og aflever den igen
files-empty = { $file } er tom
files-utf16 = { $file } er gemt som UTF-16: gem den som UTF-8, og aflever den igen
files-binary = { $file } er ikke en tekstfil, selv om navnet siger det: aflever selve kildekoden
files-too-large = { $file } er større end { $most }: aflever en mindre fil
files-too-large-together = filerne er tilsammen større end { $most }: aflever kun dine egne kildefiler
files-contested = det er ikke sikkert, hvilke filer i downloadet der er dine: din underviser ser på det
files-too-many = der er flere end { $most } filer: aflever kun dine egne kildefiler
files-too-slow = det tager mere end { $seconds } sekunder at læse filerne: aflever kun dine egne kildefiler
files-zip-damaged = { $file } er beskadiget eller er ikke en zip-fil: pak dine filer igen
files-zip64 = { $file } er et zip64-arkiv, som ikke kan læses: pak kun dine egne kildefiler, som en almindelig zip-fil
files-zip-directory = navnene på filerne i { $file } er tilsammen for lange: pak kun dine egne kildefiler
files-zip-password = { $file } er beskyttet med en adgangskode: pak dine filer igen uden adgangskode
files-zip-method = { $file } er pakket på en måde, der ikke kan læses: pak dine filer igen som en almindelig zip-fil
files-irregular = { $file } er hverken en fil eller en mappe
files-unreadable = { $file } kan ikke læses: { $why }
error-not-handed-in = der er ikke afleveret noget
error-not-graded = endnu ikke bedømt: { $missing } af { $cases } testtilfælde har endnu intet resultat
error-cases = opgaven indeholder en fejl, så intet er bedømt; sig det til din underviser
error-no-such-path = { $path }: den fil eller mappe findes ikke
error-no-exercise = det er ikke klart, hvilken opgave dette er en besvarelse af: ingen fil har et navn, der er bedt om, eller definerer det, en opgave beder om; vælg med { $exercise } ({ $choices }), eller angiv mappen med din egen opgave med { $cases }
error-near-exercise = det er ikke klart, hvilken opgave dette er en besvarelse af: { $near }; vælg med { $exercise } ({ $choices }), eller angiv mappen med din egen opgave med { $cases }
near-definition = { $name } kommer tættest på, men beder om { $wanted }, og { $file } definerer { $found }
near-names = { $name } kommer tættest på: { $file } definerer { $found }, men ikke { $wanted }
near-file = { $name } kommer tættest på, men beder om { $wanted }, og filen hedder { $file }
error-no-test = craten har ingen { $test }, filen, der siger, hvilken opgave det er: tilføj den, eller vælg med { $exercise } ({ $choices })
error-several-exercises = dette kan høre til mere end én opgave ({ $matches }); vælg med { $exercise }
error-needs-exercise = --command kræver --exercise
error-only-rulings = alle valgte testtilfælde i { $exercise } afhænger af en fortolkning af opgaven, og de tæller kun med { $rulings }
error-no-case = --case vælger intet testtilfælde i { $exercise }
skipped-link = sprunget over: { $file } er et link; aflever selve filen
skipped-irregular = sprunget over: { $file } er ikke en fil, der kan læses
skipped-outside-zip = sprunget over: { $file } peger på et sted uden for zip-filen
skipped-unkept = sprunget over: { $file } ligger for dybt i mapper, eller navnet er for langt eller allerede brugt
skipped-too-large = sprunget over: { $file } er for stor, alene eller sammen med de andre filer
skipped-unlisted = sprunget over: { $why }
skipped-magics = { $file }: linjer, som kun Jupyter forstår, for eksempel dem, der begynder med % eller !, er udeladt
skipped-more = { $count ->
    [one] 1 fil mere blev sprunget over
   *[other] { $count } filer mere blev sprunget over
}
verdict-passed = bestået
verdict-wrong-value = forkert værdi
verdict-wrong-text = forkert tekst
verdict-wrong-output = forkert output
verdict-raised = exception
verdict-panic = panic
verdict-not-written = ikke skrevet endnu
verdict-returned-error = Err
verdict-did-not-return-error = Err mangler
verdict-did-not-raise = exception mangler
verdict-time-limit = tidsgrænse overskredet
verdict-memory-limit = hukommelsesgrænse overskredet
verdict-output-limit = for meget output
verdict-crashed = crashet
verdict-protocol-violation = ugyldigt svar til testprogrammet
verdict-load-error = kan ikke indlæses
verdict-not-run = ikke kørt
verdict-failed = ikke bestået
verdict-blocked = ikke kørt, fordi »{ $case }« ikke er bestået
label-rulings = { $count ->
    [one] { $count } testtilfælde afhænger af en fortolkning af opgaven og tæller ikke med: cargo test --test grade -- --rulings
   *[other] { $count } testtilfælde afhænger af en fortolkning af opgaven og tæller ikke med: cargo test --test grade -- --rulings
}
label-expected = forventet
label-got = modtaget
label-step = trin { $step }
hunted-title = Et modeksempel fra en tilfældig session
hunt-none = { $count ->
    [one] ingen forskel i { $count } session
   *[other] ingen forskel i { $count } sessioner
}
hunt-none-out-of-time = { $count ->
    [one] ingen forskel i { $count } session, og så var tiden brugt; giv mere tid med --budget
   *[other] ingen forskel i { $count } sessioner, og så var tiden brugt; giv mere tid med --budget
}
hunt-none-cut-off = { $count ->
    [one] ingen forskel i { $count } session; tiden var brugt i en session, der tog lang tid: giv mere tid med --time
   *[other] ingen forskel i { $count } sessioner; tiden var brugt i en session, der tog lang tid: giv mere tid med --time
}
hunt-never-called = `{ $call }` blev aldrig kaldt
hunt-always-failed = `{ $call }` mislykkedes hver gang
hunt-unreached = Dér kan programmet stadig være forkert: skriv i [arguments] i exercise.toml, hvilke værdier parametrene får, eller prøv flere sessioner.
hunt-unsettled = { $count ->
    [one] I 1 session svarer også rigtige eksempelløsninger anderledes end referencen: det tæller ikke som en forskel.
   *[other] I { $count } sessioner svarer også rigtige eksempelløsninger anderledes end referencen: det tæller ikke som en forskel.
}
hunt-endless = { $count ->
    [one] I 1 session blev referencen ikke færdig: kaldet, hvor den ikke blev færdig, er udeladt.
   *[other] I { $count } sessioner blev referencen ikke færdig: kaldene, hvor den ikke blev færdig, er udeladt.
}
hunt-case-failed = { $count ->
    [one] intet modeksempel i { $count } tilfældig session, men afleveringen består ikke testtilfældet »{ $case }«
   *[other] intet modeksempel i { $count } tilfældige sessioner, men afleveringen består ikke testtilfældet »{ $case }«
}
label-more-causes = { $count ->
    [one] der er 1 fejl mere, måske med en anden årsag: vis den med --findings all
   *[other] der er { $count } fejl mere, måske med andre årsager: vis dem med --findings all
}
label-instead = { $got } i stedet for { $expected }
label-missing-items = mangler: { $missing }
label-extra-items = ikke forventet: { $extra }
label-other-items = mangler: { $missing }; ikke forventet: { $extra }
label-hint = hint
label-warning = bemærk
label-printed = også udskrevet
label-errors = skrevet til stderr
label-raised-at = i { $file }, linje { $line }
label-raised-in-cell = i { $file }, celle { $cell }, linje { $line }
label-consequences = { $count ->
    [one] trin { $steps } er heller ikke bestået: ret først denne fejl
   *[other] { $count } senere trin er heller ikke bestået ({ $steps }): ret først denne fejl
}
label-points = { $points } af { $max } point
label-partial = delvist rigtigt: { $points }
label-cases = { $passed } af { $total } testtilfælde bestået
label-total = { $passed } af { $total } afleveringer bestod alle testtilfælde
tally-absent = { $count ->
    [one] 1 studerende har intet afleveret
   *[other] { $count } studerende har intet afleveret
}
tally-unreadable = { $count ->
    [one] 1 aflevering er ulæselig
   *[other] { $count } afleveringer er ulæselige
}
tally-waiting = { $count ->
    [one] 1 aflevering er endnu ikke bedømt
   *[other] { $count } afleveringer er endnu ikke bedømt
}
tally-ungraded = { $count ->
    [one] 1 aflevering kunne ikke bedømmes
   *[other] { $count } afleveringer kunne ikke bedømmes
}
label-unstable = ustabilt: bestået { $passed } af { $total } gange, hver gang med andre tilfældige tal
label-more-lines = { $count ->
    [one] 1 linje mere
   *[other] { $count } linjer mere
}
label-hidden = dette testtilfælde er skjult
label-also-in = { $count ->
    [one] sandsynligvis også i 1 andet testtilfælde: { $cases }
   *[other] sandsynligvis også i { $count } andre testtilfælde: { $cases }
}
label-same-problem = sandsynligvis samme årsag som i { $case }
label-in-all-cases = i alle { $count } testtilfælde
label-error = ikke bedømt
label-absent = intet afleveret
label-not-graded = endnu ikke bedømt
label-earlier-grade = før et testtilfælde blev ændret: { $points }
label-unreadable = ulæselig
label-earned = optjent i testtilfældene: { $points }
label-late = afleveret { $by } for sent: { $points } trukket fra
label-late-free = afleveret { $by } for sent, uden fradrag
label-late-marked = afleveret for sent: { $points } trukket fra
label-late-marked-free = afleveret for sent, uden fradrag
label-by-hand = sat til { $points } af en underviser: { $why }
label-late-short = for sent: −{ $points }
label-late-only = for sent
label-by-hand-short = manuelt
label-adjusted = justeret
label-days = { $count ->
    [one] 1 dag
   *[other] { $count } dage
}
label-hours = { $count ->
    [one] 1 time
   *[other] { $count } timer
}
label-minutes = { $count ->
    [one] 1 minut
   *[other] { $count } minutter
}
label-loading = kastet, da filen blev indlæst, efter at alt det nødvendige var defineret
label-printing = udskrevet, da filen blev indlæst; intet testtilfælde ser på det: { $text }
label-tier = afskærmning: { $tier }
label-budget = { $count ->
    [one] 1 testtilfælde blev ikke kørt: de testtilfælde, der nåede en grænse, brugte tilsammen de tilladte { $seconds } s
   *[other] { $count } testtilfælde blev ikke kørt: de testtilfælde, der nåede en grænse, brugte tilsammen de tilladte { $seconds } s
}
label-time = { $count ->
    [one] 1 testtilfælde blev ikke kørt: programmet brugte for lang tid på alle testtilfælde tilsammen
   *[other] { $count } testtilfælde blev ikke kørt: programmet brugte for lang tid på alle testtilfælde tilsammen
}
label-case = testtilfælde
label-worth = point
label-verdict = resultat
label-submission = aflevering
label-exercise = opgave
label-finding = første fejl
label-average = { $points } i gennemsnit
label-see-findings = for at se fejlene: --findings first (én for hver aflevering) eller --findings all
label-left-out = { $count ->
    [one] 1 del af denne rapport er udeladt, fordi den ellers bliver for lang
   *[other] { $count } dele af denne rapport er udeladt, fordi den ellers bliver for lang
}
label-more-failed = { $count ->
    [one] og 1 testtilfælde mere, der ikke blev bestået
   *[other] og { $count } testtilfælde mere, der ikke blev bestået
}
html-title = { $name } · resultater
html-class = Holdet
html-submissions = Afleveringer
html-submission = aflevering
html-id = nummer
html-exercise = opgave
html-first = første fejl
html-name = navn
html-state = status
html-graded = bedømt
html-handed-in = afleveret
html-in-time = til tiden
html-failed-case = ikke bestået testtilfælde
html-any = alle
html-clear = ryd
html-rows-shown = vist:
html-raised-in = { $raised } i { $function }
html-raised-at = { $raised } i { $function }, linje { $line }
html-findings = Fejl
html-heat-map = Resultater pr. testtilfælde
html-same = Identiske afleveringer
html-clusters = Afleveringer med samme første fejl
html-points-spread = Pointfordeling
html-cases = Testtilfælde
html-number = nr.
html-pass-rate = bestået
html-discrimination = diskriminationsindeks
html-discrimination-is = Diskriminationsindekset er den korrigerede item-total-korrelation: hvordan det at bestå dette testtilfælde hænger sammen med pointene for de andre, fra −1 til 1. En lav værdi betyder, at testtilfældet ikke skelner mellem stærke og svage afleveringer.
html-skip = til den første fejl
html-source = Kildekode
html-limit = grænse overskredet
html-wrong = uventet resultat
html-seed = seed: { $seed }
html-page-python = Siden bruger Python { $version }; dit kursus bruger måske en anden version.
html-page-javascript = Siden kører JavaScript i din browser, version { $version }.
html-board = bræt
html-arrows = Hver pil er et træk. De tykke pile findes kun på det ene bræt.
html-rings = Ringene viser, hvad der er forskelligt.
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
html-also-befell = { $count ->
    [one] sandsynligvis også i 1 andet testtilfælde
   *[other] sandsynligvis også i { $count } andre testtilfælde
}
html-more-clusters = { $count ->
    [one] og 1 gruppe mere
   *[other] og { $count } grupper mere
}
html-left-out = { $count ->
    [one] 1 fejl vises ikke for at holde siden lille; --format html=MAPPE/ viser alt
   *[other] { $count } fejl vises ikke for at holde siden lille; --format html=MAPPE/ viser alt
}
html-all-passed = { $count ->
    [one] 1 aflevering bestod alle testtilfælde og vises ikke
   *[other] { $count } afleveringer bestod alle testtilfælde og vises ikke
}

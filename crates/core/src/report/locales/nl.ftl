mistake-value = een andere waarde dan verwacht
mistake-other-kind = dit is een waarde van type { $got }, maar er wordt een waarde van type { $expected } verwacht
mistake-swapped = twee waarden zijn verwisseld: { $got } in plaats van { $expected }
mistake-order = de juiste waarden, maar in een andere volgorde
mistake-missing-items = { $count ->
    [one] er ontbreekt 1 waarde
   *[other] er ontbreken { $count } waarden
}
mistake-extra-items = { $count ->
    [one] er is 1 waarde te veel
   *[other] er zijn { $count } waarden te veel
}
mistake-other-items = aantal ontbrekende waarden: { $missing }; overbodige: { $extra }
mistake-type = de waarde klopt, maar het type niet: { $expected } verwacht, { $got } gekregen
mistake-refused-no-answer = dit is geen zet: kijk naar het type en de vorm van wat teruggegeven werd
mistake-refused-illegal = deze zet is tegen de spelregels
mistake-refused-win-missed = de winst was af te dwingen, maar niet met deze zet
mistake-refused-loses-the-game = na deze zet kan de tegenstander winst afdwingen; er was een betere zet
mistake-refused-loses-material = deze zet geeft een stuk weg; er was een betere zet
mistake-check = dit doorstaat de controle van de opgave niet
mistake-check-says = { $message }
mistake-check-partly = dit is maar gedeeltelijk juist
mistake-not-plain = in de waarde zit een { $kind }, die niet nagekeken kan worden: gebruik gewone waarden zoals getallen, strings en lijsten
mistake-printed = de waarde werd uitgeschreven in plaats van teruggegeven: { $print } toont een waarde, return geeft ze terug
mistake-none-returned = { $language ->
    [c] NULL werd teruggegeven; ontbreekt er een return, of is het het adres van een lokale variabele?
   *[other] er werd niets teruggegeven; ontbreekt er een return?
}
mistake-none-for-object = er werd niets teruggegeven, maar hier moest het object zelf teruggegeven worden: sluit de methode af met return { $self }
mistake-another-object = hier moest het object { $object } zelf teruggegeven worden (return { $self }), geen kopie of iets anders
mistake-look-alike = { $language ->
    [cpp] deze zien er hetzelfde uit, maar volgens de klasse zijn ze niet gelijk: definieert de klasse operator==?
   *[other] deze zien er hetzelfde uit, maar volgens de klasse zijn ze niet gelijk: definieert de klasse == (__eq__ in Python, equals in JavaScript en Java)?
}
mistake-same-object = hier werd het object { $name } zelf teruggegeven, maar het moet een ander object zijn
mistake-too-large = de waarde is te groot, te diep genest of bevat zichzelf
mistake-deferred = { $kind ->
    [Promise] deze promise wordt nooit vervuld en geeft dus geen waarde
   *[other] er werd een { $kind } teruggegeven in plaats van de waarde; is de methode async of gebruikt ze yield?
}
mistake-no-text = de tekst is geen string maar een { $kind }
mistake-output = hier mag niets uitgeschreven worden
mistake-no-output = hier wordt niets uitgeschreven, maar dat moet wel
mistake-standard-error = dit werd naar stderr geschreven: schrijf het naar stdout, zoals { $print } doet
mistake-returned = dit werd teruggegeven in plaats van uitgeschreven: return geeft een waarde terug, { $print } toont ze
mistake-more-output = de verwachte uitvoer staat er, maar er wordt meer uitgeschreven: schrijf alleen uit wat gevraagd is
mistake-prompts = de uitvoer klopt, maar het programma schrijft ook de tekst uit waarmee het om invoer vraagt: laat die tekst weg
mistake-while-loading = dit werd uitgeschreven bij het laden van het bestand, niet door deze stap: print alleen binnen functies
mistake-inner-type = de waarde klopt, maar wat erin zit heeft een ander type (zoals 1.0 of '1' in plaats van 1)
mistake-inner-subclass = de waarde klopt, maar iets erin heeft een ander type: { $kind }
mistake-trailing-blanks = de tekst klopt, op spaties aan het einde van een regel na
mistake-final-newlines = de tekst klopt, maar aan het einde staan te veel of te weinig regeleinden
mistake-first-letter = { $size ->
    [small] de tekst moet beginnen met een kleine letter { $letter }
   *[capital] de tekst moet beginnen met een hoofdletter { $letter }
}
mistake-capitals = de tekst klopt, op hoofdletters en kleine letters na
mistake-blanks = de tekst klopt, op het aantal spaties na
mistake-replaced = er staat { $got ->
    [space] een spatie
   *[other] ‘{ $got }’
} waar { $expected ->
    [space] een spatie
   *[other] ‘{ $expected }’
} verwacht wordt
mistake-exchanged = { $one ->
    [space] een spatie
   *[other] ‘{ $one }’
} en { $other ->
    [space] een spatie
   *[other] ‘{ $other }’
} zijn verwisseld
mistake-joined = één regel in plaats van { $lines }: { $by ->
    [nothing] er staan geen regeleinden tussen de regels
    [space] de regels zijn aan elkaar gezet met een spatie
   *[other] de regels zijn aan elkaar gezet met ‘{ $by }’
}
mistake-lines = aantal regels: { $expected } verwacht, { $got } gekregen
mistake-text = een andere tekst dan verwacht
mistake-part-missing = dit stuk ontbreekt: { $part }
mistake-part-order = dit stuk staat er wel, maar te vroeg: { $part }
mistake-part-capitals = dit stuk klopt, op hoofdletters en kleine letters na: { $part }
mistake-part-blanks = dit stuk klopt, op het aantal spaties na: { $part }
mistake-form = de tekst heeft niet de juiste vorm
mistake-missing-lines = { $count ->
    [one] deze regel ontbreekt: { $line }
   *[other] er ontbreken { $count } regels; de eerste is: { $line }
}
mistake-extra-lines = { $count ->
    [one] deze regel hoort er niet bij: { $line }
   *[other] { $count } regels horen er niet bij; de eerste is: { $line }
}
mistake-text-of-object = het object heeft geen eigen tekst: definieer de methode { $method } in de klasse
mistake-text-of-none = er werd niets teruggegeven, dus valt er niets te tonen; ontbreekt er een return?
mistake-not-raised = { $language ->
    [rust] hier moest Err teruggegeven worden, maar dat gebeurde niet
   *[other] hier moest een exception opgeworpen worden, maar dat gebeurde niet
}
mistake-message-printed = { $language ->
    [rust] de boodschap werd uitgeschreven, maar moest teruggegeven worden: geef Err met deze boodschap terug
   *[other] de boodschap werd uitgeschreven, maar moest opgeworpen worden: werp een exception op met deze boodschap
}
mistake-message-returned = { $language ->
    [rust] de boodschap werd teruggegeven, maar niet als Err: geef Err met deze boodschap terug
   *[other] de boodschap werd teruggegeven, maar moest opgeworpen worden: werp een exception op met deze boodschap
}
mistake-unexpected = { $language ->
    [rust] er werd onverwacht Err teruggegeven
   *[other] er werd een { $raised } opgeworpen, maar hier wordt geen exception verwacht
}
mistake-panic = het programma stopte met een panic
mistake-undefined = { $fault ->
    [not-known] het programma heeft ongedefinieerd gedrag (undefined behavior)
   *[other] het programma heeft ongedefinieerd gedrag (undefined behavior): { $fault }
}
mistake-leak = { $fault }
mistake-assertion = { $fault ->
    [not-known] een assert van het programma slaagt niet
   *[other] een assert van het programma slaagt niet: { $fault }
}
mistake-terminated = { $fault ->
    [not-known] een exception verlaat een functie waaruit geen exception mag ontsnappen, zoals een destructor of een functie met noexcept: vang de exception daar op
   *[other] { $fault } verlaat een functie waaruit geen exception mag ontsnappen, zoals een destructor of een functie met noexcept: vang de exception daar op
}
mistake-refused = een parameter heeft een type dat de waarde van het geval niet aanneemt
mistake-not-callable = de aanroep in het testgeval past niet bij deze definitie: kijk naar de parameters en naar de opgave
mistake-declared-parameter = parameter { $number } van { $name } is `{ $own }`; gevraagd is `{ $asked }`
mistake-declared-returned = { $name } geeft `{ $own }` terug; gevraagd is `{ $asked }`
mistake-declared-count = het aantal parameters van { $name } is { $own }; gevraagd is { $asked }
mistake-declared-fields = `{ $name }` moet deze velden hebben, in deze volgorde: { $asked }
mistake-declared-no-type = `{ $name }` is niet gedeclareerd; de opgave vraagt erom
mistake-declared-not-public = { $name } kan niet van buiten de klasse worden aangeroepen; ontbreekt public:?
mistake-declared-variable = { $name } is een variabele; gevraagd is een methode
mistake-declared-no-constructor = { $name } heeft geen public constructor voor deze argumenten; ontbreekt public:, of heeft een parameter een ander type?
mistake-declared-abstract = van { $name } kan geen object worden gemaakt: een methode is alleen gedeclareerd (= 0) en heeft in deze klasse geen body
mistake-not-written = dit is nog niet geschreven
mistake-past-input = { $count ->
    [0] er is geen invoer om te lezen: de opgave geeft hier geen invoer
    [one] het programma leest meer invoer dan er is: er is maar één regel
   *[other] het programma leest meer invoer dan er is: er zijn maar { $count } regels
}
mistake-no-string = { $name } gaf { $class } terug, geen string: stel de tekst samen en geef hem terug; print toont hem alleen
mistake-few-parameters = { $class }.{ $name } heeft te weinig parameters; ontbreekt self als eerste parameter?
mistake-another-type = { $wanted ->
    [not-known] er werd een { $raised } opgeworpen, maar er wordt een exception van een ander type verwacht
   *[other] er werd een { $raised } opgeworpen in plaats van een { $wanted }
}
mistake-near-message = bijna de juiste boodschap: kijk naar hoofdletters, spaties en leestekens
mistake-another-exception = een andere exception dan verwacht
mistake-another-message = een andere boodschap dan verwacht
mistake-no-definition = { $name } is niet gedefinieerd
mistake-no-definition-near = { $name } is niet gedefinieerd, { $near } wel: de naam moet precies { $name } zijn
mistake-no-method = { $class } heeft geen methode { $name }
mistake-no-method-near = { $class } heeft geen methode { $name }, wel { $near }: de naam moet precies { $name } zijn
mistake-no-print = { $class } kan niet worden uitgeschreven: schrijf er een operator<< voor buiten de klasse of als friend, of een methode to_string
mistake-method-of-nothing = { $name } werd aangeroepen op niets ({ $class }): de aanroep ervoor gaf niets terug; ontbreekt daar een return?
mistake-method-of-value = { $call ->
    [not-known] { $name } werd aangeroepen op een waarde van type { $class }: is dat wel de juiste waarde?
   *[other] { $call } gaf een waarde van type { $class } terug, en die heeft geen { $name }: moet { $call } het object zelf teruggeven (return { $self })?
}
mistake-property = { $name } van { $class } is een attribuut, geen methode: geef het attribuut een andere naam of maak er een methode van
mistake-no-attribute = { $class } heeft geen attribuut { $name }
mistake-no-attribute-near = { $class } heeft geen attribuut { $name }, wel { $near }: de naam moet precies { $name } zijn
mistake-attribute-of-nothing = het attribuut { $name } werd opgevraagd bij niets ({ $class }): de aanroep ervoor gaf niets terug; ontbreekt daar een return?
mistake-attribute-of-value = { $call ->
    [not-known] een waarde van type { $class } heeft geen attribuut { $name }: is dat wel de juiste waarde?
   *[other] { $call } gaf een waarde van type { $class } terug, en die heeft geen attribuut { $name }: moet { $call } iets anders teruggeven?
}
mistake-not-attribute = { $name } van { $class } is een methode, geen attribuut: geef de methode een andere naam of maak er een attribuut van
mistake-cpu-limit = de berekening duurde te lang; is er een lus die nooit stopt?
mistake-wall-limit = het programma wachtte te lang: op invoer, of in een pauze (sleep)?
mistake-memory-limit = het programma gebruikte te veel geheugen
mistake-output-limit = het programma schreef te veel uit; staat er een { $print } in een lus die nooit stopt?
mistake-files-limit = het programma schreef te grote of te veel bestanden
mistake-written-missing = het bestand { $file } zou nu moeten bestaan, maar is er niet
mistake-written-folder = { $file } moet een bestand zijn, maar is een map
mistake-written-irregular = { $file } moet een gewoon bestand zijn dat gelezen kan worden
mistake-written-too-large = het bestand { $file } is veel te groot
mistake-written-binary = het bestand { $file } bevat geen tekst (UTF-8)
mistake-written-empty = het bestand { $file } is leeg; wordt het na het schrijven gesloten?
mistake-written-text = in het bestand { $file }: { $what }
mistake-ended = het programma stopte tijdens de test
mistake-ended-code = het programma stopte tijdens de test, met exitcode { $code }; roept de code ergens exit aan?
mistake-ended-signal = het programma stopte tijdens de test (signaal { $signal })
mistake-ended-abort = het programma stopte zichzelf tijdens de test (signaal 6); roept de code abort aan?
mistake-ended-fault-in-memory = het programma crashte tijdens de test (signaal 11, geheugenfout); roept een functie zichzelf eindeloos aan?
mistake-protocol = het antwoord aan de tester was onleesbaar: { $why }; schrijf alleen uit met de gewone functies (zoals { $print })
mistake-not-ready = het testprogramma van de crate start niet zoals de tests van keur ({ $why }); heeft tests/grade.rs een eigen main?
mistake-syntax = het bestand bevat een syntaxfout en kan niet uitgevoerd worden
mistake-newer-syntax = { $what } vereist { $since }; de code werd uitgevoerd met { $version }
mistake-compile = de code compileert niet
mistake-compile-withheld = de code compileert niet: { $name } is niet beschikbaar bij het nakijken; gebruik alleen keur_core::submit en keur_core::value, en schrijf de rest zelf
mistake-compile-unlisted = de code compileert niet: je Cargo.toml werd vervangen door die van de cursus, en die van jou voegde { $crates } toe; gebruik alleen crates die de cursus toelaat
mistake-compile-common = de code compileert niet: { $why }
compile-no-semicolon = er ontbreekt een puntkomma (;), hier of aan het eind van de vorige regel, of hier een operator
compile-no-sign = er ontbreekt een { $sign }
compile-no-parenthesis = er ontbreekt een ), of hiervóór een komma of een operator
compile-unopened = er staat een {"}"} te veel
compile-not-declared = { $name } is niet gedeclareerd; controleer de spelling, en declareer de naam vóór het gebruik
compile-no-quote = op deze regel ontbreekt de { $sign } aan het einde
compile-single-quotes = een tekst staat tussen dubbele aanhalingstekens: schrijf "{ $text }" in plaats van '{ $text }'
compile-no-if = bij deze else hoort geen if; staat er een ; na de voorwaarde, of ontbreken { "{" } en { "}" }?
compile-no-main = een programma heeft een functie main nodig
compile-other-name = schrijf { $meant } in plaats van { $name }
compile-no-system-header = er is geen header <{ $header }>; kijk de spelling na, en schrijf de naam van een eigen bestand tussen dubbele aanhalingstekens
compile-no-operator = deze operator werkt niet met { $left } en { $right }; kijk de operator en de types na
compile-needs-operator = deze regel heeft een operator van { $class } nodig die er niet is, zoals < of ==
compile-not-printed = << kan geen { $class } uitschrijven; schrijf de elementen of velden één voor één uit
compile-not-included = { $name } heeft #include { $header } nodig
compile-no-header = het bestand { $header } hoort niet bij de inzending
compile-no-return-type = { $name } heeft geen returntype; schrijf dat voor de naam, zoals int of void
compile-no-type = er ontbreekt een returntype; schrijf dat voor de naam van de functie, zoals int of void
compile-arguments = { $name } neemt deze argumenten niet aan; controleer het aantal en de types
compile-wrong-type = hier is het type { $to } nodig, en dit heeft het type { $from }
compile-not-defined = { $name } is gedeclareerd maar niet gedefinieerd: de body ontbreekt
compile-no-static = { $name } is gedeclareerd maar niet gedefinieerd: een static variabele wordt ook buiten de klasse gedefinieerd
compile-no-virtual-body = een virtual methode van { $class } is gedeclareerd maar niet gedefinieerd: de body ontbreekt
compile-redefined = { $name } is twee keer gedefinieerd
compile-private = { $name } is private of protected, en wordt buiten de klasse gebruikt
compile-constant = de code verandert iets wat const is; ontbreekt const bij een methode, of moet de waarde niet const zijn?
compile-no-member = { $class } heeft geen lid { $name }
compile-no-members = wat voor de punt staat, heeft geen leden: het is geen object en geen struct
compile-pointer = { $name } is een pointer: schrijf -> in plaats van een punt
compile-arrow = dit is een pointer: schrijf -> in plaats van een punt
compile-arguments-here = de functie die hier wordt aangeroepen, neemt deze argumenten niet aan; controleer het aantal en de types
compile-dot = dit is geen pointer: schrijf een punt in plaats van ->
compile-character = het teken { $sign } hoort hier niet; typ het opnieuw: aanhalingstekens, streepjes en andere tekens die uit een tekst zijn gekopieerd, lijken alleen op die van code
compile-brackets = de vierkante haken van een array staan achter de naam, zoals in int a[]; een functie kan geen array teruggeven
compile-no-head = deze { "{" } hoort bij geen functie; staat er een ; of een { "}" } te veel voor?
compile-nested-function = een functie kan niet binnen een andere worden gedefinieerd; ontbreekt er hierboven een { "}" }?
compile-void-used = hier is een waarde nodig, en deze functie geeft er geen: haar returntype is void
compile-void-returns = een functie met het returntype void geeft geen waarde terug; geef haar een ander returntype, of laat de waarde weg
compile-returns-nothing = na return ontbreekt een waarde; zonder waarde moet het returntype void zijn
compile-case-jump = tussen twee case-labels wordt een variabele gedeclareerd; zet { "{" } en { "}" } om de code van die case
compile-same-case = twee case-labels hebben dezelfde waarde
compile-not-constant = hier is een constante nodig, zoals 3; gebruik if in plaats van een case met een variabele
compile-no-switch = switch neemt alleen gehele getallen en tekens aan; vergelijk andere waarden met if
compile-too-many-values = er staan hier meer waarden dan er plaats is
compile-no-loop = break en continue staan alleen in een lus, en break in een switch
compile-array-assigned = een array kan niet worden toegekend; kopieer de elementen één voor één (tekst in C met strcpy)
compile-not-assignable = de linkerkant van deze = kan niet worden veranderd; schrijf == om te vergelijken
compile-not-pointer = dit is geen pointer, het heeft het type { $class }; kijk de * en -> na
compile-no-items = dit is geen array en geen pointer, en heeft dus geen elementen; kijk de [ ] na
compile-not-function = dit is geen functie en kan dus niet worden aangeroepen; ontbreekt er een teken zoals * voor de ( ?
compile-not-called = de methode wordt genoemd, maar niet aangeroepen: schrijf ( ) na de naam
compile-abstract = van { $class } kan geen object worden gemaakt: een methode is alleen gedeclareerd (= 0) en heeft in deze klasse geen body
compile-conflicting = { $name } is meer dan één keer gedeclareerd, met verschillende types; maak ze gelijk
fault-index = index { $index } valt buiten een array van het type { $type }
fault-past-end = een index is negatief of ligt voorbij het einde
fault-overflow = { $sum } is te groot of te klein voor het type { $type }
fault-division = een getal wordt gedeeld door nul
fault-shift = een getal wordt { $by } bits verschoven: dat mag niet negatief zijn, en niet meer dan het aantal bits van het getal
fault-no-return = een functie die een waarde moet teruggeven, eindigt zonder return
fault-null = een nullpointer wordt gebruikt; heeft de pointer al een waarde?
fault-address = een verkeerd adres wordt gebruikt; heeft een pointer geen waarde, of klopt een index niet?
fault-heap = geheugen van new, malloc of een container wordt { $how ->
    [read] gelezen
    [written] beschreven
   *[other] gebruikt
} buiten zijn grenzen; klopt een index of een grootte niet?
fault-stack = een lokale variabele wordt { $how ->
    [read] gelezen
    [written] beschreven
   *[other] gebruikt
} buiten haar grenzen; klopt een index of een grootte niet?
fault-global = een globale variabele wordt { $how ->
    [read] gelezen
    [written] beschreven
   *[other] gebruikt
} buiten haar grenzen; klopt een index of een grootte niet?
fault-freed = geheugen wordt { $how ->
    [read] gelezen
    [written] beschreven
   *[other] gebruikt
} nadat het is vrijgegeven
fault-ended = een lokale variabele wordt { $how ->
    [read] gelezen
    [written] beschreven
   *[other] gebruikt
} nadat haar functie of blok is geëindigd; wijst er nog een pointer of referentie naar?
fault-too-big = er wordt meer geheugen gevraagd dan een programma mag hebben; is een grootte negatief of heeft ze nog geen waarde?
fault-length = de lengte die de functie geeft is { $length }: dat is negatief of meer dan de array heeft
fault-locals = lokale variabelen hebben meer geheugen nodig dan de stapel heeft; is een array heel groot?
fault-double-free = geheugen wordt twee keer vrijgegeven
fault-bad-free = er wordt iets vrijgegeven dat niet van new of malloc komt
fault-bad-result = wat de functie teruggeeft, geeft de aanroeper vrij; het moet dus van malloc komen
fault-constant = een tekst tussen aanhalingstekens of een andere constante wordt veranderd; kopieer die eerst naar een array
fault-mismatch = geheugen wordt verkeerd vrijgegeven: delete hoort bij new, delete[] bij new[] en free bij malloc
fault-delete-type = een object wordt verwijderd als een ander type dan waarmee het gemaakt is; heeft de basisklasse geen virtuele destructor?
fault-lost = { $bytes } bytes geheugen gaan verloren: het is niet vrijgegeven, en niets verwijst er nog naar
fault-lost-raised = er werd een { $raised } opgeworpen, en { $bytes } bytes geheugen gaan verloren: het is niet vrijgegeven, en niets verwijst er nog naar
fault-empty = een lege container wordt om een element gevraagd
fault-no-value = een lege optional wordt om zijn waarde gevraagd
fault-value = een variabele heeft een waarde die haar type { $type } niet heeft; heeft ze al een waarde gekregen?
fault-other = { $fault }
mistake-compile-time = het compileren duurde te lang
mistake-program-gone = de crate compileert, maar de build zet het programma van { $test } niet in de map target, of zet er meerdere; kijk build.rs en de namen van programma's na
mistake-loading = bij het laden van het bestand werd een exception opgeworpen, nog vóór alles gedefinieerd was wat nodig is
mistake-asks-input = het bestand vraagt invoer zodra het geladen wordt: roep input niet aan buiten functies of methoden
mistake-no-module = { $name ->
    [turtle] { $name } tekent in een venster, en dat is er niet bij het nakijken
    [tkinter] { $name } tekent in een venster, en dat is er niet bij het nakijken
   *[other] module { $name } niet gevonden: dien je eigen bestanden mee in; gebruik verder alleen standaardmodules
}
mistake-not-allowed = de opgave laat { $name } niet toe: gebruik alleen wat in de opgave staat
mistake-no-file = het bestand { $file } ontbreekt: dien het samen met de andere in
mistake-no-program = het programma { $file } ontbreekt
mistake-dialogue = het programma schrijft hier iets anders uit dan verwacht
mistake-ended-early = het programma is gestopt, maar had hier nog om invoer moeten vragen
mistake-status = het programma is met een andere exitcode gestopt dan verwacht
mistake-games-lost = verloren partijen: { $lost } van { $games }; dit is de eerste
mistake-games-won = gewonnen partijen: { $got } van { $games }, nodig: { $needed }; dit is de eerste die niet gewonnen werd
mistake-changed = het bord is niet zoals het hoort: zoek op een kopie ervan, of ga na of een eerdere zet verkeerd werd gedaan
files-no-source = er is geen bronbestand ({ $wanted }); gevonden: { $found }
files-none = er is geen bronbestand; gevonden: { $found }
files-nothing = er zijn hier geen bestanden: dien een bronbestand in
files-nothing-of = er zijn hier geen bestanden: dien een bronbestand in ({ $wanted })
files-nothing-read = er is geen bronbestand bij de bestanden die gelezen zijn; { $skipped }
files-no-manifest = Cargo.toml ontbreekt: dien de hele crate in, met Cargo.toml, src en tests
files-not-inherited = Cargo.toml neemt `{ $key }` over van een workspace die niet mee ingediend is of die waarde niet heeft; kijk de crate na binnen de workspace, of dien een Cargo.toml in die niets overneemt
files-no-test = de crate heeft geen test target { $test }
files-build-script = { $file } zou tijdens het compileren van de crate uitgevoerd worden; in dit vak mogen alleen de bestanden van de cursus dat; verwijder { $file }
files-link = dit is een link naar { $to }: dien het bestand zelf in
found-and = { $some } en { $last }
found-picture = { $count ->
    [one] een afbeelding
   *[other] { $count } afbeeldingen
}
found-extension = { $count ->
    [one] een .{ $extension }-bestand
   *[other] { $count } .{ $extension }-bestanden
}
found-plain = { $count ->
    [one] een bestand zonder extensie
   *[other] { $count } bestanden zonder extensie
}
found-hidden = { $count ->
    [one] een verborgen bestand
   *[other] { $count } verborgen bestanden
}
found-link = { $count ->
    [one] een link
   *[other] { $count } links
}
found-more = { $count ->
    [one] nog een ander bestand
   *[other] { $count } andere bestanden
}
found-others = { $count ->
    [one] { $some } en nog 1
   *[other] { $some } en nog { $count }
}
files-several = meerdere bestanden komen in aanmerking: { $found }; dien er maar één van in
files-several-unnamed = meerdere bestanden komen in aanmerking: { $found }; geef het juiste de gevraagde naam ({ $wanted })
files-notebook = { $file } is geen notebook dat gelezen kan worden: open het, sla het op en dien het opnieuw in
files-empty = { $file } is leeg
files-utf16 = { $file } is opgeslagen als UTF-16: sla het op als UTF-8 en dien het opnieuw in
files-binary = { $file } is geen tekstbestand, al heet het wel zo: dien de broncode zelf in
files-too-large = { $file } is groter dan { $most }: dien een kleiner bestand in
files-too-large-together = de bestanden zijn samen groter dan { $most }: dien alleen je eigen bronbestanden in
files-contested = het is niet zeker welke bestanden in de download van jou zijn: je docent kijkt het na
files-too-many = er zijn meer dan { $most } bestanden: dien alleen je eigen bronbestanden in
files-too-slow = het lezen van de bestanden duurt langer dan { $seconds } seconden: dien alleen je eigen bronbestanden in
files-zip-damaged = { $file } is beschadigd of is geen zip: pak je bestanden opnieuw in
files-zip64 = { $file } is een zip64-archief, dat niet gelezen kan worden: pak alleen je eigen bronbestanden in, als gewone zip
files-zip-directory = de namen van de bestanden in { $file } zijn samen te lang: pak alleen je eigen bronbestanden in
files-zip-password = { $file } is beveiligd met een wachtwoord: pak je bestanden opnieuw in zonder wachtwoord
files-zip-method = { $file } is ingepakt op een manier die niet gelezen kan worden: pak je bestanden opnieuw in als gewone zip
files-irregular = { $file } is geen bestand en geen map
files-unreadable = { $file } kan niet gelezen worden: { $why }
error-not-handed-in = er is niets ingediend
error-not-graded = nog niet beoordeeld: { $missing } van { $cases } testgevallen hebben nog geen resultaat
error-cases = deze opgave bevat een fout, dus er is niets beoordeeld; laat het je docent weten
error-no-such-path = { $path }: dat bestand of die map bestaat niet
error-no-exercise = het is niet duidelijk welke opgave dit is: geen enkel bestand heeft een gevraagde naam of definieert wat een opgave vraagt; kies met { $exercise } ({ $choices }), of geef de map van je eigen opgave met { $cases }
error-near-exercise = het is niet duidelijk welke opgave dit is: { $near }; kies met { $exercise } ({ $choices }), of geef de map van je eigen opgave met { $cases }
near-definition = { $name } komt het dichtst in de buurt, maar vraagt { $wanted }, en { $file } definieert { $found }
near-names = { $name } komt het dichtst in de buurt: { $file } definieert { $found }, maar niet { $wanted }
near-file = { $name } komt het dichtst in de buurt, maar vraagt { $wanted }, en het bestand heet { $file }
error-no-test = de crate heeft geen { $test }, het bestand dat zegt welke opgave dit is: voeg het toe, of kies met { $exercise } ({ $choices })
error-several-exercises = dit kan bij meer dan één opgave horen ({ $matches }); kies met { $exercise }
error-needs-exercise = bij --command hoort --exercise
error-only-rulings = alle gekozen testgevallen van { $exercise } hangen af van een interpretatie van de opgave, en die tellen alleen mee met { $rulings }
error-no-case = --case kiest geen enkel testgeval van { $exercise }
skipped-link = overgeslagen: { $file } is een link; dien het bestand zelf in
skipped-irregular = overgeslagen: { $file } is geen bestand dat gelezen kan worden
skipped-outside-zip = overgeslagen: { $file } verwijst naar een plaats buiten de zip
skipped-unkept = overgeslagen: { $file } zit te diep in mappen, of de naam is te lang of al in gebruik
skipped-too-large = overgeslagen: { $file } is te groot, alleen of samen met de andere bestanden
skipped-unlisted = overgeslagen: { $why }
skipped-magics = { $file }: regels die alleen Jupyter begrijpt, zoals die met % of ! beginnen, zijn weggelaten
skipped-more = { $count ->
    [one] nog 1 ander bestand is overgeslagen
   *[other] nog { $count } andere bestanden zijn overgeslagen
}
verdict-passed = geslaagd
verdict-wrong-value = verkeerde waarde
verdict-wrong-text = verkeerde tekst
verdict-wrong-output = verkeerde uitvoer
verdict-raised = onverwachte exception
verdict-panic = panic
verdict-not-written = nog niet geschreven
verdict-returned-error = Err
verdict-did-not-return-error = Err ontbreekt
verdict-did-not-raise = exception ontbreekt
verdict-time-limit = tijdslimiet overschreden
verdict-memory-limit = geheugenlimiet overschreden
verdict-output-limit = te veel uitvoer
verdict-crashed = gecrasht
verdict-protocol-violation = antwoord aan de tester onleesbaar
verdict-load-error = kan niet geladen worden
verdict-not-run = niet uitgevoerd
verdict-failed = niet geslaagd
verdict-blocked = niet uitgevoerd, omdat ‘{ $case }’ niet geslaagd is
label-rulings = { $count ->
    [one] { $count } testgeval hangt af van een interpretatie van de opgave en telt niet mee: cargo test --test grade -- --rulings
   *[other] { $count } testgevallen hangen af van een interpretatie van de opgave en tellen niet mee: cargo test --test grade -- --rulings
}
label-expected = verwacht
label-got = gekregen
label-step = stap { $step }
hunted-title = Een tegenvoorbeeld uit een willekeurige sessie
hunt-none = { $count ->
    [one] geen verschil in { $count } sessie
   *[other] geen verschil in { $count } sessies
}
hunt-none-out-of-time = { $count ->
    [one] geen verschil in { $count } sessie, en toen was de tijd op; geef meer tijd met --budget
   *[other] geen verschil in { $count } sessies, en toen was de tijd op; geef meer tijd met --budget
}
hunt-none-cut-off = { $count ->
    [one] geen verschil in { $count } sessie; de tijd was op in een sessie die lang duurde: geef meer tijd met --time
   *[other] geen verschil in { $count } sessies; de tijd was op in een sessie die lang duurde: geef meer tijd met --time
}
hunt-never-called = `{ $call }` werd nooit aangeroepen
hunt-always-failed = `{ $call }` mislukte altijd
hunt-unreached = Daar kan het programma nog afwijken: schrijf in [arguments] van exercise.toml welke waarden de parameters krijgen, of probeer meer sessies.
hunt-unsettled = { $count ->
    [one] In 1 sessie antwoorden ook juiste voorbeeldoplossingen anders dan de referentie: dat telt niet als verschil.
   *[other] In { $count } sessies antwoorden ook juiste voorbeeldoplossingen anders dan de referentie: dat telt niet als verschil.
}
hunt-endless = { $count ->
    [one] In 1 sessie stopte de referentie niet: de aanroep waarbij ze niet stopte, is weggelaten.
   *[other] In { $count } sessies stopte de referentie niet: de aanroepen waarbij ze niet stopte, zijn weggelaten.
}
hunt-case-failed = { $count ->
    [one] geen tegenvoorbeeld in { $count } willekeurige sessie, maar de inzending doorstaat het testgeval ‘{ $case }’ niet
   *[other] geen tegenvoorbeeld in { $count } willekeurige sessies, maar de inzending doorstaat het testgeval ‘{ $case }’ niet
}
label-more-causes = { $count ->
    [one] nog 1 fout heeft misschien een andere oorzaak: toon die met --findings all
   *[other] nog { $count } fouten hebben misschien andere oorzaken: toon ze met --findings all
}
label-instead = { $got } in plaats van { $expected }
label-missing-items = er ontbreekt: { $missing }
label-extra-items = niet verwacht: { $extra }
label-other-items = er ontbreekt: { $missing }; niet verwacht: { $extra }
label-hint = hint
label-warning = let op
label-printed = ook uitgeschreven
label-errors = naar stderr geschreven
label-raised-at = in { $file }, regel { $line }
label-raised-in-cell = in { $file }, cel { $cell }, regel { $line }
label-consequences = { $count ->
    [one] ook stap { $steps } is niet geslaagd: los eerst deze fout op
   *[other] nog { $count } latere stappen zijn niet geslaagd ({ $steps }): los eerst deze fout op
}
label-points = { $points } van { $max } punten
label-partial = gedeeltelijk juist: { $points }
label-cases = { $passed } van { $total } testgevallen geslaagd
label-total = alle testgevallen doorstaan: { $passed } van { $total } inzendingen
tally-absent = { $count ->
    [one] 1 student diende niets in
   *[other] { $count } studenten dienden niets in
}
tally-unreadable = { $count ->
    [one] 1 inzending is onleesbaar
   *[other] { $count } inzendingen zijn onleesbaar
}
tally-waiting = { $count ->
    [one] 1 inzending is nog niet beoordeeld
   *[other] { $count } inzendingen zijn nog niet beoordeeld
}
tally-ungraded = { $count ->
    [one] 1 inzending kon niet beoordeeld worden
   *[other] { $count } inzendingen konden niet beoordeeld worden
}
label-unstable = wisselend: { $passed } van de { $total } keer geslaagd, telkens met andere willekeurige getallen
label-more-lines = { $count ->
    [one] nog 1 regel
   *[other] nog { $count } regels
}
label-hidden = dit testgeval is verborgen
label-also-in = { $count ->
    [one] waarschijnlijk ook in 1 ander testgeval: { $cases }
   *[other] waarschijnlijk ook in { $count } andere testgevallen: { $cases }
}
label-same-problem = waarschijnlijk dezelfde oorzaak als in { $case }
label-in-all-cases = in alle { $count } testgevallen
label-error = niet beoordeeld
label-absent = niets ingediend
label-not-graded = nog niet beoordeeld
label-earlier-grade = voordat een testgeval veranderde: { $points }
label-unreadable = onleesbaar
label-earned = verdiend met de testgevallen: { $points }
label-late = { $by } te laat ingediend: { $points } afgetrokken
label-late-free = { $by } te laat ingediend, zonder aftrek
label-late-marked = te laat ingediend: { $points } afgetrokken
label-late-marked-free = te laat ingediend, zonder aftrek
label-by-hand = door een docent op { $points } gezet: { $why }
label-late-short = te laat: −{ $points }
label-late-only = te laat
label-by-hand-short = handmatig
label-adjusted = aangepast
label-days = { $count ->
    [one] 1 dag
   *[other] { $count } dagen
}
label-hours = { $count ->
    [one] 1 uur
   *[other] { $count } uur
}
label-minutes = { $count ->
    [one] 1 minuut
   *[other] { $count } minuten
}
label-loading = opgeworpen bij het laden van het bestand, nadat alles gedefinieerd was wat nodig is
label-printing = uitgeschreven bij het laden van het bestand; geen testgeval kijkt ernaar: { $text }
label-tier = afscherming: { $tier }
label-budget = { $count ->
    [one] 1 testgeval is niet uitgevoerd: de testgevallen die een limiet bereikten, gebruikten samen de toegestane { $seconds } s
   *[other] { $count } testgevallen zijn niet uitgevoerd: de testgevallen die een limiet bereikten, gebruikten samen de toegestane { $seconds } s
}
label-time = { $count ->
    [one] 1 testgeval is niet uitgevoerd: het programma had over alle testgevallen samen te veel tijd nodig
   *[other] { $count } testgevallen zijn niet uitgevoerd: het programma had over alle testgevallen samen te veel tijd nodig
}
label-case = testgeval
label-worth = punten
label-verdict = resultaat
label-submission = inzending
label-exercise = opgave
label-finding = eerste fout
label-average = gemiddeld { $points }
label-see-findings = om de fouten te zien: --findings first (één per inzending) of --findings all
label-left-out = { $count ->
    [one] 1 deel van dit verslag is weggelaten, omdat het anders te lang wordt
   *[other] { $count } delen van dit verslag zijn weggelaten, omdat het anders te lang wordt
}
label-more-failed = { $count ->
    [one] en nog 1 testgeval dat niet slaagde
   *[other] en nog { $count } testgevallen die niet slaagden
}
html-title = { $name } · resultaten
html-class = De klas
html-submissions = Inzendingen
html-submission = inzending
html-id = nummer
html-exercise = opgave
html-first = eerste fout
html-name = naam
html-state = status
html-graded = beoordeeld
html-handed-in = ingediend
html-in-time = op tijd
html-failed-case = niet geslaagd testgeval
html-any = alle
html-clear = wissen
html-rows-shown = getoond:
html-raised-in = { $raised } in { $function }
html-raised-at = { $raised } in { $function }, regel { $line }
html-findings = Fouten
html-heat-map = Resultaten per testgeval
html-same = Identieke inzendingen
html-clusters = Inzendingen met dezelfde eerste fout
html-points-spread = Verdeling van de punten
html-cases = Testgevallen
html-number = nr.
html-pass-rate = geslaagd
html-discrimination = onderscheidend vermogen
html-discrimination-is = Onderscheidend vermogen is de item-restcorrelatie: hoe het doorstaan van dit testgeval samenhangt met de punten op de andere, van −1 tot 1. Een lage waarde betekent dat het testgeval sterke en zwakke inzendingen niet van elkaar onderscheidt.
html-skip = naar de eerste fout
html-source = Broncode
html-limit = limiet overschreden
html-wrong = onverwacht resultaat
html-seed = seed: { $seed }
html-page-python = Deze pagina gebruikt Python { $version }; je cursus gebruikt misschien een andere versie.
html-page-javascript = Deze pagina voert JavaScript uit in je browser, versie { $version }.
html-board = bord
html-arrows = Elke pijl is een zet. De dikke pijlen staan op maar één van de borden.
html-rings = De ringen tonen wat verschilt.
html-middle = { $count ->
    [one] 1 inzending · gemiddeld { $mean }, mediaan { $median } van { $max } punten
   *[other] { $count } inzendingen · gemiddeld { $mean }, mediaan { $median } van { $max } punten
}
html-count = { $count ->
    [one] 1 inzending
   *[other] { $count } inzendingen
}
html-passed = { $count ->
    [one] 1 testgeval geslaagd
   *[other] { $count } testgevallen geslaagd
}
html-befell = { $count ->
    [one] in 1 testgeval
   *[other] in { $count } testgevallen
}
html-also-befell = { $count ->
    [one] waarschijnlijk ook in 1 ander testgeval
   *[other] waarschijnlijk ook in { $count } andere testgevallen
}
html-more-clusters = { $count ->
    [one] en nog 1 groep
   *[other] en nog { $count } groepen
}
html-left-out = { $count ->
    [one] 1 fout wordt niet getoond om de pagina klein te houden; --format html=MAP/ toont alles
   *[other] { $count } fouten worden niet getoond om de pagina klein te houden; --format html=MAP/ toont alles
}
html-all-passed = { $count ->
    [one] 1 inzending doorstond alle testgevallen en wordt niet getoond
   *[other] { $count } inzendingen doorstonden alle testgevallen en worden niet getoond
}

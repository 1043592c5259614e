slip-value = een andere waarde dan verwacht
slip-type = de juiste waarde maar van een ander type: { $expected } werd verwacht, { $got } gegeven
slip-refused-no-answer = dit is geen antwoord op de vraag: kijk naar het type
slip-refused-illegal = dit is tegen de regels van het spel
slip-refused-win-missed = er is een winst af te dwingen, en hiermee gebeurt dat niet
slip-refused-loses-the-game = hiermee is het spel gedwongen verloren, en er was iets beters
slip-refused-loses-material = hiermee gaat een stuk voor niets verloren, en er was iets beters
slip-refused-worth-less = dit is minder waard dan de stelling bij perfect spel was
slip-printed = uitgeschreven in plaats van teruggegeven: print toont een waarde, return geeft ze terug
slip-none-returned = er werd niets teruggegeven; ontbreekt er een return?
slip-none-for-object = er werd niets teruggegeven terwijl het object zelf verwacht werd: sluit de methode af met return { $self }
slip-another-object = er werd iets anders teruggegeven dan het object zelf, { $name }
slip-same-object = hetzelfde object als { $name } werd teruggegeven; het moet een ander zijn
slip-too-large = de waarde is te groot, te diep genest of bevat zichzelf
slip-deferred = er werd een { $kind } teruggegeven in plaats van de waarde; is de methode async of gebruikt ze yield?
slip-no-text = de tekst is geen string maar een { $kind }
slip-output = er mocht niets uitgeschreven worden
slip-inner-type = de juiste waarde op de types van wat erin zit na
slip-trailing-blanks = de juiste tekst op spaties aan het einde van een regel na
slip-final-newlines = de juiste tekst, maar met andere regeleindes erna
slip-capitals = de juiste tekst op hoofdletters na
slip-blanks = de juiste tekst op spaties tussen de tekens na
slip-lines = er werden { $expected } regels verwacht, het zijn er { $got }
slip-text = een andere tekst dan verwacht
slip-text-of-none = er werd niets teruggegeven en dus valt er niets te tonen; ontbreekt er een return?
slip-not-raised = er werd een exception verwacht, maar er werd er geen opgeworpen
slip-unexpected = er werd een exception opgeworpen waar er geen verwacht werd
slip-another-type = een ander type exception dan verwacht
slip-near-message = bijna de juiste boodschap: kijk naar hoofdletters, spaties en leestekens
slip-another-exception = een andere exception dan verwacht
slip-another-message = een andere boodschap dan verwacht
slip-no-definition = { $name } is niet gedefinieerd
slip-no-definition-near = { $name } is niet gedefinieerd; is { $near } daarvoor bedoeld?
slip-no-method = { $class } heeft geen methode { $name }
slip-no-method-near = { $class } heeft geen methode { $name }; is { $near } daarvoor bedoeld?
slip-property = { $name } van { $class } is geen methode: je kunt het niet aanroepen, schrijf er dus een methode van
slip-cpu-limit = de berekening duurde te lang; is er een lus die nooit eindigt?
slip-wall-limit = het wachten duurde te lang
slip-memory-limit = er was te veel geheugen nodig
slip-output-limit = er werd te veel uitgeschreven
slip-ended = het programma stopte midden in de sessie
slip-ended-code = het programma stopte midden in de sessie, met status { $code }
slip-ended-signal = het programma stopte midden in de sessie, door signaal { $signal }
slip-ended-fault-in-memory = het programma stopte midden in de sessie, door signaal 11, een fout in het geheugen; roept iets zichzelf aan zonder einde?
slip-protocol = het programma bemoeide zich met de beoordeling: { $why }
slip-not-ready = het testprogramma van de crate start niet zoals de tests van keur ({ $why }); heeft tests/grade.rs een eigen main?
slip-syntax = het bestand kan niet als programma gelezen worden: een syntaxfout
slip-newer-syntax = { $what } vraagt { $since }; hier werd { $version } gebruikt
slip-compile = de inzending compileert niet
slip-compile-time = het compileren duurde te lang
slip-program-gone = de crate compileert, maar de build laat het programma van { $test } niet achter in de map target; kijk build.rs na
slip-loading = er werd een exception opgeworpen bij het laden van het bestand, voor alles gedefinieerd was
slip-asks-input = het bestand vraagt invoer terwijl het geladen wordt; gebruik input alleen binnen wat getest wordt, of helemaal niet
slip-no-module = de module { $name } is niet beschikbaar; gebruik alleen wat bij de taal hoort
slip-no-program = het programma { $file } is er niet
slip-dialogue = het programma zegt hier iets anders dan verwacht
slip-ended-early = het programma is gestopt waar het nog om invoer had moeten vragen
slip-status = het programma is met een andere status gestopt dan verwacht
slip-games-lost = { $lost } van { $games } partijen zijn verloren; dit is de eerste daarvan
slip-games-won = { $got } van { $games } partijen zijn gewonnen, en dat moeten er { $needed } zijn; dit is de eerste die niet gewonnen is
slip-changed = het gegeven bord is veranderd; zoek op een kopie ervan
files-no-source = er is geen bronbestand ({ $wanted }); gevonden: { $found }
files-none = er is geen bronbestand; gevonden: { $found }
files-no-test = de crate heeft geen testdoel { $test }
files-link = dit is een link naar { $to }, en links worden niet gevolgd
found-nothing = niets
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
files-several = verschillende bestanden kunnen het antwoord zijn: { $found }; dien er één in, onder de gevraagde naam
files-notebook = { $file } is een notebook; dien een gewoon bronbestand in
files-empty = { $file } is leeg
files-too-large = { $file } is te groot om te lezen
files-unreadable = { $file } kan niet gelezen worden: { $why }
verdict-passed = geslaagd
verdict-wrong-value = verkeerde waarde
verdict-wrong-text = verkeerde tekst
verdict-wrong-output = verkeerde uitvoer
verdict-raised = exception
verdict-did-not-raise = geen exception
verdict-time-limit = te traag
verdict-memory-limit = te veel geheugen
verdict-output-limit = te veel uitvoer
verdict-crashed = gestopt
verdict-protocol-violation = bemoeienis
verdict-load-error = kan niet geladen worden
verdict-not-run = niet uitgevoerd
verdict-failed = niet geslaagd
label-expected = verwacht
label-got = gegeven
label-step = stap { $step }
label-hint = tip
label-warning = let op
label-printed = er werd ook uitgeschreven
label-raised-at = in { $file }, regel { $line }
label-consequences = { $count ->
    [one] 1 latere stap mislukte als gevolg: { $steps }
   *[other] { $count } latere stappen mislukten als gevolg: { $steps }
}
label-points = { $points } van { $max } punten
label-cases = { $passed } van { $total } testgevallen geslaagd
label-total = { $passed } van { $total } inzendingen slaagden voor alles
label-unstable = wisselvallig: { $passed } van de { $total } keer geslaagd, telkens met andere toevalsgetallen
label-more-lines = nog { $count } regels
label-hidden = dit testgeval is verborgen
label-same = hetzelfde als bij { $case }
label-error = niet beoordeeld
label-loading = opgeworpen bij het laden van het bestand, nadat alles gedefinieerd was
label-tier = afscherming: { $tier }
label-passed-over = overgeslagen: { $what }
label-budget = { $count ->
    [one] 1 testgeval is niet uitgevoerd: de niet geslaagde testgevallen gebruikten samen de toegestane { $time }
   *[other] { $count } testgevallen zijn niet uitgevoerd: de niet geslaagde testgevallen gebruikten samen de toegestane { $time }
}
label-case = testgeval
label-worth = punten
label-verdict = oordeel
label-submission = inzending
label-exercise = opgave
label-finding = eerste bevinding
label-average = gemiddeld { $points }
label-left-out = { $count ->
    [one] 1 deel van dit verslag is weggelaten: het mag niet langer worden
   *[other] { $count } delen van dit verslag zijn weggelaten: het mag niet langer worden
}
label-more-failed = { $count ->
    [one] en nog 1 mislukt testgeval
   *[other] en nog { $count } mislukte testgevallen
}
html-title = { $name } · beoordeling
html-class = De klas
html-submissions = Inzendingen
html-submission = inzending
html-exercise = oefening
html-first = eerste fout
html-findings = Wat er misging
html-heat-map = Wie faalt waar
html-clusters = Dezelfde eerste fout
html-points-spread = Verdeling van de punten
html-cases = Testgevallen
html-number = nr.
html-pass-rate = geslaagd
html-discrimination = onderscheid
html-discrimination-is = Onderscheid is de gecorrigeerde item-totaalcorrelatie: hoe het slagen voor dit testgeval samengaat met de punten op de andere, van −1 tot 1. Een lage waarde betekent dat het testgeval sterke en zwakke inzendingen niet uit elkaar houdt.
html-limit = een grens overschreden
html-wrong = een ander resultaat
html-seed = seed: { $seed }
html-board = bord: { $side }
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
html-more-clusters = { $count ->
    [one] en nog 1 groep
   *[other] en nog { $count } groepen
}
html-ungraded = { $count ->
    [one] 1 inzending kon niet beoordeeld worden
   *[other] { $count } inzendingen konden niet beoordeeld worden
}
html-left-out = { $count ->
    [one] 1 bevinding is weggelaten om de pagina licht te houden; --format html=MAP/ toont alles
   *[other] { $count } bevindingen zijn weggelaten om de pagina licht te houden; --format html=MAP/ toont alles
}
html-all-passed = { $count ->
    [one] 1 inzending slaagde voor alles en staat er niet bij
   *[other] { $count } inzendingen slaagden voor alles en staan er niet bij
}

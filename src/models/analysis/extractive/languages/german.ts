import { list, type LanguageTable } from './language-table.ts';

export const german: LanguageTable = {
  steps: 'Schritte',
  before: /^(?:bitte|am besten|immer|niemals|nie|unbedingt|zuerst|zunächst|anschließend|danach|dann)(?![\p{L}\p{N}])/iu,
  opening:
    /^(?:wenn|falls|sobald|bevor|nachdem|vor|nach|bei|für|um|im|in|am|an|zum|zur|mit|ohne|statt|während|einmal|jeden|jede|ab|damit)(?![\p{L}\p{N}])/iu,
  // "Lüften Sie …"; the polite form is the same for every verb.
  imperative: /^\p{L}{2,}(?:en|ern|eln|un) sie(?![\p{L}\p{N}])/iu,
  forms:
    list(`achte arbeite atme back beginne beweg bewege bewahre bitte bitt blockiere bohre brate bring bringe bürste dehne
    drucke düngen dünge entferne entkalke entsorge erinnere ersetze erstelle erzähl erzähle fahr fahre fang fange feiere fette fotografiere frag frage frier friere führe füll fülle gib gieß
    gieße geh gehe genieße grüße halt halte häng hänge heb hebe hack hacke hol hole hör höre iss informiere kauf kaufe klär kläre klopf klopfe koch koche kontrolliere
    kündige kürze lade lass lasse lauf laufe leg lege leih leihe lern lerne lies löffle lös lüfte mach mache meditiere meide melde miss misch mische mulche nenn nimm notier notiere
    nutz nutze öffne ordne pack packe parke pflanz pflanze pfleg pflege plan plane prüf prüfe putz putze räum räume red rede reduziere reinige repariere rühr rühre ruf rufe ruh
    sag sage sammle schäl schäle schalt schalte schau schäum schick schicke schlaf schlafe schließ schließe schneid schneide schraub schreib schreibe
    setz setze sichere sieh sitz sortier sortiere spar spare sprich spül spüle stell stelle stich streich streiche such suche tausch tausche teil teile trag trage trainier trainiere
    treff triff trink trinke trockne überleg überlege übe überprüf überprüfe unterhalte verabrede verbring vereinbare vergleich vergleiche vermeid vermeide verschenk verstau
    versuch versuche verwend verwende verzichte vergiss wärme warte wasch wasche wechsel wechsle wiederhol wiederhole wieg wiege wirf wisch wische zahl zahle zähl zähle zeig zerkleinere zieh ziehe steh
    steck stecke bleib bleibe ernähre informier bespricht besprich beweg frühstücke umarme danke entschuldige akzeptiere lächle lob lobe besuch besuche`),
  notAfterForm:
    /^(?:ist|sind|war|waren|hat|haben|wird|werden|kann|können|muss|müssen|soll|sollen|der|und|oder)(?![\p{L}\p{N}])/iu,
  modal:
    /^(?:(?:sie|du|man|ihr) (?:soll(?:te|ten|test|tet|t|st)?|muss|müssen|musst|müsst)|(?:soll(?:ten|test|te)|müssen|musst|muss) (?:sie|du|man)|es (?:empfiehlt|lohnt) sich|es ist (?:ratsam|sinnvoll|empfehlenswert|wichtig|besser),|denken sie daran,|achten sie darauf,)(?![\p{L}\p{N}])/iu,
  infinitive:
    /^(?:Den|Die|Das|Alle|Alles|Eine?n?|Etwa|Zuerst|Anschließend|\d\S*)\s(?!.*(?<!\p{L})(?:ist|sind|war|waren|hat|haben|hatte|hatten|wird|werden|wurde|wurden|kann|können|könnte|könnten|würde|würden|dürfte|muss|müssen|soll|sollen|sollte|sollten|will|wollen|darf|dürfen)(?!\p{L}))(?!.* \p{Ll}{3,}t[ ,.])(?!.* (?:zu|die|der) )[^?:,]{6,90} \p{Ll}+(?:en|ern|eln)[.!]?$/u,
  notTasks:
    /^(?:entdecken|entdecke|erleben|erlebe|genießen|genieße|bestellen|bestelle|kaufen sie jetzt|buchen|buche|kontaktieren|kontaktiere|klicken|klicke|abonnieren|abonniere|melden sie sich|melde dich|stellen sie sich|stell dir|denken|denk|vertrauen|vertraue|folgen|folge|teilen|teile|schauen|schau|lesen sie (?:auch|mehr|hier|weiter|dazu)|lies (?:auch|mehr|hier|weiter|dazu)|erfahren|erfahre|sehen|sieh|beachten|beachte|bedenken|bedenke|verwöhnen|verwöhne|gönnen|gönn|holen sie sich|hol dir|sichern sie sich|sicher dir|sparen sie (?:bis|jetzt|beim|mit)|profitieren|profitiere|kommen|komm|willkommen|wählen|wähle|drücken|drücke|tippen|tippe|öffnen sie die (?:datei|app|seite|einstellungen)|geben sie (?:den code|ihre|die adresse)|laden sie|lade|installieren|installiere|lassen sie sich (?:beraten|begeistern|inspirieren|verwöhnen|verzaubern|überraschen)|tauchen|tauche|freuen|finden|finde|gewinnen|steigern|steigere|erhalten|nehmen wir|sollten sie (?:fragen|interesse)|man sollte (?:meinen|glauben|annehmen|wissen|nicht vergessen)|man muss (?:kein|sagen|wissen|nicht|sich|zugeben)|fügen|hinterlassen|schreib uns|schreiben sie uns|rufen sie uns|besuchen sie (?:uns|unser\p{L}*)|setzen sie auf|sehen)(?![\p{L}\p{N}])/iu,
  notOurs:
    /(?<![\p{L}\p{N}])(?:kunden|kundinnen|kundschaft|mitarbeiter\p{L}*|umsatz\p{L}*|newsletter|uns|unser|unsere|unserem|unseren|unserer|unseres|menü|menüpunkt|taste|tasten|schaltfläche|datei|button|link|warenkorb|konfiguration|artikel|beitrag|video|kommentare\p{L}*|rabatt|bestellung|regierung|mieter|vermieter|verband|zitierte|sagte|sagt|meinte|forderte|fordert|wir|kam|war|waren|wurde|wurden|hatte|hatten|verboten|kapitel|abschnitt|seite|website|webseite)(?![\p{L}\p{N}])/iu,
  leaning: /^\p{L}+ (?:[Ss]ie )?(?:es|ihn|dies|das|diese[nrsm]?)(?= \p{Ll}|[.!])/u,
  boilerplate:
    /(?<![\p{L}\p{N}])(?:newsletter|cookies|datenschutz\p{L}*|impressum|alle rechte vorbehalten|anzeige|werbung|weiterlesen|mehr lesen|jetzt bestellen|foto:|bild:|abonnieren|kommentare)(?![\p{L}\p{N}])/iu,
  continues:
    /^(?:aber|und|oder|denn|doch|deshalb|daher|darum|deswegen|dadurch|damit|dabei|dazu|dann|danach|außerdem|trotzdem|dies|diese|dieser|dieses|das|er|sie|es|ihr|ihre|sein|seine|so|also|zudem|auch|hier|dort|beispielsweise|zum beispiel)(?![\p{L}\p{N}])/iu,
  stopWords:
    list(`der die das den dem des ein eine einen einem einer eines und oder aber denn doch nicht kein keine auch nur noch schon sehr so wie
    als wenn dass ob weil damit um zu zum zur von vom mit bei nach aus auf an am in im ins für über unter vor hinter neben zwischen durch gegen ohne bis seit
    ist sind war waren sein hat haben hatte hatten wird werden wurde wurden kann können konnte muss müssen soll sollen sollte will wollen ich du er sie es wir ihr
    mich dich sich uns euch mein dein ihre ihrer ihren ihrem seine seiner seinen man was wer wo wann warum mehr viel viele alle alles diese dieser dieses diesen jede jeder jedes hier dort da dann etwa`),
};

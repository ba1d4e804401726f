import { french } from './french.ts';
import { italian } from './italian.ts';
import { type LanguageTable, list } from './language-table.ts';
import { portuguese } from './portuguese.ts';
import { spanish } from './spanish.ts';

const dutch: LanguageTable = {
  steps: 'stappen',
  before: /^(?:nooit |altijd |eerst |daarna |vervolgens |liefst )/iu,
  opening:
    /^(?:als|wanneer|zodra|voordat|nadat|voor|na|bij|om|in|op|tijdens|met|zonder|elke|ieder|iedere|eens)(?![\p{L}\p{N}])/iu,
  imperative: null,
  forms:
    list(`adem antwoord bak bedank bedek begin bekijk bel beperk besluit bespaar bespreek bestrijk betaal bevestig beweeg bewaar bezoek bied bind blijf boen boor borstel breng controleer dek demp denk doe dompel doneer draag draai drink droog drup druk
    eet eindig ga gebruik geef geniet giet gooi haal hak hang help herhaal hou houd huur investeer installeer kam kies kijk klop knip kom kook koop kort laat lach lees leen leer leg lever let loop los lucht luister maak mail masseer mediteer meet meng mijd
    neem nodig noteer omhels onderhoud ontdooi ontkalk ontspan onthoud oefen open orden overleg pak parkeer pers plaats plan plant pluk poets praat prik print probeer raadpleeg regel reinig rek ren repareer reken reserveer rooster ruil ruim rust schakel schenk schil schrap schrijf schrob
    schroef schud schuif sla slaap sluit smeer smelt snijd snij snoei sorteer spaar spoel spreek spuit stap steek stel stofzuig stop strijk strooi studeer stuur tel teken test til trek train typ vaccineer vang varieer veeg verdeel verf vergelijk verkoop vermijd verlaag verminder verplaats verschoon versnipper
    vervang verwarm verwijder verzamel vet vier voed voeg vouw vraag vries vul wacht wandel was weeg weiger werk wikkel wissel wrijf zaai zeg zet zit zoek zorg zout zwem vergeet sport`),
  notAfterForm:
    /^(?:is|zijn|was|waren|heeft|hebben|wordt|worden|kan|kunnen|moet|moeten|aan de winkel|het maar|gerust|en|of|ons|contact|kennis|mee met|je verleiden|je verrassen|je inspireren|deze pagina)(?![\p{L}\p{N}])/iu,
  modal:
    /^(?:(?:je|u|jij|men) (?:moet|zou|kunt het beste|kan het beste|kunt beter|kan beter|hoort|dient)|(?:moet|dient) (?:je|u|jij|men)|zou (?:je|u) [^.]{3,60} moeten|het is (?:verstandig|raadzaam|belangrijk|aan te raden|beter|nuttig|noodzakelijk) (?:om|dat)|het beste (?:kun|kan) (?:je|u)|zorg (?:ervoor )?dat|zorg voor|probeer|vergeet niet (?:om|te))(?![\p{L}\p{N}])/iu,
  infinitive:
    /^(?:De|Het|Een|Alle|Alles|Eerst|Daarna|\d\S*)\s(?!.*(?<!\p{L})(?:is|zijn|was|waren|heeft|hebben|had|hadden|wordt|worden|werd|werden|kan|kunnen|moet|moeten|zal|zullen|zou|zouden|mag|mogen|wil|willen)(?!\p{L}))(?!.* \p{Ll}{3,}t[ ,.])(?!.* (?:te|die|dat) )(?!\p{L}+ \p{L}+en (?:sinds|op|in|met|van|voor|bij|door|naar|tot|uit|aan|om|het|de|een) )[^?:,]{6,90} \p{Ll}{2,}en[.!]?$/u,
  notTasks:
    /^(?:ontdek|profiteer|meld je|meld u|klik|lees (?:ook|meer|hier|verder)|neem contact|neem een kijkje|stel je|stel u|dompel|laat je|laat u (?:adviseren|verrassen|inspireren)|vertrouw|open (?:de|het) (?:terminal|bestand|app|pagina)|let op|let wel|zie|bekijk (?:de|het|onze|ook) (?:video|ons|onze|website|pagina)?|deel|laat (?:je|uw|een) (?:mening|reactie)|bestel|koop (?:nu|online|direct)|reserveer (?:je|uw|nu|direct|een tafel)|kies (?:je|uw) (?:maat|pakket|model)|laten we|vergeet niet dat|denk (?:aan|maar|eens)|selecteer|druk (?:op|de)|gun|raadpleeg (?:onze|de algemene)|kom|volg|was het|werk aan|reis|bel (?:ons|gerust|nu)|maak kennis|je moet (?:weten|toegeven|maar|wel)|u moet (?:weten|wel)|men moet|je zou (?:denken|zeggen|bijna)|u zou (?:denken|zeggen)|er is|geniet|beleef|ervaar|win|ontvang|verhoog|bied|train je (?:medewerkers|team|personeel)|schrijf je|abonneer|download|typ|voeg (?:ze|het|deze|toe)|herhaal (?:dit|het|deze)|welkom|vind|zoek (?:je|uw|onze)|stuur ons|mail ons|probeer (?:het nu|gratis|onze))(?![\p{L}\p{N}])/iu,
  notOurs:
    /(?<![\p{L}\p{N}])(?:klanten|klant|medewerkers|personeel|omzet|nieuwsbrief|ons|onze|menu|tabblad|toets|knop|bestand|terminal|winkelmand|winkelwagen|reacties|video|artikel|deze pagina|onze pagina|webpagina|website|korting|aanbieding|regering|vakbond|huurder|verhuurder|leerlingen|hoofdstuk|formulier|aldus|volgens|showroom|commando|mengsel toe)(?![\p{L}\p{N}])/iu,
  leaning: /^\p{L}+ (?:ze|het|dit|deze|hem|die|dat) (?!\p{L}+en\b)/iu,
  boilerplate:
    /(?<![\p{L}\p{N}])(?:nieuwsbrief|cookies|privacyverklaring|alle rechten voorbehouden|advertentie|lees verder|lees meer|klik hier|meld je aan|foto:|algemene voorwaarden|reacties)(?![\p{L}\p{N}])/iu,
  continues:
    /^(?:maar|en|of|want|dus|daarom|daardoor|dit|dat|deze|die|hij|zij|ze|het|hun|zijn|haar|dan|daarna|bovendien|ook|toch|echter|bijvoorbeeld|hier|daar|zo|er)(?![\p{L}\p{N}])/iu,
  stopWords:
    list(`de het een en of maar want dus niet geen wel ook nog al zeer zo als dan dat die dit deze wie wat waar wanneer hoe om te tot van voor met bij naar uit op aan in door over onder tussen tegen zonder sinds is zijn was waren heeft hebben had hadden wordt worden werd werden
    kan kunnen kon moet moeten zal zullen zou zouden mag wil willen ik je jij u hij zij ze wij we jullie mij me jou hem haar ons hun mijn jouw uw onze er hier daar toen toch meer veel vele alle alles elke ieder iedere ander andere zelf heel`),
};

const german: LanguageTable = {
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

const tables: ReadonlyMap<string, LanguageTable> = new Map([
  ['de', german],
  ['fr', french],
  ['es', spanish],
  ['it', italian],
  ['pt', portuguese],
  ['nl', dutch],
]);

/** Words of the six languages that say nothing of a subject: stop words, and times and amounts of goals. */
export const foreignFillers: ReadonlySet<string> = new Set([
  ...[...tables.values()].flatMap(({ stopWords }) => [...stopWords]),
  ...`woche wochen tag tage jahr jahre stunde stunden semaine semaines jour jours année heure heures semana semanas dia
      dias día días año años ano anos hora horas settimana settimane giorno giorni anno anni ora ore week weken dag dagen
      jaar uur uren elke jede jeder jedes chaque ogni todas todos cada weniger moins meno menos minder mehr plus più más
      mais meer`.split(/\s+/),
]);

/** The table of a language by its code ("de", "pt-BR"), or null. */
export function tableOf(language: string | null): LanguageTable | null {
  return tables.get((language ?? '').slice(0, 2).toLowerCase()) ?? null;
}

import { list, type LanguageTable } from './language-table.ts';

export const dutch: LanguageTable = {
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

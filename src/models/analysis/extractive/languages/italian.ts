import { list, type LanguageTable } from './language-table.ts';

export const italian: LanguageTable = {
  steps: 'passi',
  before: /^(?:non |mai |sempre |prima,? |poi,? |quindi,? |infine,? )/iu,
  opening:
    /^(?:se|quando|prima|dopo|per|in|nel|durante|appena|una volta|ogni|con|senza|a|al|alla|da|in caso)(?![\p{L}\p{N}])/iu,
  // "Arieggiate …": the plural; participles look the same, so an object has to follow.
  imperative:
    /^(?!(?:state|estate|dopo)(?!\p{L}))\p{L}{2,}(?:ate|ete|ite)(?:vi|le|li|lo|la|ne)?(?=\s(?:il|lo|la|i|gli|le|l['’]|un|una|uno|bene|sempre|almeno|ogni|tutt[oiae]|i vostri|le vostre|dei|delle|del|della|tre|due|profondamente|controllare|riposare|cuocere|\d+))|^(?:fate|tenete|evitate|chiamate|mettete) /iu,
  forms:
    list(`accendi abbassa accorcia aggiorna aggiusta agita alterna allunga alza alzati annota annaffia apparecchia appendi apri arieggia ascolta asciuga aspetta assaggia assicurati attendi avvolgi bagna bevi bolli blocca butta calcola
    cambia cammina cancella cena cerca chiama chiedi chiudi compila compra comunica concediti confronta congela conserva consulta conta controlla copri corri crea cuci cuoci dai dedica dì decidi dividi disegna disdici dormi elimina evita fai fa' ferma festeggia fissa
    firma fotografa frequenta friggi getta gioca gira grattugia guida gusta imburra impara impasta imposta indossa inizia innaffia installa invita investi lascia lava lavati lavora leggi leva limita liberati mangia mantieni massaggia mastica medita metti mettiti mescola misura monta mostra
    muovi muoviti negozia nota offri ordina organizza osserva paga parla passa passeggia pela pensa perdona pesa pianifica pianta pota porta posa pratica prendi prenditi prepara preriscalda presta prevedi pratica programma prova proteggi pulisci racconta raccogli raddoppia raffredda
    respira recupera regala regola resta restituisci ricarica ricicla ricorda ridi riduci riempi rifiuta rileggi rimanda ringrazia ripara ripeti riponi riposa riposati risciacqua rispondi risparmia sala saluta salva sbuccia scalda scegli scola scrivi scuoti scongela semina separa segna siediti
    smetti soffriggi sorridi sostituisci spegni spendi spalma spazza spazzola spremi sposta stabilisci stacca stampa stendi strofina studia svegliati svuota taglia telefona tempera tieni togli tosta trita trova unisci usa utilizza vai varia vendi verifica versa vesti visita
    lavare firmare usare dimenticare annaffiare lasciare mettere comprare mangiare bere aprire buttare aspettare accettare guidare prestare toccare forzare mescolare aggiungere superare dire fare andare spegnere esagerare saltare rimandare conservare`),
  notAfterForm:
    /^(?:di|del|della|dello|dei|degli|delle|da|dal|per|secondo|grazie|e|o|è|sono|ha|che|sede|colore|il nome|la moglie|il marito|con stile|rapid\p{L}*)(?![\p{L}\p{N}])|^,/iu,
  modal:
    /^(?:(?:non )?(?:bisogna|occorre|conviene|devi|dovresti|dovete|dovreste|si deve|si dovrebbe|è (?:consigliabile|importante|meglio|necessario|opportuno|fondamentale|bene|utile|preferibile))|si (?:consiglia|raccomanda) di|(?:tu|voi) (?:devi|dovresti|dovete)|cerca di|cercate di|non dimenticare di|non dimenticate di|non dimenticarti di|ricordati di|ricordatevi di|ricorda di|provate a|prova a)(?![\p{L}\p{N}])/iu,
  infinitive:
    /^(?:lasciare|mescolare|aggiungere|tagliare|sbucciare|pelare|tritare|scaldare|preriscaldare|bollire|cuocere|friggere|soffriggere|infornare|sbattere|versare|unire|disporre|mettere|lavare|scolare|condire|servire|coprire|impastare|stendere|farcire|innaffiare|annaffiare|potare|piantare|pulire|asciugare|spegnere|staccare|controllare|portare|bere|dormire|evitare|rosolare)\s(?:bene |prima |poi |riposare |raffreddare |cuocere |bollire |sempre )?(?:il|lo|la|i|gli|le|l['’]|un|una|uno|tutto|tutti|tutte|con|in|a|per|due|tre|\d+)(?!\p{L})(?!.*(?<!\p{L})(?:aumenta|migliora|permette|riduce|aiuta|può)(?!\p{L}))/iu,
  notTasks:
    /^(?:scopri\p{L}*|approfitt\p{L}*|iscriv\p{L}*|clicc\p{L}*|leggi (?:anche|di più|tutto|qui)|leggete (?:anche|di più)|contatt\p{L}*|immagin\p{L}*|immerg\p{L}*|lasci(?:ati|atevi)|affid\p{L}*|apri (?:il|la|l['’]) ?(?:terminale|file|app|applicazione|pagina)|aprite il terminale|tieni presente|tenete presente|vedi|vedete|guarda (?:il|anche|la)|guardate il|condivid\p{L}*|lascia (?:la tua|un) (?:opinione|commento)|ordina (?:entro|ora|subito|online)|ordinate (?:ora|online)|prenota|prenotate|scegli (?:la|il) (?:taglia|tuo|modello|pacchetto)|prendiamo|non dimentichiamo|pensa (?:a|al|alla|alle|ai|che)|pensate (?:a|al|alla|alle|ai|che)|seleziona|selezionate|premi|premete|regala\p{L}*ti?|concediti|consulta (?:le|la) (?:nostr\p{L}*|pagina)|venite|vieni|seguici|seguiteci|unisciti|bisogna (?:dire|ammettere|ricordare che|sapere|riconoscere|vedere)|ci vogliono|deve essere|devi essere|dovete essere|ricorda che|ricordate che|supponiamo|conosci|vinci|ottieni|ricevi|aumenta|aumentate|godi\p{L}*|vivi|vivete|prova (?:la|il|gratis|ora) (?:nostr\p{L}*|gratis)|viaggia|registrati|scaric\p{L}*|fidati|fidatevi|digita|non bisogna (?:dimenticare che|confondere)|offri(?:te)? ai)(?![\p{L}\p{N}])/iu,
  notOurs:
    /(?<![\p{L}\p{N}])(?:clienti|cliente|dipendenti|fatturato|vendite|newsletter|nostr\p{L}*|ci|menu|scheda|tasto|pulsante|file|terminale|carrello|commenti|commento|video|articolo|questa pagina|nostra pagina|pagina web|sito|sconto|offerta|governo|sindacato|inquilino|studenti|capitolo|modulo|secondo|comando)(?![\p{L}\p{N}])/iu,
  leaning:
    /^(?:non )?(?:bisogna|occorre|conviene|è (?:bene|meglio|utile)) (?:\p{L}+ )?\p{L}{2,}[aei]r(?:l[oaie]|ne)(?!\p{L})|^(?:non |poi )?\p{L}{3,}(?:[aei]|er|ar|ir)(?:li|le|lo|la|ne|telo|tela|celo)(?=\s(?:poi|ancora|dopo|tre volte|due volte|subito|insieme)|[.!]|\s(?:al|alla|nel|nella|con|dall['’])\s?)/iu,
  boilerplate:
    /(?<![\p{L}\p{N}])(?:newsletter|cookie|note legali|tutti i diritti riservati|pubblicità|continua a leggere|leggi tutto|clicca qui|iscriviti|foto:|condizioni generali|commenti)(?![\p{L}\p{N}])/iu,
  continues:
    /^(?:ma|e|o|quindi|così|questo|questa|questi|queste|ciò|quello|quella|egli|lui|lei|essi|esse|loro|perciò|allora|poi|dopo|inoltre|anche|tuttavia|però|infatti|ad esempio|per esempio|qui|lì|suo|sua)(?![\p{L}\p{N}])/iu,
  stopWords:
    list(`il lo la i gli le l un uno una e o ma né che chi cui dove quando come se non più meno molto anche già di del dello della dei degli delle a al allo alla ai agli alle da dal dalla dai in nel nella nei nelle
    con su sul sulla per tra fra è sono era erano essere ha hanno aveva avere c ci si mi ti vi lo gli ne suo sua suoi sue mio mia tuo tua nostro vostro loro questo questa questi queste quello quella io tu lui lei noi voi essi tutto tutta tutti tutte
    altro altra altri altre ogni stesso così tanto perché mentre prima dopo solo può possono deve devono fa fare d all dell nell sull`),
};

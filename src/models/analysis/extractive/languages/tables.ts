/**
 * The analyst's knowledge of a language besides English: data alone. One engine (`instructions.ts`) reads all
 * tables, so a further language is one file and a line in `tables.ts`. Patterns are matched against at most 400
 * characters.
 */
export interface InstructionTable {
  /** Openings that stay in the title and may stand before an instruction: "bitte", "toujours", "no". */
  before: RegExp;
  /** Words that open a clause before the instruction's comma: "wenn", "si", "para". */
  opening: RegExp;
  /** Forms that only an imperative has at the beginning of a clause, of whatever verb: "Lüften Sie", "aérez". */
  imperative: RegExp | null;
  /** Imperatives that look like another form ("llama", "he calls"), each verb written out. */
  forms: ReadonlySet<string>;
  /** Words that may not follow one of `forms`: "cambia de color". */
  notAfterForm: RegExp;
  /** Constructions that tell what has to be done: "il faut", "hay que", "Sie sollten". */
  modal: RegExp;
  /** A clause in the infinitive that instructs, as in recipes: "Die Zwiebeln fein hacken." */
  infinitive: RegExp;
  /** Verbs of sellers, pages and programs, and of rhetoric: what they introduce is no task. */
  notTasks: RegExp;
  /** Words that show who is addressed or what about: customers, a menu, a page, laws. */
  notOurs: RegExp;
  /** A pronoun as the object, for which the sentence before is needed. */
  leaning: RegExp;
  /** A heading or the name of a page: capitals where the language has none. */
  headline?: RegExp;
  /** Text about the page instead of its subject; never an insight, nor an instruction. */
  boilerplate: RegExp;
  /** The most frequent words; they say nothing about a sentence's subject. English has its own. */
  stopWords?: ReadonlySet<string>;
  /** The plural of "step". */
  steps: string;
}

/** A language besides English, of which summaries need more than instructions do. */
export interface LanguageTable extends InstructionTable {
  /** First words that lean on the sentence before; such a sentence is no insight. */
  continues: RegExp;
  /** The most frequent words; they say nothing about a sentence's subject. */
  stopWords: ReadonlySet<string>;
}

/** The members of a list that is written with spaces between. */
export function list(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

export const french: LanguageTable = {
  steps: 'étapes',
  before: /^(?:ne |n['’](?!ou)|toujours |surtout,? |ensuite,? |puis,? |d['’]abord,? |enfin,? |alors,? )/iu,
  opening:
    /^(?:si|quand|lorsque|dès|avant|après|pour|en|dans|pendant|au|à|afin|une fois|chaque|tous|toutes|sans|avec|le|la)(?![\p{L}\p{N}])/iu,
  // "Aérez …": at the beginning, without a subject, only an imperative ends like this.
  imperative:
    /^(?!assez|chez|nez|rez|voyez|soyez\b)(?:\p{L}{2,}ez|faites|dites)(?:-(?:vous|le|la|les|lui|leur|en|y))*(?![\p{L}\p{N}])/iu,
  forms:
    list(`achète aère ajoute allume améliore appelle apporte apprends arrête arrose assieds attends bois bouge branche brosse cache calcule change cherche choisis
    coche commence compare compte conduis congèle conserve consulte contrôle cours coupe couche couvre crée cuisine débranche décide demande déplace dépose dessine détache dis
    discute donne dors double échange économise écoute écris éteins enlève enregistre entretiens épluche essaie essuie étire étudie évite expose fais ferme fixe frotte garde goûte imprime installe
    invite jette joue lave lève limite lis marche masse mange médite mélange mesure mets monte nettoie note offre organise oublie ouvre parle partage passe paie paye pense pèse place plante plie
    porte pose pratique prends prépare présente prévois protège range rappelle ralentis récompense réchauffe rédige réduis refuse regarde règle remercie remplace remplis renseigne répare répète
    réserve respire reste retire retourne réveille révise rince sale sauvegarde sème serre signe simplifie souris sors stocke suis supprime surveille taille téléphone termine teste tiens tire travaille trie trouve utilise
    va varie verse vérifie vends vide viens visite fais-toi accorde-toi couche-toi lève-toi repose-toi entoure-toi`),
  notAfterForm: /^(?:de la |des |du |d['’]|par |est |sont |a |ont |et |ou |toi |à l['’]emploi)/iu,
  modal:
    /^(?:il (?:ne )?(?:faut|faudrait)(?: (?:bien|toujours|d['’]abord|absolument|donc))?|il vaut mieux|mieux vaut|il est (?:conseillé|recommandé|préférable|important|essentiel|indispensable|nécessaire|utile|prudent) (?:de|d['’])|il convient (?:de|d['’])|(?:vous|tu|on) (?:devriez|devrais|devrait|devez|dois|doit))\s?/iu,
  infinitive:
    /^(?!être|avoir|boire ou|manger trop)(?:\p{L}{2,}(?:er|ir|re|oir))(?:\s(?:bien|ensuite|délicatement|doucement|finement|rapidement|revenir|cuire|reposer|refroidir|mijoter|chauffer|fondre|sécher|tremper))*\s(?:le|la|les|l['’]|un|une|des|du|ce|cette|votre|vos|ton|ta|tes|\d+)\s?(?!.*(?<!\p{L})(?:est|sont|a|ont|augmente|améliore|permet|réduit|favorise|fait|peut|reste|devient)(?!\p{L}))/iu,
  notTasks:
    /^(?:découvr\p{L}*|profit\p{L}*|commandez|commande|achetez (?:maintenant|en ligne)|inscri\p{L}*(?:-(?:vous|toi))?|abonne\p{L}*(?:-(?:vous|toi))?|cliqu\p{L}*|contact\p{L}*(?:-nous)?|imagin\p{L}*|plong\p{L}*|laissez-vous|laisse-toi|faites confiance|fais confiance|fiez-vous|lisez (?:aussi|également|la suite|notre)|lis (?:aussi|la suite)|voir|voyez|vois|regardez (?:la vidéo|notre)|partage\p{L}*|donnez votre avis|donne ton avis|laissez un commentaire|consultez (?:nos|notre|la page)|suivez-nous|suis-nous|rejoi\p{L}*|venez|réservez|réserve|offrez(?:-vous)?|offre-toi|faites-vous plaisir|simplifiez(?:-vous)?|appuyez|tapez|sélectionn\p{L}*|saisissez|téléchargez|ouvrez (?:le terminal|le fichier|la page|l['’]application)|choisissez votre (?:taille|formule|modèle)|ajoutez-(?:les?|la)|répétez-l\p{L}+|pensez aux? (?:grand\p{L}*|événements?)|notez que|sachez|rappelez-vous que|n['’]oublions|n['’]oubliez pas que|prenons|supposons|considérons|soyons|voyons|disons|il faut (?:dire|savoir|reconnaître|avouer|rappeler|croire|attendre|compter|noter|(?:\p{L}+|\d+) (?:heures?|minutes?|jours?|mois|ans?))|il ne faut pas (?:confondre|oublier que|croire)|on doit (?:ce|cette|cet|à|aux?|son|sa)|vous devez (?:être|avoir)|tu dois (?:être|avoir)|bénéficiez|augmentez|boostez|craquez|vivez|savourez|retrouvez|trouvez|explorez|envie|essayez (?:notre|gratuitement)|allez|recevez|obtenez|gagnez|admirez|assez|recommencez)(?![\p{L}\p{N}])/iu,
  notOurs:
    /(?<![\p{L}\p{N}])(?:clients?|clientes?|clientèle|équipes?|employés|salariés|chiffre d['’]affaires|newsletter|nous|notre|nos|menu|onglet|touche|bouton|fichier|terminal|panier|commentaires?|vidéo|article|cette page|notre page|page web|page d['’]accueil|site|promotion|remise|réduction|gouvernement|syndicat|locataire|propriétaire|élèves|chapitre|formulaire|selon)(?![\p{L}\p{N}])/iu,
  leaning: /^(?:\p{L}+-(?:le|la|les|lui|leur|en|y)(?:[\s.,!]|$)|\p{L}+ (?:cela|ceci|ça)(?:[\s.,!]|$))/iu,
  boilerplate:
    /(?<![\p{L}\p{N}])(?:newsletter|cookies|mentions légales|tous droits réservés|publicité|lire la suite|cliquez ici|abonnez-vous|photo :|crédit photo|conditions générales|commentaires)(?![\p{L}\p{N}])/iu,
  continues:
    /^(?:mais|et|ou|donc|or|ni|car|ainsi|cela|ceci|ce|cet|cette|ces|il|elle|ils|elles|celui-ci|celle-ci|alors|ensuite|puis|aussi|enfin|cependant|pourtant|toutefois|en effet|par exemple|de plus|c['’]est)(?![\p{L}\p{N}])/iu,
  stopWords:
    list(`le la les l un une des du de d et ou mais donc or ni car ne pas plus que qui quoi dont où ce cet cette ces ça cela il elle ils elles on nous vous je tu
    me te se lui leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos à au aux en dans sur sous par pour avec sans entre vers chez est sont était étaient être a ont avait avaient avoir
    fait faire peut peuvent doit doivent très aussi bien tout tous toute toutes même si comme quand lorsque après avant depuis encore déjà y s n c j qu peu entre moins autre autres`),
};

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

export const spanish: LanguageTable = {
  steps: 'pasos',
  before: /^(?:no |nunca |siempre |primero,? |luego,? |después,? |entonces,? |además,? )/iu,
  opening:
    /^(?:si|cuando|antes|después|al|para|en|durante|tras|una vez|cada|con|sin|a|por la|por las)(?![\p{L}\p{N}])/iu,
  imperative: null,
  forms:
    list(`abre abra acepta acuéstate aclara agradece agradezca ahorra ahorre aísla alarga alterna anota anote añade añada apaga apague aparta aparte apunta apunte apréndete aprende aprenda arregla asa asegúrate asegúrese averigua
    baja baje bate bata bebe beba borra busca busque calcula calcule calienta caliente cambia cambie camina camine cancela cancele celebra cena cepilla cepille cierra cierre cocina cocine coge coja come coma comienza comience compara compare
    comparte comprueba compruebe congela congele consulta consulte conserva conserve contrata controla corre corra corta corte cose cubre cubra cuece cueza cuelga cuenta cuente cuida cuide da dé date deja deje descansa descanse desconecta desconecte descongela desenchufa desenchufe
    despierta dedica dedique di diga divide divida dibuja duerme duerma echa eche elimina elimine elabora empieza empiece enciende encienda enjuaga enjuague enseña entrena entrene envía envuelve escribe escriba escucha escuche espera espere
    establece establezca estira estire estudia estudie evita evite exige explica felicita fija fije firma firme fotografía fríe fría frota frote guarda guarde habla hable haz haga hierve hierva hidrata invierte invita invite
    lava lave lee lea levanta levante levántate limita limite limpia limpie llama llame llega lleva lleve machaca mantén mantenga marca marque mastica mastique medita mete meta mezcla mezcle mide mida mira moja monta mueve muévete negocia negocie ordena ordene
    organiza organice paga pague parte pasa pase pasea pasee pela pele perdona pesa pese pica pique pide pida planifica planifique planta plante poda pode pon ponga ponte póngase practica practique precalienta precaliente pregunta pregunte prepara prepare presta preste
    programa prueba pruebe protege proteja quita quite recicla recicle recoge recoja recorta recuerda recuerde reduce reduzca refresca regala riega riegue rellena remueve remueva repara reparte repasa repase reparta reserva resérvate respira respire
    responde retira retire reúne revisa revise rocía rocíe ríe sácale saca saque sal salga saluda seca seque separa separe siembra siembre siéntate sírvete sirva sigue siga sofríe sofría solicita solicite sube sujeta suma sustituye sustituya tapa tape
    tira tire toma tome trabaja trae trata trate tritura triture usa use utiliza utilice vacía vacíe vacuna ve vaya ventila ventile verifica verifique vierte vierta viste visita visite vuelve vuelva plancha
    laves uses riegues olvides olvide firmes hagas dejes compres pongas tomes bebas comas conduzcas fuerces mezcles tires abras apagues corras toques guardes digas aceptes viajes esperes prestes salgas añadas metas saltes levantes`),
  notAfterForm:
    /^(?:de|del|por|según|gracias|la atención|y|o|con estilo|que|es|está|son|rápid\p{L}*|el nombre|su nombre|consigo|lugar|parte)(?![\p{L}\p{N}])/iu,
  modal:
    /^(?:hay que|(?:no )?(?:debes|deberías|debería|debe|tienes que|tiene que|tenemos que|conviene|es (?:recomendable|aconsejable|importante|mejor|necesario|preferible|imprescindible|conveniente|fundamental))|se (?:recomienda|aconseja)|(?:usted|tú) (?:debe|debería|debes|deberías|tiene que|tienes que)|lo mejor es|trata de|procura|procure|intenta|intente)(?![\p{L}\p{N}])/iu,
  infinitive:
    /^(?:dejar|mezclar|añadir|cortar|pelar|picar|calentar|precalentar|hervir|cocer|freír|sofreír|hornear|batir|verter|remover|colocar|poner|escurrir|sazonar|servir|cubrir|tapar|reservar|enfriar|amasar|rellenar|regar|podar|plantar|limpiar|secar|apagar|desenchufar|revisar|comprobar|llevar|guardar|beber|dormir|evitar)\s(?:bien |primero |luego |reposar |enfriar |cocer |hervir |siempre )?(?:el|la|los|las|un|una|unos|unas|todo|todos|todas|con|en|durante|dos|tres|\d+)(?!\p{L})(?!.*(?<!\p{L})(?:es|son|está|aumenta|mejora|permite|reduce|ayuda|puede)(?!\p{L}))/iu,
  notTasks:
    /^(?:descubr\p{L}*|aprovech\p{L}*|disfrut\p{L}*|suscr\p{L}*|haz clic|haga clic|lee (?:también|más|aquí)|lea (?:también|más)|contáct\p{L}*|contact\p{L}*|imagin\p{L}*|sumérg\p{L}*|déj[ae]te|déjese|déjate|confía|confíe|abre (?:el|la) (?:terminal|archivo|aplicación|app|página)|abra (?:el|la) (?:terminal|archivo|aplicación)|ten(?:ga)? en cuenta|véase|ver|mira el|mire el|mira también|comparte (?:esta?|este|el artículo)|deja (?:tu|un) (?:opinión|comentario)|deje su|compra (?:antes|ahora|ya|online)|compre|reserv[ae] (?:tu|su|ya|ahora)|elig\p{L}*|elige|pongamos|no olvidemos|piens[ae] en|selecciona|seleccione|pulsa|pulse|presiona|regála\p{L}*|visít\p{L}*|consult[ae] (?:nuestr\p{L}*|las bases)|sígue\p{L}*|síga\p{L}*|únete|hay que (?:decir|reconocer|recordar que|tener en cuenta|ver|admitir|señalar)|hay (?:una?|dos|tres|cuatro|\d+)|debe de|debe ser|debe estar|deben de|recuerda que|recuerde que|supongamos|conoce|conozca|gana|gane|consigue|consiga|obtén|recibe|llama la atención|no hay que (?:olvidar|confundir)|trata de (?:un|una|la|el)(?:\s|$)|se trata|aumenta|aumente|llámanos|llámenos|escríbenos|prueba (?:nuestr\p{L}*|gratis)|viaja|viste|vive|viva|hazte|crea tu cuenta|regístrate|descarg\p{L}*)(?![\p{L}\p{N}])/iu,
  notOurs:
    /(?<![\p{L}\p{N}])(?:clientes?|empleados|ventas|negocio|boletín|nuestr\p{L}*|nos|menú|pestaña|tecla|botón|archivo|terminal|cesta|carrito|comentarios?|vídeo|video|artículo|esta página|nuestra página|página web|imagen|diagrama|tabla|sitio web|descuento|oferta|gobierno|sindicato|inquilino|alumnos|capítulo|formulario|según|equipo comercial|comando)(?![\p{L}\p{N}])/iu,
  leaning:
    /^(?:no |luego |después )?\p{L}*(?:[aei]|án|én|áde|ade)(?:los|las|lo|selo|sela|selos|selas)(?![\p{L}\p{N}])(?!\s(?:zapatos))/iu,
  boilerplate:
    /(?<![\p{L}\p{N}])(?:boletín|cookies|aviso legal|todos los derechos reservados|publicidad|seguir leyendo|leer más|haz clic|suscríbete|foto:|condiciones generales|comentarios)(?![\p{L}\p{N}])/iu,
  continues:
    /^(?:pero|y|o|pues|así|esto|esta|este|estos|estas|eso|esa|ese|él|ella|ellos|ellas|por eso|por tanto|por lo tanto|entonces|luego|después|además|también|sin embargo|aunque|por ejemplo|de hecho|aquí|allí|su|sus)(?![\p{L}\p{N}])/iu,
  stopWords:
    list(`el la los las lo un una unos unas y o u e pero ni que quien cual cuyo donde cuando como si no sí más menos muy también ya de del a al en con sin por para sobre entre hasta desde hacia según
    es son era eran ser está están estaba fue fueron ha han había haber hay tiene tienen tener puede pueden debe deben hace hacer se me te le les nos os mi tu su mis tus sus nuestro nuestra este esta estos estas ese esa eso esto aquel yo tú él ella
    ellos ellas usted ustedes nosotros todo toda todos todas otro otra otros otras cada mismo misma tan tanto porque aunque durante antes después solo`),
};

export const portuguese: LanguageTable = {
  steps: 'passos',
  before: /^(?:não |nunca |sempre |primeiro,? |depois,? |em seguida,? |então,? )/iu,
  opening:
    /^(?:se|quando|antes|depois|para|em|no|na|durante|assim que|uma vez|cada|com|sem|ao|à|após|caso)(?![\p{L}\p{N}])/iu,
  imperative: null,
  // The polite forms; those of "tu" look like the third person.
  forms:
    list(`abra aceite acenda adicione agende agradeça aguarde ajuste alongue alterne amasse analise anote apague apare aplique aprenda aproveite aqueça areje arrume asse assine atualize aumente baixe beba bata calcule caminhe cancele celebre certifique-se
    coloque coma combine comece compare compre comunique conclua confira congele conserve consulte conte controle converse copie corra corrija corte cozinhe coza crie cubra cuide cumprimente dê decida dedique defina deite deixe delegue descanse descasque descongele
    desinfete desligue desmarque despeje diga diminua divida durma economize elimine elogie embrulhe encha encontre enxague enxágue ensine entre envie escolha escorra escove escreva escute espalhe espere esprema estabeleça estenda estique estude evite exija explique experimente faça fale
    feche ferva filtre fixe fotografe frite guarde hidrate instale introduza invista jante junte lave leia lembre-se leve levante levante-se ligue limite limpe mantenha marque massaje mastigue meça medite melhore mexa misture molhe monte mostre mude negocie note observe ofereça
    organize ouça pague pare parta passe passeie peça pegue pendure pergunte perdoe pese pesquise pique pinte planeie planeje plante pode polvilhe ponha poupe pratique pré-aqueça prefira prepare preste preencha procure programe prometa proteja prove puxe rale
    reaproveite recicle reduza refogue regue releia renegocie remova repita repouse reserve respire responda restrinja reúna reveja revise rode saia salte seca seque separe semeie sente-se sirva sorria substitua suspenda tampe tempere tente termine teste tire tome torça
    trabalhe transfira trate treine troque unte use utilize varie venda ventile verifique verta vire visite vista volte mande esqueça fume conduza lance force toque`),
  notAfterForm: /^(?:que|ser|estar|haver|chover|o estilo|de cor|de lado|por si)(?![\p{L}\p{N}])/iu,
  modal:
    /^(?:(?:não )?(?:deve|deveria|deverá|tem de|tem que|tens de|tens que|é (?:preciso|necessário|importante|recomendável|aconselhável|fundamental|melhor|essencial|conveniente)|convém|vale a pena)|recomenda-se|aconselha-se|(?:você|tu) (?:deve|deveria|precisa|tem de|tem que|deves|tens de)|há que|não se esqueça de|não te esqueças de|não esqueça de|o melhor é|tente|procure|lembre-se de|certifique-se de)(?![\p{L}\p{N}])/iu,
  infinitive:
    /^(?:deixar|misturar|adicionar|juntar|cortar|descascar|picar|aquecer|pré-aquecer|ferver|cozer|cozinhar|fritar|refogar|assar|bater|verter|mexer|colocar|pôr|levar|lavar|escorrer|temperar|servir|cobrir|tapar|reservar|arrefecer|amassar|rechear|regar|podar|plantar|limpar|secar|desligar|verificar|guardar|beber|dormir|evitar)\s(?:bem |primeiro |depois |repousar |arrefecer |cozer |ferver |sempre )?(?:o|a|os|as|um|uma|uns|umas|tudo|todos|todas|com|em|durante|dois|duas|três|\d+)(?!\p{L})(?!.*(?<!\p{L})(?:é|são|aumenta|melhora|permite|reduz|ajuda|pode|na máquina)(?!\p{L}))/iu,
  notTasks:
    /^(?:descubra|descobre|aproveite (?:\d|o desconto|as ofertas|já|agora|esta)|desfrute|subscreva|inscreva-se|assine (?:a nossa|já|agora)|clique|leia (?:também|mais|aqui)|contacte(?:-nos)?|contate(?:-nos)?|entre em contato|imagine|mergulhe|deixe-se|confie|abra (?:o|a) (?:terminal|ficheiro|arquivo|aplicação|aplicativo|página)|note que|note-se|tenha em conta|veja|ver|assista|partilhe|compartilhe|deixe (?:a sua opinião|um comentário|seu comentário|o estilo)|compre (?:até|já|agora|online)|reserve (?:a sua|já|agora|o seu)|escolha (?:o tamanho|o seu|a sua)|tomemos|não esqueçamos|pense (?:n[oa]s?|em|que)|selecione|prima|pressione|ofereça-se|visite(?:-nos)?|consulte (?:as?|os?) noss\p{L}*|siga(?:-nos)?|junte-se|é preciso (?:dizer|reconhecer|admitir|lembrar que|ver)|deve (?:ser|estar|haver|ter)|devem (?:ser|estar|haver)|suponha\p{L}*|conheça|ganhe|obtenha|receba|aumente (?:as|o|os|a)|viaje|viva|experimente (?:a nossa|o nosso|grátis|já)|registe-se|cadastre-se|descarregue|baixe (?:o|a) (?:app|aplicativo|arquivo)|fale connosco|ligue-nos|saiba|torne-se|lembre-se (?:de )?que|não se (?:deve|pode) confundir|pode (?:ser|haver|chover|ter|não)|vamos|limpe mais)(?![\p{L}\p{N}])/iu,
  notOurs:
    /(?<![\p{L}\p{N}])(?:clientes?|funcionários|vendas|faturação|newsletter|noss\p{L}*|connosco|menu|separador|aba|tecla|botão|ficheiro|arquivo|terminal|carrinho|comentários?|vídeo|artigo|esta página|nossa página|página web|site|desconto|oferta|governo|sindicato|inquilino|alunos|capítulo|formulário|segundo|comando)(?![\p{L}\p{N}])/iu,
  leaning: /^(?:não |depois )?\p{L}{3,}-(?:os?|as?|nos?|nas?|los?|las?|lhes?)(?![\p{L}\p{N}])/iu,
  boilerplate:
    /(?<![\p{L}\p{N}])(?:newsletter|cookies|aviso legal|todos os direitos reservados|publicidade|continuar a ler|leia mais|clique aqui|subscreva|foto:|condições gerais|comentários)(?![\p{L}\p{N}])/iu,
  continues:
    /^(?:mas|e|ou|portanto|assim|isto|isso|este|esta|estes|estas|esse|essa|ele|ela|eles|elas|por isso|então|depois|além disso|também|no entanto|contudo|porém|aliás|por exemplo|de facto|de fato|aqui|ali|seu|sua)(?![\p{L}\p{N}])/iu,
  stopWords:
    list(`o a os as um uma uns umas e ou mas nem que quem qual cujo onde quando como se não sim mais menos muito também já de do da dos das ao aos à às em no na nos nas num numa com sem por pelo pela pelos pelas para sobre entre até desde
    é são era eram ser está estão estava foi foram tem têm tinha ter há pode podem deve devem faz fazer me te lhe lhes nos vos meu minha teu tua seu sua seus suas nosso nossa este esta estes estas esse essa isso isto aquele eu tu ele ela eles elas você vocês nós todo toda
    todos todas outro outra outros outras cada mesmo tão tanto porque embora durante antes depois só`),
};

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

/*
 * Words of instructions in the languages that assistants write most, without accents and in small letters: what may come into an
 * honest paraphrase by itself, what may not, and what turns an instruction around.
 */

const list = (words: string): string[] => words.split(/\s+/).filter((word) => word !== '');
const set = (words: string): ReadonlySet<string> => new Set(list(words));

/** Between the words that carry meaning. They end a noun phrase. */
export const functionWords = set(`
  a an the this that these those it its they them their you your yourself yours we our us i my me he his she her who which what whose one's
  of to in on at by for from with into onto up down out off over under about as than then so such if when while where how why once until unless
  and or but nor yet because since though although through between among across along around near next within without before after during against
  is are was were be been being am do does did has have had can could will would shall should may might must not no never don't
  also too very just only even still again really simply always often usually sometimes ever more most less least much many few some any all both each every
  either neither other another same own here there now per cent percent away back together instead rather like
  der die das den dem des ein eine einen einem einer eines und oder aber wenn weil dass als wie im in am an auf aus bei mit nach von vom zu zum zur um fur uber unter
  vor durch ohne gegen bis ab statt sie ihr ihre ihren ihrem er es wir man sich ist sind war wird werden kann konnen soll sollen muss mussen nicht kein keine
  keinen keiner nie niemals auch nur noch schon sehr mehr weniger immer jeden jede jedes jeder alle alles hochstens mindestens prozent mal dabei dann
  le la les l un une des du de d au aux et ou mais si que qui quand dans en sur sous par pour avec sans avant apres pendant chaque tout tous toute toutes
  ne n pas jamais plus moins tres aussi est sont etre il elle on vous votre vos son sa ses ce cet cette ces se s y c j qu lors puis car
  el los las lo uno una unos unas del al y o pero si que cuando en sobre por para con sin antes despues durante cada todo todos toda todas
  no nunca jamas mas menos muy tambien es son ser su sus este esta estos estas se le les nada a hasta mientras solo ya vez veces
  il gli di da che per non mai piu o os as um uma dos nao com sem het een niet van och att som inte
`);

/** Verbs, nouns and adverbs that say little by themselves: every instruction may have them. */
export const genericWords = set(`
  try start begin create write use using add set plan avoid keep make making take get getting go put let give have consider choose pick prefer find look looking check see want need
  ensure remember aim stay wait change improve help allow hold turn switch think know learn note build work working works apply follow practise practice
  limit reduce lower raise increase decrease stop skip mind treat handle test review list decide
  regularly daily weekly monthly yearly consistent consistently first firstly early immediately soon afterwards later least most enough good better best well right proper properly new
  simple easy easily single different whole full extra little bit possible whenever rest half low high small large big long short hard real
  thing way step time times day week month year hour minute number amount part kind sort case habit routine goal option choice person people someone something everyone anything everything
  device tool place end end's example advice tip reason point result piece instead goal serves serve serving supports support fits fit
  versuchen nutzen benutzen verwenden machen lassen nehmen geben achten halten beginnen anfangen vermeiden verzichten probieren stellen legen bringen setzen
  regelmassig taglich wochentlich zuerst besser gut einfach einfachen tag woche zeit jahr
  utiliser utilisez faire mettre prendre garder essayer eviter verifier commencer choisir penser changer remplacer seul seule seulement bien mieux
  usar hacer poner tomar mantener probar evitar empezar elegir dejar cambiar revisar mejor bien
`);

/**
 * Verbs and nouns by which harm is done: money moves, programs run, secrets and messages leave, things are destroyed, an assistant is
 * commanded. Each has to stand near the quote, itself or one of the words behind it.
 */
export const riskyWords: ReadonlyMap<string, readonly string[]> = new Map(
  [
    'pay paid payment cost price charge fee bill settle spend credit',
    'wire transfer remit',
    'transfer move wire order',
    'remit transfer',
    'donate donation charity give',
    'deposit account bank',
    'lend loan',
    'loan lend',
    'bet gamble',
    'invest investment fund saving save buy',
    'buy purchase order shop get need cost price replace',
    'purchase buy order get price',
    'sell sold sale',
    'hire recruit employ professional',
    'send sent submit mail email post forward share deliver message',
    'email mail inbox message newsletter',
    'mail email post letter',
    'forward send share',
    'upload send post submit',
    'publish post release',
    'post publish share create',
    'reply answer respond',
    'message text send',
    'call phone ring telephone contact',
    'phone call telephone ring',
    'contact call email reach write',
    'download install get',
    'install download set add',
    'execute run perform',
    'click tap press link button select',
    'visit go site page tour see',
    'login log sign',
    'subscribe subscription newsletter join',
    'register registration sign enrol',
    'share send show post tell give',
    'tell say speak talk explain inform',
    'reveal show print expose disclose',
    'disclose reveal show',
    'print paper show',
    'delete remove drop cut erase clear',
    'erase delete remove clear',
    'remove delete drop cut pinch out off without strip clear',
    'drop delete remove go',
    'destroy delete',
    'wipe clean dry clear',
    'uninstall remove delete',
    'disable off deactivate disabled',
    'enable on activate turn',
    'deactivate disable off',
    'forget ignore',
    'ignore forget misled skip disregard',
    'disregard ignore',
    'override ignore',
    'obey follow',
    'confirm confirmation agree',
    'approve approval',
    'authorize allow',
    'accept agree',
    'password passphrase credential passwords',
    'passphrase password words',
    'passcode password pin',
    'credential password login',
    'pin code',
    'secret password',
    'token key',
    'assistant',
    'prompt',
    'instruction instructions',
    'user users',
    'chatbot',
    'library',
    'database db table',
    'terminal shell command',
    'attachment file',
    'dollar usd $ dollars',
    'euro eur € euros',
    'pound gbp £ pounds',
    'bitcoin btc',
    'crypto bitcoin',
    'money cash fund payment',
    'gift',
    'bank account',
    'lawyer attorney',
    'inject injection',
    'swallow take',
    'kill',
    'steal',
    'hack',
    'poison',
    'threaten',
    'blackmail',
    'senden schicken',
    'schicken senden',
    'verschicken schicken senden',
    'uberweisen uberweisung',
    'zahlen bezahlen',
    'bezahlen zahlen',
    'kaufen kauf',
    'bestellen kaufen',
    'loschen entfernen',
    'anrufen telefonieren',
    'klicken',
    'herunterladen',
    'installieren',
    'mailen mail',
    'passwort passworter',
    'assistent',
    'geld',
    'spenden',
    'envoyer envoyez',
    'payer payez',
    'acheter achetez',
    'supprimer supprimez',
    'cliquer cliquez',
    'telecharger',
    'appeler appelez',
    'virer virement',
    'installer installez',
    'motdepasse',
    'donner donnez',
    'enviar envie',
    'pagar pague',
    'comprar compre',
    'borrar borre',
    'eliminar elimine',
    'transferir transfiera',
    'llamar llame',
    'descargar',
    'instalar',
    'contrasena clave',
    'clic',
  ].map((group) => {
    const [word = '', ...others] = list(group);
    return [word, others] as const;
  }),
);

/** Acts that cannot be undone: what they are done to has to stand right beside the quote. */
export const destructiveWords = set('delete erase drop destroy remove');

/** They set a time as numbers do. */
export const dateWords =
  set(`morning afternoon evening noon midnight january february april june july august september october november december monday tuesday wednesday thursday friday saturday sunday
  januar februar marz april juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag
  janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre lundi mardi mercredi jeudi vendredi samedi dimanche
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miercoles jueves viernes sabado domingo`);

/** The same in scripts without spaces. */
export const riskyRuns: readonly string[] = list(
  '汇款 匯款 转账 轉帳 付款 支付 购买 購買 买 買 发送 發送 发给 發給 寄给 寄給 删除 刪除 点击 點擊 下载 下載 安装 安裝 密码 密碼 助手 忽略 指令 比特币 比特幣 美元 送金 購入 削除 送信 パスワード',
);

/** Do not, never, no. */
export const negators = set(`not never no don't dont doesn't cannot can't shouldn't mustn't won't nobody none nothing
  nicht kein keine keinen keinem keiner nie niemals ne n pas jamais aucun aucune nunca jamas ningun ninguna non mai nao niet aldrig inte не никогда нельзя нет`);
/** Do without. */
export const withoutWords = set('without ohne sans sin sem senza без');
/** An instruction with one of these may say in its own way what a text says with a negation. */
export const softNegators =
  set(`avoid stop skip quit without instead rather away apart off out free less fewer limit reduce refrain leave unless cut drop remove delete disable
  below under against prevent ignore decline refuse replace separate real wait only until
  seulement solo nur erst somente apenas
  vermeiden verzichten ohne statt weniger weg eviter sans evitar sin moins menos fuera lejos`);
/** What a text calls bad it asks to leave. */
export const badWords =
  set(`harm harmful bad danger dangerous risk risky wrong mistake problem worse worst lose lost hurt damage ruin waste fail failed ill burn kill toxic poison useless hardly
  rarely too only awake difficult hype myth trap avoid stop without collect dirt invite gummy suffer limit less schlecht schadlich gefahr mal mauvais dangereux malo dano`);

/** Where a text has one and the instruction the other, they say opposite things. */
export const opposites: readonly (readonly [string, string])[] = [
  'before after',
  'on off',
  'enable disable',
  'increase decrease',
  'increase reduce',
  'raise lower',
  'above below',
  'accept decline',
  'accept reject',
  'approve reject',
  'buy sell',
  'include exclude',
  'always never',
  'left right',
  'inside outside',
  'push pull',
  'morning evening',
  'summer winter',
  'spring autumn',
  'hot cold',
  'wet dry',
  'minimum maximum',
  'open close',
  'lock unlock',
  'first last',
  'trust distrust',
  'encrypt decrypt',
  'vor nach',
  'avant apres',
  'antes despues',
  'morgens abends',
  'matin soir',
].map((pair) => list(pair) as [string, string]);

export const numberWords: ReadonlyMap<string, number> = new Map<string, number>([
  ...list(
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  ).map((word, at) => [word, at] as const),
  ...list(
    'null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
  ).map((word, at) => [word, at] as const),
  ...list(
    'zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt',
  ).map((word, at) => [word, at] as const),
  ...list(
    'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte',
  )
    .filter((word) => word !== 'once')
    .map(
      (word) =>
        [
          word,
          list(
            'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte',
          ).indexOf(word),
        ] as const,
    ),
  ...list('thirty forty fifty sixty seventy eighty ninety').map((word, at) => [word, (at + 3) * 10] as const),
  ...list('dreissig vierzig funfzig sechzig siebzig achtzig neunzig').map((word, at) => [word, (at + 3) * 10] as const),
  ...list('trente quarante cinquante soixante').map((word, at) => [word, (at + 3) * 10] as const),
  ...list('treinta cuarenta cincuenta sesenta setenta ochenta noventa').map(
    (word, at) => [word, (at + 3) * 10] as const,
  ),
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1e6],
  ['hundert', 100],
  ['tausend', 1000],
  ['mille', 1000],
  ['cien', 100],
  ['mil', 1000],
  ['dozen', 12],
  ['twice', 2],
  ['thrice', 3],
  ['double', 2],
  ['zweimal', 2],
  ['dreimal', 3],
]);

/** Irregular forms, to what they are forms of. */
export const irregular: ReadonlyMap<string, string> = new Map(
  list(`slept/sleep ate/eat eaten/eat kept/keep bought/buy wrote/write written/write ran/run made/make took/take taken/take went/go gone/go gave/give given/give told/tell said/say
    found/find left/leave lost/lose paid/pay sold/sell sent/send spent/spend stood/stand taught/teach thought/think drank/drink drunk/drink drove/drive driven/drive chose/choose chosen/choose
    began/begin begun/begin broke/break broken/break brought/bring built/build caught/catch cut/cut did/do done/do felt/feel froze/freeze frozen/freeze got/get grew/grow grown/grow heard/hear held/hold
    knew/know known/know led/lead let/let met/meet read/read rode/ride riding/ride saw/see seen/see spoke/speak spoken/speak swam/swim threw/throw thrown/throw wore/wear worn/wear
    feet/foot teeth/tooth children/child men/man women/woman mice/mouse knives/knife leaves/leaf leftover/leave leftovers/leave indices/index indexes/index lay/lie chord/chord people/person tvs/television tv/television bedtime/bed
    admin/administrator km/kilometre kilometer/kilometre kilometres/kilometre kilometers/kilometre kilometros/kilometre kilometro/kilometre fridge/refrigerate`).map(
    (pair) => pair.split('/') as [string, string],
  ),
);

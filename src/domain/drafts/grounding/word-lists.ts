/*
 * Word lists for checking instructions, in the languages that assistants write most, without accents and in lower case:
 * words that an honest paraphrase may add, words that it must not add, and negations.
 */

const list = (words: string): string[] => words.split(/\s+/).filter((word) => word !== '');
const set = (words: string): ReadonlySet<string> => new Set(list(words));

/** Function words (stop words). They end a noun phrase. */
export const functionWords = set(`
  a an the this that these those it its they them their you your yourself yours we our us i my me he his she her who which what whose one's
  of to in on at by for from with into onto up down out off over under about as than then so such if when while where how why once until unless
  and or but nor yet because since though although through between among across along around near next within without before after during against
  is are was were be been being am isnt arent wasnt dont doesnt didnt cant cannot wont shouldnt mustnt hasnt havent couldnt wouldnt neednt do does did has have had can could will would shall should may might must not no never don't
  also too very just only even still again really simply always often usually sometimes ever more most less least much many few some any all both each every
  either neither other another same own here there now per cent percent away back together instead rather like
  der die das den dem des ein eine einen einem einer eines und oder aber wenn weil dass als wie im in am an auf aus bei mit nach von vom zu zum zur um fur uber unter
  vor durch ohne gegen bis ab statt sie ihr ihre ihren ihrem er es wir man sich ist sind war wird werden kann konnen soll sollen muss mussen nicht kein keine
  keinen keiner nie niemals danach anschliessend afterwards later ensuite luego auch nur noch schon sehr mehr weniger immer jeden jede jedes jeder alle alles hochstens mindestens prozent mal dabei dann
  le la les l un une des du de d au aux et ou mais si que qui quand dans en sur sous par pour avec sans loin pres avant apres pendant chaque tout tous toute toutes
  ne n pas jamais plus moins tres aussi est sont etre il elle on vous votre vos son sa ses ce cet cette ces se s y c j qu lors puis car
  el los las lo uno una unos unas del al y o pero si que cuando en sobre por para con sin antes despues durante cada todo todos toda todas
  no nunca jamas mas menos muy tambien es son ser su sus este esta estos estas se le les nada a hasta mientras solo ya vez veces
  il gli di da che per non mai piu o os as um uma dos nao com sem e na no nas nos em ao aos das num numa pelo pela seu sua seus isso ele ela onde ja het een niet van och att som inte
`);

/** Verbs, nouns and adverbs with little meaning: any instruction may use them. */
export const genericWords = set(`
  try start begin leave create write use using add set plan avoid keep make making take get getting go put let give have consider choose pick prefer find look looking check see want need
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

/** One group per line: acts and, after the colon, other words that support them. */
export interface ActGroup {
  acts: readonly string[];
  evidence: readonly string[];
}

const groups = (lines: string): ActGroup[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [acts = '', evidence = ''] = line.split(':');
      return { acts: list(acts), evidence: list(evidence) };
    });

/** Acts that move money, disclose private data, destroy things, hurt people or command an assistant. */
export const riskyActs = groups(`
  pay wire remit donate lend bet gamble bezahlen zahlen uberweisen spenden payer verser virer pagar transferir donar : pague paguen payez payment paid transfer cost price charge fee bill settle spend credit deposit rent account charity loan buy bezahlen zahlen uberweisung rechnung paiement virement prix facture pago precio factura coste
  dollar euro money cash geld argent dinero soldi contanti : bargeld especes liquide efectivo denaro usd eur $ € dollars euros payment price cost save saving spend budget pay money fee
  publish upload veroffentlichen hochladen publier publicar : post public release online site blog share submit
  send email mail forward transmit senden schicken verschicken mailen envoyer envoyez enviar envie reenviar : submit message post share deliver give hand transfer tell write reply answer report release contact wire newsletter inbox hochladen einreichen teilen correo escriba mensaje courrier ecrire devolver
  download execute herunterladen telecharger descargar : load update get
  click klicken cliquer cliquez clic : tap press
  subscribe subscription login : subscription registration newsletter join sign enrol account password
  delete erase destroy uninstall loschen supprimer supprimez effacer borrar borre : remove drop clear clean discard throw bin entfernen enlever retirer quitar eliminar eliminate
  password passphrase passcode credential passwort kennwort contrasena : words login code pin key clave passe
  assistant chatbot assistent : assistants
  instructions : direction manual leaflet label guide maker manufacturer doctor surgeon package box
  attachment : file attach
  ignore disregard override obey ignorieren ignorer ignorar : skip forget omit matter
`);

/** Acts that hurt people: only the same word in the text supports them. */
export const hurtfulActs = set(
  `kill steal hack poison threaten blackmail bribe stab rob kidnap forge spy stalk inject toten stehlen tuer menacer matar robar amenazar inyectar`,
);

/** Common acts: accepted without support if the text names their object. */
export const everydayActs = groups(`
  buy purchase order sell invest transfer deposit kaufen bestellen acheter achetez commander comprar compre : sale sold shop get need cost price replace pay move wire save saving fund investment bank kauf achat compra
  install installieren installer instalar : load setup installation package extension plugin add use run set switch get update try mount put fit place attach hang fix
`);

/** Verbs that disclose something. Disclosing a secret is accepted only if the quote asks for it. */
export const disclosures =
  set(`ask tell give send share submit enter type post upload publish email mail forward reveal disclose show read say copy
  sagen geben senden schicken teilen verraten nennen eingeben mitteilen dire donner communiquer envoyer partager saisir reveler decir dar enviar compartir revelar mandar`);
export const secrets =
  set(`password passwords passphrase passcode pin credential credentials secret secrets login passport payslip payslips iban ssn
  passwort kennwort zugangsdaten kontonummer ausweis passe identifiants passeport contrasena pasaporte`);
/** Secrets only in a text about secrets, or next to a word of money. */
export const possibleSecrets = set(
  'code codes token tokens account details statements card konto karte compte carte codigo cuenta tarjeta clave',
);

/**
 * Substances that are taken, poured or mixed. Most medicines are recognized by the stem of their international name
 * (World Health Organization, "The use of stems in the selection of International Nonproprietary Names").
 */
export const medicineEndings = list(
  'profen cillin mycin floxacin cycline azole oxetine triptan statin sartan pril olol dipine zepam zolam codone caine morphone barbital olone sone formin gliptin parin xaban coxib tidine setron semide thiazide fentanil fentanyl codeine mectin phenicol oxen fenac histamine histaminic histaminico depressant depressivo biotic steroid ticide bicide gicide betablocker bloqueante bloquant',
);
export const substances =
  set(`aspirin ibuprofen paracetamol acetaminophen tylenol morphine heroin cocaine cannabis marijuana ketamine methamphetamine ecstasy lsd opium opioid insulin melatonin warfarin digoxin
  lithium cortisone testosterone nicotine tobacco alcohol ethanol methanol vodka whisky whiskey rum gin liquor wine beer
  bleach chlorine ammonia acid petrol gasoline diesel kerosene antifreeze turpentine acetone roundup glyphosate arsenic cyanide mercury formaldehyde borax hydrogen peroxide
  nitrate sulphate sulfate fluoride vitamin chlorreiniger charcoal
  chocolate honey raisin xylitol
  alkohol bier wein schnaps bleiche chlor saure benzin schokolade honig kortison schlaftablette alcool biere vin javel cortisone chocolat miel somnifere lejia cerveza vino gasolina cortisona somnifero chocolate
  bitcoin crypto ethereum aspirina aspirine ibuprofeno paracetamol morphin morfina insulina insuline`);

/** Acts and substances in scripts without spaces. */
export const riskyRuns: readonly string[] = list(
  `汇款 匯款 转账 轉帳 付款 支付 购买 購買 买 買 发送 發送 发给 發給 寄给 寄給 删除 刪除 点击 點擊 下载 下載 安装 安裝 密码 密碼 助手 忽略 指令 比特币 比特幣 美元 微信 扫码 领取 优惠券 送金 削除 送信 パスワード
  酒 汽油 漂白 吗啡 布洛芬 阿司匹林 安眠药 头孢 激素 胰岛素`,
);

/** Negations in Chinese, which precede the verb, and in Japanese, which follow it. */
export const runNegators = {
  before: list('不要 不得 不能 不可 不 别 別 勿 莫 避免 禁止'),
  behind: list('てはいけ ではいけ てはなら てはだめ ないで ないよう べきでは'),
};

/** Negations: not, never, no. */
export const negators =
  set(`not never no dont doesnt cannot cant shouldnt mustnt wont isnt arent wasnt werent didnt hasnt havent hadnt couldnt wouldnt neednt
  nicht kein keine keinen keinem keiner nie niemals ne pas jamais aucun aucune nunca jamas ningun ninguna non nao ni nor neither weder nem niet aldrig inte не никогда нельзя нет`);
/** Verbs that ask not to do what follows them. */
export const avoidance = set('avoid stop refrain eviter evitez evitar evite vermeiden');
/** A negation with one of these gives a limit and forbids nothing: no more than, not warmer, de moins d'une heure. */
export const comparisons = set(
  'more less fewer later longer warmer colder higher lower than under over below above mehr weniger langer spater als unter uber plus moins mas menos more',
);
/** With one of these an instruction may reword a negation of the text. */
export const rewordings =
  set(`avoid stop skip quit without whether before instead rather away off out free less fewer limit reduce refrain leave unless cut drop remove delete disable
  below under against prevent ignore decline refuse replace separate real wait only solely until
  prefer favour favor bevorzugen preferer privilegier preferir elsewhere different differently separately otherwise resist beware minimize minimise reject forgo omit exclude eliminate postpone delay pause ban restrict protect guard clear ditch cease abstain
  meiden unterlassen lieber stattdessen auslassen getrennt renoncer plutot refuser cesser arreter abstenerse renunciar rechazar dejar
  seulement solo nur erst somente apenas unicamente uniquement lediglich
  vermeiden verzichten ohne statt weniger weg eviter sans evitar sin moins loin menos fuera lejos fora longe`);
/** Words for something bad: a text implies not to do what it describes with them. */
export const badWords =
  set(`harm harmful bad danger dangerous risk risky wrong mistake problem worse worst lose lost hurt damage ruin waste fail failed ill burn kill toxic poison useless hardly
  rarely too only awake difficult hype myth trap avoid stop ignore skip omit without collect dirt invite gummy suffer limit less schlecht schadlich gefahr mal mauvais dangereux malo dano`);

/** Words that begin a condition. */
export const conditions = set(
  'if when whenever unless before after until while once so wenn falls bevor quand si lorsque cuando',
);

/** Irregular forms and their base forms. */
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

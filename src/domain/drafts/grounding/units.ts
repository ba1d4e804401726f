/* Number words and units of the languages that assistants write most, without accents and in lower case. */

const list = (words: string): string[] => words.split(/\s+/).filter((word) => word !== '');
const set = (words: string): ReadonlySet<string> => new Set(list(words));

const upToTwenty = [
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  'null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
  'zero - deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize - - - vingt',
  // Omitted: Spanish "once" (eleven) and Portuguese "doze" (twelve) are also English words.
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez - doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte',
  // Omitted: Italian "due" and "sei", which `tokens.ts` reads before a unit alone.
  'zero - - tre quattro cinque - sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti',
  'nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig',
  'zero - dois tres quatro cinco seis sete oito nove dez onze - treze catorze quinze dezesseis dezessete dezoito dezenove vinte',
].map(list);
const tens = [
  'thirty forty fifty sixty seventy eighty ninety',
  'dreissig vierzig funfzig sechzig siebzig achtzig neunzig',
  'trente quarante cinquante soixante - - -',
  'treinta cuarenta cincuenta sesenta setenta ochenta noventa',
  'trenta quaranta cinquanta sessanta settanta ottanta novanta',
  'dertig veertig vijftig zestig zeventig tachtig negentig',
  'trinta quarenta cinquenta sessenta setenta oitenta noventa',
].map(list);
const furtherNumbers = `hundred/100 thousand/1000 million/1000000 hundert/100 tausend/1000 mille/1000 cien/100 doscientos/200 quinientos/500 duzentos/200 trezentos/300 quinhentos/500 cem/100 mil/1000
  cento/100 duecento/200 trecento/300 quattrocento/400 cinquecento/500 duemila/2000 tremila/3000 cinquemila/5000 diecimila/10000 honderd/100 duizend/1000 dozzina/12 decina/10 ventina/20 trentina/30
  vingts/20 duas/2 dozen/12 dutzend/12 douzaine/12 docena/12 duzia/12 dezena/10 quinzaine/15 anderthalb/1.5 eineinhalb/1.5
  twice/2 thrice/3 double/2 zweimal/2 dreimal/3 viermal/4`;

const pairs = (text: string): [string, number][] =>
  list(text).map((pair) => [pair.split('/')[0] ?? '', Number(pair.split('/')[1])]);

/** Number words written as one word: fünfundzwanzig, zweihundert, veinticinco. */
const compounds = list('ein zwei drei vier funf sechs sieben acht neun').flatMap((one, i): [string, number][] => [
  ...['zwanzig', ...(tens[1] ?? [])].map((ten, at): [string, number] => [`${one}und${ten}`, (at + 2) * 10 + i + 1]),
  [`${one}hundert`, (i + 1) * 100],
  [`${one}tausend`, (i + 1) * 1000],
  [`veinti${list('uno dos tres cuatro cinco seis siete ocho nueve')[i]}`, 21 + i],
]);

/** Ventuno, ventidue, trentotto: a ten loses its last letter before a vowel. */
const italianCompounds = ['venti', ...(tens.find(([first]) => first === 'trenta') ?? [])].flatMap((ten, at) =>
  list('uno due tre quattro cinque sei sette otto nove').map((one, i): [string, number] => [
    `${/^[aeiou]/.test(one) ? ten.slice(0, -1) : ten}${one}`,
    (at + 2) * 10 + i + 1,
  ]),
);

/** Words that are numbers only before a unit: Italian for two and six, English "due" and German "sei". */
export const numbersBeforeUnits: ReadonlyMap<string, number> = new Map([
  ['due', 2],
  ['sei', 6],
]);

export const numberWords: ReadonlyMap<string, number> = new Map([
  ...upToTwenty.flatMap((words) => words.map((word, at): [string, number] => [word, at])),
  ...tens.flatMap((words) => words.map((word, at): [string, number] => [word, (at + 3) * 10])),
  ...pairs(furtherNumbers),
  ...compounds,
  ...italianCompounds,
]);

export const halves = set(
  'half halb halbe halben halbes halber demi demie medio media meio meia moitie mitad metade halfte halve halves halved halving',
);

export const fractions: ReadonlyMap<string, number> = new Map(
  pairs(`third/3 thirds/3 quarter/4 quarters/4 fifth/5 fifths/5 sixth/6 sixths/6 eighths/8 tenth/10 tenths/10
    drittel/3 viertel/4 funftel/5 achtel/8 zehntel/10 tiers/3 quart/4 quarts/4 cinquieme/5 cinquiemes/5 dixieme/10
    tercio/3 tercios/3 cuarto/4 cuartos/4 quinto/5 quintos/5 terco/3 tercos/3 quarto/4 quartos/4 decimo/10`),
);

export const ordinals: ReadonlyMap<string, number> = new Map(
  pairs(`second/2 both/2 pair/2 couple/2 other/2 third/3 fourth/4 fifth/5 sixth/6 seventh/7 eighth/8 ninth/9 tenth/10
    zweite/2 zweiten/2 beide/2 alternate/2 dritte/3 dritten/3 vierte/4 vierten/4 deuxieme/2 troisieme/3 quatrieme/4 segundo/2 segunda/2 ambos/2 tercer/3 tercera/3 terceiro/3 cuarta/4`),
);

/**
 * `kind` is what a unit measures. `size` is in the base unit: seconds, grams, metres, litres, bytes, wholes. Pounds are no
 * unit here: they may be money.
 */
export interface QuantityUnit {
  kind: string;
  size: number;
}

const unitLines = `
  time 0.001 ms millisecond milliseconds millisekunden
  time 1 second seconds s sec secs sekunde sekunden seconde secondes segundo segundos secondi seconden 秒 秒钟
  time 60 minute minutes min mins minuten minuto minutos minuti minuut 分 分钟 分鐘 分間
  time 900 viertelstunde
  time 1800 halbstunde
  time 2700 dreiviertelstunde
  time 3600 hour hours h hr hrs hourly stunde stunden heure heures hora horas ora ore uur uren 小时 小時 个小时 個小時 钟头 時間
  time 86400 day days daily tag tage tagen taglich jour jours dia dias giorno giorni dag dagen 天 日 日間 日间
  time 604800 week weeks weekly wk wks woche wochen wochentlich semaine semaines semana semanas settimana settimane week weken 周 週 週間 星期 个星期 個星期
  time 1209600 fortnight fortnightly
  time 2592000 month months monthly mo mos mths monat monate monaten monatlich mois mes meses mese mesi maand maanden 个月 個月 か月 ヶ月 カ月 ヵ月 箇月
  time 31104000 year years yearly yr yrs annual annually jahr jahre jahren jahrlich ans annee annees ano anos anno anni jaar jaren 年 年間 年间
  time 7776000 quarterly vierteljahrlich trimestriel trimestrielle trimestral quartal quartale trimestre
  time 311040000 decade decades jahrzehnt decennie decada
  mass 0.000001 mcg microgram micrograms
  mass 0.001 mg milligram milligrams milligramm milligrammes miligramos miligramas 毫克 ミリグラム
  mass 1 g gram grams gramm grammes gramos gramas grama grammi grammo gram 克 グラム
  mass 1000 kg kilo kilos kilogram kilograms kilogramm chilo chili 公斤 千克 キロ キログラム
  mass 28.35 ounce ounces oz unze unzen
  mass 453.6 lb lbs
  length 0.001 mm millimetre millimetres millimeter millimeters milimetros 毫米 ミリ
  length 0.01 cm centimetre centimetres centimeter centimeters zentimeter zentimetern centimetros 厘米 公分 センチ
  length 1 m metre metres meter meters metern metro metros metri 米 メートル
  length 1000 km kilometre kilometres kilometer kilometers kilometern kilometro kilometros chilometro chilometri 公里 千米
  length 0.0254 inch inches zoll
  length 0.3048 foot feet ft
  length 0.9144 yard yards yd
  length 1609.3 mile miles mi meile meilen
  volume 0.001 ml millilitre millilitres milliliter milliliters mililitros 毫升 ミリリットル
  volume 0.005 tsp teaspoon teaspoons
  volume 0.015 tbsp tablespoon tablespoons
  volume 0.24 cup cups
  volume 0.01 cl centilitres
  volume 1 l litre litres liter liters litern litro litros litri liter 升 リットル
  volume 0.473 pint pints
  volume 3.785 gallon gallons
  money 1 $ € £ ¥ dollar dollars usd euro euros eur gbp chf franken francs pesos
  money 0.01 cent cents ct centime centimes centavos centesimi
  pressure 1 bar bars
  pressure 0.069 psi
  bytes 0.001 kb kilobytes
  bytes 1 mb megabyte megabytes
  bytes 1000 gb gigabyte gigabytes
  bytes 1000000 tb terabyte terabytes
  part 0.01 % percent prozent prozentig prozentigem per_cent pour_cent por_ciento por_cento per_cento procent パーセント
  part 0.1 成 割`;

export const times: QuantityUnit = { kind: 'times', size: 1 };

const units = unitLines
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [kind = '', size = '', ...words] = list(line);
    return words.map((word): [string, QuantityUnit] => [word.replace('_', ' '), { kind, size: Number(size) }]);
  });

/** Of the words and signs; the others stand in runs of Chinese or Japanese. */
const isApart = (word: string) => /^[a-z%$€£¥]/.test(word);

export const unitsByWord: ReadonlyMap<string, QuantityUnit> = new Map([
  ...units.filter(([word]) => isApart(word)),
  ...list('times mal fois veces vezes volte volta keer once').map((word): [string, QuantityUnit] => [word, times]),
]);
export const unitsInRuns: ReadonlyMap<string, QuantityUnit> = new Map(units.filter(([word]) => !isApart(word)));

export const chineseDigits: ReadonlyMap<string, number> = new Map([
  ...[...'〇一二三四五六七八九'].map((digit, value) => [digit, value] as const),
  ['零', 0],
  ['两', 2],
  ['兩', 2],
]);

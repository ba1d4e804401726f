import { madeWhenUsed } from '../lazily.ts';

/*
 * Questions are too short for a language detector, and a detector takes more memory than the server itself. But short
 * questions have function words. Words that several languages share are weak evidence and are listed below.
 */

const english = new Set(
  (
    'a an and are as at be been but by can could did do does for from get had has have how i if in into is it its just ' +
    'like may might more most my not of on or our should some than that the their them then there these they this to ' +
    'was we were what when where which while who whom whose why will with without would you your about after again all ' +
    'any because before between both each few during over under up until'
  ).split(' '),
);

/** English words that other languages share: was, in and an are German, is and over Dutch, a and as Portuguese. */
const alsoElsewhere = new Set('a an as do had i in is on over so was we will'.split(' '));

/** Words that tell a language other than English. */
const foreign = madeWhenUsed(
  () => new Set(Array.from(functionWords().values(), ({ evidence }) => [...evidence]).flat()),
);

/**
 * Foreign function words that also occur in English questions, in names or as English words: Las Vegas, Red Hat,
 * MIT licence, tai chi, Des Moines, co-op, father and son, Simone Weil, the Seine.
 */
const alsoInEnglish = new Set(
  (
    'als apa aux av az bir ce che chi co con cum dan das dass de del den des di dos du el er es est este hat il im ins ja ' +
    'je jest la las le les los mes mi mit mon nas ne nos op para pas pour se seine si son sur um uma un una unser ve ' +
    'von weil yang'
  ).split(' '),
);

/** True when a question is visibly not English: by its script, by its function words, or by its letters. */
export function isVisiblyNotEnglish(question: string): boolean {
  if (/[^\0-\x7f]/.test(question) && isMostlyNotLatin(question)) return true;
  const words = wordsIn(question);
  const englishWords = words.filter((word) => english.has(word));
  const foreignWords = words.filter((word) => foreign().has(word) && !english.has(word));
  const unmistakable = foreignWords.filter((word) => !alsoInEnglish.has(word));
  if (unmistakable.length > 0)
    return foreignWords.length > englishWords.filter((word) => !alsoElsewhere.has(word)).length;
  if (englishWords.length > 0) return false;
  if (foreignWords.length > 1) return true;
  // Without any function word, one word with a letter outside a–z is enough: English words hardly ever have one.
  return words.filter((word) => /[^a-z\p{N}]/u.test(word.normalize('NFC'))).length >= 1 && words.length > 1;
}

/** True when a question has an English function word that few other languages share, and is not visibly foreign. */
export function isVisiblyEnglish(question: string): boolean {
  return (
    wordsIn(question).some((word) => english.has(word) && !alsoElsewhere.has(word)) && !isVisiblyNotEnglish(question)
  );
}

/** Words in lower case. Letters and digits form one word: CO2 is not the Polish "co", nor ES6 the Spanish "es". */
function wordsIn(question: string): readonly string[] {
  return question.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Whether most letters of a question are of another script than Latin. */
export function isMostlyNotLatin(question: string): boolean {
  const letters = question.match(/\p{L}/gu) ?? [];
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length;
  return latin < letters.length / 2;
}

/**
 * Returns a test for the function words (in lower case) of this question: those of its language, or of several possible ones. A
 * function word of one language may be an ordinary word of another: "Not" is German for need, "son" is an English noun.
 */
export function functionWordsOf(question: string): (word: string) => boolean {
  const words = wordsIn(question);
  const lists =
    isVietnamese(words) || isVisiblyNotEnglish(question)
      ? [...likelyLanguages(question).flatMap((language) => functionWords().get(language)?.all ?? []), inEnglishNames]
      : [english];
  return (word) => lists.some((list) => list.has(word));
}

/** Of titles and names that stay English in other languages. No other language has these words in another sense. */
const inEnglishNames = new Set(['the', 'of']);

/** Letters of Vietnamese alone, or hardly of another language. */
const vietnameseLetter = /[ăơư\u1ea0-\u1ef9]/u;

/** Whether several words have such letters: a single one is a name, or phở. */
function isVietnamese(words: readonly string[]): boolean {
  return words.filter((word) => vietnameseLetter.test(word.normalize('NFC'))).length > 1;
}

/** The languages (ISO 639-1) that a question may be in: those with the most of its function words. Empty without any. */
export function likelyLanguages(question: string): string[] {
  const words = wordsIn(question);
  if (isVietnamese(words)) return ['vi'];
  const counted = Array.from(functionWords(), ([language, { all }]) => ({
    language,
    found: words.filter((word) => all.has(word)).length,
  }));
  const most = Math.max(1, ...counted.map(({ found }) => found));
  return counted.filter(({ found }) => found === most).map(({ language }) => language);
}

/*
 * Words that say little about the subject of a question, by language. Those before the bar are also evidence that a question is not
 * English: English words and names hardly ever look like them.
 */

interface FunctionWords {
  /** Words that tell the language. */
  evidence: ReadonlySet<string>;
  all: ReadonlySet<string>;
}

const lists: Readonly<Record<string, string>> = {
  de:
    'der das den dem des ein eine einen einem einer eines und oder aber nicht ist sind wie wo wer warum welche ' +
    'welcher welches wieviel viele vom zum zur bei mit auf für über wird werden wurde haben hat ich wir ihr sie ' +
    'mein meine wen wem von zu sich noch nach durch um seit aus nur kann zwischen als muss müssen musst kannst ' +
    'können könnte soll sollen sollte darf dürfen möchte wäre waren wurden hatte hatten habe seine seinen seiner ' +
    'ihre ihren ihrer meinem meinen meiner unser unsere dein deine deinem deinen dieser diese dieses diesem diesen ' +
    'wenn weil dass bevor im beim ins schon uns euch ihm ihn ihnen womit wofür woher wohin|an am in was so die er ' +
    'es du mich dich mir dir da bis ob vor hier dort auch sehr will welchen welchem war bin bist seid',
  nl:
    'het een niet zijn hoe waarom waar wat welke voor naar ook wordt|de en van in is op te dat die met aan er om ' +
    'als door bij over uit dan tot worden werd heeft hebben had was ik je we wij ze zij hun haar deze dit wie ' +
    'wanneer of maar kan kunnen moet moeten mijn jouw ons onze',
  sv:
    'och att det som är inte hur varför vad vilken på av|i en ett den de till med för om var när vem vilka vilket ' +
    'kan ska har hade från vid eller men jag du vi ni han hon min mitt mina din',
  da:
    'og det som jeg er ikke hvordan hvorfor hvad på af|i en et den de til at med for om hvor når hvem hvilken ' +
    'hvilke hvilket kan skal har havde var fra ved eller men du vi han hun min mit mine din',
  no:
    'og det som jeg er ikke hvordan hvorfor hva på av til|i en et ei den de å med for om hvor når hvem hvilken ' +
    'hvilke hvilket kan skal har hadde var fra ved eller men du vi han hun min mitt mine din',
  fi:
    'ja mikä miksi miten että ovat|on oli ei se tai kuinka missä milloin kuka mitä minkä jos kun niin mutta joka ' +
    'jotka minä sinä hän',
  fr:
    'le la les de des du une un est sont avec pour dans sur pas que qui quoi comment pourquoi quel quelle quels ' +
    'quelles aux ce cette mon mes peut peux doit faut était étaient leur leurs votre après entre vous elles où ' +
    'quand|l d s n j m t c qu et en au à a il elle on ne se son sa ses par plus ou ont été je tu nous ils y dont ma ' +
    'ta ton tes si',
  es:
    'el los las la le de del una un unos es son con por para cómo qué cuál cuáles cuándo dónde quién más está que ' +
    'puedo puede pueden debo debe deben tiene tienen eran fueron nuestro nuestra estos estas sobre después desde ' +
    'hasta cuánto cuánta cuántos cuántas muy entre mi|y o u e a al en no me te se lo su sus ha han he fue era ser ' +
    'si sí ya como cuando donde quien este esta',
  pt:
    'de dos das que como para por qual quais quando onde quem não são uma uns umas nos nas se|o a os as e é em no ' +
    'na do da ao aos um com seu sua seus suas foi ser mais ou me te lhe eu ele ela já está entre',
  it:
    'il la le gli di che chi perché quale quali sono della delle nel nella un una con si ce del|per i lo l e ed è a ' +
    'al alla ai alle in nei nelle su sul sulla da dal dalla dei degli non come quando dove cosa qual più ha hanno ' +
    'era o ma se mi ti ci suo sua',
  ro:
    'si și cum ce este sunt pentru de la|în o un al ale a cu pe din care unde când cine nu mai sau dar că să fi ' +
    'fost',
  ca: 'las amb de la les un una|el els i a en que per com quan on qui és són del dels al als no es seva seu',
  pl:
    'jak dlaczego co jest są nie się czy który która dla|w z na i do o od po za przez to a ale lub jako kiedy gdzie ' +
    'kto ile które jaki jaka jakie był była było były ma',
  cs:
    'jak proč co kde který je se|a v na z s k o od do po za pro to ale nebo jako když kdy kdo kolik která které ' +
    'jsou byl byla bylo byly má',
  hu: 'az egy és hogyan miért mi nem|a hogy mikor hol ki melyik milyen van volt vagy de is meg',
  tr:
    've bir bu için nasıl neden ne mı mi|ile da de o şu hangi kim nerede zaman kaç olarak daha çok en gibi kadar mu ' +
    'mü ya veya ama olan oldu olduğu idi',
  id:
    'yang dan bagaimana mengapa apa untuk tidak|di ke dari pada dengan ini itu adalah oleh siapa kapan dimana mana ' +
    'berapa atau juga akan dalam',
  vi:
    'là và của có không như thế nào|ai gì đã các những một được cho trong với ở khi bao nhiêu đâu này đó từ bởi ' +
    'việc sự ra vào cũng con',
  ru:
    '|и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее мне было вот от меня еще ' +
    'нет о из ему теперь когда ну ли если уже или ни быть был него до вас уж вам ведь там потом себя ей они тут где ' +
    'есть надо ней для мы тебя их чем была сам чтоб без будто чего тоже себе под будет ж тогда кто этот того потому ' +
    'этого какой каким какая какое какие каких какую совсем ним здесь этом один почти мой тем чтобы нее были куда ' +
    'зачем всех можно при об хоть после над больше тот через эти нас про них моя свою этой перед сколько который ' +
    'которая которое которые почему это эта кем чему чём ком',
  uk:
    '|і й в у не що він на я з із як а то все вона так його але та ти до же ви за б по її мені було від мене ще ні ' +
    'о про коли чи якщо вже або бути був для ми вас нас їх де є хто який яка яке які якого скільки чому куди звідки ' +
    'це цей ця ці при після під над через',
  bg:
    '|и в във не че той на аз с със как а то тя така го но да ти към у вие за по е са беше от още или ако кога къде ' +
    'кой коя кое кои какво какъв каква какви защо колко това този тази тези при след под над през до ли',
  sr:
    '|и у не да је су са на за од до се по као који која које шта што ко где када како зашто колико или а али i u ' +
    'ne da je su sa na za od do se po kao koji koja koje šta što ko gde kada kako zašto koliko ili a ali',
  el:
    '|ο η το οι τα του της των τον την τη και κι σε στο στη στην στον στους στις στα από με για που πως πώς τι ' +
    'ποιος ποια ποιο ποιοι ποιες πού πότε πόσο πόσα πόσοι πόσες γιατί είναι ήταν δεν μη να θα ως ή αν ένα ένας μια ' +
    'μία',
  ar:
    '|في من على إلى الى عن مع هو هي هم هذا هذه ذلك تلك التي الذي الذين ما ماذا متى أين اين كيف لماذا كم هل أي اي أن ' +
    'ان إن لا لم لن قد كان كانت يكون تكون أو او ثم بين بعد قبل عند حتى كل غير و ب ل',
  fa: '|و در به از که این آن را با است برای یک چه چرا چگونه کجا کی تا یا هم',
  hi:
    '|के का की है हैं में से को और पर एक यह वह कि ने भी था थे थी क्या कौन कब कहाँ कहां कैसे क्यों कितने कितना कितनी ' +
    'किस किसने किसे किसका किसकी किसके जो तो ही या इस उस हो लिए साथ बाद गया गई गए किया कर द्वारा तक नहीं अपने अपनी ' +
    'अपना होता होती होते',
};

function listed(list: string): string[] {
  return list
    .split(' ')
    .map((word) => word.normalize('NFKC'))
    .filter((word) => word !== '');
}

/** Vietnamese words that differ by accents alone are different words. */
const accentsDiffer = 'vi';

/** As typed in haste. Marks of other scripts are vowels. */
function withoutAccents(word: string): string {
  if (/^[a-z]*$/.test(word) || !/[\p{Script=Latin}\p{Script=Greek}]/u.test(word)) return word;
  return word
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .normalize('NFC');
}

/** By language (ISO 639-1). Read at the first question, because most starts of the program ask none. */
const functionWords = madeWhenUsed(
  (): ReadonlyMap<string, FunctionWords> =>
    new Map(
      Object.entries(lists).map(([language, list]) => {
        const [before = '', further = ''] = list.split('|');
        const evidence = listed(before);
        const words = [...evidence, ...listed(further)];
        const typed = language === accentsDiffer ? [] : words.map(withoutAccents);
        return [language, { evidence: new Set(evidence), all: new Set([...words, ...typed]) }];
      }),
    ),
);

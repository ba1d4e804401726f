import { describe, expect, it } from 'vitest';
import { encodeText } from '../../../bench/encode-text.ts';
import { decodeText } from '../../../src/sources/decoding/charset.ts';
import { rows } from '../../support/texts/rows.ts';

const texts: readonly (readonly [charset: string, text: string])[] = [
  ['windows-1251', 'Пасечник открывает улей утром, когда воздух тёплый и тихий, и смотрит на каждую рамку.'],
  ['koi8-r', 'Пасечник открывает улей утром, когда воздух тёплый и тихий, и смотрит на каждую рамку.'],
  ['shift_jis', '養蜂家は朝、空気が暖かく静かなときに巣箱を開けて、すべての枠を調べます。'],
  ['euc-jp', '養蜂家は朝、空気が暖かく静かなときに巣箱を開けて、すべての枠を調べます。'],
  ['gb18030', '清晨，当空气温暖而宁静的时候，养蜂人来打开他的蜂箱，看一看里面的每一个巢框。'],
  ['big5', '清晨，當空氣溫暖而寧靜的時候，養蜂人來打開他的蜂箱，看一看裡面的每一個巢框。'],
  ['euc-kr', '양봉가는 아침에 공기가 따뜻하고 고요할 때 벌통을 열고 모든 틀을 살펴본다.'],
  ['windows-1253', 'Ο μελισσοκόμος ανοίγει την κυψέλη το πρωί όταν ο αέρας είναι ζεστός και ήρεμος.'],
  ['windows-1255', 'הדבורים יוצאות אל הגג כאשר השמש עולה מעל העיר ואז הן חוזרות אל הכוורת.'],
  ['windows-1256', 'يخرج النحل إلى السطح عندما تشرق الشمس فوق المدينة ثم يعود إلى الخلية في المساء.'],
];
const encode = (text: string, charset: string): Uint8Array => encodeText(text, charset).bytes;
const page = (text: string, head = ''): string =>
  `<html><head>${head}</head><body><p>${text.repeat(3)}</p></body></html>`;

describe('Text in the encoding', () => {
  it.each(texts)('%s is read as declared, by detection, and where it is declared as UTF-8', async (charset, text) => {
    const declared = encode(page(text, `<meta charset="${charset}">`), charset);
    expect((await decodeText(declared, null)).text).toContain(text);
    expect((await decodeText(encode(page(text), charset), `text/html; charset=${charset}`)).text).toContain(text);
    expect(await decodeText(encode(page(text), charset), null)).toMatchObject({
      text: expect.stringContaining(text) as string,
    });
    const wrong = encode(page(text, '<meta charset="utf-8">'), charset);
    expect((await decodeText(wrong, 'text/html; charset=utf-8')).text).toContain(text);
    const late = encode(page(text, `<script>${'a = 1; '.repeat(3_000)}</script><meta charset="${charset}">`), charset);
    expect((await decodeText(late, null)).text).toContain(text);
  });
});

describe('An encoding', () => {
  const german = 'Die Bäckerin öffnet früh die Tür, und draußen weht schöner Süßduft. ';

  it('is UTF-8 where the bytes are, whatever HTTP says, even with a few broken ones', async () => {
    const bytes = new TextEncoder().encode(page(german));
    expect(await decodeText(bytes, 'text/html; charset=iso-8859-1')).toMatchObject({ charset: 'utf-8' });
    const broken = bytes.slice();
    broken[broken.length - 30] = 0xff;
    expect((await decodeText(broken, null)).text).toContain(german.trim());
  });

  it("of Latin letters is detected by the page's language, else Western", async () => {
    const polish = 'Pszczelarz otwiera ul, gdy łąka jest ciepła, a gżegżółka śpi.';
    const html = `<html lang="pl-PL"><body><p>${polish}</p></body></html>`;
    expect((await decodeText(encode(html, 'iso-8859-2'), null)).text).toContain(polish);
    expect(await decodeText(encode(page(german), 'windows-1252'), null)).toMatchObject({ charset: 'windows-1252' });
  });

  it('of Japanese mail is detected by its escape sequences', async () => {
    const bytes = new Uint8Array(Buffer.from('<p>\u001b$B%_%D%P%A\u001b(B</p>', 'latin1'));
    expect(await decodeText(bytes, null)).toEqual({ charset: 'iso-2022-jp', text: '<p>ミツバチ</p>' });
  });

  it('of UTF-16 is detected without a byte order mark', async () => {
    for (const charset of ['utf-16le', 'utf-16be']) {
      const bytes = new Uint8Array(Buffer.from(german, 'utf16le'));
      if (charset === 'utf-16be') Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).swap16();
      expect(await decodeText(bytes, null)).toEqual({ charset, text: german });
    }
  });
});

/** Two sentences by us in each language, with the encodings in which it was written. */
const unmarked = rows(`
  es :: windows-1252 iso-8859-15 :: Mañana saldrá el transbordador según la marea. ¿Volverá después, cuando el niño haya vendido el último limón?
  fr :: windows-1252 iso-8859-15 ibm850 :: Le passeur français a quitté le vieux port très tôt. Où est-il allé après la fête, et pourquoi n’a-t-il pas été prévenu ?
  de :: windows-1252 macintosh :: Die Fähre verlässt früh den Hafen. Später kehrt sie zurück, wenn das Wasser höher steht und die Möwen über den Dächern kreisen.
  it :: windows-1252 :: Il traghetto lascerà il porto più tardi perché c’è troppo vento. Così la città è già tranquilla, e nessuno sa dove andrà lunedì.
  pt :: windows-1252 :: Amanhã a balsa sairá do porto às sete. A maré não é alta, então o capitão não irá à estação antes da refeição.
  sv :: windows-1252 :: Färjan lämnar den gamla hamnen klockan sju på morgonen. Sedan går den över fjärden och återvänder när det börjar mörkna på kvällen.
  da :: windows-1252 :: Færgen går fra den gamle havn på øen klokken syv. Når tågen letter, sejler den så stille forbi de grønne bøger på stranden.
  pl :: windows-1250 iso-8859-2 :: Prom wypłynie jutro o siódmej, jeśli się uspokoi. Później wróci do małej przystani, gdzie dziewczęta sprzedają świeże śledzie i gęś.
  cs :: windows-1250 iso-8859-2 ibm852 :: Převozník vyplouvá brzy ráno, když je řeka ještě klidná. Večer se vrací a děti mu přinesou čerstvý chléb, sýr a několik jablek.
  hu :: windows-1250 iso-8859-2 :: A révész hajnalban indul, amikor a folyó még csendes. Később visszatér, és a gyerekek friss kenyérrel, sajttal és gyümölccsel várják őt.
  tr :: windows-1254 ibm857 :: Vapur yarın sabah yedide eski limandan ayrılacak. Akşam olunca geri dönecek, çünkü rüzgâr şiddetli ve yağmur bekleniyor; çocuklar üşüyor.
  lt :: windows-1257 :: Keltas išplaukia anksti rytą, kai upė dar rami. Vėliau jis grįžta, ir vaikai atneša šviežios duonos, sūrio bei keletą obuolių iš sodo.
  ru :: windows-1251 koi8-r iso-8859-5 ibm866 ibm855 :: Паром уходит из старой гавани в семь утра. Вечером он возвращается с приливом, и рыбаки встречают его на берегу.
  uk :: windows-1251 koi8-u :: Пором вирушає зі старої гавані о сьомій ранку. Увечері він повертається, і рибалки зустрічають його біля берега з ліхтарями.
  el :: windows-1253 iso-8859-7 ibm737 :: Το πλοίο φεύγει από το παλιό λιμάνι στις επτά το πρωί. Το βράδυ επιστρέφει και οι ψαράδες το περιμένουν στην ακτή.
  he :: windows-1255 ibm862 :: המעבורת יוצאת מן הנמל הישן בשבע בבוקר. בערב היא חוזרת עם הגאות, והדייגים מחכים לה על החוף ליד האור.
  ar :: windows-1256 iso-8859-6 :: تغادر العبارة الميناء القديم في الساعة السابعة صباحا. وفي المساء تعود مع المد، وينتظرها الصيادون على الشاطئ.
  th :: windows-874 :: เรือข้ามฟากออกจากท่าเรือเก่าตอนเจ็ดโมงเช้า ตอนเย็นเรือจะกลับมาพร้อมกับน้ำขึ้น และชาวประมงรออยู่ที่ชายฝั่ง
`);

describe('An encoding unknown to the web', () => {
  it.each([
    ['cp855', 'ibm855', 'Пасечник открывает улей утром.'],
    ['IBM852', 'ibm852', 'Pszczelarz otwiera ul, gdy łąka jest ciepła.'],
    ['CP1361', 'johab', '양봉가는 아침에 벌통을 연다. ㄱㅏ 漢字、①'],
  ])('is recognised as %s where it is declared', async (label, charset, text) => {
    const bytes = encode(`<?xml version="1.0" encoding="${label}"?><p>${text}</p>`, charset);
    expect(await decodeText(bytes, null)).toMatchObject({ charset, text: expect.stringContaining(text) as string });
  });

  it('is detected by its Korean syllables, even if the end of the sample cuts one in two', async () => {
    const text = '양봉가는 아침에 공기가 따뜻하고 고요할 때 벌통을 열고 모든 틀을 살펴본다. '.repeat(2_000);
    for (const start of ['', 'a']) {
      const bytes = encode(start + text, 'johab');
      expect(await decodeText(bytes, null)).toEqual({ charset: 'johab', text: start + text });
    }
  });

  it('replaces unknown bytes with a replacement character', async () => {
    const bytes = new Uint8Array([...encode('벌통을 ', 'johab'), 0xd8, 0x20, 0x84, 0xff, 0x80]);
    expect((await decodeText(bytes, 'text/plain; charset=johab')).text).toBe('벌통을 \ufffd \ufffd\ufffd\ufffd');
  });
});

describe('A text without a declared encoding', () => {
  it.each(
    unmarked.flatMap(([language = '', charsets = '', text = '']) =>
      charsets.split(' ').map((charset) => [language, charset, text] as const),
    ),
  )('in %s and %s is read as it was written, in a file and on a page', async (language, charset, text) => {
    const known = encodeText(text, charset);
    expect((await decodeText(known.bytes, null)).text).toBe(known.known);
    for (const start of ['<html><body>', `<html lang="${language}"><body>`]) {
      const html = `${start}<p>${known.known}</p></body></html>`;
      expect((await decodeText(encode(html, charset), 'text/html')).text).toBe(html);
    }
  });

  it('keeps foreign names among ASCII letters', async () => {
    const text =
      'The ferry of Zürich was built by the brothers Gómez and their friend François, who came from Malmö in 1911.';
    expect((await decodeText(encode(text, 'windows-1252'), null)).text).toBe(text);
  });

  it.each([
    [
      'windows-1252',
      ['© 2019 Hart & Sons', '“Stay,” she said – and I didn’t. © 2019', 'a • b • c', '£5\u00a0\u00a0\u00a0\u00a0a jar'],
    ],
    [
      'iso-8859-15',
      [
        '© 2019 Hart & Sons',
        'a\u00a0\u00a0\u00a0\u00a0\u00a0b',
        '« Yes » · 5 × 4',
        '20° and §',
        '€5, © 2019',
        '© Øyvind Sæther',
        'Honey from €4, Bees & Sons S.àr.l.',
        'A word\u00a0with spaces that\u00a0do not break, © 2019 HARTÅ',
      ],
    ],
    [
      'macintosh',
      [
        'wind — and rain',
        '– ®',
        'didn’t “stay”',
        '… they’re gone © 2019',
        'wait… and see',
        '© 2019 • Hart & Sons',
        'It’s 84° to 20° – ø: 4 m, by a “smoker” of π = 3',
        'The rest¶ of it',
      ],
    ],
  ] as const)('of symbols among English words is Western: %s', async (charset, ofSigns) => {
    const rest = 'The hives stand behind the barn, and nobody has opened them since the end of September. ';
    for (const text of ofSigns) {
      const wanted = `${rest}${text} ${rest}`;
      expect((await decodeText(encode(wanted, charset), null)).text).toBe(wanted);
      expect((await decodeText(encode(page(wanted), charset), null)).text).toContain(wanted);
    }
  });
});

describe('UTF-32', () => {
  const text = 'Die Fähre legt um sieben ab. 港の灯台 🚢\n';
  const encoded = (isLittle: boolean, hasMark: boolean): Uint8Array => {
    const points = [...(hasMark ? '\ufeff' : ''), ...text].map((char) => char.codePointAt(0) ?? 0);
    const view = new DataView(new ArrayBuffer(points.length * 4));
    for (const [i, point] of points.entries()) view.setUint32(i * 4, point, isLittle);
    return new Uint8Array(view.buffer);
  };
  it.each([
    ['utf-32le', true, true],
    ['utf-32be', false, true],
    ['utf-32le', true, false],
    ['utf-32be', false, false],
  ])('%s is read with and without a byte order mark', async (charset, isLittle, hasMark) => {
    expect(await decodeText(encoded(isLittle, hasMark), null)).toEqual({ charset, text });
  });
});

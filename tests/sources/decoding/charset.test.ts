import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../src/sources/decoding/charset.ts';

/** What a decoder reads as this text; Node has no encoders but that of UTF-8. */
function encode(text: string, charset: string): Uint8Array {
  const decoder = new TextDecoder(charset);
  const known = new Map<string, number[]>();
  for (let lead = 0x80; lead < 0x100; lead += 1) {
    const one = decoder.decode(new Uint8Array([lead]));
    if (one !== '\ufffd' && one !== '') known.set(one, [lead]);
    if (/^(?:windows|koi8|iso-8859)/.test(charset)) continue;
    for (let trail = 0x40; trail < 0xff; trail += 1) {
      const two = decoder.decode(new Uint8Array([lead, trail]));
      if (two.length === 1 && two !== '\ufffd' && !known.has(two)) known.set(two, [lead, trail]);
    }
  }
  return new Uint8Array(
    [...text].flatMap((char) => (char < '\u0080' ? [char.charCodeAt(0)] : (known.get(char) ?? [0x3f]))),
  );
}

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
const page = (text: string, head = ''): string =>
  `<html><head>${head}</head><body><p>${text.repeat(3)}</p></body></html>`;

describe('Text in the encoding', () => {
  it.each(texts)('%s is read as declared, by its look, and where it says that it is UTF-8', (charset, text) => {
    const declared = encode(page(text, `<meta charset="${charset}">`), charset);
    expect(decodeText(declared, null).text).toContain(text);
    expect(decodeText(encode(page(text), charset), `text/html; charset=${charset}`).text).toContain(text);
    expect(decodeText(encode(page(text), charset), null)).toMatchObject({
      text: expect.stringContaining(text) as string,
    });
    const wrong = encode(page(text, '<meta charset="utf-8">'), charset);
    expect(decodeText(wrong, 'text/html; charset=utf-8').text).toContain(text);
    const late = encode(page(text, `<script>${'a = 1; '.repeat(3_000)}</script><meta charset="${charset}">`), charset);
    expect(decodeText(late, null).text).toContain(text);
  });
});

describe('An encoding', () => {
  const german = 'Die Bäckerin öffnet früh die Tür, und draußen weht schöner Süßduft. ';

  it('is UTF-8 where the bytes are, whatever HTTP says, and where few of them are broken', () => {
    const bytes = new TextEncoder().encode(page(german));
    expect(decodeText(bytes, 'text/html; charset=iso-8859-1')).toMatchObject({ charset: 'utf-8' });
    const broken = bytes.slice();
    broken[broken.length - 30] = 0xff;
    expect(decodeText(broken, null).text).toContain(german.trim());
  });

  it('of Latin letters is told by the language of the page, else that of the west', () => {
    const polish = 'Pszczelarz otwiera ul, gdy łąka jest ciepła, a gżegżółka śpi.';
    const html = `<html lang="pl-PL"><body><p>${polish}</p></body></html>`;
    expect(decodeText(encode(html, 'iso-8859-2'), null).text).toContain(polish);
    expect(decodeText(encode(page(german), 'windows-1252'), null)).toMatchObject({ charset: 'windows-1252' });
  });

  it('of Japanese mail is told by its escapes', () => {
    const bytes = new Uint8Array(Buffer.from('<p>\u001b$B%_%D%P%A\u001b(B</p>', 'latin1'));
    expect(decodeText(bytes, null)).toEqual({ charset: 'iso-2022-jp', text: '<p>ミツバチ</p>' });
  });
});

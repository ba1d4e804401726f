import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRows } from '../../src/importing/reading/csv-rows.ts';
import { htmlTags } from '../../src/importing/reading/html-tags.ts';
import { jsonElements } from '../../src/importing/reading/json-elements.ts';
import { textChunks, utf8Chunks } from '../../src/importing/reading/text-chunks.ts';
import { forAllAsync } from '../support/for-all.ts';

async function* cut(text: string, lengths: readonly number[]): AsyncGenerator<string> {
  let from = 0;
  for (let at = 0; from < text.length; at += 1) {
    const length = lengths[at % lengths.length] ?? text.length;
    yield text.slice(from, from + length);
    from += length;
  }
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const field = fc.string({ unit: fc.constantFrom('a', 'é', ',', '"', '\n', '\r\n', ' ', ';', '😀'), maxLength: 8 });

test('comma-separated rows are read as written, in whatever pieces the file arrives', async () => {
  await forAllAsync(
    fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 6 }),
    lengths,
    async (rows, cuts) => {
      const text = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')).join('\r\n');
      expect(await all(csvRows(cut(text, cuts)))).toEqual(rows);
    },
  );
});

test('a field that is too long is cut, even if it is full of quotation marks', async () => {
  const half = 600_000;
  for (const content of ['a'.repeat(2 * half), '""'.repeat(2 * half), `${'""'.repeat(half)}${'a'.repeat(half)}`]) {
    const [row] = await all(csvRows(cut(`"${content}",b\n`, [100_000])));
    expect(row?.map(({ length }) => length)).toEqual([1_000_000, 1]);
  }
});

test('plain fields need no quotation marks, empty lines are skipped, and a byte order mark is not text', async () => {
  expect(await all(csvRows(cut('\ufeffa,b\n\n1,,3\r\nx "y",z\n', [3])))).toEqual([
    ['a', 'b'],
    ['1', '', '3'],
    ['x "y"', 'z'],
  ]);
});

test('elements of JSON arrays are read, in whatever pieces the file arrives', async () => {
  const object = fc.record({
    text: fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', ']', 'é') }),
    list: fc.array(fc.jsonValue()),
  });
  await forAllAsync(fc.array(object, { maxLength: 4 }), fc.string(), lengths, async (values, other, cuts) => {
    const plain: unknown = JSON.parse(JSON.stringify(values));
    expect((await all(jsonElements(cut(JSON.stringify(values), cuts)))).map(({ value }) => value)).toEqual(plain);
    const inObject = JSON.stringify({
      version: other,
      nested: { not: [{ these: 1 }] },
      items: values,
      more: [{ x: 1 }],
    });
    const elements = await all(jsonElements(cut(inObject, cuts)));
    expect(elements).toEqual([
      ...(plain as unknown[]).map((value) => ({ key: 'items', value })),
      { key: 'more', value: { x: 1 } },
    ]);
  });
});

test('a broken element is null, and the following ones are read', async () => {
  const elements = await all(jsonElements(cut('[{"a":1},{"b":nonsense},{"c":3}]', [4])));
  expect(elements.map(({ value }) => value)).toEqual([{ a: 1 }, null, { c: 3 }]);
});

test('tags, attributes and texts are read, in whatever pieces the file arrives', async () => {
  const text = `<DT><A HREF="x?a=1&amp;copy=2" TITLE='a > b' data-x=plain EMPTY>A &lt; B &amp; C</A><!-- <a href="no"> -->\n<outline text="don't"/>`;
  await forAllAsync(lengths, async (cuts) => {
    const tokens = await all(htmlTags(cut(text, cuts)));
    const shown = tokens.map((token) =>
      token.kind === 'open' ? { ...token, attributes: Object.fromEntries(token.attributes) } : token,
    );
    const texts = shown.filter(({ kind }) => kind === 'text');
    expect(shown.filter(({ kind }) => kind !== 'text')).toEqual([
      { kind: 'open', name: 'dt', attributes: {}, isClosed: false },
      {
        kind: 'open',
        name: 'a',
        attributes: { href: 'x?a=1&copy=2', title: 'a > b', 'data-x': 'plain', empty: '' },
        isClosed: false,
      },
      { kind: 'close', name: 'a' },
      { kind: 'open', name: 'outline', attributes: { text: "don't" }, isClosed: true },
    ]);
    expect(
      texts
        .map((token) => (token.kind === 'text' ? token.text : ''))
        .join('')
        .trim(),
    ).toBe('A < B & C');
  });
});

/** Reading twice as much must not take much more than twice the steps: what is read is counted, not the time. */
test.each([
  ['tags that never end', '<a href="'],
  ['brackets alone', '<'],
  ['comments that never end', '<!--'],
  ['quotation marks', '<a x="">'],
])('a file of %s is read to its end', async (_, piece) => {
  const text = piece.repeat(2_000_000 / piece.length);
  await all(htmlTags(cut(text, [65_536])));
  const after = await all(htmlTags(cut(`${text}-->"><b>end`, [65_536])));
  expect(after.at(-1)).toMatchObject({ kind: 'text' });
});

test.each([
  ['brackets', '['],
  ['objects', '{"a":'],
  ['a string', '"'],
])('a file of open %s ends without an element', async (_, piece) => {
  expect(await all(jsonElements(cut(`[${piece.repeat(300_000)}`, [65_536])))).toEqual([]);
});

test('texts are UTF-8, or UTF-16 with a byte order mark, and characters are not split', async () => {
  async function* bytes(whole: Buffer) {
    for (const byte of whole) yield Buffer.from([byte]);
  }
  expect((await all(textChunks(bytes(Buffer.from('naïve 😀'))))).join('')).toBe('naïve 😀');
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('naïve 😀', 'utf16le')]);
  expect(
    (
      await all(
        textChunks(
          (async function* () {
            yield wide;
          })(),
        ),
      )
    ).join(''),
  ).toBe('naïve 😀');
});

test('UTF-8 with a replaced or broken letter is read as UTF-8, and older encodings as before', async () => {
  async function* pieces(...some: (string | Buffer)[]): AsyncGenerator<Uint8Array> {
    for (const piece of some) yield Buffer.from(piece);
  }
  const read = async (...some: (string | Buffer)[]) => (await all(textChunks(pieces(...some)))).join('');
  const later = 'Zürich — Müller 日本\n';
  expect(await read('a caf\ufffd\n', later)).toBe(`a caf\ufffd\n${later}`);
  const broken = Buffer.from('a café\n', 'latin1');
  expect(await read(broken, later)).toBe(`a café\n${later}`);
  expect(await read('<meta charset="utf-8">', broken, later)).toBe(`<meta charset="utf-8">a café\n${later}`);
  expect(await read(broken, 'plain\n', Buffer.from('où\n', 'latin1'))).toBe('a café\nplain\noù\n');
  expect((await all(utf8Chunks(pieces(broken, later)))).join('')).toBe(`a caf\ufffd\n${later}`);
});

test('a section of raw text is read unchanged, in whatever pieces the file arrives', async () => {
  const raw = '<p>a &amp; b</p> ]] > <x';
  const text = `<a>1 < 2 &amp; 3<content><![CDATA[${raw}]]></content>5 <`;
  await forAllAsync(lengths, async (cuts) => {
    const tokens = await all(htmlTags(cut(text, cuts)));
    const joined = tokens
      .map((token) => (token.kind === 'text' ? token.text : `{${token.kind} ${token.name}}`))
      .join('');
    expect(joined).toBe(`{open a}1 < 2 & 3{open content}${raw}{close content}5 `);
  });
});

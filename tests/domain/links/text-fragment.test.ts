import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentType } from '../../../src/domain/records/content.ts';
import { createDeepLinks } from '../../../src/domain/links/deep-links.ts';
import { layOutTranscript } from '../../../src/domain/records/texts/document.ts';
import { createTextFragments } from '../../../src/domain/links/text-fragment.ts';
import { findFragment, type PageLine } from '../../support/texts/fragment-finder.ts';
import { forAll } from '../../support/for-all.ts';

/** What the link to the last place of `passage` in a page of these blocks says. */
function fragmentOf(passage: string, ...blocks: string[]): string | null {
  const transcript = layOutTranscript(
    (blocks.length === 0 ? [passage] : blocks).map((text) => ({ text, kind: 'paragraph' })),
  );
  const start = transcript.text.lastIndexOf(passage);
  return createTextFragments(transcript)(start, start + passage.length);
}

describe('a text fragment', () => {
  it('quotes a short passage whole, as a reader sees it', () => {
    expect(fragmentOf('## The **two** kinds of [memory](https://example.com)')).toBe('The%20two%20kinds%20of%20memory');
  });

  it('encodes the syntax characters of a directive', () => {
    expect(fragmentOf('Well-known, tried & true (mostly)')).toBe('Well%2Dknown%2C%20tried%20%26%20true%20%28mostly');
  });

  it('spans blocks with a range, each term within one block', () => {
    const passage =
      'The garden was quiet in the early morning light.\n\n- water the beans\n- and pull the weeds out by hand';
    expect(fragmentOf(passage)).toBe('The%20garden%20was%20quiet,by%20hand');
  });

  it('begins below a heading that menus and tables of contents repeat, if text follows it', () => {
    const fragment = (...blocks: [kind: 'heading' | 'paragraph', text: string][]) => {
      const transcript = layOutTranscript(blocks.map(([kind, text]) => ({ kind, text })));
      return createTextFragments(transcript)(0, transcript.text.length);
    };
    const heading = ['heading', '## Advanced User Guide'] as const;
    expect(fragment([...heading], ['paragraph', 'Read this guide after the tutorial is done.'])).toBe(
      'Read%20this%20guide%20after%20the%20tutorial%20is%20done',
    );
    expect(fragment([...heading], ['paragraph', 'This.'])).toBe('Advanced%20User%20Guide,This');
    expect(fragment([...heading])).toBe('Advanced%20User%20Guide');
  });

  it('has the fewest words that distinguish the place from an earlier one, at each end', () => {
    const passage = 'One cup of black tea at noon is enough for most people, and more than enough for the cat.';
    const earlier = (words: string) => fragmentOf(passage, `${words}, he said.`, passage);
    expect(earlier('One cup of milk')).toBe('One%20cup%20of%20black,the%20cat');
    expect(earlier('One cup of black coffee')).toBe('One%20cup%20of%20black%20tea%20at,the%20cat');
    const repeating = 'We sat there with the cat until the dog came in, and then all of us talked for the cat.';
    expect(fragmentOf(repeating)).toBe('We%20sat%20there%20with,for%20the%20cat');
  });

  it('grows, then adds words before or after, where the same words occur earlier', () => {
    const opening = 'The garden was quiet in the early morning light';
    expect(
      fragmentOf(
        `${opening} because of the rain that fell all night.`,
        `${opening} and nobody walked there.`,
        `${opening} because of the rain that fell all night.`,
      ),
    ).toBe(
      'The%20garden%20was%20quiet%20in%20the%20early%20morning%20light%20because%20of%20the%20rain%20that%20fell%20all,night',
    );
    expect(fragmentOf('Buy two apples.', 'Buy two apples.', 'Later it rained.', 'Buy two apples.')).toBe(
      'Later%20it%20rained.-,Buy%20two%20apples',
    );
    expect(
      fragmentOf('Buy two apples.', 'It rained. Buy two apples. Then home.', 'It rained. Buy two apples. And pears.'),
    ).toBe('It%20rained.-,Buy%20two%20apples,-.%20And%20pears');
  });

  it('recognises earlier occurrences through markup, case, accents and quotation marks', () => {
    expect(
      fragmentOf(
        "Don't drink cafe late",
        'x **DON’T** [drink](https://a.test) _café_ late',
        "Rule two: Don't drink cafe late",
      ),
    ).toBe('Rule%20two%3A-,Don%27t%20drink%20cafe%20late');
  });

  it('recognises earlier occurrences with markup inside a word', () => {
    const line = '[Linked](https://a.test)Patricia wrote a letter';
    expect(fragmentOf(line, line, 'In May.', line)).toBe('In%20May.-,LinkedPatricia%20wrote%20a%20letter');
  });

  it('begins and ends within a block where the passage does', () => {
    const text = 'It is late. **So** go to bed now, and sleep. Then get up again with the sun.';
    const transcript = layOutTranscript([{ text: `> ${text}`, kind: 'quote' }]);
    const start = transcript.text.indexOf('go');
    const end = transcript.text.indexOf(' Then');
    expect(createTextFragments(transcript)(start, end)).toBe('go%20to%20bed%20now%2C%20and%20sleep');
  });

  it('renders code as code, wherever the passage cuts it', () => {
    const transcript = layOutTranscript([
      { text: '```sh\n# build *everything* with my_tool\nmake all\n```', kind: 'code' },
    ]);
    const start = transcript.text.indexOf('# build');
    expect(decodeURIComponent(createTextFragments(transcript)(start, transcript.text.indexOf('\nmake')) ?? '')).toBe(
      'build *everything* with my_tool',
    );
  });

  it('counts characters in scripts without spaces', () => {
    const passage = '人工知能は、人間の知的能力をコンピュータ上で実現する技術であり、長い歴史を持つ分野でもあります。';
    const [start = '', end = ''] = (fragmentOf(passage) ?? '').split(',').map(decodeURIComponent);
    expect(passage.startsWith(start)).toBe(true);
    expect(passage.includes(end)).toBe(true);
    expect(start.length).toBeGreaterThanOrEqual(8);
    expect(start.length).toBeLessThan(passage.length / 2);
  });

  it('ends within a long line without spaces', () => {
    const passage = Array.from({ length: 60 }, (_, at) => `第${at}章は図書館で、`).join('');
    const [start = '', end = ''] = (fragmentOf(passage, `${passage} AI は終わり。`) ?? '')
      .split(',')
      .map(decodeURIComponent);
    expect(passage.startsWith(start)).toBe(true);
    expect(passage.slice(0, -1).endsWith(end)).toBe(true);
    expect(end).not.toBe('');
  });

  it('begins with the list item at the start of the passage and ends with the last one', () => {
    for (const mark of ['- ', '1. ', '- [ ] ', '> - ', '  - ']) {
      const items = ['New York City movers', 'Albany movers and packers', 'Troy movers for hire', 'Utica movers today'];
      const transcript = layOutTranscript([
        { text: items.map((item) => `${mark}[${item}](/m)`).join('\n'), kind: 'list' },
      ]);
      const start = transcript.text.indexOf(`${mark}[Albany`);
      const end = transcript.text.indexOf(`\n${mark}[Utica`);
      expect(createTextFragments(transcript)(start, end), mark).toBe('Albany%20movers%20and%20packers,for%20hire');
    }
  });

  it('ends with the header of a table where the passage ends with the line below it', () => {
    const head = 'Places to go for a week or two.\n\n| Place | Audience size |\n| --- | --- |';
    const transcript = layOutTranscript([{ text: `${head}\n| Rome | 3 |`, kind: 'table' }]);
    expect(createTextFragments(transcript)(0, head.length)).toBe('Places%20to%20go%20for,Audience%20size');
  });

  it('prefers a whole line to words of a line that may differ on the page', () => {
    const repeated = 'What you need to know about it';
    expect(
      fragmentOf(
        `${repeated}\n\nAsk at the counter first.`,
        repeated,
        'By us',
        `${repeated}\n\nAsk at the counter first.`,
      ),
    ).toBe('Ask%20at%20the%20counter%20first');
  });

  it('is missing where there is no word, or nothing that distinguishes the place from an earlier one', () => {
    expect(fragmentOf('***')).toBeNull();
    expect(fragmentOf('a b', 'a b', 'a b', 'a b')).toBeNull();
  });
});

describe('a deep link', () => {
  const place = { kind: 'text', start: 0, end: 10 } as const;
  const transcript = layOutTranscript([{ text: 'Some words of it', kind: 'paragraph' }]);
  const linkTo = (contentType: ContentType, text: typeof transcript | null = transcript) =>
    createDeepLinks({ url: 'https://example.com/a', contentType }, text)(place);

  it('quotes only a page whose text was stored', () => {
    expect(linkTo('article')).toBe('https://example.com/a#:~:text=Some%20words');
    expect(linkTo('ebook')).toBe('https://example.com/a');
    expect(linkTo('article', null)).toBe('https://example.com/a');
  });
});

interface Token {
  word: string;
  style: number;
  comma: boolean;
}

const tokens = (most: number) =>
  fc.array(
    fc.record({
      word: fc.constantFrom('bread', 'rain', 'sun', 'Sun', 'café', 'well-known', 'a&b', "don't", 'x_y', '睡眠'),
      style: fc.nat(7),
      comma: fc.boolean(),
    }),
    { minLength: 1, maxLength: most },
  );
const page = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('paragraph' as const), lines: tokens(24).map((line) => [line]) }),
    fc.record({ kind: fc.constant('heading' as const), lines: tokens(4).map((line) => [line]) }),
    fc.record({
      kind: fc.constant('list' as const),
      lines: fc.array(tokens(6), { minLength: 1, maxLength: 9 }),
      marks: fc.constantFrom(['- '], ['1. '], ['- ', '  - '], ['- [ ] ', '- [x] '], ['> - '], ['* ', '    1. ']),
    }),
    fc.record({
      kind: fc.constant('quote' as const),
      lines: tokens(24).map((line) => [line]),
      marks: fc.constantFrom(['> '], ['> > ']),
    }),
    fc.record({ kind: fc.constant('code' as const), lines: fc.array(tokens(6), { minLength: 1, maxLength: 4 }) }),
    fc.record({ kind: fc.constant('table' as const), lines: fc.tuple(tokens(3), tokens(3), tokens(3), tokens(3)) }),
  ),
  { minLength: 1, maxLength: 8 },
);

const styles = [
  (word: string) => word,
  (word: string) => word,
  (word: string) => `**${word}**`,
  (word: string) => `_${word}_`,
  (word: string) => `[${word}](https://link.example/${encodeURIComponent(word)} "a title")`,
  (word: string) => `\`${word}\``,
  (word: string) => `**[*${word}*](https://link.example/)**`,
  (word: string) => `***${word}***`,
];

/** Markdown of each token of a line. */
function spell(line: readonly Token[], isCode: boolean): string[] {
  return line.map(({ word, style, comma }, index) => {
    // In code an underscore is itself; elsewhere it is escaped, as the extraction does.
    const escaped = isCode || style === 5 ? word : word.replaceAll('_', '\\_');
    return `${isCode ? word : (styles[style]?.(escaped) ?? '')}${comma && index < line.length - 1 ? ',' : ''}`;
  });
}

describe('a browser that follows a fragment', () => {
  it('finds the passage and nothing before it', () => {
    let found = 0;
    forAll(400, page, fc.nat(), fc.nat(), fc.boolean(), (blocks, one, other, withMarks) => {
      const lines: PageLine[] = [];
      /** Of each token: where its spelling begins and ends in the stored text. */
      const spans: { start: number; end: number }[] = [];
      let base = 0;
      const made = blocks.map(({ kind, lines: made, ...block }) => {
        const { marks = [''] } = block as { marks?: string[] };
        let text = kind === 'code' ? '```' : '';
        for (const [index, line] of made.entries()) {
          if (index > 0 && kind === 'list') text += '\n';
          // Passages begin at the beginnings of lines: in front of what makes them items, rows or code.
          let markAt = base + text.length;
          if (kind === 'code') text += '\n';
          if (kind === 'heading') text += '## ';
          text += marks[index % marks.length] ?? '';
          if (kind === 'table') {
            if (index === 2) text += ' |\n';
            markAt = base + text.length;
            text += ['| ', ' | ', '| --- | --- |\n| ', ' | '][index];
          }
          const shown: PageLine = { text: '', tokens: [] };
          for (const [at, spelled] of spell(line, kind === 'code').entries()) {
            if (at > 0) {
              text += ' ';
              shown.text += ' ';
            }
            const { word = '', comma = false } = line[at] ?? {};
            shown.tokens.push({ start: shown.text.length, end: shown.text.length + word.length, id: spans.length });
            shown.text += word + (comma && at < line.length - 1 ? ',' : '');
            const start = at === 0 && withMarks ? markAt : base + text.length;
            const isRowEnd = withMarks && kind === 'table' && index % 2 === 1 && at === line.length - 1;
            spans.push({ start, end: base + text.length + spelled.length + (isRowEnd ? 2 : 0) });
            text += spelled;
          }
          lines.push(shown);
        }
        if (kind === 'table') text += ' |';
        if (kind === 'code') text += '\n```';
        base += text.length + 2;
        return { text, kind };
      });
      const transcript = layOutTranscript(made);
      const [first, last] = [one % spans.length, other % spans.length].sort((a, b) => a - b) as [number, number];
      const fragment = createTextFragments(transcript)(spans[first]?.start ?? 0, spans[last]?.end ?? 0);
      if (fragment === null) return;
      found += 1;
      const match = findFragment(lines, fragment);
      expect(match, `${fragment}\n${transcript.text}`).not.toBeNull();
      const line = lines.find(({ tokens }) => tokens.some(({ id }) => id === match?.first));
      const opening = line?.tokens.find(({ id }) => id >= first)?.id;
      expect(match?.first, `${fragment}\n${transcript.text}`).toBe(opening);
      expect(match?.last, `${fragment}\n${transcript.text}`).toBeLessThanOrEqual(last);
    });
    expect(found).toBeGreaterThan(200);
  });

  it('a block longer than a book gets no fragment, because rendering it would fill the memory', () => {
    const long = '*a* '.repeat(150_000);
    const transcript = layOutTranscript([
      { text: 'The rain in spring.', kind: 'paragraph' },
      { text: long, kind: 'paragraph' },
    ]);
    const fragments = createTextFragments(transcript);
    expect(fragments(0, 19)).toBe('The%20rain%20in%20spring');
    expect(fragments(21, 21 + long.length - 1)).toBeNull();
  });
});

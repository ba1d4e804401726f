import { expect, test } from 'vitest';
import { type Look, lookOf, plainText } from '../../../src/cli/terminal/look.ts';
import { columnsOf } from '../../../src/cli/terminal/wrap.ts';
import { shownText } from '../../../src/cli/terminal/terminal-text.ts';
import { operations } from '../../../src/operations/index.ts';
import { line, link, meta, prose, title, type Printed } from '../../../src/operations/answers/printed.ts';

const terminal: Look = { styled: true, links: true, width: 60 };
const unstyled: Look = { styled: false, links: false, width: 60 };
const pipe: Look = { styled: false, links: false, width: null };

const escape = '\u001B';
/** The codes that we write ourselves: links, and the beginnings and ends of styles. */
const linkCode = new RegExp(String.raw`${escape}\]8;;([!-~]*)${escape}\\`, 'g');
const styleCode = new RegExp(String.raw`${escape}\[(1|2|3|22|23|33|36|39)m`, 'g');

/** Escape codes by name, so that a snapshot can be read. */
function readable(text: string): string {
  const names: Record<string, string> = { 1: 'bold', 2: 'dim', 3: 'italic', 33: 'yellow', 36: 'cyan' };
  return text
    .replaceAll(linkCode, (_, url: string) => (url === '' ? '</a>' : `<a ${url}>`))
    .replaceAll(styleCode, (_, code: string) => `<${names[code] ?? '/'}>`);
}

/** What is left when our own codes are taken out. */
function withoutOwnCodes(text: string): string {
  return text.replaceAll(linkCode, '').replaceAll(styleCode, '');
}

test.each([
  ['a pipe', {}, {}, pipe],
  ['a terminal', { isTTY: true, columns: 72 }, { TERM: 'xterm' }, { styled: true, links: true, width: 72 }],
  ['a wide one', { isTTY: true, columns: 300 }, {}, { styled: true, links: true, width: 100 }],
  ['a tiny one', { isTTY: true, columns: 4 }, {}, { styled: true, links: true, width: 30 }],
  ['one without a size', { isTTY: true, columns: 0 }, {}, { styled: true, links: true, width: 80 }],
  ['NO_COLOR', { isTTY: true, columns: 72 }, { NO_COLOR: '1' }, { styled: false, links: false, width: 72 }],
  ['an empty NO_COLOR', { isTTY: true, columns: 72 }, { NO_COLOR: '' }, { styled: true, links: true, width: 72 }],
  ['TERM=dumb', { isTTY: true, columns: 72 }, { TERM: 'dumb' }, { styled: false, links: false, width: 72 }],
  ['the console of Linux', { isTTY: true, columns: 72 }, { TERM: 'linux' }, { styled: true, links: false, width: 72 }],
  ['a pipe with FORCE_COLOR', {}, { FORCE_COLOR: '1', NO_COLOR: '1' }, { styled: true, links: false, width: 80 }],
  ['FORCE_COLOR=0', { isTTY: true, columns: 72 }, { FORCE_COLOR: '0' }, { styled: false, links: false, width: 72 }],
] as const)('%s', (_, stdout, environment, look) => {
  expect(lookOf(stdout, environment)).toEqual(look);
});

test('in a pipe an answer is plain text without escape codes or wrapped lines', () => {
  for (const { cli, example } of operations) {
    if (cli === undefined) continue;
    const printed = cli.print(example.output as never);
    expect(shownText(printed, pipe)).toBe(plainText(printed));
    expect(shownText(printed, pipe)).not.toContain('\u001B');
  }
});

test('on a terminal titles are bold, links open, and Markdown is rendered', () => {
  const printed: Printed = [
    line('1. ', title('What helps to sleep'), '  ', meta('c_4kq7m2zt6wxp3ahr')),
    line(link('https://example.com/sleep#:~:text=Get%20up%20at%20the%20same%20hour%20every%20day')),
    prose(
      '## At night\n\nKeep it **cool and dark**, says [the *study*](https://example.com/a_b). Run `sleep 8h`.\n\n- one\n  - two\n10. ten\n\n> quoted\n\n```sh\nls   -l\n```',
      '  ',
    ),
  ];
  expect(readable(shownText(printed, terminal))).toMatchInlineSnapshot(`
    "1. <bold>What helps to sleep</>  <dim>c_4kq7m2zt6wxp3ahr</>
    <a https://example.com/sleep#:~:text=Get%20up%20at%20the%20same%20hour%20every%20day><cyan>https://example.com/sleep#:~:text=Get%20up%20at%20the%20sam…</></a>
      <bold>At night</>

      Keep it <bold>cool and dark</>, says <a https://example.com/a_b><cyan>the </></a><a https://example.com/a_b><cyan><italic>study</></></a>. Run <yellow>sleep 8h</>.

    <dim>  • </>one
    <dim>    • </>two
    <dim>  10. </>ten

    <dim>  ▏ </>quoted

        <yellow>ls   -l</>"
  `);
});

test('without styles the Markdown is kept as written and wrapped', () => {
  const text = `## At night\n\n${'Keep it **cool** and dark. '.repeat(6).trim()}`;
  expect(shownText([prose(text, '| ')], unstyled)).toMatchInlineSnapshot(`
    "| ## At night
    |
    | Keep it **cool** and dark. Keep it **cool** and dark. Keep
    | it **cool** and dark. Keep it **cool** and dark. Keep it
    | **cool** and dark. Keep it **cool** and dark."
  `);
});

test('no line is wider than the terminal, also in Chinese, and no text is lost', () => {
  const words = `${'睡眠质量取决于规律的作息时间。'.repeat(8)} and ${'a few ordinary words '.repeat(12)}👩‍👩‍👧‍👦 é`;
  const shown = withoutOwnCodes(shownText([prose(words, '   | ')], terminal)).split('\n');
  expect(Math.max(...shown.map(columnsOf))).toBeLessThanOrEqual(60);
  expect(shown.length).toBeGreaterThan(6);
  const bare = shown.map((one) => one.slice('   | '.length)).join('');
  expect(bare.replaceAll(' ', '')).toBe(words.replaceAll(' ', ''));
  expect(shown.filter((one) => one.startsWith('   | 。'))).toEqual([]);
});

test('continuation lines are aligned with the text, not with its number or name', () => {
  const words = 'word '.repeat(15).trim();
  const lines = shownText([line(meta('notes     '), words), line('1. ', title(words)), line(`  • ${words}`)], unstyled);
  expect(lines.split('\n').map((one) => one.search(/word/))).toEqual([10, 10, 3, 3, 4, 4]);
});

test('a clickable link is shortened to fit; a plain one is printed whole', () => {
  const url = `https://example.com/${'long/'.repeat(40)}`;
  expect(withoutOwnCodes(shownText([line(link(url))], terminal))).toHaveLength(60);
  expect(shownText([line(link(url))], terminal)).toContain(`]8;;${url}\u001B`);
  expect(shownText([line(link(url))], unstyled)).toBe(url);
});

const codes = [
  ['CSI', '\u001B[31mred\u001B[2J'],
  ['CSI in one byte', '\u009B31mred'],
  ['OSC with BEL', '\u001B]0;your title\u0007'],
  ['OSC with ST', '\u001B]8;;https://evil.example\u001B\\click\u001B]8;;\u001B\\'],
  ['OSC in one byte', '\u009D52;c;cm0gLXJm\u009C'],
  ['DCS', '\u001BP+q544e\u001B\\'],
  ['backspaces and returns', 'safe\b\b\b\bevil\rover'],
  ['an entity', '&#27;[31m&#x9b;31m&#7;'],
  ['escaped Markdown', '\\\u001B[31m **\u001B[1m** `\u001B[0m`'],
] as const;

test.each(codes)('%s in a title, a link or a text never reaches the terminal', (_, hostile) => {
  const url = `https://example.com/${hostile}`;
  const printed: Printed = [
    line(hostile, title(hostile), meta(hostile), link(url), link('https://example.com/', hostile)),
    prose(
      `# ${hostile}\n\n- ${hostile}\n\n[${hostile}](${url}) <https://example.com/${hostile}>\n\n\`\`\`\n${hostile}\n\`\`\`\n| ${hostile} |`,
    ),
  ];
  for (const look of [terminal, unstyled, pipe, { ...terminal, links: false }]) {
    const left = withoutOwnCodes(shownText(printed, look));
    expect(left.match(/[^\P{Cc}\n]/gu)).toBeNull();
    expect(shownText(printed, look)).not.toContain(`${escape}]8;;https://evil`);
  }
});

test.each([
  ['brackets', '['.repeat(50_000)],
  ['backticks', Array.from({ length: 300 }, (_, index) => '`'.repeat(index + 1)).join(' ')],
  ['marks', '*a _b ~~c '.repeat(10_000)],
  ['quotes', '>'.repeat(50_000)],
  ['links', '[a](b '.repeat(10_000)],
  ['one word', 'x'.repeat(100_000)],
])('a text of %s is printed whole', (_, text) => {
  const shown = withoutOwnCodes(shownText([prose(text)], terminal));
  const letters = (of: string) => of.replaceAll(/[^a-cx[`]/g, '');
  expect(letters(shown)).toBe(letters(text));
});

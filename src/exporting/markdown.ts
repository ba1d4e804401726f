import type { ActionState } from '../domain/records/analyses/action.ts';
import type { ExportedHighlight, ExportedItem } from '../domain/records/transfers/exported.ts';
import { archivedCopyIn } from '../domain/links/archived-copy.ts';
import { shownAddress } from '../domain/links/shown-address.ts';
import { layOut, type Template, frontMatter, type YamlValue } from './vault/template.ts';

/*
 * An item as Markdown that a person reads, and that Obsidian opens. The text of a page comes from outside and must stay
 * text there: code blocks that plugins of Obsidian run get the language `text`.
 */

export interface MarkdownContext {
  /** The name of the file of an item, without its ending; undefined for one that is not in the library. */
  nameOf(id: string): string | undefined;
  goalTitle(id: string): string | undefined;
  related: readonly string[];
  lists: readonly string[];
  /** For a file that is kept up to date: its layout, and lines of the front matter that a person added. */
  vault?: { template: Template; kept: string };
}

/** In their order. In the texts before the last section, lines that equal one are escaped. */
export const sectionNames = ['Summary', 'Notes', 'Highlights', 'Insights', 'Actions', 'Related', 'Text'] as const;

/** A list as a page of links to its items, in their order. @param names of their files */
export function listMarkdown(names: readonly string[]): string {
  return names.map((name, at) => `${at + 1}. [[${name}]]\n`).join('');
}

export function itemFields(item: ExportedItem, around: MarkdownContext): Record<string, YamlValue> {
  const document = visibleDocument(item);
  const url = shownAddress(item.url);
  const copy = archivedCopyIn(document?.warnings ?? []);
  const lists = around.lists.map(oneLine);
  const saved = dayOf(item.createdAt);
  return {
    id: item.id,
    title: titleOf(item),
    url,
    archived_copy: copy?.url,
    archived_on: copy?.date,
    author: document?.author,
    site: document?.siteName,
    type: document?.contentType,
    language: document?.language,
    published: day(document?.publishedAt),
    saved,
    status: item.state,
    shelf: item.shelf,
    read: item.readAt ? dayOf(item.readAt) : null,
    tags: [...new Set(item.tags.map(obsidianTag))].filter((tag) => tag !== ''),
    lists,
    copyOf: link(item.duplicateOf, around),
    list: lists[0],
    year: saved.slice(0, 4),
    month: saved.slice(5, 7),
  };
}

export function itemMarkdown(item: ExportedItem, around: MarkdownContext): string {
  const { list: _, year: _year, month: _month, copyOf, ...fields } = itemFields(item, around);
  const [original] = item.originals;
  const head =
    around.vault === undefined
      ? frontMatter({
          ...fields,
          reading: item.readingShare ? `${Math.round(item.readingShare * 100)} %` : null,
          original: original === undefined ? null : `../${original.file}`,
          copyOf,
        })
      : frontMatter(layOut(around.vault.template, itemFields(item, around)), around.vault.kept);
  const highlights = item.highlights.filter(({ deletedAt }) => deletedAt === null);
  const text = visibleDocument(item)?.text ?? '';
  const sections = [
    `# ${inline(titleOf(item))}`,
    section('Summary', item.summary === null ? [] : [part(item.summary)]),
    section('Notes', item.notes === null ? [] : [part(item.notes)]),
    section('Highlights', highlights.map(highlightMarkdown)),
    section('Insights', [item.insights.map((insight) => insightMarkdown(insight, around)).join('\n')]),
    section('Actions', [item.actions.map((action) => taskMarkdown(action, around)).join('\n')]),
    section('Related', [
      around.related
        .flatMap((id) => link(id, around) ?? [])
        .map((one) => `- ${one}`)
        .join('\n'),
    ]),
    section('Text', [harmless(around.vault === undefined ? text : textOfVault(item, text))]),
  ].filter((one) => one !== '');
  return `${head}\n${sections.join('\n\n')}\n`;
}

export const visibleDocument = (item: ExportedItem): ExportedItem['documents'][number] | undefined =>
  item.documents.find(({ version }) => version === item.visibleVersion);

export const titleOf = ({ title, url }: ExportedItem): string => oneLine(title ?? shownAddress(url) ?? 'A note');

/** Check boxes of the text that are action items: where the sign of each is, and in which line of the text, from 0. */
export function boxesOf(item: ExportedItem): { id: string; state: ActionState; at: number; line: number }[] {
  const text = visibleDocument(item)?.text ?? '';
  let [line, from] = [0, 0];
  return item.actions
    .flatMap(({ start, version, ...about }) =>
      start === null || version !== item.visibleVersion ? [] : { ...about, start },
    )
    .toSorted((one, other) => one.start - other.start)
    .flatMap(({ id, state, start }) => {
      for (let end = text.indexOf('\n', from); end !== -1 && end < start; end = text.indexOf('\n', from))
        [line, from] = [line + 1, end + 1];
      const before = start - from > 60 ? '' : text.slice(from, start);
      return /\[ \] +$/.test(before) ? { id, state, line, at: from + before.lastIndexOf('[ ]') + 1 } : [];
    });
}

/** Highlights that can be shown as `==words==` in the text: within a line, outside code, and none within another. */
export function markedSpans(item: ExportedItem, boxes = boxesOf(item)): { id: string; start: number; end: number }[] {
  const document = visibleDocument(item);
  if (document === undefined) return [];
  const apart = [
    ...document.blocks.filter(({ kind }) => kind === 'code'),
    ...boxes.map(({ at }) => ({ start: at, end: at + 1 })),
  ];
  let last = 0;
  return item.highlights
    .flatMap(({ id, start, end, version, deletedAt }) =>
      start === null || end === null || deletedAt !== null || version !== item.visibleVersion ? [] : { id, start, end },
    )
    .toSorted((one, other) => one.start - other.start)
    .filter(({ start, end }) => {
      const words = document.text.slice(start, end);
      const isShown =
        start >= last &&
        words === words.trim() &&
        !/\n|==|^=|=$/.test(words) &&
        !apart.some((block) => block.start < end && start < block.end);
      if (isShown) last = end;
      return isShown;
    });
}

function textOfVault(item: ExportedItem, text: string): string {
  let last = 0;
  const boxes = boxesOf(item);
  const parts = [
    ...markedSpans(item, boxes).flatMap(({ start, end }) => [start, end].map((at) => ({ at, put: '==', length: 0 }))),
    ...boxes.map(({ at, state }) => ({ at, put: signOf[state], length: 1 })),
  ]
    .toSorted((one, other) => one.at - other.at)
    .flatMap(({ at, put, length }) => {
      const some = [text.slice(last, at), put];
      last = at + length;
      return some;
    });
  return [...parts, text.slice(last)].join('');
}

function section(name: (typeof sectionNames)[number], parts: readonly string[]): string {
  const said = parts.filter((part) => part.trim() !== '');
  return said.length === 0 ? '' : [`## ${name}`, ...said].join('\n\n');
}

function highlightMarkdown({ quote, note, colour, url, start }: ExportedHighlight): string {
  const about = [colour === null ? '' : inline(oneLine(colour)), start === null ? 'not found in the text' : ''];
  const facts = about.filter((one) => one !== '').join(', ');
  const place = safeLink(url) === null ? '' : `[place](<${safeLink(url)}>)`;
  const after = [facts, place].filter((one) => one !== '').join(' · ');
  return [quoted(quote), ...(after === '' ? [] : [after]), ...(note === null ? [] : [part(note)])].join('\n\n');
}

function insightMarkdown(
  { text, quote, url, goalId }: ExportedItem['insights'][number],
  { goalTitle }: MarkdownContext,
): string {
  const place = safeLink(url) === null ? '' : ` [place](<${safeLink(url)}>)`;
  const goal = goalTitle(goalId ?? '');
  const said = `- ${inline(oneLine(text))}${goal === undefined ? '' : ` (${inline(oneLine(goal))})`}`;
  return quote === null || oneLine(quote) === oneLine(text)
    ? `${said}${place}`
    : `${said}\n  > ${inline(oneLine(quote))}${place}`;
}

/** Signs by which Obsidian's Tasks finds dates, priorities and repetitions in the text of a task. */
const taskSigns = /[📅✅➕❌🛫⏳🔁⛔🆔🔺⏫🔼🔽⏬🏁]/gu;

const signOf = { open: ' ', done: 'x', dismissed: '-' };

function taskMarkdown(action: ExportedItem['actions'][number], around: MarkdownContext): string {
  const box = signOf[action.state];
  const goal = action.goalId === null ? undefined : around.goalTitle(action.goalId);
  const words = inline(oneLine(action.title.replaceAll(taskSigns, ' ')));
  const dates = [
    goal === undefined ? '' : `(${inline(oneLine(goal.replaceAll(taskSigns, ' ')))})`,
    { high: '⏫', normal: '', low: '🔽' }[action.priority],
    action.snoozedUntil ? `🛫 ${action.snoozedUntil}` : '',
    action.due ? `📅 ${action.due}` : '',
    `➕ ${dayOf(action.createdAt)}`,
    action.state === 'done' && action.completedAt !== null ? `✅ ${dayOf(action.completedAt)}` : '',
    action.state === 'dismissed' && action.touchedAt !== null ? `❌ ${dayOf(action.touchedAt)}` : '',
  ].filter((one) => one !== '');
  // A reference of Obsidian to this line, by which a tick is brought back.
  const anchor = around.vault === undefined ? '' : ` ^${action.id.replace('_', '-')}`;
  return `- [${box}] ${words} ${dates.join(' ')}${anchor}`;
}

function link(id: string | null, { nameOf }: MarkdownContext): string | null {
  const name = id === null ? undefined : nameOf(id);
  return name === undefined ? null : `[[${name}]]`;
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const day = (instant: string | null | undefined): string | null => instant?.slice(0, 10) ?? null;

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Obsidian's tags have no spaces, and are not made of digits alone. */
export function obsidianTag(tag: string): string {
  const joined = tag
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{M}_/]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return /^\p{N}+$/u.test(joined) ? `_${joined}` : joined;
}

function quoted(text: string): string {
  return `> ${harmless(text).replaceAll('\n', '\n> ')}`;
}

/** A text within a line: no link of Obsidian, no HTML, no code that a plugin runs. */
function inline(text: string): string {
  return harmless(text).replaceAll('[[', '[\\[').replaceAll('<', '\\<');
}

/** Only addresses of the web, and none that ends the link. */
export function safeLink(url: string | null): string | null {
  if (url === null || !/^https?:\/\//i.test(url)) return null;
  return url.replaceAll(/[\s<>]/g, (character) => encodeURIComponent(character));
}

/** Languages of code that are only shown. Blocks of other languages may be run by a plugin of Obsidian. */
const shownLanguages = new Set(
  `asm awk bash basic bat c c# c++ clojure cmake cobol coffeescript cpp cs csharp css csv dart delphi diff dockerfile elixir
   elm erlang f# fortran fsharp glsl go golang graphql groovy haskell hcl html http ini java javascript js json json5 jsonc
   jsx julia kotlin latex less lisp lua makefile markdown matlab md nginx nim nix objc objective-c ocaml pascal perl php
   plain plaintext powershell prolog proto protobuf ps1 puppet py python r racket rb ruby rs rust sass scala scheme scss sh
   shell sol solidity sql svelte swift tcl terraform tex text toml ts tsx txt typescript vb verilog vhdl vim vue wasm xml
   yaml yml zig zsh`.split(/\s+/),
);
/** Where a line opens a block of code and names its language: in quotes, lists and footnotes of any depth. */
const fence = /^((?:[\s>*+\-.)\d]|\[\^[^\]\s]{1,200}\]:)*(?:`{3,}|~{3,})\s*)([^\s`]+)/;
/** A plugin runs these, and trims first (https://blacksmithgu.github.io/obsidian-dataview/queries/dql-js-inline/). */
const inlineQuery = /(`\s*)(?=\$?=)/g;
/** Written as HTML, code is code for a plugin as well. */
const codeTag = /<(?=code)/gi;
/** Invisible, and no white space: no plugin finds what it looks for behind it. */
const wordJoiner = '\u2060';

/** Begins the line above which a file of a vault belongs to this program. */
export const lineOpening = '<!-- commonplace: ';

/**
 * Other people's text, made safe for a vault: code blocks of languages that a plugin could run become `text`, and the start of a
 * template or an inline query is split.
 */
export function harmless(text: string): string {
  const shown = /`{3}|~{3}/.test(text) ? text.split('\n').map(withShownLanguage).join('\n') : text;
  return shown
    .replaceAll('<%', '<\\%')
    .replaceAll(lineOpening, lineOpening.replace('<', '<\\'))
    .replaceAll(codeTag, `<${wordJoiner}`)
    .replaceAll(inlineQuery, `$1${wordJoiner}`);
}

const ownHeading = new RegExp(`^(\\\\*## (?:${sectionNames.join('|')})\\s*)$`, 'gm');
const escapedHeading = new RegExp(`^\\\\(\\\\*## (?:${sectionNames.join('|')})\\s*)$`, 'gm');

function part(text: string): string {
  return harmless(text).replaceAll(ownHeading, '\\$1');
}

export function asWritten(text: string): string {
  return text
    .replaceAll(escapedHeading, '$1')
    .replaceAll(wordJoiner, '')
    .replaceAll('<\\%', '<%')
    .replaceAll(lineOpening.replace('<', '<\\'), lineOpening)
    .split('\n')
    .map((line) => {
      const [whole, marks = '', language = ''] = fence.exec(line) ?? [];
      const [, own = ''] =
        whole !== undefined && language === 'text' ? (/^ ([^\s`]+)/.exec(line.slice(whole.length)) ?? []) : [];
      return own === '' || shownLanguages.has(own.toLowerCase())
        ? line
        : `${marks}${line.slice(`${marks}text `.length)}`;
    })
    .join('\n');
}

function withShownLanguage(line: string): string {
  const [whole, marks = '', language = ''] = fence.exec(line) ?? [];
  if (whole === undefined || shownLanguages.has(language.toLowerCase())) return line;
  return `${marks}text ${line.slice(marks.length)}`;
}

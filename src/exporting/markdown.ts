import type { ExportedHighlight, ExportedItem } from '../domain/records/transfers/exported.ts';
import { archivedCopyIn } from '../domain/links/archived-copy.ts';
import { shownAddress } from '../domain/links/shown-address.ts';
import { frontMatter } from './yaml.ts';

/*
 * An item as Markdown that a person reads, and that Obsidian opens. The text of a page comes from outside and must stay
 * text there: code blocks that plugins of Obsidian run get the language `text`.
 */

/** What the Markdown of an item needs beside the item. */
export interface MarkdownContext {
  /** The name of the file of an item, without its ending; undefined for one that is not in the library. */
  nameOf(id: string): string | undefined;
  goalTitle(id: string): string | undefined;
  related: readonly string[];
  /** The names of the lists that it is in. */
  lists: readonly string[];
}

/** A list as a page of links to its items, in their order. @param names of their files */
export function listMarkdown(names: readonly string[]): string {
  return names.map((name, at) => `${at + 1}. [[${name}]]\n`).join('');
}

export function itemMarkdown(item: ExportedItem, around: MarkdownContext): string {
  const document = item.documents.find(({ version }) => version === item.visibleVersion);
  const url = shownAddress(item.url);
  const copy = archivedCopyIn(document?.warnings ?? []);
  const title = oneLine(item.title ?? url ?? 'A note');
  const [original] = item.originals;
  const head = frontMatter({
    id: item.id,
    title,
    url,
    archived_copy: copy?.url,
    archived_on: copy?.date,
    author: document?.author,
    site: document?.siteName,
    type: document?.contentType,
    language: document?.language,
    published: day(document?.publishedAt),
    saved: new Date(item.createdAt).toISOString().slice(0, 10),
    status: item.state,
    shelf: item.shelf,
    read: item.readAt ? dayOf(item.readAt) : null,
    reading: item.readingShare ? `${Math.round(item.readingShare * 100)} %` : null,
    tags: [...new Set(item.tags.map(obsidianTag))].filter((tag) => tag !== ''),
    lists: around.lists.length === 0 ? undefined : around.lists.map(oneLine),
    original: original === undefined ? null : `../${original.file}`,
    copyOf: link(item.duplicateOf, around),
  });
  const sections = [
    `# ${inline(title)}`,
    section('Summary', item.summary === null ? [] : [harmless(item.summary)]),
    section('Notes', item.notes === null ? [] : [harmless(item.notes)]),
    section('Highlights', item.highlights.filter(({ deletedAt }) => deletedAt === null).map(highlightMarkdown)),
    section('Insights', [item.insights.map((insight) => insightMarkdown(insight, around)).join('\n')]),
    section('Actions', [item.actions.map((action) => taskMarkdown(action, around)).join('\n')]),
    section('Related', [
      around.related
        .flatMap((id) => link(id, around) ?? [])
        .map((one) => `- ${one}`)
        .join('\n'),
    ]),
    section('Text', [harmless(document?.text ?? '')]),
  ].filter((one) => one !== '');
  return `${head}\n${sections.join('\n\n')}\n`;
}

function section(name: string, parts: readonly string[]): string {
  const said = parts.filter((part) => part.trim() !== '');
  return said.length === 0 ? '' : [`## ${name}`, ...said].join('\n\n');
}

function highlightMarkdown({ quote, note, colour, url, start }: ExportedHighlight): string {
  const about = [colour === null ? '' : inline(oneLine(colour)), start === null ? 'not found in the text' : ''];
  const facts = about.filter((one) => one !== '').join(', ');
  const place = safeLink(url) === null ? '' : `[place](<${safeLink(url)}>)`;
  const after = [facts, place].filter((one) => one !== '').join(' · ');
  return [quoted(quote), ...(after === '' ? [] : [after]), ...(note === null ? [] : [harmless(note)])].join('\n\n');
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

/** A task as the plugin Tasks of Obsidian reads it. */
function taskMarkdown(action: ExportedItem['actions'][number], around: MarkdownContext): string {
  const box = { open: ' ', done: 'x', dismissed: '-' }[action.state];
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
  return `- [${box}] ${words} ${dates.join(' ')}`;
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
function obsidianTag(tag: string): string {
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
/**
 * Within a line a plugin runs what begins with one of these signs, and it takes white space away first
 * (https://blacksmithgu.github.io/obsidian-dataview/queries/dql-js-inline/).
 */
const inlineQuery = /(`\s*)(?=\$?=)/g;
/** Written as HTML, code is code for a plugin as well. */
const codeTag = /<(?=code)/gi;
/** Invisible, and no white space: no plugin finds what it looks for behind it. */
const wordJoiner = '\u2060';

/**
 * Text of others as it may stand in a vault: code blocks of languages that a plugin could run become `text`, and what
 * opens a template or a query within a line is taken apart.
 */
export function harmless(text: string): string {
  const shown = /`{3}|~{3}/.test(text) ? text.split('\n').map(withShownLanguage).join('\n') : text;
  return shown
    .replaceAll('<%', '<\\%')
    .replaceAll(codeTag, `<${wordJoiner}`)
    .replaceAll(inlineQuery, `$1${wordJoiner}`);
}

function withShownLanguage(line: string): string {
  const [whole, marks = '', language = ''] = fence.exec(line) ?? [];
  if (whole === undefined || shownLanguages.has(language.toLowerCase())) return line;
  return `${marks}text ${line.slice(marks.length)}`;
}

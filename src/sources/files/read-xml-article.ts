import type { Block, Document } from '../../domain/records/texts/document.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import { languageOfBlocks, languageTag } from '../language/language.ts';
import { noteRef, noteText } from '../page/html/footnotes.ts';
import { parsePublished } from '../page/metadata/published-date.ts';
import { fileName, textDocument, warningsOf } from '../text/read-text.ts';
import { markdownBlocks } from '../text/markdown-blocks.ts';
import { markupMarkdown, pieceLength } from './chapter-markdown.ts';
import { bareName, escaped, walkXml } from './xml-elements.ts';

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));
const sections = set(
  'sec section sect1 sect2 sect3 sect4 sect5 simplesect chapter appendix preface part div div1 div2 div3 div4 abstract trans-abstract ack app ref-list bibliography fn-group',
);
/** An article's metadata. Its title, authors and date are removed from the text. */
const abouts = set('article-meta journal-meta teiheader info articleinfo bookinfo sectioninfo chapterinfo');
/** Parts without text for readers, and the older of two readings. */
const left = set(
  'facsimile fw indexterm alt-text sic orig custom-meta-group alternatives-id object-id remark supplementary-material',
);
const titles = set('title head article-title');
const abstracts = set('abstract trans-abstract');
const authors = set('contrib author');
const factNames = set(
  'title article-title journal-title contrib author surname family given-names firstname forename year month day pubdate date',
);
const tags: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'p: p para simpara ab formalpara lg caption speaker stage mixed-citation element-citation biblstruct bibl biblioentry bibliomixed disp-formula',
    'em: italic emphasis emph i foreign citetitle firstterm',
    'strong: bold b strong guilabel term',
    'sup: sup superscript',
    'sub: sub subscript',
    'ul: itemizedlist simplelist variablelist def-list listbibl',
    'ol: orderedlist procedure',
    'li: list-item listitem item step member def-item',
    'blockquote: disp-quote blockquote epigraph warning caution tip important',
    'pre: programlisting screen literallayout synopsis preformat eg',
    'code: code literal command filename varname option function monospace tt',
    'table: table informaltable',
    'tr: tr row',
    'td: td entry cell',
    'th: th',
  ].flatMap((line) => {
    const [tag = '', names = ''] = line.split(': ');
    return names.split(' ').map((name) => [name, tag] as const);
  }),
);
const mathNames =
  /^(?:math|semantics|m(?:row|i|n|o|text|space|frac|sqrt|root|sup|sub|subsup|under|over|underover|fenced|table|tr|td|multiscripts|prescripts|style|padded))$/;

/** Reads an article in the XML of publishers (JATS, TEI, DocBook): its text with lists, tables, formulas and notes. */
export async function readXmlArticle(xml: string, url: string, isTei: boolean): Promise<Document> {
  const { pieces, facts, isWhole } = articleHtml(xml, isTei);
  const blocks: Block[] = pieces.flatMap((html) => markdownBlocks(markupMarkdown(html)));
  const heading = blocks.find(({ level }) => level === 1);
  return textDocument(blocks, {
    contentType: 'article',
    title: facts.title || (heading === undefined ? null : plainText(heading.text)) || fileName(url),
    author: facts.authors.slice(0, maxAuthors).join(', ') || null,
    siteName: facts.journal || null,
    publishedAt: parsePublished(facts.date),
    language: (await languageOfBlocks(blocks)) ?? languageTag(facts.language),
    warnings: warningsOf([
      !isWhole,
      'damaged',
      'The elements of this article are nested too deeply. What comes behind was left out.',
    ]),
  });
}

const maxAuthors = 20;

interface ArticleFacts {
  title: string;
  authors: string[];
  journal: string;
  date: string;
  language: string | null;
}

function articleHtml(xml: string, isTei: boolean): { pieces: string[]; facts: ArticleFacts; isWhole: boolean } {
  const facts: ArticleFacts = { title: '', authors: [], journal: '', date: '', language: null };
  const pieces: string[] = [];
  const notes: string[] = [];
  /** The closing markup of each open element; null for an element whose text is left out. */
  const open: { name: string; end: string | null; note: number | null; isText: boolean }[] = [];
  /** The HTML that is written: of the text, and of the notes that are open in it. */
  const outs: string[][] = [[]];
  let length = 0;
  let depth = 0;
  let about = 0;
  let silent = 0;
  /** Abstracts and section titles are inside the metadata, but are text. */
  let inText = 0;
  let label = '';
  /** Number of open elements at the label. */
  let labelled = 0;
  let captured = '';
  let author = { given: '', surname: '', isAuthor: true };
  let isNewAbstract = false;
  /** Of the alternatives that are open: the formula in TeX, and whether there is one in MathML. */
  let tex = '';
  let hasMath = false;
  const date: Record<string, string> = {};
  const write = (html: string): void => {
    outs.at(-1)?.push(html);
    length += html.length;
  };
  const parent = (): string => open.at(-1)?.name ?? '';

  const startOf = (name: string, attributes: Readonly<Record<string, string>>): [string, string] => {
    if (titles.has(name) && (sections.has(parent()) || abouts.has(parent()) || depth === 0)) {
      if (depth === 0 && facts.title !== '') return ['<p><strong>', '</strong></p>'];
      if (length > pieceLength && outs.length === 1) {
        pieces.push(outs[0]?.splice(0).join('') ?? '');
        length = 0;
      }
      const level = Math.min(6, depth + 1);
      return [`<h${level}>`, `</h${level}>`];
    }
    if (titles.has(name)) return name === 'article-title' ? ['', ' '] : ['<p><strong>', '</strong></p>'];
    const href = attributes['xlink:href'] ?? attributes['url'] ?? attributes['target'] ?? '';
    if (/^(?:ext-link|uri|ulink|link|ref)$/.test(name) && /^https?:/.test(href))
      return [`<a href="${escaped(href)}">`, '</a>'];
    // A source's number follows a word without a space.
    const isMark = name === 'xref' && attributes['ref-type'] === 'bibr' && /\p{L}$/u.test(outs.at(-1)?.at(-1) ?? '');
    if (isMark || (name === 'xref' && attributes['ref-type'] === 'fn')) return ['<sup>', '</sup>'];
    if (name === 'math') return [attributes['display'] === 'block' ? '<math display="block">' : '<math>', '</math>'];
    if (mathNames.test(name)) return [`<${name}>`, `</${name}>`];
    if (name === 'lb' || name === 'break') return ['<br>', ''];
    if (name === 'l' || name === 'line') return ['', '<br>'];
    if (name === 'quote') return isTei ? ['', ''] : ['“', '”'];
    if (name === 'note' && !isTei) return ['<blockquote>', '</blockquote>'];
    if (name === 'list')
      return /ord|num|alpha|roman/i.test(attributes['list-type'] ?? attributes['type'] ?? attributes['rend'] ?? '')
        ? ['<ol>', '</ol>']
        : ['<ul>', '</ul>'];
    if (name === 'hi') return hiTags(attributes['rend'] ?? '');
    if (name === 'emphasis' && /bold|strong/.test(attributes['role'] ?? '')) return ['<strong>', '</strong>'];
    const tag = Object.hasOwn(tags, name) ? tags[name] : undefined;
    // In a citation by elements, there is no punctuation between these.
    if (tag === undefined)
      return ['', /^(?:element-citation|biblstruct|person-group|name|biblioentry)$/.test(parent()) ? ' ' : ''];
    const span = tag === 'td' || tag === 'th' ? spansOf(attributes) : '';
    return [`<${tag}${span}>`, `</${tag}>`];
  };

  const openAbout = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (factNames.has(name)) captured = '';
    const isAuthor = (attributes['contrib-type'] ?? 'author') === 'author';
    if (authors.has(name)) author = { given: '', surname: '', isAuthor };
    if (name === 'date' && facts.date === '') facts.date = attributes['when'] ?? '';
    if (name === 'pub-date') for (const part of ['year', 'month', 'day']) date[part] = '';
  };
  const closeAbout = (name: string): void => {
    const text = captured.replaceAll(/\s+/g, ' ').trim();
    if (titles.has(name) && facts.title === '') facts.title = text;
    else if (name === 'journal-title') facts.journal ||= text;
    else if (name === 'surname' || name === 'family') author.surname = text;
    else if (/^(?:given-names|firstname|forename)$/.test(name)) author.given = `${author.given} ${text}`;
    else if (name === 'year' || name === 'month' || name === 'day') date[name] = text;
    else if (name === 'pubdate' || name === 'date') facts.date ||= text;
    else if (name === 'pub-date')
      facts.date ||= [date['year'], date['month'], date['day']]
        .filter((part) => part)
        .map((part) => part?.padStart(2, '0'))
        .join('-');
    else if (authors.has(name)) {
      const whole = `${author.given} ${author.surname}`.trim() || text;
      if (whole !== '' && author.isAuthor && !facts.authors.includes(whole)) facts.authors.push(whole);
    }
  };

  const isWhole = walkXml(xml, {
    open(written, attributes) {
      const name = bareName(written);
      facts.language ??= attributes['xml:lang'] ?? attributes['lang'] ?? null;
      const isText = abstracts.has(name) || (titles.has(name) && depth > 0 && open.length > 2 && abouts.has(parent()));
      if (isText) inText += 1;
      const isAbout = about > 0 && inText === 0;
      const isLeft = silent > 0 || left.has(name);
      const isNote = !isLeft && !isAbout && (name === 'footnote' || name === 'fn' || (name === 'note' && isTei));
      let end: string | null = isLeft || isAbout ? null : '';
      let note: number | null = null;
      if (isLeft) silent += 1;
      else if (isAbout) openAbout(name, attributes);
      else if (isNote) {
        note = notes.push('') - 1;
        if (name !== 'fn') write(`<a ${noteRef}="${notes.length}">${notes.length}</a>`);
        outs.push([`<div ${noteText}="${notes.length}">`]);
        end = '</div>';
      } else if (name === 'label') captured = '';
      else {
        if (isNewAbstract && !titles.has(name)) write('<h2>Abstract</h2>');
        isNewAbstract = abstracts.has(name) && !isTei;
        const [start, close] = startOf(name, attributes);
        end = close;
        write(start);
        if (name === 'tex-math') outs.push([]);
        if (name === 'alternatives') [tex, hasMath] = ['', false];
        if (name === 'math') hasMath = true;
        // Numbers of sections, tables and references precede them.
        if (label !== '' && /^<(?:h\d|p)/.test(start)) {
          write(`${escaped(label)} `);
          label = '';
        }
        if (sections.has(name)) depth += 1;
      }
      open.push({ name, end, note, isText });
      if (abouts.has(name)) about += 1;
    },
    text(text) {
      if (silent > 0) return;
      if ((about > 0 && inText === 0) || parent() === 'label') captured = (captured + text).slice(0, maxFact);
      else write(escaped(text));
    },
    close(written) {
      const name = bareName(written);
      const element = open.pop();
      if (element === undefined) return;
      if (abouts.has(name)) about -= 1;
      if (silent > 0) silent -= 1;
      else if (element.end === null) closeAbout(name);
      else if (name === 'label') {
        label = captured.trim();
        labelled = open.length;
      } else {
        // The label preceded nothing: a formula's number follows it.
        if (label !== '' && open.length < labelled) {
          write(` ${escaped(label)}`);
          label = '';
        }
        if (name === 'tex-math' && outs.length > 1) {
          tex = formulaOf(
            outs.pop()?.join('') ?? '',
            open.some((one) => one.name === 'disp-formula'),
          );
          if (parent() !== 'alternatives') write(tex);
        }
        // MathML beside the TeX is read.
        if (name === 'alternatives') {
          if (!hasMath) write(tex);
          [tex, hasMath] = ['', false];
        }
        write(element.end);
        if (element.note !== null && outs.length > 1) notes[element.note] = outs.pop()?.join('') ?? '';
        if (sections.has(name)) depth -= 1;
      }
      if (element.isText) inText -= 1;
    },
  });
  const heading = facts.title === '' ? '' : `<h1>${escaped(facts.title)}</h1>`;
  const [first = '', ...rest] = [...pieces, outs.map((out) => out.join('')).join(''), notes.join('')];
  return { pieces: [first.includes('<h1>') ? first : heading + first, ...rest], facts, isWhole };
}

const maxFact = 2_000;

/** @param source escaped TeX: of the formula, or the whole document that publishers make of one */
function formulaOf(source: string, isDisplay: boolean): string {
  const begin = source.lastIndexOf('\\begin{document}');
  const end = source.lastIndexOf('\\end{document}');
  const inner = begin === -1 ? source : source.slice(begin + '\\begin{document}'.length, end > begin ? end : undefined);
  const latex = inner
    .trim()
    .replace(/^\${1,2}/, '')
    .replace(/\${1,2}$/, '');
  return `<math${isDisplay ? ' display="block"' : ''}><annotation encoding="application/x-tex">${latex}</annotation></math>`;
}

function hiTags(rend: string): [string, string] {
  const tag = /sup/i.test(rend) ? 'sup' : /sub/i.test(rend) ? 'sub' : /bold/i.test(rend) ? 'strong' : 'em';
  return [`<${tag}>`, `</${tag}>`];
}

function spansOf(attributes: Readonly<Record<string, string>>): string {
  const columns = attributes['colspan'] ?? attributes['cols'] ?? '';
  const rows = attributes['rowspan'] ?? attributes['rows'] ?? '';
  const span = (name: string, value: string): string => (/^\d{1,3}$/.test(value) ? ` ${name}="${value}"` : '');
  return span('colspan', columns) + span('rowspan', rows);
}

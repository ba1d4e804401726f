import { createHash } from 'node:crypto';

/** HTML that is inserted without escaping. */
export interface DocsMarkup {
  readonly html: string;
}

type Insertable = DocsMarkup | string | number | undefined | readonly Insertable[];

/**
 * Template tag for HTML. Inserted values are escaped unless they are markup; lists are joined; undefined becomes
 * nothing.
 */
export function markup(fixed: TemplateStringsArray, ...inserted: Insertable[]): DocsMarkup {
  return { html: String.raw({ raw: fixed }, ...inserted.map(toHtml)) };
}

function toHtml(value: Insertable): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return (value as readonly Insertable[]).map(toHtml).join('');
  return typeof value === 'object' ? (value as DocsMarkup).html : escapeHtml(String(value));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Turns a line of text into HTML; text between backticks becomes code. */
export function words(text: string): DocsMarkup {
  return markup`${text.split('`').map((part, at) => (at % 2 === 1 ? markup`<code>${part}</code>` : part))}`;
}

/** Turns text into HTML paragraphs, split at blank lines. */
export function paragraphs(text: string): DocsMarkup {
  return markup`${text.split('\n\n').map((part) => markup`<p>${words(part)}</p>`)}`;
}

/** All pages: the system's fonts, in its light or dark mode. */
export const commonStyle = `
:root { color-scheme: light dark; --ink: #1c2126; --soft: #5a646e; --paper: #fdfdfb; --panel: #f2f3ee; --line: #d9dcd3; --link: #0b5c7d; --get: #1f6f43; --post: #8a4b08; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6e3; --soft: #a0a8a6; --paper: #15181a; --panel: #1f2427; --line: #363d40; --link: #7cc4e2; --get: #7fd0a0; --post: #eab676; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: break-word; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; }
.soft { color: var(--soft); }
code { font: .88em/1.45 ui-monospace, monospace; background: var(--panel); padding: .1em .3em; border-radius: .25em; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: .4rem; padding: .8rem; margin: .4rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { background: none; padding: 0; }
`.trim();

/** The only style of the API documentation. */
export const docsStyle = `
${commonStyle}
html { scroll-padding-top: 1rem; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem; }
main { max-width: 52rem; padding: 1.5rem 1rem 4rem; margin: 0 auto; }
nav { border-bottom: 1px solid var(--line); padding: 0 1rem 1rem; background: var(--panel); columns: 10rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav section { break-inside: avoid; }
nav li { margin: .15rem 0; }
nav strong { display: block; padding-top: .8rem; font-size: .8rem; text-transform: uppercase; letter-spacing: .06em; color: var(--soft); }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
h2 { margin: 3rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { margin: 2.2rem 0 .4rem; font-size: 1.15rem; }
h4 { margin: 1.2rem 0 .3rem; font-size: .95rem; color: var(--soft); }
.call { font: 600 .95rem/1.4 ui-monospace, monospace; background: var(--panel); padding: .5rem .7rem; border-radius: .4rem; }
.method { display: inline-block; min-width: 3.2em; color: var(--get); }
.method.post { color: var(--post); }
table { width: 100%; border-collapse: collapse; font-size: .93rem; }
th { text-align: left; color: var(--soft); font-weight: 600; }
th, td { padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child { white-space: nowrap; }
td p { margin: 0; }
.needed { color: var(--post); font-size: .8rem; }
summary { cursor: pointer; color: var(--link); margin-top: .3rem; }
.values code { white-space: nowrap; }
@media (min-width: 62rem) {
  body { display: grid; grid-template-columns: 17rem 1fr; }
  nav { columns: auto; position: sticky; top: 0; height: 100vh; overflow-y: auto; border: 0; border-right: 1px solid var(--line); padding: 1.5rem 1.2rem; }
  main { padding: 2.5rem 2.5rem 6rem; margin: 0; }
}
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  td { border: 0; padding: .1rem 0; }
}
`.trim();

/** The only style of the front page. */
export const frontStyle = `
${commonStyle}
main { max-width: 44rem; margin: 0 auto; padding: 8vh 1.2rem 4rem; }
h2 { margin: 2rem 0 .3rem; font-size: 1.1rem; }
p { margin: .5rem 0; }
`.trim();

/** A page with this style loads nothing else and runs nothing. */
export function policyFor(style: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/** A piece of HTML that may be put into a page as it is. */
export interface Markup {
  readonly html: string;
}

type Insertable = Markup | string | number | undefined | readonly Insertable[];

/** A template for HTML: what is put in is escaped, unless it is markup itself; lists are joined, undefined is nothing. */
export function markup(fixed: TemplateStringsArray, ...inserted: Insertable[]): Markup {
  return { html: String.raw({ raw: fixed }, ...inserted.map(toHtml)) };
}

function toHtml(value: Insertable): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return (value as readonly Insertable[]).map(toHtml).join('');
  return typeof value === 'object' ? (value as Markup).html : escapeHtml(String(value));
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

/** A line of the document's words: what stands between backticks is code. */
export function words(text: string): Markup {
  return markup`${text.split('`').map((part, at) => (at % 2 === 1 ? markup`<code>${part}</code>` : part))}`;
}

/** Words of several paragraphs. */
export function paragraphs(text: string): Markup {
  return markup`${text.split('\n\n').map((part) => markup`<p>${words(part)}</p>`)}`;
}

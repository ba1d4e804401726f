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

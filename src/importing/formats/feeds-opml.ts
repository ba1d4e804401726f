import type { HtmlToken } from '../reading/html-tags.ts';
import type { RawEntry } from '../raw-entry.ts';

const maxDepth = 100;
const taken = new Set(['xmlurl', 'url', 'type', 'title', 'text', 'category', 'created']);

/** The feeds of an OPML list, and links (`type="link"`). Groups and categories become tags. */
export async function* readOpml(tokens: AsyncIterable<HtmlToken>): AsyncGenerator<RawEntry> {
  const groups: (string | null)[] = [];
  for await (const token of tokens) {
    if (token.kind === 'close' && token.name === 'outline') groups.pop();
    if (token.kind !== 'open' || token.name !== 'outline') continue;
    const { attributes } = token;
    const feed = attributes
      .get('xmlurl')
      ?.trim()
      .replace(/^feed:\/\//i, 'http://')
      .replace(/^feed:/i, '');
    const isLink = attributes.get('type')?.toLowerCase() === 'link';
    const address = feed ?? (isLink ? attributes.get('url') : undefined);
    const name = attributes.get('title') ?? attributes.get('text');
    const inGroups = groups.filter((group) => group !== null);
    if (address !== undefined)
      yield {
        url: address,
        isFeed: feed !== undefined,
        title: name,
        tags: [...(feed === undefined ? [] : ['feed']), ...tagsOf(attributes), ...inGroups],
        date: attributes.get('created'),
        fields: [...attributes.keys()].filter((one) => !taken.has(one) && attributes.get(one) !== ''),
      };
    if (!token.isClosed && groups.length < maxDepth) groups.push(address === undefined ? (name ?? null) : null);
  }
}

function tagsOf(attributes: ReadonlyMap<string, string>): string[] {
  // OPML writes categories as paths; a path of one name begins with a slash, too.
  return (attributes.get('category') ?? '').split(',').map((name) => name.trim().replace(/^\/+/, ''));
}

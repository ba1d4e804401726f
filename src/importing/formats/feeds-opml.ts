import type { HtmlToken } from '../reading/html-tags.ts';
import type { RawEntry } from '../raw-entry.ts';

const maxDepth = 100;

/** The feeds of an OPML list. Groups become tags. */
export async function* readOpml(tokens: AsyncIterable<HtmlToken>): AsyncGenerator<RawEntry> {
  const groups: (string | null)[] = [];
  for await (const token of tokens) {
    if (token.kind === 'close' && token.name === 'outline') groups.pop();
    if (token.kind !== 'open' || token.name !== 'outline') continue;
    const { attributes } = token;
    const address = attributes.get('xmlurl');
    const name = attributes.get('title') ?? attributes.get('text');
    if (address !== undefined)
      yield { url: address, title: name, tags: ['feed', ...groups.filter((group) => group !== null)] };
    if (!token.isClosed && groups.length < maxDepth) groups.push(address === undefined ? (name ?? null) : null);
  }
}

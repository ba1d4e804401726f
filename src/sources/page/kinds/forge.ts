import { readPage } from '../read-page.ts';
import type { Source } from '../../source.ts';
import { ProcessingError } from '../../../errors.ts';

/** Addresses of the raw README on forges that build their pages with scripts. */
const raw: Readonly<Record<string, (path: string) => string>> = {
  'github.com': (path) => `https://raw.githubusercontent.com/${path}/HEAD/README.md`,
  'gitlab.com': (path) => `https://gitlab.com/${path}/-/raw/HEAD/README.md`,
  'codeberg.org': (path) => `https://codeberg.org/${path}/raw/HEAD/README.md`,
};
/** First path segments that are pages of the forge itself. */
const own = /^(?:about|features|topics|search|explore|marketplace|settings|orgs|login|pricing|sponsors|users|help)\//;

/** Repositories, read from the README on their page, or from the README file if the page shows it only to scripts. */
export const forgeSource: Source = {
  name: 'repo',
  matches: (url, mediaType) => repository(url) !== null && mediaType === 'text/html',
  async read(resource, context) {
    const url = new URL(resource.finalUrl);
    const name = repository(url) ?? '';
    const page = await readPage(resource, context).catch((error: unknown) => {
      if (error instanceof ProcessingError && error.code === 'empty') return null;
      throw error;
    });
    if (page?.contentType === 'repo') return page;
    try {
      const file = await context.fetch(raw[url.hostname]?.(name) ?? resource.finalUrl);
      const { readMarkdown } = await import('../../text/read-markdown.ts');
      const readme = await readMarkdown(file.text ?? '', file.finalUrl);
      const { siteName = url.hostname, canonicalUrl = null, warnings = [] } = page ?? {};
      return {
        ...readme,
        contentType: 'repo',
        title: name,
        author: name.split('/')[0] ?? null,
        siteName,
        canonicalUrl,
        warnings,
      };
    } catch (error) {
      if (page === null || !(error instanceof ProcessingError) || error.retryable) throw error;
      return { ...page, contentType: 'repo', title: name };
    }
  },
};

function repository(url: URL): string | null {
  if (!Object.hasOwn(raw, url.hostname)) return null;
  const name = /^\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(url.pathname)?.[1];
  return name === undefined || own.test(name) ? null : name;
}

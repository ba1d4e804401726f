import { readPage } from '../read-page.ts';
import type { Source, SourceContext } from '../../source.ts';
import { ProcessingError } from '../../../errors.ts';
import { canonicalUrl, isPostOnX, redditThreadId } from '../../../domain/links/url.ts';
import type { Document } from '../../../domain/records/texts/document.ts';
import type { DecodedResource } from '../../decoding/sniff.ts';
import { withRecording } from '../media-document.ts';
import { scanPage } from '../html/html-scan.ts';

/** Addresses of the raw README on forges that build their pages with scripts. */
const raw: Readonly<Record<string, (path: string) => string>> = {
  'github.com': (path) => `https://raw.githubusercontent.com/${path}/HEAD/README.md`,
  'gitlab.com': (path) => `https://gitlab.com/${path}/-/raw/HEAD/README.md`,
  'codeberg.org': (path) => `https://codeberg.org/${path}/raw/HEAD/README.md`,
};
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
      const { readMarkdown } = await import('../../text/read-text.ts');
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

/** Posts on X, read through oEmbed: their pages contain nothing without scripts and a login. */
export const embeddedPostSource: Source = {
  name: 'post',
  matches: (url, mediaType) =>
    mediaType === 'application/json' &&
    (isPostOnX(url) || url.hostname === 'publish.twitter.com' || url.hostname === 'publish.x.com'),
  open(url, { fetch }) {
    if (!isPostOnX(url)) return null;
    const address = canonicalUrl(url.href).replace('https://x.com/', 'https://twitter.com/');
    return fetch(`https://publish.twitter.com/oembed?omit_script=1&dnt=1&url=${encodeURIComponent(address)}`);
  },
  read: async (resource) =>
    (await import('./read-embedded-post.ts')).readEmbeddedPost(resource.text ?? '', resource.url),
};

/** A page with fewer blocks is not the paper, but a notice that there is no HTML version. */
const minBlocks = 10;

/** arXiv papers, by their abstract page: metadata from that page, text from the paper's HTML page if there is one. */
export const arxivSource: Source = {
  name: 'paper',
  matches: (url, mediaType) => url.pathname.startsWith('/abs/') && paperId(url) !== null && mediaType === 'text/html',
  async read(resource, context) {
    const abstract = await readPage(resource, context);
    const id = paperId(new URL(resource.finalUrl)) ?? '';
    const paper: Document = { ...abstract, contentType: 'paper', canonicalUrl: `https://arxiv.org/abs/${id}` };
    const missing: Document = {
      ...paper,
      warnings: [
        ...paper.warnings,
        {
          code: 'abstract_only',
          message: 'arXiv has this paper as a PDF only. The abstract is kept; save the PDF for the whole text.',
        },
      ],
    };
    try {
      const page = await context.fetch(`https://arxiv.org/html/${id}`);
      if (page.text === null) return missing;
      const { blocks, warnings } = await readPage(page, context);
      return blocks.length < minBlocks ? missing : { ...paper, blocks, warnings };
    } catch (error) {
      // Rethrow errors that a retry may solve. Any other error means that there is no HTML page.
      if (!(error instanceof ProcessingError) || error.retryable) throw error;
      return missing;
    }
  },
};

function paperId(url: URL): string | null {
  return /^https:\/\/arxiv\.org\/abs\/(.+)$/.exec(canonicalUrl(url.href))?.[1] ?? null;
}

/** Reddit threads. Scripts build their pages, so they are read from the site's JSON, or else from the old page. */
export const redditSource: Source = {
  name: 'reddit',
  matches: (url, mediaType) => redditThreadId(url) !== null && mediaType === 'application/json',
  open(url, { fetch }) {
    const id = redditThreadId(url);
    if (id === null) return null;
    return fetch(`https://www.reddit.com/comments/${id}.json?raw_json=1&limit=500`).catch((error: unknown) => {
      if (!(error instanceof ProcessingError) || error.retryable) throw error;
      return fetch(`https://old.reddit.com/comments/${id}/`);
    });
  },
  read: async (resource) => (await import('./read-reddit.ts')).readReddit(resource.text ?? ''),
};

const pageTypes = new Set(['text/html', 'application/xhtml+xml']);
/** Pages that only lead to the next one. The limit for redirects of the same kind by HTTP is a setting. */
const maxRefreshes = 5;

export const articleSource: Source = {
  name: 'article',
  matches: (_url, mediaType) => pageTypes.has(mediaType),
  async read(resource, context) {
    const last = await followRefreshes(resource, context);
    if (last.text === null || last.text.trim() === '') {
      throw new ProcessingError(
        'empty',
        'The page is empty. Open the address in your browser to see whether it works there.',
      );
    }
    const page = await readPage(last, context);
    const isMoved = last !== resource;
    return withRecording(
      isMoved ? { ...page, canonicalUrl: page.canonicalUrl ?? last.finalUrl } : page,
      async (url) => (await context.fetch(url)).text,
    );
  },
};

/**
 * Follows the redirect of a page without text, as a browser does. Each step is guarded like an HTTP redirect.
 * @throws {ProcessingError} if it leads nowhere, or to something else than a page
 */
async function followRefreshes(resource: DecodedResource, context: SourceContext): Promise<DecodedResource> {
  let at = resource;
  for (let hop = 0; hop <= maxRefreshes; hop += 1) {
    const target = refreshTarget(at.text ?? '', at.finalUrl);
    if (target === null) return at;
    if (hop === maxRefreshes) break;
    at = await context.fetch(target);
    if (!pageTypes.has(at.mediaType)) {
      throw new ProcessingError(
        'unsupported_type',
        'The page leads to an address that is not a web page. Open it in your browser and save the address where you arrive.',
      );
    }
  }
  throw new ProcessingError(
    'too_many_redirects',
    'The page leads on to other pages again and again. Open it in your browser and save the address where you arrive.',
  );
}

/** A page that redirects later than this shows content first. */
const maxSeconds = 10;
/** A page with more text is worth keeping itself. In characters, without white space. */
const maxText = 600;

/** The target of `<meta http-equiv="refresh">`; null without one. */
function refreshTarget(html: string, url: string): string | null {
  if (!/http-equiv\s{0,5}=\s{0,5}["']?\s{0,5}refresh/i.test(html)) return null;
  const { refresh, visibleCharacters, baseHref } = scanPage(html);
  if (refresh === null || refresh.seconds > maxSeconds || visibleCharacters > maxText) return null;
  const target = URL.parse(refresh.target, URL.parse(baseHref ?? '', url)?.href ?? url);
  const isWeb = target?.protocol === 'http:' || target?.protocol === 'https:';
  return target !== null && isWeb && withoutHash(target.href) !== withoutHash(url) ? target.href : null;
}

function withoutHash(url: string): string {
  return url.split('#', 1)[0] ?? url;
}

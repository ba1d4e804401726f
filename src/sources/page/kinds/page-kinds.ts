import { readDiscussion } from './discussion.ts';
import { readPost } from './post.ts';
import type { PageReading, WholePage } from '../reading.ts';
import { meta, tidy } from '../metadata/names.ts';
import { parsePublished } from '../metadata/published-date.ts';

const readers = [readDiscussion, readRepository, readPost, readPaper];

/** Recognises kinds of pages by their structure, the most certain kind first. Null for any other page. */
export function readKnownKind(page: WholePage): PageReading | null {
  for (const read of readers) {
    const reading = read(page);
    if (reading !== null) return reading;
  }
  return null;
}

const forges = new Set(['github.com', 'gitlab.com', 'codeberg.org', 'gitea.com', 'bitbucket.org']);
/** Selectors of the README in the forges' software (GitHub, GitLab, Gitea and Forgejo). */
const readmes = [
  '#readme article',
  'article.markdown-body',
  '.file-view.markdown',
  '[data-testid="blob-viewer-file-content"] .md',
];

/** Reads the front page of a repository: its description and its README. */
export function readRepository({ root, facts, url, toMarkdown }: WholePage): PageReading | null {
  const path =
    URL.parse(url)
      ?.pathname.split('/')
      .filter((part) => part !== '') ?? [];
  const known = forges.has(URL.parse(url)?.hostname ?? '');
  const declared = facts.metas.has('go-import') || facts.metas.has('octolytics-dimension-repository_nwo');
  if (path.length < 2 || (!known && !declared) || (known && path.length > 2 && path[2] !== '-' && path[2] !== 'tree'))
    return null;
  const readme = readmes.map((selector) => root.querySelector(selector)).find((one) => one !== null);
  if (readme === undefined) return null;
  const text = toMarkdown(readme);
  if (text === '') return null;
  const name = path.slice(0, 2).join('/');
  const description = (tidy(meta(facts, 'og:description') ?? meta(facts, 'description')) ?? '')
    .replace(/ - [^\s/]+\/\S+$/, '')
    .replace(/\.? ?(?:Contribute to|Follow their code) [^]*$/i, '');
  const first = description === '' || text.includes(description) ? [] : [description];
  return { contentType: 'repo', title: name, author: path[0] ?? null, markdown: [...first, text].join('\n\n') };
}

const maxAuthors = 12;

/**
 * Reads the page of a paper, recognised by the `citation_…` tags for scholarly search engines. Its DOI and its id at
 * arXiv are no addresses of the page: any page may name those of another's paper, and would be taken for a copy of it.
 */
export function readPaper({ facts, root, toMarkdown }: WholePage): PageReading | null {
  const title = tidy(meta(facts, 'citation_title'));
  const names = [
    'citation_arxiv_id',
    'citation_doi',
    'citation_pdf_url',
    'citation_journal_title',
    'citation_conference_title',
  ];
  if (title === null || !names.some((name) => facts.metas.has(name))) return null;
  const authors = (facts.metas.get('citation_author') ?? []).map(firstNameFirst);
  const abstract = root.querySelector('blockquote.abstract');
  return {
    contentType: 'paper',
    title,
    author: authors.length === 0 ? null : authors.slice(0, maxAuthors).join(', '),
    publishedAt: parsePublished(
      meta(facts, 'citation_publication_date') ?? meta(facts, 'citation_date') ?? meta(facts, 'citation_online_date'),
    ),
    // arXiv's page has little more than the abstract. Pages of other publishers may have the whole text.
    ...(abstract !== null && { markdown: abstractOf(toMarkdown(abstract)) }),
  };
}

function abstractOf(markdown: string): string {
  const text = markdown.replace(/^\s*\*{0,2}Abstract:?\*{0,2}:?\s*/i, '');
  return `## Abstract\n\n${text}`;
}

/** Turns `Holm, Marta` into `Marta Holm`. */
function firstNameFirst(name: string): string {
  const [last, first, ...more] = name.split(/,\s*/);
  return first === undefined || more.length > 0 ? name : `${first} ${last}`;
}

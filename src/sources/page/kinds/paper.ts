import { canonicalUrl } from '../../../domain/links/url.ts';
import type { PageReading, WholePage } from '../reading.ts';
import { meta, tidy } from '../metadata/names.ts';
import { parsePublished } from '../metadata/published-date.ts';

const maxAuthors = 12;

/**
 * Reads the page of a paper, recognised by the `citation_…` tags for scholarly search engines. Its canonical address is
 * the abstract at arXiv or the DOI, whichever form was saved.
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
  const identity = identityOf(meta(facts, 'citation_arxiv_id'), meta(facts, 'citation_doi'));
  const abstract = root.querySelector('blockquote.abstract');
  return {
    contentType: 'paper',
    title,
    author: authors.length === 0 ? null : authors.slice(0, maxAuthors).join(', '),
    publishedAt: parsePublished(
      meta(facts, 'citation_publication_date') ?? meta(facts, 'citation_date') ?? meta(facts, 'citation_online_date'),
    ),
    ...(identity !== null && { canonicalUrl: identity }),
    // arXiv's page has little more than the abstract. Pages of other publishers may have the whole text.
    ...(abstract !== null && { markdown: abstractOf(toMarkdown(abstract)) }),
  };
}

function identityOf(arxivId: string | null, doi: string | null): string | null {
  if (arxivId !== null) return canonicalUrl(`https://arxiv.org/abs/${arxivId}`);
  const bare = doi?.replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)/i, '').trim();
  return bare !== undefined && /^10\.\d{4,9}\/\S+$/.test(bare) ? canonicalUrl(`https://doi.org/${bare}`) : null;
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

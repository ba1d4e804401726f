import type { PageReading, WholePage } from '../reading.ts';
import { meta, tidy } from '../metadata/names.ts';
import { parsePublished } from '../metadata/published-date.ts';

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

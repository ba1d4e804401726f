import type { Document } from '../../../domain/records/document.ts';
import { canonicalUrl } from '../../../domain/links/url.ts';
import { ProcessingError } from '../../../errors.ts';
import { readPage } from '../read-page.ts';
import type { Source } from '../../source.ts';

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

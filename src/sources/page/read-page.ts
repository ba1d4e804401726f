import { singleFileNote } from '../../domain/links/single-file.ts';
import type { BlockModel } from './blocks/block-model.ts';
import type { PageDocument } from './media-document.ts';
import type { DecodedResource } from '../decoding/sniff.ts';
import type { SourceContext } from '../source.ts';

let known: BlockModel | undefined;

/**
 * Reads a web page. The modules that read pages are loaded with the first one.
 * @param isGiven whether a person gave the page: only then is it believed when it was saved, as a site may write anything there
 * @throws {ProcessingError} as `extractPage`
 */
export async function readPage(
  { text, finalUrl, fetchedAt }: Pick<DecodedResource, 'text' | 'finalUrl' | 'fetchedAt'>,
  { way, report }: Pick<SourceContext, 'way' | 'report'>,
  isGiven = finalUrl.startsWith('file:'),
): Promise<PageDocument> {
  report.loading();
  const [{ extractPage }, { readBlockModel }] = await Promise.all([
    import('./extract-page.ts'),
    import('./blocks/block-model.ts'),
    import('eld/extrasmall'),
    ...(way === 'whole' ? [import('./dom-extraction.ts')] : []),
  ]);
  report.begun('page');
  const note = singleFileNote(text ?? '');
  // Only a file needs its original address.
  const isFile = finalUrl.startsWith('file:');
  const savedAt = isGiven ? (note?.savedAt ?? null) : null;
  const page = await extractPage(text ?? '', isFile ? (note?.url ?? finalUrl) : finalUrl, {
    way,
    fetchedAt: savedAt !== null && savedAt < fetchedAt ? savedAt : fetchedAt,
    model: () => (known ??= readBlockModel()),
    onLinear: report.linear,
  });
  return isFile && note !== null ? { ...page, canonicalUrl: page.canonicalUrl ?? note.url } : page;
}

import { plain } from '../reading/inline.ts';
import { type Source, wholeSource } from '../reading/source.ts';

/** A paragraph of a passage, or the lines between two code fences. */
export interface PassagePart {
  source: Source;
  isCode: boolean;
}

/** A passage as a reader sees it. */
export function plainPassage(passage: string): string {
  return partsOf(passage)
    .map(({ source, isCode }) => (isCode ? source.text : plain(source.text)))
    .join('\n')
    .trim();
}

const fence = /^\s{0,20}(?:```|~~~)/;

/**
 * A passage as paragraphs and code. The heading above it is shown with its path, and marks of lists and quotations would
 * only disturb. Where a passage begins or ends within code, an odd fence does not say which side of it is code: then all
 * of it is paragraphs.
 */
export function partsOf(passage: string): PassagePart[] {
  const parts: PassagePart[] = [];
  const lines = passage.split('\n');
  const hasPairs = lines.filter((line) => fence.test(line)).length % 2 === 0;
  let start = 0;
  let codeStart: number | null = null;
  for (const line of lines) {
    const end = start + line.length + 1;
    if (fence.test(line)) {
      if (codeStart !== null && codeStart < start)
        parts.push({ source: wholeSource(passage.slice(codeStart, start - 1), codeStart), isCode: true });
      codeStart = hasPairs && codeStart === null ? end : null;
    } else if (codeStart === null) {
      const [mark = ''] = /^\s{0,20}(?:#{1,6} |> ?|[-*+] )?/.exec(line) ?? [];
      if (line.trim() !== '' && !mark.includes('#'))
        parts.push({ source: wholeSource(line.slice(mark.length), start + mark.length), isCode: false });
    }
    start = end;
  }
  return parts.length === 0 ? [{ source: wholeSource(passage, 0), isCode: false }] : parts;
}

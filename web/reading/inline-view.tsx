import type { ComponentChildren, JSX } from 'preact';
import type { Leaf } from '../../src/domain/text/inline-markdown.ts';
import { text as words } from '../text.ts';
import { plain, readInline } from './inline.ts';
import { type Mark, marksWithin, type Source } from './source.ts';

export interface InlineParts {
  source: Source;
  marks: readonly Mark[];
  /** The address of the page, for its relative links. */
  base: string | null;
  /** Pictures are loaded; else their description stands in their place. */
  images: boolean;
  /** Signs are what they are, and no Markdown. */
  isCode?: boolean;
}

/** What every part of a block is drawn with. */
export type BlockParts = Omit<InlineParts, 'source'>;

/** Inline Markdown with its marks. Made of elements, never of HTML. */
export function Inline({ source, marks, base, images, isCode = false }: InlineParts): JSX.Element {
  const { text: whole } = source;
  const code: Leaf = { text: whole, start: 0, end: whole.length, styles: new Set() };
  const leaves = (isCode ? [code] : readInline(whole)).flatMap((leaf) => splitAtMarks(leaf, source, marks));
  const parts: ComponentChildren[] = [];
  for (let i = 0; i < leaves.length;) {
    const first = leaves[i];
    let end = i + 1;
    while (end < leaves.length && leaves[end]?.leaf.href === first?.leaf.href) end += 1;
    const group = leaves.slice(i, end).map((marked) => <Piece {...marked} base={base} images={images} />);
    const href = first?.leaf.href === undefined ? null : safeAddress(first.leaf.href, base);
    parts.push(
      href === null ? (
        group
      ) : (
        <a href={href} target="_blank" rel="noopener noreferrer nofollow">
          {group}
        </a>
      ),
    );
    i = end;
  }
  return <>{parts}</>;
}

interface MarkedLeaf {
  leaf: Leaf;
  mark: Mark | undefined;
}

/** Cuts a leaf where marks begin and end. Where two lie over each other, the later one is shown. */
function splitAtMarks(leaf: Leaf, source: Source, marks: readonly Mark[]): MarkedLeaf[] {
  const [start, end] = [source.offsetOf(leaf.start), source.offsetOf(leaf.end - 1) + 1];
  const touching = marksWithin(marks, start, end);
  if (touching.length === 0) return [{ leaf, mark: undefined }];
  const isExact = leaf.text.length === leaf.end - leaf.start;
  const places = isExact ? touching.flatMap((mark) => [mark.start - start, mark.end - start]) : [];
  const cuts = [0, ...places.filter((place) => place > 0 && place < leaf.text.length), leaf.text.length];
  const sorted = [...new Set(cuts)].toSorted((a, b) => a - b);
  return sorted.slice(0, -1).map((from, index) => {
    const to = sorted[index + 1] ?? leaf.text.length;
    return {
      leaf: isExact ? { ...leaf, text: leaf.text.slice(from, to), start: leaf.start + from } : leaf,
      mark: marksWithin(touching, start + from, start + to).at(-1),
    };
  });
}

function Piece({ leaf, mark, base, images }: MarkedLeaf & Pick<InlineParts, 'base' | 'images'>): JSX.Element {
  let shown: ComponentChildren =
    leaf.image === undefined ? leaf.text : <Picture leaf={leaf} base={base} images={images} />;
  for (const style of leaf.styles) {
    if (style === 'code') shown = <code>{shown}</code>;
    else if (style === 'em') shown = <em>{shown}</em>;
    else if (style === 'strong') shown = <strong>{shown}</strong>;
    else if (style === 'sup') shown = <sup data-note={leaf.text} />;
    else shown = <del>{shown}</del>;
  }
  if (mark === undefined) return <>{shown}</>;
  return (
    <mark
      class={mark.isWaiting ? 'highlight waits' : mark.kind}
      data-mark={mark.id}
      data-colour={mark.colour ?? undefined}
    >
      {shown}
    </mark>
  );
}

function Picture({ leaf, base, images }: { leaf: Leaf } & Pick<InlineParts, 'base' | 'images'>): JSX.Element {
  const address = safeAddress(leaf.image ?? '', base);
  if (!images || address === null || !address.startsWith('https:'))
    return <span class="picture">{words.reading.picture(plain(leaf.text))}</span>;
  return <img src={address} alt={plain(leaf.text)} loading="lazy" decoding="async" referrerpolicy="no-referrer" />;
}

/** An address that a link may have; null for scripts and whatever else a text may hold. */
export function safeAddress(address: string, base: string | null): string | null {
  const url = URL.parse(address, base ?? undefined);
  return url !== null && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}

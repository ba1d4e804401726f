import type { TextBlock } from './page-blocks.ts';
import type { PageNode } from '../html/dom-node.ts';

/** A node that can be removed. */
export interface RemovableNode extends PageNode {
  readonly firstChild: RemovableNode | null;
  readonly nextSibling: RemovableNode | null;
  remove(): void;
}

const rowParts = new Set(['td', 'th']);

/** Elements around a picture that hold nothing else, at most: `div > figure > a > picture > img`. */
const maxAroundPicture = 4;

/** Removes everything from a page except the chosen blocks, the images between and directly behind them and the boxes to tick before one. */
export function keepBlocks(root: RemovableNode, blocks: readonly TextBlock[], kept: readonly boolean[]): void {
  const blockOf = new Map<PageNode, number>();
  for (const [i, { nodes }] of blocks.entries()) for (const node of nodes) blockOf.set(node, i);
  let last = -1;
  /** Prunes a node. Returns how many elements around a picture it is that stands behind a kept block; or whether anything stays. */
  const prune = (node: RemovableNode): boolean | number => {
    if (node.nodeType === 3) {
      const block = blockOf.get(node);
      if (block !== undefined) last = block;
      return block !== undefined && kept[block] === true;
    }
    if (node.nodeType !== 1) return false;
    const tag = node.localName.toLowerCase();
    if (tag === 'img') return kept[last] === true && (kept[last + 1] === true || 1);
    if (tag === 'input') return node.getAttribute('type') === 'checkbox' && kept[last + 1] === true;
    if (tag === 'br' || tag === 'hr') return kept[last] === true;
    let stays = false;
    let paragraphs = 0;
    let around = 0;
    const empty: RemovableNode[] = [];
    for (let child = node.firstChild; child !== null;) {
      const next: RemovableNode | null = child.nextSibling;
      const result = prune(child);
      // Behind the last paragraph of a text, a picture stays if it stands in the same box.
      if (result === true || (typeof result === 'number' && paragraphs > 1)) stays = true;
      else empty.push(child);
      if (typeof result === 'number') around = result + 1;
      if (result === true && child.localName === 'p') paragraphs += 1;
      child = next;
    }
    const isPicture = !stays && around > 0 && around <= maxAroundPicture;
    if (isPicture) return around;
    // Removing some cells of a row would shift the others.
    for (const child of empty) if (!stays || !rowParts.has(child.localName)) child.remove();
    return stays;
  };
  for (let child = root.firstChild; child !== null;) {
    const next: RemovableNode | null = child.nextSibling;
    if (prune(child) !== true) child.remove();
    child = next;
  }
}

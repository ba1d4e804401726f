import type { TextBlock } from './page-blocks.ts';
import type { PageNode } from '../html/dom-node.ts';

/** A node that can be removed. */
export interface RemovableNode extends PageNode {
  readonly firstChild: RemovableNode | null;
  readonly nextSibling: RemovableNode | null;
  remove(): void;
}

const rowParts = new Set(['td', 'th']);

/** Removes everything from a page except the chosen blocks, the images between two of them and the boxes to tick before one. */
export function keepBlocks(root: RemovableNode, blocks: readonly TextBlock[], kept: readonly boolean[]): void {
  const blockOf = new Map<PageNode, number>();
  for (const [i, { nodes }] of blocks.entries()) for (const node of nodes) blockOf.set(node, i);
  let last = -1;
  /** Prunes a node. Returns whether anything of it stays. */
  const prune = (node: RemovableNode): boolean => {
    if (node.nodeType === 3) {
      const block = blockOf.get(node);
      if (block !== undefined) last = block;
      return block !== undefined && kept[block] === true;
    }
    if (node.nodeType !== 1) return false;
    const tag = node.localName.toLowerCase();
    if (tag === 'img') return kept[last] === true && kept[last + 1] === true;
    if (tag === 'input') return node.getAttribute('type') === 'checkbox' && kept[last + 1] === true;
    if (tag === 'br' || tag === 'hr') return kept[last] === true;
    let stays = false;
    const empty: RemovableNode[] = [];
    for (let child = node.firstChild; child !== null;) {
      const next: RemovableNode | null = child.nextSibling;
      if (prune(child)) stays = true;
      else empty.push(child);
      child = next;
    }
    // Removing some cells of a row would shift the others.
    for (const child of empty) if (!stays || !rowParts.has(child.localName)) child.remove();
    return stays;
  };
  for (let child = root.firstChild; child !== null;) {
    const next: RemovableNode | null = child.nextSibling;
    if (!prune(child)) child.remove();
    child = next;
  }
}

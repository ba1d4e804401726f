import type { TextBlock } from './page-blocks.ts';
import type { DomNode } from '../html/dom-node.ts';

const rowParts = new Set(['td', 'th']);

/** Elements around a picture that hold nothing else, at most: `div > figure > a > picture > img`. */
const maxAroundPicture = 4;

interface Pruned {
  /** Whether anything in the node stays. */
  stays: boolean;
  /** Elements that are only around a picture that follows a kept block, with the picture; else 0. */
  wrappers: number;
}

function whether(stays: boolean): Pruned {
  return { stays, wrappers: 0 };
}

/** Removes everything from a page except the chosen blocks, the images between and directly behind them and the boxes to tick before one. */
export function keepBlocks(root: DomNode, blocks: readonly TextBlock[], kept: readonly boolean[]): void {
  const blockOf = new Map<DomNode, number>();
  for (const [i, { nodes }] of blocks.entries()) for (const node of nodes) blockOf.set(node, i);
  let last = -1;
  const prune = (node: DomNode): Pruned => {
    if (node.nodeType === 3) {
      const block = blockOf.get(node);
      if (block !== undefined) last = block;
      return whether(block !== undefined && kept[block] === true);
    }
    if (node.nodeType !== 1) return whether(false);
    const tag = node.localName.toLowerCase();
    if (tag === 'img') {
      if (kept[last] !== true) return whether(false);
      return kept[last + 1] === true ? whether(true) : { stays: false, wrappers: 1 };
    }
    if (tag === 'input') return whether(node.getAttribute('type') === 'checkbox' && kept[last + 1] === true);
    if (tag === 'br' || tag === 'hr') return whether(kept[last] === true);
    let stays = false;
    let paragraphs = 0;
    let wrappers = 0;
    const empty: DomNode[] = [];
    for (let child = node.firstChild; child !== null;) {
      const next: DomNode | null = child.nextSibling;
      const result = prune(child);
      const isPicture = result.wrappers > 0;
      // Behind the last paragraph of a text, a picture stays if it stands in the same box.
      if (result.stays || (isPicture && paragraphs > 1)) stays = true;
      else empty.push(child);
      if (isPicture) wrappers = result.wrappers + 1;
      if (result.stays && child.localName === 'p') paragraphs += 1;
      child = next;
    }
    if (!stays && wrappers > 0 && wrappers <= maxAroundPicture) return { stays, wrappers };
    // Removing some cells of a row would shift the others.
    for (const child of empty) if (!stays || !rowParts.has(child.localName)) child.remove();
    return whether(stays);
  };
  for (let child = root.firstChild; child !== null;) {
    const next: DomNode | null = child.nextSibling;
    if (!prune(child).stays) child.remove();
    child = next;
  }
}

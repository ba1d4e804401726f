/** What is not read with a paragraph: what stands beside it, code and tables. */
const passedOver = '.margin, .time, pre, table';

/** The sentences of a block, as they stand on the page. */
export function sentencesOf(block: Element): Range[] {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest(passedOver) === null ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT,
  );
  const nodes: { node: Node; start: number; end: number }[] = [];
  let whole = '';
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const start = whole.length;
    whole += node.textContent ?? '';
    nodes.push({ node, start, end: whole.length });
  }
  const ranges: Range[] = [];
  let at = 0;
  const nodeAt = (isThere: (end: number) => boolean): (typeof nodes)[number] | undefined => {
    while (nodes[at] !== undefined && !isThere(nodes[at]?.end ?? 0)) at += 1;
    return nodes[at];
  };
  for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(whole)) {
    if (!/[\p{L}\p{N}]/u.test(segment)) continue;
    const range = document.createRange();
    const end = index + segment.trimEnd().length;
    const first = nodeAt((until) => until > index);
    const last = nodeAt((until) => until >= end);
    if (first === undefined || last === undefined) break;
    range.setStart(first.node, index - first.start);
    range.setEnd(last.node, end - last.start);
    ranges.push(range);
  }
  return ranges;
}

import { utcDay } from '../../domain/clock.ts';
import type { ActionItem } from '../../domain/records/analyses/action.ts';
import type { ContentSummary } from '../../domain/records/content.ts';
import { nameOf } from '../../domain/records/item.ts';
import type { Highlight } from '../../domain/records/highlights/highlight.ts';
import type { Locator } from '../../domain/records/texts/locator.ts';
import type { ItemPage, ItemPages, OpenableSection } from '../../services/library/item-page.ts';
import { day } from './lean.ts';
import { indented, line, link, meta, oneLine, paragraphs, prose, shownTime, title, type Printed } from './printed.ts';

/* How the command line shows records. */

export function printSummary(item: ContentSummary & Pick<ItemPage, 'proposedTags'>): Printed {
  const about = [
    item.contentType,
    item.tags.map((tag) => `#${tag}`).join(' '),
    item.status === 'completed' ? '' : state(item),
    item.shelf === 'inbox' ? '' : item.shelf,
    item.readAt === null ? '' : 'read',
    item.deletedAt === undefined || item.restorableUntil === undefined
      ? ''
      : `deleted ${shownTime(item.deletedAt)}, can be restored until ${shownTime(item.restorableUntil)}`,
  ]
    .filter(Boolean)
    .join(' · ');
  return [
    line(meta(item.id), '  ', title(oneLine(nameOf(item), 100))),
    ...indented('    ', [
      ...(item.url === null ? [] : [line(link(item.url, oneLine(item.url, 120)))]),
      ...(about === '' ? [] : [line(meta(about))]),
      ...(item.proposedTags === undefined ? [] : [line(meta('proposed  '), proposals(item))]),
    ]),
  ];
}

function proposals({ proposedTags = [] }: Pick<ItemPage, 'proposedTags'>): string {
  return proposedTags.map(({ tag, reason }) => `${tag} (${oneLine(reason, 160)})`).join(', ');
}

function state(item: ContentSummary): string {
  if (item.status === 'failed') return `failed: ${item.failure?.message ?? ''}`;
  if (item.failure?.nextAttemptAt) {
    const { attempts, nextAttemptAt, message } = item.failure;
    return `waiting${attempts === 0 ? '' : `, tried ${attempts}×`}, again at ${shownTime(nextAttemptAt)}: ${message}`;
  }
  if (item.progress !== undefined) return `${item.status}, next: ${item.progress.stage}`;
  return item.status;
}

export function printHighlight(highlight: Highlight): Printed {
  const { contentTitle, quote, note, colour, place: found, locator, url } = highlight;
  const about = [
    colour ?? '',
    contentTitle === null ? '' : oneLine(`in ${contentTitle}`, 100),
    place(locator).trim(),
    found === 'missing' ? 'not found in the text' : found === 'unread' ? 'not looked for in the text yet' : '',
  ].filter(Boolean);
  return [
    line(`“${oneLine(quote, 400)}”  `, meta(highlight.id)),
    ...indented('    ', [
      ...(note === null ? [] : [prose(note)]),
      ...(about.length === 0 ? [] : [line(meta(about.join(' · ')))]),
      ...(url === null ? [] : [line(link(url))]),
    ]),
  ];
}

export function printAction(action: ActionItem): Printed {
  const box = { open: '[ ]', done: '[x]', dismissed: '[-]' }[action.state];
  const about = [
    action.priority === 'normal' ? '' : `${action.priority} priority`,
    action.due === null ? '' : `by ${action.due}`,
    action.snoozedUntil === null || action.snoozedUntil <= utcDay(Date.now())
      ? ''
      : `snoozed until ${action.snoozedUntil}`,
  ].filter(Boolean);
  return [
    line(`${box} `, title(oneLine(action.title, 300)), '  ', meta(action.id)),
    ...indented('    ', [
      ...(about.length === 0 ? [] : [line(meta(about.join(' · ')))]),
      ...(action.contentTitle === null ? [] : [line(meta(oneLine(`from ${action.contentTitle}`, 100)))]),
      ...(action.goalReason === null ? [] : [line(oneLine(action.goalReason, 160))]),
      ...(action.reason === null ? [] : [line(oneLine(action.reason, 160))]),
      ...(action.quoteGone === true ? [line('The text no longer says this.')] : []),
      ...(action.url === null ? [] : [line(link(action.url))]),
      ...(action.alsoIn ?? []).map(({ contentId, url }) =>
        line(meta(`also in ${contentId}  `), ...(url === null ? [] : [link(url)])),
      ),
    ]),
  ];
}

/** Prints an item, or a later page of one, which holds only what the earlier pages did not. */
export function printItem(item: ItemPage): Printed {
  const blocks: Printed[] = [[line(title(oneLine(item.title ?? item.url ?? item.id, 500)))], printFacts(item)];
  for (const warning of item.warnings ?? []) blocks.push([line(`Note: ${warning.message}`)]);
  if (item.analysis?.by === 'extractive' && item.analysis.unread !== undefined)
    blocks.push([line(`Note: ${item.analysis.unread}`)]);
  if (item.summary)
    blocks.push([
      line(title(item.analysis?.by === 'extractive' ? 'Summary (extracted sentences)' : 'Summary')),
      prose(item.summary, '  '),
    ]);
  if (item.keyInsights !== undefined && item.keyInsights.length > 0)
    blocks.push([
      line(title('Key insights')),
      ...item.keyInsights.flatMap(({ text, quote, locator, goalReason }) => [
        line(`  • ${oneLine(text, 400)}`, meta(quote === null ? ' (no quote)' : place(locator))),
        ...(goalReason === undefined ? [] : [line(`    ${oneLine(goalReason, 160)}`)]),
      ]),
    ]);
  if (item.actions !== undefined && item.actions.length > 0)
    blocks.push([
      line(title('Action items')),
      ...indented(
        '  ',
        item.actions.flatMap((action) => printAction({ ...action, contentTitle: null })),
      ),
    ]);
  if (item.highlights !== undefined)
    blocks.push([
      line(title('Highlights')),
      ...indented(
        '  ',
        item.highlights.flatMap((highlight) => printHighlight({ ...highlight, contentTitle: null })),
      ),
      ...(item.highlightsTotal === undefined
        ? []
        : [line(meta(`  ${item.highlightsTotal} in all: commonplace highlights --content-id ${item.id}`))]),
    ]);
  if (item.outline !== undefined) blocks.push([line(title('Outline')), ...item.outline.map(printSection)]);
  if (item.transcript !== undefined)
    blocks.push([line(title(oneLine(item.section ?? 'Text', 100))), prose(item.transcript, '  ')]);
  if (item.nextCursor !== undefined)
    blocks.push([line(meta('More: '), `commonplace show ${item.id} --cursor ${item.nextCursor}`)]);
  return paragraphs(blocks);
}

/** Prints several items, and how to see the omitted ones. */
export function printItems({ items, left = [] }: ItemPages): Printed {
  return paragraphs([
    ...items.flatMap((one, index) => [
      ...(index === 0 ? [] : [[line(meta('─'.repeat(40)))]]),
      'message' in one ? [line(`${oneLine(one.id, 100)}: ${one.message}`)] : printItem(one),
    ]),
    ...(left.length === 0 ? [] : [left.map((id) => line(`Not shown: ${id} `, meta(`(commonplace show ${id})`)))]),
  ]);
}

function printFacts(item: ItemPage): Printed {
  const facts: [string, string | number | null | undefined][] = [
    ['id', item.id],
    ['url', item.url],
    ['archived copy', item.archivedCopy?.url],
    ['status', item.status === undefined ? undefined : state(item as ContentSummary)],
    ['type', item.contentType],
    ['author', item.author],
    ['site', item.siteName],
    ['published', day(item.publishedAt)],
    ['language', item.language],
    ['words', item.wordCount],
    ['tags', item.tags?.join(', ')],
    ['proposed', proposals(item)],
    ['lists', item.lists?.map(({ name }) => name).join(', ')],
    ['notes', item.notes],
    ['shelf', item.shelf],
    ['read', readingState(item)],
    ['saved', item.createdAt === undefined ? undefined : shownTime(item.createdAt)],
    ['copy of', item.duplicateOf],
  ];
  return facts.flatMap(([name, value]) => {
    if (value === null || value === undefined || value === '') return [];
    const text = String(value);
    return [line(meta(name.padEnd(10)), name === 'url' ? link(text) : text)];
  });
}

function readingState({ readAt, reading }: ItemPage): string | null {
  if (readAt) return shownTime(readAt);
  return reading ? `${Math.round(reading.share * 100)} %` : null;
}

function printSection({ title, seconds, page, cursor }: OpenableSection): Printed[number] {
  const locator: Locator | null =
    seconds !== undefined ? { kind: 'time', seconds } : page !== undefined ? { kind: 'page', page } : null;
  return line(`  ${oneLine(title, 90)}`, meta(`${place(locator)}  --cursor ${cursor}`));
}

/** Its position in a recording or a document: ` (1:05)`, ` (page 3)`. */
export function place(locator: Locator | null): string {
  if (locator?.kind === 'page') return ` (page ${locator.page})`;
  if (locator?.kind !== 'time') return '';
  const minutes = Math.floor(locator.seconds / 60);
  return ` (${minutes}:${String(Math.floor(locator.seconds % 60)).padStart(2, '0')})`;
}

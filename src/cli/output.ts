import type { ActionItem } from '../domain/records/action.ts';
import type { ContentSummary } from '../domain/records/content.ts';
import type { Goal } from '../domain/records/goal.ts';
import type { Locator } from '../domain/records/locator.ts';
import { shortened } from '../domain/text/shortened.ts';
import type { ItemPage, OpenableSection } from '../services/library/item-page.ts';
import type { DeletedItem } from '../services/library/library.ts';
import type { RelatedAnswer } from '../services/search/related.ts';
import type { SearchAnswer } from '../services/search/search.ts';
import type { Suggestion } from '../services/search/suggestions.ts';

interface List<T> {
  items: T[];
  total: number;
  offset: number;
  nextCursor?: string;
}

function oneLine(text: string, width: number): string {
  return shortened(text.replaceAll(/\s+/g, ' ').trim(), width);
}

function indent(text: string, by: string): string {
  return text
    .split('\n')
    .map((line) => by + line)
    .join('\n');
}

function place(locator: Locator | null): string {
  if (locator?.kind === 'page') return ` (page ${locator.page})`;
  if (locator?.kind !== 'time') return '';
  const minutes = Math.floor(locator.seconds / 60);
  return ` (${minutes}:${String(Math.floor(locator.seconds % 60)).padStart(2, '0')})`;
}

function state(item: ContentSummary): string {
  if (item.status === 'failed') return `failed: ${item.failure?.message ?? ''}`;
  if (item.failure?.nextAttemptAt)
    return `waiting, tried ${item.failure.attempts}×, again at ${item.failure.nextAttemptAt}: ${item.failure.message}`;
  if (item.progress !== undefined) return `${item.status}, next: ${item.progress.stage}`;
  return item.status;
}

function listed<T>(list: List<T>, one: string, render: (item: T) => string): string {
  if (list.total === 0) return `No ${one}s found.`;
  const all = `${list.total} ${one}${list.total === 1 ? '' : 's'}`;
  if (list.items.length === 0) return `Of ${all} none is left from --offset ${list.offset} on.`;
  const shown = list.items.map(render).join('\n');
  const last = list.offset + list.items.length;
  return `${shown}\n${list.offset + 1}–${last} of ${all}${last < list.total ? ` (--offset ${last} for more)` : ''}`;
}

export function renderSummary(item: ContentSummary): string {
  const about = [
    item.contentType,
    item.tags.map((tag) => `#${tag}`).join(' '),
    item.status === 'completed' ? '' : state(item),
    item.deletedAt === undefined ? '' : `deleted ${item.deletedAt}, can be restored until ${item.restorableUntil}`,
  ]
    .filter(Boolean)
    .join(' · ');
  return `${item.id}  ${oneLine(item.title ?? item.url, 100)}\n    ${oneLine(item.url, 120)}${about === '' ? '' : `\n    ${about}`}`;
}

function renderAction(action: ActionItem): string {
  const box = { open: '[ ]', done: '[x]', dismissed: '[-]' }[action.state];
  const lines = [`${box} ${oneLine(action.title, 300)}  ${action.id}`];
  if (action.goalReason !== null) lines.push(`    ${oneLine(action.goalReason, 160)}`);
  if (action.reason !== null) lines.push(`    ${oneLine(action.reason, 160)}`);
  if (action.url !== null) lines.push(`    ${action.url}`);
  for (const { contentId, url } of action.alsoIn ?? []) lines.push(`    also in ${contentId}  ${url ?? ''}`);
  return lines.join('\n');
}

function renderSection({ title, seconds, page, cursor }: OpenableSection): string {
  const locator =
    seconds === undefined
      ? page === undefined
        ? null
        : { kind: 'page' as const, page }
      : { kind: 'time' as const, seconds };
  return `  ${oneLine(title, 90)}${place(locator)}  --cursor ${cursor}`;
}

/** Renders an item, or a later page of one, which holds only what the earlier pages did not. */
function renderItem(item: ItemPage): string {
  const facts: [string, string | number | null | undefined][] = [
    ['id', item.id],
    ['url', item.url],
    ['status', item.status === undefined ? undefined : state(item as ContentSummary)],
    ['type', item.contentType],
    ['author', item.author],
    ['site', item.siteName],
    ['published', item.publishedAt],
    ['language', item.language],
    ['words', item.wordCount],
    ['tags', item.tags?.join(', ')],
    ['notes', item.notes],
    ['saved', item.createdAt],
    ['copy of', item.duplicateOf],
  ];
  const parts = [oneLine(item.title ?? item.url ?? item.id, 500)];
  parts.push(
    facts
      .flatMap(([name, value]) =>
        value === null || value === undefined || value === '' ? [] : [`${name.padEnd(10)}${String(value)}`],
      )
      .join('\n'),
  );
  for (const warning of item.warnings ?? []) parts.push(`Note: ${warning.message}`);
  if (item.summary)
    parts.push(
      `${item.analysis?.by === 'extractive' ? 'Summary (extracted sentences)' : 'Summary'}\n${indent(item.summary, '  ')}`,
    );
  if (item.keyInsights !== undefined && item.keyInsights.length > 0)
    parts.push(
      `Key insights\n${item.keyInsights.map((insight) => `  • ${oneLine(insight.text, 400)}${insight.quote === null ? ' (no quote)' : place(insight.locator)}`).join('\n')}`,
    );
  if (item.actions !== undefined && item.actions.length > 0)
    parts.push(`Action items\n${item.actions.map((action) => indent(renderAction(action), '  ')).join('\n')}`);
  if (item.outline !== undefined) parts.push(`Outline\n${item.outline.map(renderSection).join('\n')}`);
  if (item.transcript !== undefined)
    parts.push(`${oneLine(item.section ?? 'Text', 100)}\n${indent(item.transcript, '  ')}`);
  if (item.nextCursor !== undefined) parts.push(`More with --cursor ${item.nextCursor}`);
  return parts.join('\n\n');
}

function renderSearch(answer: SearchAnswer): string {
  const { searchable, pending, failed } = answer.coverage;
  const found = answer.results.map((result, index) => {
    const passages = result.passages.map(({ before, text, after, headingPath, url }) =>
      [
        ...(headingPath === undefined ? [] : [`   ${oneLine(headingPath.join(' › '), 100)}`]),
        ...(before === undefined ? [] : [indent(before.trim(), '   : ')]),
        indent(text.trim(), '   | '),
        ...(after === undefined ? [] : [indent(after.trim(), '   : ')]),
        `   ${url}`,
      ].join('\n'),
    );
    return `${index + 1}. ${oneLine(result.title, 500)}  ${result.id}\n${passages.join('\n\n')}`;
  });
  const waiting = [pending > 0 ? `${pending} still being processed` : '', failed > 0 ? `${failed} failed` : '']
    .filter(Boolean)
    .join(', ');
  const about = `Searched ${searchable} item${searchable === 1 ? '' : 's'} by ${answer.mode === 'hybrid' ? 'words and meaning' : 'words'}${waiting === '' ? '' : ` (${waiting})`}.`;
  const meant = answer.searchedFor === undefined ? '' : ` Searched for: ${answer.searchedFor}`;
  const more = answer.nextCursor === undefined ? [] : [`More with --cursor ${answer.nextCursor}`];
  return [
    ...(found.length === 0 ? ['Nothing found.'] : found),
    ...facetLines(answer),
    `${about}${meant}`,
    ...more,
  ].join('\n\n');
}

function facetLines({ facets }: SearchAnswer): string[] {
  if (facets === undefined) return [];
  const lines = Object.entries(facets).flatMap(
    ([name, counts]: [string, { value: string | number; count: number }[]]) =>
      counts.length === 0
        ? []
        : [`${name.padEnd(7)}${counts.map(({ value, count }) => `${value} (${count})`).join(', ')}`],
  );
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function renderGoal(goal: Goal): string {
  return `${goal.id}  ${oneLine(goal.title, 300)} (${goal.category}${goal.archivedAt === undefined ? '' : ', archived'})${goal.description === null ? '' : `\n    ${oneLine(goal.description, 160)}`}`;
}

function renderRelated({ items, by }: RelatedAnswer): string {
  if (items.length === 0) return 'Nothing is near it.';
  const found = items.map(({ id, title, why }, index) => {
    const pairs = why.map(
      ({ here, there }) =>
        `${indent(here.text.trim(), '   : ')}\n${indent(there.text.trim(), '   | ')}\n   ${there.url}`,
    );
    return `${index + 1}. ${oneLine(title, 500)}  ${id}\n${pairs.join('\n\n')}`;
  });
  return [
    ...found,
    `Compared by ${by}. Of each pair the first passage is its own, the second that of the other item.`,
  ].join('\n\n');
}

function renderSuggestions({ suggestions }: { suggestions: Suggestion[] }): string {
  if (suggestions.length === 0) return 'No suggestions.';
  return suggestions
    .map(({ text, kind, id }) => `${kind.padEnd(8)}${oneLine(text, 100)}${id === undefined ? '' : `  ${id}`}`)
    .join('\n');
}

/** Renders the answer of each operation as text for the terminal, by the operation's name. */
export const renderers: Readonly<Record<string, (output: never) => string>> = {
  search: renderSearch,
  related: renderRelated,
  suggest: renderSuggestions,
  forget_queries: ({ forgotten }: { forgotten: number }) =>
    `${forgotten} question${forgotten === 1 ? '' : 's'} forgotten.`,
  list_content: (list: List<ContentSummary>) => listed(list, 'item', renderSummary),
  get_content: renderItem,
  list_actions: (list: List<ActionItem>) => listed(list, 'action item', renderAction),
  complete_action: renderAction,
  list_goals: (list: List<Goal> & { hint?: string }) =>
    list.hint === undefined
      ? listed(list, 'goal', renderGoal)
      : 'No goals yet. Add one: commonplace goal add "Sleep eight hours" --category Health',
  update_content: renderSummary,
  delete_content: ({ id, title, url, restorableUntil }: DeletedItem) =>
    `Deleted: ${oneLine(title ?? url, 100)}\n    commonplace restore ${id} brings it back until ${restorableUntil}.`,
  restore_content: renderSummary,
  update_action: renderAction,
  add_goal: renderGoal,
  update_goal: renderGoal,
};

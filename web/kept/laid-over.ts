import { foldTag } from '../../src/domain/records/item.ts';
import type { Outgoing } from './outbox.ts';

type Fields = Record<string, unknown>;

/** What a write says; each operation has some of it. */
interface Input extends Fields {
  id?: string;
  ids?: readonly string[];
  contentId?: string;
}

/** An empty text is none. */
function fieldsOf(input: Input): Fields {
  const fields = Object.entries(input).filter(([name]) => !['id', 'ids', 'before'].includes(name));
  return Object.fromEntries(fields.map(([name, value]) => [name, value === '' ? null : value]));
}

/** The fields of a record that a write changes; null: the record goes. */
type Change = (input: Input, record: Fields) => Fields | null;
const changes: Readonly<Record<string, Change>> = {
  edit_item: fieldsOf,
  update_action: fieldsOf,
  update_highlight: fieldsOf,
  complete_action: () => ({ state: 'done' }),
  delete_highlight: () => null,
  // Its row stays until the server has moved it to the trash, and shows that this waits.
  delete_items: () => ({}),
  update_contents(input, { tags = [], proposedTags = [] }) {
    const { read, addTags = [], removeTags = [], rejectTags = [], ...fields } = input as Record<string, string[]>;
    const isNone = (tag: string, ...of: string[][]): boolean => !of.flat().map(foldTag).includes(foldTag(tag));
    const left = (tags as string[]).filter((tag) => isNone(tag, removeTags, rejectTags));
    return {
      ...fieldsOf(fields),
      // The first spelling of a tag stays.
      tags: [...left, ...addTags.filter((tag) => isNone(tag, left))],
      proposedTags: (proposedTags as { tag: string }[]).filter(({ tag }) =>
        isNone(tag, addTags, removeTags, rejectTags),
      ),
      ...(read !== undefined && { readAt: read ? new Date().toISOString() : null }),
    };
  },
};

/** Whether answers show this write before the server has it. */
export function isLaidOver({ operation }: Outgoing): boolean {
  return operation in changes || operation === 'add_highlight';
}

const waiting = new WeakSet<object>();

/** Whether a record shows a change that could not be sent yet. */
export function isWaiting(record: object): boolean {
  return waiting.has(record);
}

/** An answer as it will be once these writes are done. What they leave as it is stays the same object. */
export function laidOver(
  operation: string,
  asked: object,
  answer: unknown,
  writes: readonly (readonly [key: string, write: Outgoing])[],
  areHeld: boolean,
): unknown {
  const marked = (record: Fields): Fields => {
    if (areHeld) waiting.add(record);
    return record;
  };
  const changed = (value: unknown, input: Input, change: Change): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const parts = Object.entries(value).map(
      ([field, part]: [string, unknown]) => [field, part, changed(part, input, change)] as const,
    );
    const isSame = parts.every(([, part, next]) => part === next);
    if (Array.isArray(value)) return isSame ? value : parts.flatMap(([, , next]) => (next === null ? [] : [next]));
    const record = isSame ? (value as Fields) : Object.fromEntries(parts.map(([field, , next]) => [field, next]));
    if (waiting.has(value)) waiting.add(record);
    const { id = '', ids = [id] } = input;
    if (!ids.includes((record['id'] as string | undefined) ?? '')) return record;
    const fields = change(input, record);
    return fields && marked({ ...record, ...fields });
  };
  // A change in the history has the id of its record, and tells what the record was.
  if (operation === 'history') return answer;
  let shown = answer;
  for (const [key, write] of writes) {
    const input = write.input as Input;
    const change = changes[write.operation];
    const isItsList = operation === 'list_highlights' && (asked as Input).contentId === input.contentId;
    if (change !== undefined) shown = changed(shown, input, change);
    else if (write.operation === 'add_highlight' && isItsList && shown) {
      const list = shown as { items: Fields[] };
      const made = { id: key, note: null, colour: null, locator: null, place: 'found', ...input };
      // The server may have it, although its answer did not come.
      if (!list.items.some(({ quote }) => quote === input['quote']))
        shown = { ...list, items: [...list.items, marked(made)] };
    }
  }
  return shown;
}

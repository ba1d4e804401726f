/** Null: there is no such record. */
export type RecordState = { deleted: boolean; notes: string | null; tags: readonly string[] } | null;

/** What is known of one record: it is in one of these states. More than one, while nobody knows whether a change was made. */
export interface Entry {
  /** Null until its creation was acknowledged, or it was found. */
  id: string | null;
  kind: 'page' | 'note' | 'goal';
  /** What nothing else has: an address, or a title. */
  name: string;
  possible: RecordState[];
  /** The last change that can be undone, and the state that this brings back. */
  undo?: { change: string; to: RecordState };
}

/** A record as it is in the file. */
export interface FoundRecord {
  id: string;
  name: string;
  state: NonNullable<RecordState>;
}

const same = (a: RecordState, b: RecordState): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * What clients were promised: the states in which records may be, changes that must be in the history, and action items that are
 * done. Compared with what is in the file, it says what is missing or double, and then knows which of the possible states came true.
 */
export class Ledger {
  readonly entries = new Set<Entry>();
  readonly changes = new Set<string>();
  readonly doneActions = new Set<string>();
  /** Calls by how they ended; the last ones may have been done or not. */
  readonly calls = { done: 0, refused: 0, unknown: 0 };

  /** @returns what is wrong, one sentence each */
  settle(found: { records: readonly FoundRecord[]; changes: ReadonlySet<string>; doneActions: ReadonlySet<string> }) {
    const wrong: string[] = [];
    const byName = Map.groupBy(found.records, ({ name }) => name);
    for (const entry of this.entries) {
      const [record, ...others] = byName.get(entry.name) ?? [];
      const called = `${entry.kind} ${entry.name}`;
      if (others.length > 0) wrong.push(`${called} is there ${others.length + 1} times`);
      const state = record?.state ?? null;
      if (!entry.possible.some((one) => same(one, state)))
        wrong.push(
          `${called} should be ${entry.possible.map((one) => JSON.stringify(one)).join(' or ')}, and is ${JSON.stringify(state)}`,
        );
      if (record !== undefined && entry.id !== null && record.id !== entry.id)
        wrong.push(`${called} was ${entry.id}, and is ${record.id}`);
      entry.id = record?.id ?? null;
      entry.possible = [state];
    }
    for (const change of this.changes)
      if (!found.changes.has(change)) wrong.push(`change ${change} is not in the history`);
    for (const id of this.doneActions)
      if (!found.doneActions.has(id)) wrong.push(`action item ${id} is not done any more`);
    return wrong;
  }
}

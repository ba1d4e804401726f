import { setImmediate } from 'node:timers/promises';
import type { Answer, Face } from './faces.ts';
import type { Entry, Ledger, RecordState } from './ledger.ts';
import type { Random } from './random.ts';

/** What a client does next, each as often as it stands here. */
const habits = [
  ...(['save', 'save', 'save', 'note', 'note', 'goal', 'search', 'complete'] as const),
  ...(['edit', 'edit', 'edit', 'edit', 'undo', 'undo', 'delete', 'restore'] as const),
];

export interface ClientParts {
  ledger: Ledger;
  random: Random;
  /** Puts a page on the site; the answer is its address. */
  publish: (title: string) => string;
  /** It makes so many of its own; then it only changes them. */
  maxRecords: number;
}

/** Does one thing after the other, to records of its own alone: so it knows what each must be. */
export class Client {
  readonly #name: string;
  readonly #ledger: Ledger;
  readonly #random: Random;
  readonly #publish: (title: string) => string;
  readonly #maxRecords: number;
  readonly #mine: Entry[] = [];
  /** Creations of which nobody knew whether they were done: they are asked for again. */
  readonly #cut: ((face: Face) => Promise<void>)[] = [];
  #made = 0;

  /** @param name nothing else on the library has it */
  constructor(name: string, { ledger, random, publish, maxRecords }: ClientParts) {
    this.#name = name;
    this.#ledger = ledger;
    this.#random = random;
    this.#publish = publish;
    this.#maxRecords = maxRecords;
  }

  /** @param searches false: a process that is not to start the threads of search */
  async run(face: Face, isOver: () => boolean, searches = true): Promise<void> {
    while (!isOver()) {
      await this.#act(face, searches);
      // It may have found nothing to do: others have their turn, too.
      await setImmediate();
    }
  }

  async #act(face: Face, searches: boolean): Promise<void> {
    const again = this.#cut.pop();
    if (again !== undefined) return await again(face);
    const habit = this.#random.pick(habits);
    if (habit === 'save' || habit === 'note' || habit === 'goal') {
      if (this.#made < this.#maxRecords) await this.#create(face, habit);
      return;
    }
    if (habit === 'search') {
      if (searches) await face.call('search', { query: 'persistence pays off', limit: 3 });
      return;
    }
    const entry = this.#pickSettled();
    const id = entry?.id ?? null;
    if (entry === undefined || id === null) return;
    if (habit === 'complete') await this.#complete(face, id);
    else await this.#change(face, habit, id, entry);
  }

  /** One whose state is known. */
  #pickSettled(): Entry | undefined {
    const known = this.#mine.filter(
      ({ id, kind, possible }) => id !== null && kind !== 'goal' && possible.length === 1,
    );
    return known.length === 0 ? undefined : this.#random.pick(known);
  }

  async #create(face: Face, habit: 'save' | 'note' | 'goal'): Promise<void> {
    const title = `${this.#name} ${habit} ${(this.#made += 1)}`;
    const kind = habit === 'save' ? 'page' : habit;
    const name = kind === 'page' ? this.#publish(title) : title;
    const entry: Entry = { id: null, kind, name, possible: [null] };
    this.#ledger.entries.add(entry);
    this.#mine.push(entry);
    const next = { deleted: false, notes: null, tags: kind === 'page' ? ['new'] : [] };
    const key = title.replaceAll(' ', '-');
    const ask = (by: Face): Promise<Answer> => {
      if (kind === 'goal') return by.call('add goal', { title, category: 'Health' }, key);
      const input = kind === 'page' ? { url: name, tags: ['new'] } : { title, text: `${title}: persistence pays off.` };
      return by.call('save', input, key);
    };
    const outcome = await this.#settle(entry, next, () => ask(face));
    // The second time it must not be made twice.
    if (outcome === 'unknown' && face.takesKeys)
      this.#cut.push(async (by) => {
        if (by.takesKeys && entry.possible.length === 1) await this.#settle(entry, next, () => ask(by));
      });
  }

  async #change(face: Face, habit: 'edit' | 'undo' | 'delete' | 'restore', id: string, entry: Entry): Promise<void> {
    const now = entry.possible[0] ?? null;
    if (now === null || now.deleted !== (habit === 'restore')) return;
    if (habit === 'edit') {
      const change = { notes: `${this.#name} ${this.#random.below(1e9)}`, tags: [`t${this.#random.below(5)}`] };
      await this.#settle(entry, { deleted: false, ...change }, () => face.call('edit', { id, ...change }), now);
    } else if (habit === 'undo') {
      const { undo } = entry;
      if (undo !== undefined) await this.#settle(entry, undo.to, () => face.call('undo', { id: undo.change }));
    } else await this.#settle(entry, { ...now, deleted: habit === 'delete' }, () => face.call(habit, { id }));
  }

  /** While the call lasts, the record may be in either state. */
  async #settle(
    entry: Entry,
    next: RecordState,
    call: () => Promise<Answer>,
    before?: RecordState,
  ): Promise<Answer['outcome']> {
    const now = entry.possible[0] ?? null;
    entry.possible = [now, next];
    delete entry.undo;
    const answer = await call();
    this.#ledger.calls[answer.outcome] += 1;
    if (answer.outcome === 'refused') entry.possible = [now];
    if (answer.outcome !== 'done') return answer.outcome;
    const { id, undo } = answer.said as { id?: string; undo?: string };
    entry.possible = [next];
    entry.id ??= id ?? null;
    if (undo !== undefined) this.#ledger.changes.add(undo);
    if (undo !== undefined && before !== undefined) entry.undo = { change: undo, to: before };
    return 'done';
  }

  async #complete(face: Face, id: string): Promise<void> {
    const read = await face.call('read', { id });
    if (read.outcome !== 'done') return;
    const [action] = (read.said['actions'] as { id: string }[] | undefined) ?? [];
    if (action === undefined) return;
    const answer = await face.call('complete', { id: action.id });
    this.#ledger.calls[answer.outcome] += 1;
    if (answer.outcome === 'done') this.#ledger.doneActions.add(action.id);
  }
}

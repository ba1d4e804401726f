import { type Call, CallError } from './calls.ts';
import { Kept, type Shelf } from '../kept/kept.ts';
import { isLaidOver, laidOver } from '../kept/laid-over.ts';
import { type Fate, Outbox, type Outgoing } from '../kept/outbox.ts';
import type { Start } from './records.ts';

/** An answer of the server, and whether it is being asked for. */
export interface Entry<Answer = unknown> {
  answer?: Answer | undefined;
  error?: CallError | undefined;
  isLoading: boolean;
  /** The answer on its way may be from before a change: it is asked for again once it is there. */
  isOutdated?: boolean;
}

/** Answers that the browser keeps for the time when the server is away (`kept/offline.ts`). */
export interface AnswerShelf {
  keep(operation: string, input: object, answer: unknown): void;
  find(operation: string, input: object): Promise<unknown>;
  end(): Promise<void>;
}

/** Answers that are kept at most; the oldest go first. */
const maxKept = 400;
/** While the server does not answer, it is asked again so often. */
const probeMs = 2_000;
/** Answers that are long and loaded ahead; who shows them asks again. */
const loadedAhead = 'list_titles';

/** Keeps answers while views come and go, asks again after changes, and knows whether the server answers. */
export class Store {
  readonly start: Start;
  /** Drafts and writes that the server does not have yet. */
  readonly kept: Kept;
  readonly outbox: Outbox;
  /** Told of writes that were sent late, and of those that were refused then. */
  onLate: (fate: Exclude<Fate, 'waits'>, operation?: string) => void = () => undefined;
  /** Told that the person has signed out, here or in another window. */
  onOver: () => void = () => undefined;
  isConnected = true;
  /** The writes that wait to be sent, by their keys; none in the first drawing, which the server makes as well. */
  waiting: Outbox['waiting'] = [];
  conflicts: Outbox['conflicts'] = [];
  /** Answers as they will be once the writes that wait are done, each by what the server said. */
  #shown = new WeakMap<object, unknown>();
  #over: Outbox['waiting'] = [];
  /** What `#shown` was made from. */
  #shownOf = '[]';
  readonly #call: Call;
  readonly #keptAnswers: AnswerShelf | undefined;
  /** The other windows of the account, which are told that it was signed out. */
  readonly #windows: InstanceType<typeof BroadcastChannel> | undefined;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #watchers = new Set<() => void>();
  #probe: ReturnType<typeof setInterval> | undefined;

  /**
   * @param shelf where drafts are kept; null: nowhere
   * @param keptAnswers for the time when the server is away
   */
  constructor(start: Start, call: Call, shelf: Shelf | null, keptAnswers?: AnswerShelf) {
    this.start = start;
    this.#call = call;
    this.#keptAnswers = keptAnswers;
    this.kept = new Kept(shelf, start.accountId);
    this.outbox = new Outbox({
      kept: this.kept,
      send: (operation, input, key) => this.call(operation, input, key),
      onLate: (fate, operation) => this.onLate(fate, operation),
      onChange: (write) => this.#changed(write),
      // Browsers have locks on https and on the machine itself.
      ...(shelf !== null &&
        'locks' in navigator && { alone: (work) => navigator.locks.request(`commonplace ${start.accountId}`, work) }),
    });
    if (shelf !== null) {
      this.#windows = new BroadcastChannel(`commonplace ${start.accountId}`);
      this.#windows.addEventListener('message', () => {
        this.kept.end();
        void this.#keptAnswers?.end();
        this.onOver();
      });
    }
    for (const { operation, input, answer, problem } of start.answers) {
      const error = problem === undefined ? undefined : new CallError(problem, 400);
      this.#entries.set(keyOf(operation, input), { answer, error, isLoading: false });
      if (problem === undefined) keptAnswers?.keep(operation, input, answer);
    }
  }

  /** The person has signed out: no window keeps what was typed. */
  async signOut(): Promise<void> {
    this.#windows?.postMessage('over');
    this.kept.end();
    await this.#keptAnswers?.end();
    this.onOver();
  }

  readonly call: Call = (operation, input, key) =>
    this.#call<never>(operation, input, key).then(
      (answer) => {
        this.#heard(true);
        return answer;
      },
      (error: CallError) => {
        this.#heard(error.status !== 0);
        throw error;
      },
    );

  /**
   * Sends a write through the outbox.
   * @returns null when it waits, of which `onLate` is told later; undefined when the person has to choose
   * @throws {CallError} when it is refused
   */
  write<Answer>(write: Outgoing): Promise<Answer | null | undefined> {
    return new Promise((resolve, reject) => {
      let hasWaited = false;
      this.outbox.add(write, (fate) => {
        if (fate === 'waits') {
          hasWaited = true;
          resolve(null);
        } else if (hasWaited) this.onLate(fate, write.operation);
        else if (fate === 'conflicts') resolve(undefined);
        else if ('refused' in fate) reject(fate.refused);
        else resolve(fate.answer as Answer);
      });
    });
  }

  /** @param watcher called when the connection is lost or back, or writes come, wait or go */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** What is known, with the writes that wait laid over it. */
  get<Answer>(operation: string, input: object): Entry<Answer> | undefined {
    const entry = this.#entries.get(keyOf(operation, input));
    const { answer } = entry ?? {};
    const isAsItIs = operation === loadedAhead || this.#over.length === 0;
    if (typeof answer !== 'object' || answer === null || isAsItIs) return entry as Entry<Answer> | undefined;
    if (!this.#shown.has(answer))
      this.#shown.set(answer, laidOver(operation, input, answer, this.#over, this.outbox.isHeld));
    return { ...entry, answer: this.#shown.get(answer) } as Entry<Answer>;
  }

  /** Asks the server, unless the answer is there or on its way. @returns once it came, or did not */
  load(operation: string, input: object, isAgain = false): Promise<void> {
    const key = keyOf(operation, input);
    const known = this.#entries.get(key);
    if (known?.isLoading === true) known.isOutdated ||= isAgain;
    if (known?.isLoading === true || (known?.answer !== undefined && !isAgain)) return Promise.resolve();
    const asked: Entry = { ...known, isLoading: true };
    this.#set(key, asked);
    const take = (entry: Entry): void => {
      // Else it was forgotten meanwhile, and may be asked for again.
      if (this.#entries.get(key) !== asked) return;
      this.#set(key, entry);
      if (asked.isOutdated === true) this.#renew(key);
    };
    return this.call(operation, input).then(
      (answer) => (this.#keptAnswers?.keep(operation, input, answer), take({ answer, isLoading: false })),
      async (error: CallError) => {
        const isNew = known?.answer === undefined && error.status === 0;
        const answer = isNew ? await this.#keptAnswers?.find(operation, input) : asked.answer;
        take({ answer, ...((!isNew || answer === undefined) && { error }), isLoading: false });
      },
    );
  }

  /** Asks again for what is shown, and forgets what is not. */
  #renew(key: string): void {
    if (this.#listeners.has(key)) void this.load(...askedIn(key), true);
    else this.#entries.delete(key);
  }

  /** Forgets the answers of these operations, or of all. Those that are shown are asked for again. */
  refresh(...operations: string[]): void {
    const outdated = [...this.#entries.keys()].filter((key) => {
      const [operation] = askedIn(key);
      return operations.length === 0 ? operation !== loadedAhead : operations.includes(operation);
    });
    for (const key of outdated) this.#renew(key);
  }

  listen(operation: string, input: object, listener: () => void): () => void {
    const key = keyOf(operation, input);
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(key);
    };
  }

  #heard(isConnected: boolean): void {
    if (!isConnected)
      this.#probe ??= setInterval(() => void this.call('library_state', {}).catch(() => undefined), probeMs);
    if (isConnected === this.isConnected) return;
    this.isConnected = isConnected;
    if (isConnected) {
      clearInterval(this.#probe);
      this.#probe = undefined;
      this.outbox.send();
      this.refresh();
    }
    this.#changed();
  }

  /** Shows and sends the writes of an earlier page. */
  resume(): void {
    this.#changed();
    this.outbox.send();
  }

  /** @param write the server has done it: what is known shows it until it is asked for again */
  #changed(write?: Outbox['waiting'][number]): void {
    const done = write !== undefined && isLaidOver(write[1]) ? [write] : [];
    for (const [key, entry] of done.length > 0 ? this.#entries : []) {
      const [operation, input] = askedIn(key);
      if (operation !== loadedAhead) entry.answer = laidOver(operation, input, entry.answer, done, false);
    }
    this.waiting = this.outbox.waiting;
    this.conflicts = this.outbox.conflicts;
    this.#over = this.waiting.filter(([, write]) => isLaidOver(write));
    const shownOf = JSON.stringify(this.#over.map(([key, { input }]) => [key, input, this.outbox.isHeld]));
    if (done.length > 0 || shownOf !== this.#shownOf) {
      this.#shownOf = shownOf;
      this.#shown = new WeakMap();
      for (const listener of [...this.#listeners.values()].flatMap((some) => [...some])) listener();
    }
    for (const watcher of this.#watchers) watcher();
  }

  #set(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const old of this.#entries.keys()) {
      if (this.#entries.size <= maxKept) break;
      if (!this.#listeners.has(old)) this.#entries.delete(old);
    }
    for (const listener of this.#listeners.get(key) ?? []) listener();
  }
}

function keyOf(operation: string, input: object): string {
  return `${operation} ${JSON.stringify(input)}`;
}

function askedIn(key: string): [operation: string, input: object] {
  const [operation = ''] = key.split(' ', 1);
  return [operation, JSON.parse(key.slice(operation.length + 1)) as object];
}

import { EventEmitter } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBuiltIn } from '../../support/command.ts';
import { type Faults, withFaults } from '../../support/faults/faults.ts';
import { clientKinds } from '../../support/mcp.ts';
import { runCommand } from '../../support/servers/serving.ts';
import type { Site } from '../../support/servers/site.ts';
import { Client } from './client.ts';
import type { Disk, diskMaker } from './disk.ts';
import { type Face, NoAnswerError, type RunningProcess, startAssistant, startServer } from './faces.ts';
import { Ledger } from './ledger.ts';
import type { ProcessPlan } from './plans.ts';
import { publisher } from './pages.ts';
import type { Random } from './random.ts';
import { checkRecords, countItems, findStuck } from './records.ts';
import { addKill, placeOf, type Tally } from './tally.ts';

/** A place for one of the two processes on the library. */
interface Slot {
  kind: 'server' | 'assistant';
  running: RunningProcess | null;
  plan: ProcessPlan | null;
  disk: Disk | null;
  /** Written before the process kills itself. */
  note: string;
  /** When it was killed from outside. */
  killed: string | null;
  clients: Client[];
}

export interface Surroundings {
  workFolder: string;
  site: Site;
  random: Random;
  tally: Tally;
  makeDisk: ReturnType<typeof diskMaker>;
}

/** With it, a server does not replace itself by one with less memory: that is a tenth of its start. */
const startsOnce = { MALLOC_ARENA_MAX: '1' };

/** A server that stands alone costs twice what an assistant's does. */
const pairs = [
  ['server', 'server'],
  ['server', 'assistant'],
  ['server', 'assistant'],
  ['assistant', 'assistant'],
] as const;

/** Two processes on one data folder, clients that talk to them, and what these were promised. */
export class TorturedLibrary {
  readonly #around: Surroundings;
  readonly #folder: string;
  readonly #token: string;
  readonly #ledger = new Ledger();
  readonly #slots: Slot[];

  /** Calls of clients that were answered in this round. */
  readonly #calls = new EventEmitter<{ answered: [] }>();

  private constructor(around: Surroundings, name: string, token: string, kinds: readonly Slot['kind'][]) {
    const folder = join(around.workFolder, name);
    this.#around = around;
    this.#folder = folder;
    this.#token = token;
    this.#slots = kinds.map((kind, at) => ({
      kind,
      running: null,
      plan: null,
      killed: null,
      disk: around.makeDisk?.(folder, `${folder}.disk-${at}`) ?? null,
      note: `${folder}.killed-${at}`,
      clients: [0, 1].map(
        (client) =>
          new Client(`${name}-${at}${client}`, {
            ledger: this.#ledger,
            random: around.random,
            publish: publisher(around.site),
            maxRecords: 24,
          }),
      ),
    }));
  }

  static async make(around: Surroundings, name: string): Promise<TorturedLibrary> {
    const folder = join(around.workFolder, name);
    const { token } = await runCommand<{ token: string }>(folder, 'token', 'create', 'torture');
    return new TorturedLibrary(around, name, token, around.random.pick(pairs));
  }

  /** Whether a process is to be started, and needs a plan. */
  get needsPlan(): boolean {
    return this.#slots.some(({ plan }) => plan === null);
  }

  async begin(plan: ProcessPlan): Promise<void> {
    const slot = this.#slots.find((one) => one.plan === null);
    if (slot === undefined) throw new Error('both processes have a plan');
    slot.plan = plan;
    rmSync(slot.note, { force: true });
    const faults: Faults = {
      killedNote: slot.note,
      ...(plan.kill !== null && { kill: plan.kill }),
      ...(plan.clock !== null && { clock: plan.clock }),
      // Where nothing comes between the program and the system, SQLite itself says that the disk is full.
      ...(slot.disk === null && plan.disk !== null && { pagesLeft: plan.disk.after }),
    };
    if (plan.clock !== null) this.#around.tally.clocks += 1;
    const disk = plan.disk === null ? {} : (slot.disk?.misbehaving(plan.disk) ?? {});
    // Otherwise hardly anything is synced.
    const synchronous = plan.disk?.kind === 'sync error' ? { COMMONPLACE_SYNCHRONOUS: 'full' } : {};
    const settings = { COMMONPLACE_WORKERS: String(plan.workers), ...startsOnce };
    try {
      slot.running = await this.#start(slot.kind, { ...withFaults(faults), ...disk, ...synchronous, ...settings });
    } catch (error) {
      slot.running = null;
      // Killed, or refused, before it listened. With a disk that works, it starts.
      if (existsSync(slot.note)) return;
      if (plan.disk !== null && slot.disk !== null && slot.disk.met() > 0) this.#around.tally.refusedStarts += 1;
      else this.#fail(`a process did not start: ${(error as Error).message} ${JSON.stringify(plan)}`);
    }
  }

  async #start(kind: Slot['kind'], env: NodeJS.ProcessEnv): Promise<RunningProcess> {
    if (kind === 'server') return await startServer(this.#folder, this.#token, env);
    return await startAssistant(this.#folder, this.#around.random.pick(clientKinds), env);
  }

  /** Clients call both processes until one of them has died; then what they were promised is compared with what is there. */
  async suffer(): Promise<void> {
    const alive = this.#slots.filter((slot) => slot.running !== null);
    let [isOver, answers] = [false, 0];
    const chosen = alive.length === 0 ? null : this.#around.random.pick(alive);
    const isEnough = new Promise<void>((resolve) => {
      this.#calls.on('answered', () => {
        answers += 1;
        if (answers >= (chosen?.plan?.calls ?? 0)) resolve();
      });
      if (chosen?.plan?.calls === 0) resolve();
    });
    const clients = alive.flatMap(({ running, plan, clients }) =>
      running === null
        ? []
        : clients.map((client) =>
            client.run(this.#counted(running.face), () => isOver || !running.isRunning(), plan?.workers !== 0),
          ),
    );
    if (chosen !== null) {
      await Promise.race([...alive.map((slot) => slot.running?.whenEnded), isEnough, sleep(chosen.plan?.ms ?? 0)]);
      if (alive.every((slot) => slot.running?.isRunning() === true)) await this.#kill(chosen, 'at a random moment');
      const both = alive.some((slot) => slot.running?.isRunning() !== true && slot.plan?.both === true);
      for (const slot of both ? alive : [])
        if (slot.running?.isRunning() === true) await this.#kill(slot, 'when the other one was killed');
    }
    isOver = true;
    this.#calls.removeAllListeners();
    await this.#answered(clients);
    for (const slot of this.#slots) if (slot.plan !== null && slot.running?.isRunning() !== true) this.#ended(slot);
    this.check();
  }

  #counted(face: Face): Face {
    return {
      takesKeys: face.takesKeys,
      call: async (...asked) => {
        const answer = await face.call(...asked);
        this.#calls.emit('answered');
        return answer;
      },
    };
  }

  async #kill(slot: Slot, when: string): Promise<void> {
    const isKilled = slot.running?.kill('SIGKILL') === true;
    await slot.running?.whenEnded;
    if (isKilled) slot.killed = when;
  }

  /** A process was killed, has killed itself where it was to, or broke. */
  #ended(slot: Slot): void {
    const { plan, running, kind, note, killed } = slot;
    if (killed !== null) addKill(this.#around.tally, `${kind}, ${killed}`);
    else if (existsSync(note)) addKill(this.#around.tally, `${kind}, ${placeOf(plan?.kill ?? null)}`);
    else if (running?.hasWorked() === false && (slot.disk?.met() ?? 0) > 0) this.#around.tally.refusedStarts += 1;
    else if (running !== null) this.#fail(`a process ended by itself: ${JSON.stringify(plan)}`);
    this.#clear(slot);
  }

  #clear(slot: Slot): void {
    if ((slot.plan?.disk ?? null) !== null) this.#around.tally.diskFaults += slot.disk?.met() ?? 0;
    slot.plan = null;
    slot.running = null;
    slot.killed = null;
  }

  async #answered(clients: Promise<void>[]): Promise<void> {
    for (const settled of await Promise.allSettled(clients)) {
      if (settled.status === 'fulfilled') continue;
      if (!(settled.reason instanceof NoAnswerError)) throw settled.reason;
      this.#fail(settled.reason.message);
    }
  }

  check(): void {
    this.#around.tally.checks += 1;
    for (const wrong of checkRecords(this.#folder, this.#ledger)) this.#fail(wrong);
  }

  /** Both processes are told to end, and a later one does what they have left. Then every item has ended, or waits to be tried again. */
  async finish(): Promise<void> {
    const { tally } = this.#around;
    for (const slot of this.#slots) {
      if (slot.running?.isRunning() === true) {
        slot.running.kill('SIGTERM');
        const isInTime = await Promise.race([slot.running.whenEnded.then(() => true), sleep(60_000, false)]);
        if (!isInTime) this.#fail(`a ${slot.kind} did not end when it was told to: ${JSON.stringify(slot.plan)}`);
        slot.running.kill('SIGKILL');
      }
      this.#clear(slot);
    }
    // Ten minutes later: the leases of the dead have run out.
    const later = { ...withFaults({ clock: { aheadMs: 600_000 } }), ...startsOnce };
    const flags = [
      '--data',
      this.#folder,
      '--embedder',
      'none',
      '--allow-private-addresses',
      'true',
      '--log-level',
      'silent',
    ];
    const { code, stderr } = await runBuiltIn(later, 'work', ...flags);
    if (code !== 0 && code !== 4) this.#fail(`work ended with ${code}: ${stderr}`);
    for (const stuck of findStuck(this.#folder)) this.#fail(`stuck: ${stuck}`);
    this.check();
    for (const outcome of ['done', 'refused', 'unknown'] as const) tally.calls[outcome] += this.#ledger.calls[outcome];
    for (const [how, count] of Object.entries(countItems(this.#folder)))
      tally.items[how] = (tally.items[how] ?? 0) + count;
    if (tally.failures.length === 0) rmSync(this.#folder, { recursive: true, force: true });
  }

  #fail(words: string): void {
    this.#around.tally.failures.push(`${this.#folder}: ${words}`);
  }
}

import { isoTime, type Clock } from '../../../domain/clock.ts';
import type { ExportedItem } from '../../../domain/records/transfers/exported.ts';
import { isUnusualLoss } from '../../../domain/records/sources/folder.ts';
import { AppError } from '../../../errors.ts';
import { createFileNames, foldedName } from '../../../exporting/file-names.ts';
import { itemFields, itemMarkdown, type MarkdownContext } from '../../../exporting/markdown.ts';
import {
  asConflict,
  digest,
  hasForeignWords,
  joinNote,
  type NoteFile,
  readUpper,
  splitNote,
  type Upper,
} from '../../../exporting/vault/note-file.ts';
import { parseTemplate, placeOf, standardTemplate, type Template } from '../../../exporting/vault/template.ts';
import {
  type Entry,
  isLocked,
  maxFile,
  openVaultFolder,
  type VaultFolder,
  VaultGone,
  withAdvice,
} from '../../../exporting/vault/vault-folder.ts';
import type { Store, Stores } from '../../../store/store.ts';
import { listAll, namesByItem } from '../exporting.ts';
import { takeOver, type TakenOverBy } from './take-over.ts';

/*
 * Keeps a file for each item in a vault, and applies a person's changes there (`take-over.ts`). A file records the values written
 * to it (`note-file.ts`): a difference from them is an edit of the person, and a difference between them and the item is a change
 * of the library. Both are merged field by field. On a conflict, the person's file is kept as a copy.
 */

export interface VaultRequest extends TakenOverBy {
  place: string;
  /** Where the data folder says which vaults it has written. */
  known: string;
  /** Undefined for the standard one. */
  template: string | undefined;
  /** Whether the files of many deleted items may go to `.trash` at once. */
  mayTrashMany: boolean;
  /** Whether it fails, and does not wait, when the vault is not there. */
  isOnce: boolean;
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

export interface VaultCounts {
  items: number;
  written: number;
  /** Files from which something was taken over. */
  takenBack: number;
  conflicts: number;
  /** Files that went to `.trash`. */
  trashed: number;
}

export interface Vault {
  /** Brings files and library up to date. @throws {AppError} `unavailable` when the vault is gone or cannot be written */
  pass(): Promise<VaultCounts>;
  /** Goes on with that whenever something has changed, until the signal is aborted. */
  follow(onPass: (counts: VaultCounts) => void): Promise<void>;
  close(): Promise<void>;
}

export interface VaultService {
  /** @throws {AppError} `invalid_input` or `conflict` when the folder cannot be written */
  open(account: string, request: VaultRequest): Promise<Vault>;
}

const pollMs = 3_000;
/** Between passes while files cannot be written. */
const retryMs = 30_000;
/** A file without its line is left alone for so long: another program may still be writing it. */
const quietMs = 30_000;
/** Files after which the index is written. */
const keptEvery = 1_000;
/** The version of a file whose item is in the trash. */
const inTrash = 'trash';
/** Part of the version of each file: another number rewrites all files. */
const format = 3;

export function createVaultService({ stores, clock }: { stores: Stores; clock: Clock }): VaultService {
  return {
    async open(account, request) {
      const { place, known } = request;
      const template = parseTemplate(request.template ?? standardTemplate);
      const folder = await whenThere(() => openVaultFolder({ place, known, account, clock }), request, clock);
      return new OpenVault({ store: await stores.open(account), account, request, template, folder, clock });
    },
  };
}

interface VaultParts {
  store: Store;
  account: string;
  request: VaultRequest;
  template: Template;
  folder: VaultFolder;
  clock: Clock;
}

interface Pass {
  counts: VaultCounts;
  /** Names of the files of items, which links name without folder and ending. */
  names: Set<string>;
  newName: ReturnType<typeof createFileNames>;
  goals: ReadonlyMap<string, string>;
  lists: ReadonlyMap<string, string[]>;
  trashed: Map<string, string> | null;
}

class OpenVault implements Vault {
  readonly #parts: VaultParts;
  readonly #told = new Set<string>();
  /** Of the library whose items have their files. */
  #state: string | null = null;
  #isTroubled = false;

  constructor(parts: VaultParts) {
    this.#parts = parts;
  }

  async pass(): Promise<VaultCounts> {
    try {
      return await this.#passOnce();
    } catch (error) {
      throw withAdvice(error);
    }
  }

  async #passOnce(): Promise<VaultCounts> {
    const { store, folder, request } = this.#parts;
    const counts: VaultCounts = { items: 0, written: 0, takenBack: 0, conflicts: 0, trashed: 0 };
    this.#isTroubled = false;
    const due = await this.#findEdited();
    const [before, state] = [this.#state, await store.stateToExport()];
    this.#state = null;
    const gone = state === before ? [] : await this.#findDue(due, counts);
    if (due.size > 0 || gone.length > 0) {
      const pass = await this.#begin(counts);
      let done = 0;
      for (const id of [...gone, ...due]) {
        request.signal.throwIfAborted();
        await this.#attempt(id, () => (due.has(id) ? this.#bringUp(id, pass) : this.#letGo(id, pass)));
        request.onProgress((done += 1), due.size + gone.length);
        if (done % keptEvery === 0) await folder.keepIndex();
      }
      await folder.keepIndex();
    }
    this.#state = this.#isTroubled ? null : state;
    return counts;
  }

  async follow(onPass: (counts: VaultCounts) => void): Promise<void> {
    const { clock, folder, request, store } = this.#parts;
    const { signal, tell } = request;
    let problem: string | null = null;
    while (!signal.aborted) {
      try {
        await clock.sleep(this.#isTroubled ? retryMs : pollMs, signal);
        if (problem === null && !folder.hasNews() && (await store.stateToExport()) === this.#state) continue;
        onPass(await this.pass());
        if (problem !== null) tell('The vault can be written again.');
        problem = null;
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
        if (problem !== error.message) tell(error.message);
        problem = error.message;
      }
    }
  }

  async close(): Promise<void> {
    const { folder } = this.#parts;
    // Where the vault is gone, nothing is written.
    await folder.keepIndex().catch(() => undefined);
    await folder.close();
  }

  /** Compares the folder with its known state. @returns the items whose files may have been edited */
  async #findEdited(): Promise<Set<string>> {
    const { store, folder, request } = this.#parts;
    const { entries } = folder;
    const idAt = new Map([...entries].map(([id, { path, version }]) => [version === inTrash ? null : path, id]));
    const edited = new Set<string>();
    const left = new Set<string>();
    const changed = await folder.findChanged();
    for (const [path, about] of changed) {
      if (request.signal.aborted) for (const [one] of changed) folder.lookAgain(one);
      request.signal.throwIfAborted();
      const id = about?.isCopy === false ? about.id : undefined;
      const before = idAt.get(path);
      if (before !== undefined && before !== id) left.add(before);
      if (id === undefined) continue;
      const known = entries.get(id);
      if (known?.path && known.path !== path && (await folder.isThere(known.path)))
        this.#tellOnce(`${path} has the id of ${known.path}: only that one is kept up to date.`);
      else if (known !== undefined || (await store.getContentVersion(id)) !== null) {
        // Without a version, it is looked at by the next pass if this one is interrupted.
        entries.set(id, { path, version: known?.version === inTrash ? inTrash : '' });
        edited.add(id);
      }
    }
    for (const id of left) {
      const entry = entries.get(id);
      if (entry !== undefined && !edited.has(id)) entries.set(id, { ...entry, path: null });
    }
    return edited;
  }

  /** Adds the changed items. @returns items with files that are no longer in the library */
  async #findDue(due: Set<string>, counts: VaultCounts): Promise<string[]> {
    const { store, folder, request } = this.#parts;
    const { entries } = folder;
    const all = await listAll(store, request.signal);
    counts.items = all.length;
    for (const item of all) if (entries.get(item.id)?.version !== this.#versionOf(item)) due.add(item.id);
    const there = new Set(all.map(({ id }) => id));
    const written = [...entries].flatMap(([id, { version }]) => (version === inTrash ? [] : [id]));
    const gone = written.filter((id) => !there.has(id));
    for (const id of gone) due.delete(id);
    if (request.mayTrashMany || !isUnusualLoss(gone.length, written.length)) return gone;
    this.#tellOnce(
      `The items of ${gone.length} of ${written.length} files are no longer in the library. These files stay: to move them to .trash, run this again with --trash-many.`,
    );
    return [];
  }

  async #begin(counts: VaultCounts): Promise<Pass> {
    const { store, folder } = this.#parts;
    const names = new Set(
      [...folder.entries.values()].flatMap(({ path }) => (path === null ? [] : [foldedName(nameOf(path))])),
    );
    return {
      counts,
      names,
      newName: createFileNames(names),
      goals: new Map((await store.listGoalsToExport()).map(({ id, title }) => [id, title])),
      lists: namesByItem(await store.listListsToExport()),
      trashed: null,
    };
  }

  /** Writes the file of an item, or merges it with a person's changes. */
  async #bringUp(id: string, pass: Pass): Promise<void> {
    const { store, folder } = this.#parts;
    const item = await store.readToExport(id);
    if (item === null) return;
    const entry = folder.entries.get(id);
    if (entry?.path && (await folder.isThere(entry.path))) await this.#join(item, entry.path, pass);
    // The person has deleted the file: it comes back when the item is changed.
    else if (entry?.version !== this.#versionOf(item)) await this.#writeNew(item, entry, pass);
  }

  async #writeNew(item: ExportedItem, entry: Entry | undefined, pass: Pass): Promise<void> {
    const { folder, template } = this.#parts;
    const [name = '', ...folders] = placeOf(template, itemFields(item, this.#around(item, pass))).toReversed();
    const bytes = this.#fileOf(item, '', Buffer.from('\n'), pass);
    if (bytes.length > maxFile)
      return this.#tellOnce(`${name} would have more than ${maxFile >> 20} MB: it has no file.`);
    // Its file may be in the trash, with a person's changes.
    const trashed = entry && (pass.trashed ??= await folder.readTrash()).get(item.id);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      // A link names the file alone, so no two have the same name, in whichever folder.
      const path =
        attempt === 0 && entry?.path
          ? entry.path
          : [...folders.toReversed(), `${pass.newName(name, item.id)}.md`].join('/');
      if (trashed !== undefined && (await folder.move(trashed, path))) return this.#join(item, path, pass);
      if (trashed !== undefined || !(await folder.write(path, bytes, null))) continue;
      folder.entries.set(item.id, { path, version: this.#versionOf(item) });
      pass.counts.written += 1;
      return;
    }
    this.#tellOnce(`There are files with the name that ${item.id} would have: it has no file.`);
  }

  async #join(before: ExportedItem, path: string, pass: Pass): Promise<void> {
    const { account, clock, folder, request, store, template } = this.#parts;
    const read = await folder.read(path);
    if (read === null) return;
    const { bytes, state } = read;
    const note = splitNote(bytes);
    const { written } = note;
    const remember = (version: string): void => void folder.entries.set(before.id, { path, version });
    const version = this.#versionOf(before);
    const isClean = isUntouched(note);
    if (isClean && written?.version === version) return remember(version);
    const mine = readUpper(note.upper, template);
    let item = before;
    if (written === null) {
      if (clock.now() - state.mtimeMs < quietMs) return folder.lookAgain(path);
      if (!(await this.#keepCopy(path, bytes, 'the line that parts it is gone or damaged', pass))) return;
    } else if (!isClean) {
      const upperOf = (one: ExportedItem): Upper => readUpper(this.#render(one, '', pass), template);
      const current = upperOf(before);
      const taken = await takeOver(account, request, before, { path, mine, written, current });
      if (taken.isChanged) {
        pass.counts.takenBack += 1;
        item = (await store.readToExport(before.id)) ?? before;
      }
      const known = taken.isChanged ? [current, upperOf(item)] : [current];
      const isForeign = hasForeignWords(mine, written, known, (name) => pass.names.has(foldedName(name)));
      if (!taken.isChanged && written.version === version) {
        // Only the file was changed, in words that are not taken over: they stay until the item changes.
        if (isForeign && !taken.isConflict)
          request.tell(
            `${path}: words above the line are not taken over. They go to a copy when the item changes: write below the line, or under "## Notes".`,
          );
        return remember(version);
      }
      const why = 'it was changed above the line, and so was the item';
      if ((taken.isConflict || isForeign) && !(await this.#keepCopy(path, bytes, why, pass))) return;
    }
    const next = this.#fileOf(item, mine.kept, note.lower, pass);
    if (next.length > maxFile || !(await folder.write(path, next, state))) return folder.lookAgain(path);
    pass.counts.written += 1;
    remember(this.#versionOf(item));
  }

  async #keepCopy(path: string, bytes: Buffer, why: string, { counts }: Pass): Promise<boolean> {
    const { clock, folder, request } = this.#parts;
    const time = isoTime(clock.now()).slice(0, 19).replace('T', ' ').replaceAll(':', '.');
    for (let number = 0; number < 100; number += 1) {
      const copy = path.replace(/\.md$/i, ` (conflict ${time}${number === 0 ? '' : ` ${number}`}).md`);
      if (!(await folder.write(copy, asConflict(bytes, nameOf(path), why), null))) continue;
      counts.conflicts += 1;
      request.tell(`${path}: ${why}. Your file as it was is beside it: ${copy}.`);
      return true;
    }
    return false;
  }

  /** Moves the file of a deleted item to the trash, unless a person wrote in it. */
  async #letGo(id: string, { counts }: Pass): Promise<void> {
    const { folder, request } = this.#parts;
    const path = folder.entries.get(id)?.path ?? null;
    const read = path === null ? null : await folder.read(path);
    if (path === null || read === null) return void folder.entries.delete(id);
    const note = splitNote(read.bytes);
    if (isUntouched(note) && note.lower.toString('latin1').trim() === '') {
      await folder.toTrash(path);
      counts.trashed += 1;
    } else request.tell(`${path}: its item is no longer in the library. The file stays, because you wrote in it.`);
    folder.entries.set(id, { path, version: inTrash });
  }

  /** A file that cannot be read or written holds up no other. */
  async #attempt(id: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { path = null } = this.#parts.folder.entries.get(id) ?? {};
      if (error instanceof AppError && error.code !== 'unavailable')
        return this.#tellOnce(`${path ?? id}: ${error.message}`);
      if (!isLocked(error)) throw error;
      this.#tellOnce(`${path ?? id} cannot be read or written now. It is tried again.`);
      this.#isTroubled = true;
      if (path !== null) this.#parts.folder.lookAgain(path);
    }
  }

  #tellOnce(text: string): void {
    if (!this.#told.has(text)) this.#parts.request.tell(text);
    if (this.#told.size < 10_000) this.#told.add(text);
  }

  #versionOf({ updatedAt }: { updatedAt: number }): string {
    return `${format}.${updatedAt}.${this.#parts.template.print}`;
  }

  #around(item: ExportedItem, { goals, lists }: Pass, kept = ''): MarkdownContext {
    const { folder, template } = this.#parts;
    return {
      nameOf(id) {
        const path = folder.entries.get(id)?.path;
        return path ? nameOf(path) : undefined;
      },
      goalTitle: (id) => goals.get(id),
      related: [],
      lists: lists.get(item.id) ?? [],
      vault: { template, kept },
    };
  }

  #render(item: ExportedItem, kept: string, pass: Pass): string {
    return itemMarkdown(item, this.#around(item, pass, kept));
  }

  #fileOf(item: ExportedItem, kept: string, lower: Buffer, pass: Pass): Buffer {
    return joinNote(this.#render(item, kept, pass), this.#versionOf(item), lower, this.#parts.template);
  }
}

async function whenThere<T>(open: () => Promise<T>, { isOnce, signal, tell }: VaultRequest, clock: Clock): Promise<T> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await open();
    } catch (error) {
      if (isOnce || !(error instanceof VaultGone)) throw withAdvice(error);
      if (!isTold) tell(error.message);
      await clock.sleep(pollMs, signal);
    }
  }
}

/** Links name a file without its folder and ending. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
/** The line break before the line belongs to neither part. */
const isUntouched = ({ upper, written }: NoteFile): boolean =>
  written !== null && digest(upper.endsWith('\n') ? upper.slice(0, -1) : upper) === written.whole;

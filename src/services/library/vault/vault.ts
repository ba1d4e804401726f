import { itemIdOf } from '../../../domain/records/transfers/item-of-file.ts';
import { isoTime, type Clock } from '../../../domain/clock.ts';
import type { ExportedItem } from '../../../domain/records/transfers/exported.ts';
import { isUnusualLoss } from '../../../domain/records/sources/folder.ts';
import { isOutOfRoom } from '../../../domain/machine-limits.ts';
import { AppError } from '../../../errors.ts';
import { itemFields, itemMarkdown, type MarkdownContext } from '../../../exporting/markdown.ts';
import {
  asConflict,
  digest,
  hasForeignWords,
  joinNote,
  type NoteFile,
  readUpper,
  splitNote,
} from '../../../exporting/vault/note-file.ts';
import { parseTemplate, placeOf, standardTemplate } from '../../../exporting/vault/template.ts';
import { type FileState, isSame, maxFile, openVaultFolder, VaultGone } from '../../../exporting/vault/vault-folder.ts';
import type { Stores } from '../../../store/store.ts';
import { listAll, namesByItem } from '../exporting.ts';
import { takeOver, type TakenOverBy } from './take-over.ts';

/*
 * Keeps a file for each item in a vault, and takes over what a person changes there (`take-over.ts`). A file says what was written in it
 * (`note-file.ts`): so an edit of the person is what differs from that, and a change of the library is what differs from the
 * item of now. Both are joined field by field. Where they cannot be, the person's file is kept as a copy.
 */

export interface VaultRequest extends TakenOverBy {
  /** The folder of the vault. */
  place: string;
  /** Where the data folder says which vaults it has written. */
  known: string;
  /** Undefined for the standard one. */
  template: string | undefined;
  /** Whether the files of many deleted items may go to `.trash` at once. */
  mayTrashMany: boolean;
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
  /** Brings files and library up to date. @throws {VaultGone} */
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
/** All files are looked at this often, because on network folders nothing tells of changes. */
const lookMs = 60_000;
/** Files after which the index is written. */
const keptEvery = 1_000;
/** The version of a file whose item is in the trash. */
const inTrash = 'trash';
/** Belongs to the version of each file: another number writes all files anew. */
const format = 2;

export function createVaultService({ stores, clock }: { stores: Stores; clock: Clock }): VaultService {
  return {
    async open(account, request) {
      const store = await stores.open(account);
      const { place, known, signal, tell } = request;
      const template = parseTemplate(request.template ?? standardTemplate);
      const folder = await whenThere(() => openVaultFolder({ place, known, account, now: clock.now }), request, clock);
      const { entries } = folder;
      let state: string | null = null;
      let lookedAt = 0;
      /** Files that were changed while they were read. */
      const again = new Set<string>();
      /** Files that belong to no item, as they were when that was seen. */
      const others = new Map<string, FileState>();
      const told = new Set<string>();
      const tellOnce = (text: string): void => {
        if (!told.has(text)) tell(text);
        if (told.size < 10_000) told.add(text);
      };

      /** Joins what was found in the folder with the index. @returns the items whose files may have been edited */
      const findEdited = async (found: ReadonlyMap<string, FileState | null>): Promise<Set<string>> => {
        const byPath = new Map([...entries].flatMap(([id, { path }]) => (path === null ? [] : [[path, id]])));
        const edited = new Set<string>();
        const left = new Set<string>();
        for (const [path, file] of found) {
          const before = byPath.get(path);
          const entry = before === undefined ? undefined : entries.get(before);
          const last = entry ?? others.get(path);
          if (file === null || last === undefined || !isSame(last, file) || again.has(path)) {
            signal.throwIfAborted();
            others.delete(path);
            const about = file === null ? null : itemIdOf(await folder.readHead(path).catch(() => ''));
            const id = about?.isCopy === false ? about.id : undefined;
            if (before !== undefined && before !== id) left.add(before);
            if (file === null) continue;
            if (id === undefined) {
              others.set(path, file);
              continue;
            }
            const other = entries.get(id)?.path ?? null;
            const [there] = other === null || other === path ? [] : (await folder.look(new Set([other]))).values();
            if (there) tellOnce(`${path} has the id of ${other}: only that one is kept up to date.`);
            else if (entries.has(id) || (await store.getContentVersion(id)) !== null) {
              entries.set(id, { path, version: entries.get(id)?.version ?? '', mtimeMs: 0, size: 0 });
              edited.add(id);
            }
          }
        }
        for (const id of left) {
          const entry = entries.get(id);
          if (entry !== undefined && !edited.has(id)) entries.set(id, { ...entry, path: null });
        }
        again.clear();
        return edited;
      };

      const pass = async (): Promise<VaultCounts> => {
        await folder.check();
        const counts: VaultCounts = { items: 0, written: 0, takenBack: 0, conflicts: 0, trashed: 0 };
        const paths = folder.takeChanged();
        if (paths === null) lookedAt = clock.elapsed();
        const due = await findEdited(await folder.look(paths === null ? null : new Set([...paths, ...again])));
        const stateNow = await store.stateToExport();
        const versionOf = ({ updatedAt }: { updatedAt: number }): string => `${format}.${updatedAt}.${template.print}`;
        const gone: string[] = [];
        if (stateNow !== state) {
          const all = await listAll(store, signal);
          counts.items = all.length;
          for (const item of all) if (entries.get(item.id)?.version !== versionOf(item)) due.add(item.id);
          const there = new Set(all.map(({ id }) => id));
          for (const [id, { version }] of entries) if (!there.has(id) && version !== inTrash) gone.push(id);
          if (isUnusualLoss(gone.length, entries.size) && !request.mayTrashMany) {
            tellOnce(
              `The items of ${gone.length} of ${entries.size} files are no longer in the library. These files stay: to move them to .trash, run this again with --trash-many.`,
            );
            gone.length = 0;
          }
        }
        if (due.size === 0 && gone.length === 0) {
          state = stateNow;
          return counts;
        }
        const goals = new Map((await store.listGoalsToExport()).map(({ id, title }) => [id, title]));
        const listsOf = namesByItem(await store.listListsToExport());
        const names = new Set([...entries.values()].flatMap(({ path }) => (path === null ? [] : [nameOf(path)])));
        const render = (item: ExportedItem, kept: string): string => itemMarkdown(item, around(item, kept));
        const around = (item: ExportedItem, kept: string): MarkdownContext => ({
          nameOf: (id) => {
            const path = entries.get(id)?.path;
            return path ? nameOf(path) : undefined;
          },
          goalTitle: (id) => goals.get(id),
          related: [],
          lists: listsOf.get(item.id) ?? [],
          vault: { template, kept },
        });

        const writeNew = async (item: ExportedItem): Promise<void> => {
          const [name = '', ...folders] = placeOf(template, itemFields(item, around(item, ''))).toReversed();
          const bytes = joinNote(render(item, ''), versionOf(item), Buffer.from('\n'), template);
          if (bytes.length > maxFile)
            return tellOnce(`${name} would have more than ${maxFile >> 20} MB: it has no file.`);
          // A link names the file alone, so no two have the same name, in whichever folder.
          const tries = names.has(name.toLowerCase()) ? [] : [name];
          for (const one of [
            ...tries,
            `${name
              .slice(0, 80 - item.id.length)
              .toWellFormed()
              .trim()} ${item.id}`,
          ]) {
            const path = [...folders.toReversed(), `${one}.md`].join('/');
            const file = await folder.write(path, bytes, null);
            if (file === null) continue;
            names.add(one.toLowerCase());
            entries.set(item.id, { ...file, path, version: versionOf(item) });
            counts.written += 1;
            return;
          }
          tellOnce(`There are files with the name that ${item.id} would have: it has no file.`);
        };

        const keepCopy = async (path: string, bytes: Buffer, why: string): Promise<boolean> => {
          const time = isoTime(clock.now()).slice(0, 19).replace('T', ' ').replaceAll(':', '.');
          for (let number = 0; number < 100; number += 1) {
            const copy = path.replace(/\.md$/i, ` (conflict ${time}${number === 0 ? '' : ` ${number}`}).md`);
            if ((await folder.write(copy, asConflict(bytes), null)) === null) continue;
            counts.conflicts += 1;
            tell(`${path}: ${why} Your file as it was is beside it: ${copy}.`);
            return true;
          }
          return false;
        };

        const join = async (before: ExportedItem, path: string): Promise<void> => {
          const { id } = before;
          const read = await folder.read(path);
          if (read === null) return void again.add(path);
          const { bytes, state: file } = read;
          const remember = (now: FileState, version: string): void => void entries.set(id, { ...now, path, version });
          const note = splitNote(bytes);
          const isClean = isUntouched(note);
          if (isClean && note.written?.version === versionOf(before)) return remember(file, versionOf(before));
          const mine = readUpper(note.upper, template);
          let item = before;
          if (note.written === null) {
            if (!(await keepCopy(path, bytes, 'the line that parts it is gone or damaged.'))) return;
          } else if (!isClean) {
            const current = readUpper(render(before, ''), template);
            const edited = { path, mine, written: note.written, current };
            const taken = await takeOver(account, request, before, edited);
            if (taken.isChanged) {
              counts.takenBack += 1;
              item = (await store.readToExport(id)) ?? before;
            }
            // Only the file was changed, in words that are not taken over: they stay until the item changes.
            else if (note.written.version === versionOf(before)) return remember(file, versionOf(before));
            const next = taken.isChanged ? readUpper(render(item, ''), template) : current;
            const isOurs = (name: string): boolean => names.has(name.toLowerCase());
            if (taken.isConflict || hasForeignWords(mine, [current, next], isOurs)) {
              const why = 'it was changed above the line, and so was the item.';
              if (!(await keepCopy(path, bytes, why))) return;
            }
          }
          const written = joinNote(render(item, mine.kept), versionOf(item), note.lower, template);
          const now = written.length > maxFile ? null : await folder.write(path, written, file);
          if (now === null) return void again.add(path);
          counts.written += 1;
          remember(now, versionOf(item));
        };

        const letGo = async (id: string): Promise<void> => {
          const path = entries.get(id)?.path ?? null;
          const read = path === null ? null : await folder.read(path);
          if (path === null || read === null) return void entries.delete(id);
          const note = splitNote(read.bytes);
          if (isUntouched(note) && note.lower.toString('latin1').trim() === '') {
            await folder.toTrash(path);
            entries.delete(id);
            counts.trashed += 1;
            return;
          }
          entries.set(id, { ...read.state, path, version: inTrash });
          tell(`${path}: its item is no longer in the library. The file stays, because you wrote in it.`);
        };

        let done = 0;
        const attempt = async (id: string, work: () => Promise<void>): Promise<void> => {
          signal.throwIfAborted();
          try {
            await work();
          } catch (error) {
            const path = entries.get(id)?.path ?? id;
            if (isOutOfRoom(error))
              throw new AppError('unavailable', 'There is too little room for the vault. Free some space.', {
                cause: error,
              });
            if (error instanceof AppError) tellOnce(`${path}: ${error.message}`);
            else if (error instanceof Error && 'code' in error && lockedCodes.has(String(error.code))) {
              tellOnce(`${path} cannot be read or written now. It is tried again.`);
              again.add(path);
            } else throw error;
          }
          done += 1;
          request.onProgress(done, due.size + gone.length);
          if (done % keptEvery === 0) await folder.keepIndex();
        };
        for (const id of gone) await attempt(id, () => letGo(id));
        for (const id of due)
          await attempt(id, async () => {
            const item = await store.readToExport(id);
            if (item === null) return;
            const entry = entries.get(id);
            if (entry && entry.path !== null) return join(item, entry.path);
            // The person has deleted the file: it comes back when the item is changed.
            if (entry?.version !== versionOf(item)) await writeNew(item);
          });
        state = stateNow;
        await folder.keepIndex();
        return counts;
      };

      return {
        pass,
        async follow(onPass) {
          let isGone = false;
          while (!signal.aborted) {
            try {
              await clock.sleep(pollMs, signal);
              const isLookedAt = clock.elapsed() - lookedAt < lookMs;
              if (isLookedAt && !isGone && !folder.hasChanged() && again.size === 0) {
                if ((await store.stateToExport()) === state) continue;
              } else if (!isLookedAt) folder.lookAtAll();
              onPass(await pass());
              if (isGone) tell('The vault is there again.');
              isGone = false;
            } catch (error) {
              if (signal.aborted) return;
              if (!(error instanceof VaultGone)) throw error;
              if (!isGone) tell(goneMessage);
              isGone = true;
            }
          }
        },
        async close() {
          // Where the vault is gone, nothing is written.
          await folder.keepIndex().catch(() => undefined);
          await folder.close();
        },
      };
    },
  };
}

const goneMessage =
  'The vault is not there: its folder is gone, or empty because its disk is not mounted. Nothing is written until it is there again. To begin a new one here, make a folder .commonplace in it.';

async function whenThere<T>(open: () => Promise<T>, { signal, tell }: VaultRequest, clock: Clock): Promise<T> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof VaultGone)) throw error;
      if (!isTold) tell(goneMessage);
      await clock.sleep(pollMs, signal);
    }
  }
}

/** Another program has the file open, or this one may not write it. */
const lockedCodes = new Set(['EACCES', 'EPERM', 'EBUSY', 'EROFS']);

/** Links name a file without its folder and ending. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
/** The line break before the line belongs to neither part. */
const isUntouched = ({ upper, written }: NoteFile): boolean =>
  written !== null && digest(upper.endsWith('\n') ? upper.slice(0, -1) : upper) === written.whole;

import { closeSync, copyFileSync, openSync, readFileSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { newChange } from '../../../src/domain/records/change.ts';
import { checkFile } from '../../../src/store/sqlite/checking/check-file.ts';
import { createSystemClock } from '../../../src/workers/system-clock.ts';
import { addFinishedItem, emptyAnalysis, paragraphs } from '../../support/content.ts';
import { listPassages } from '../../support/store/store-reads.ts';
import type { Random } from './random.ts';

/* Changes bytes of live records in the files of a library, and looks whether `doctor --check` notices it. */

const nouns = ['fox', 'river', 'garden', 'lantern', 'harbour', 'winter', 'violin', 'ladder', 'orchard', 'kettle'];
const verbs = ['crosses', 'remembers', 'carries', 'follows', 'forgets', 'mends', 'paints', 'hides', 'counts', 'finds'];

/** Items with texts, vectors, tags, notes, highlights, actions and history, goals, keys and sessions. */
export async function makeLibrary(folder: string, items: number, random: Random): Promise<void> {
  const stores = await openDataFolder({ folder, clock: createSystemClock() });
  const change = newChange({ face: 'rest', by: 'a key', operation: 'change_content', scopes: ['content:write'] });
  const store = await stores.open({ account: 'local', change });
  const sentence = (at: number) =>
    `The ${random.pick(nouns)} of page ${at} ${random.pick(verbs)} the ${random.pick(nouns)}, and ${random.below(90)} ${random.pick(nouns)}s wait.`;
  const goals = [];
  for (let at = 0; at < 8; at += 1)
    goals.push(await store.addGoal({ title: `Goal ${at}`, category: 'Health', description: sentence(at) }));
  for (let at = 0; at < items; at += 1) {
    const text = Array.from({ length: 12 }, () => sentence(at)).join(' ');
    const quoted = {
      quote: text.slice(0, 20),
      start: 0,
      end: 20,
      locator: { kind: 'text', start: 0, end: 20 },
      url: null,
    } as const;
    const id = await addFinishedItem(store, {
      url: `https://example.com/pages/${at}?of=${random.below(1_000)}`,
      about: { title: sentence(at), author: 'Ann Author', siteName: 'Example', publishedAt: '2026-01-02' },
      blocks: paragraphs(
        text,
        ...Array.from({ length: at === 3 ? 120 : at % 7 }, () =>
          Array.from({ length: 9 }, () => sentence(at)).join(' '),
        ),
      ),
      tags: ['all', random.pick(nouns)],
      notes: at % 3 === 0 ? `My note: ${sentence(at)}` : '',
      analysis: {
        ...emptyAnalysis,
        summary: sentence(at),
        insights: [{ text: sentence(at), ...quoted }],
        actions: [{ title: `Do ${sentence(at)}`, reason: null, goalId: random.pick(goals).id, ...quoted }],
      },
    });
    const passages = await listPassages(store, id);
    await store.keepVectors(
      'embedder',
      passages.map(({ passageId }) => ({
        passageId,
        vector: Float32Array.from({ length: 384 }, () => random.below(2_000) / 2e4 - 0.05),
      })),
    );
    if (at % 4 === 0)
      await store.addHighlight({
        contentId: id,
        quote: text.slice(0, 40),
        note: sentence(at),
        colour: null,
      });
    if (at % 5 === 0) await store.updateContent(id, { notes: sentence(at), title: sentence(at) });
    if (at % 9 === 8) await store.deleteContent(id);
  }
  const { control } = stores;
  for (let at = 0; at < 8; at += 1) {
    const { id } = await control.createAccount({ name: `Person ${at}`, plan: 'pro' });
    const hash = (of: number) => Buffer.alloc(32, `${at} ${of}`);
    await control.tokens.createToken({
      accountId: id,
      name: `Key ${at}`,
      scopes: ['content:read'],
      permissions: null,
      requestsPerMinute: null,
      expiresAt: null,
      madeBy: null,
      heldTo: null,
      hash: hash(1),
    });
    await control.signIn.createLink({
      accountId: id,
      purpose: 'invitation',
      hash: hash(2),
      expiresAt: Date.now() + 1e9,
    });
  }
  await stores.close();
}

/** Pieces of a file in which a record is: more than one when it has overflow pages. */
type Pieces = readonly { at: number; bytes: number }[];
export interface LiveRecord {
  table: string;
  pieces: Pieces;
}

/** All records in a file of which the log is empty, as the file format says (https://sqlite.org/fileformat2.html). */
export function liveRecords(path: string): LiveRecord[] {
  const file = readFileSync(path);
  const db = new Database(path, { readonly: true });
  const pages = db
    .prepare<[], { table: string; page: number }>(
      `SELECT s.name AS "table", s.pageno AS page FROM dbstat s LEFT JOIN sqlite_schema m ON m.name = s.name
       WHERE coalesce(m.type, 'table') = 'table' AND s.pagetype IN ('leaf', 'internal')`,
    )
    .all();
  const pageSize = db.pragma('page_size', { simple: true }) as number;
  db.close();
  return pages.flatMap(({ table, page }) => recordsOf(file, pageSize, page).map((pieces) => ({ table, pieces })));
}

function recordsOf(file: Buffer, pageSize: number, page: number): Pieces[] {
  const start = (page - 1) * pageSize;
  const header = page === 1 ? start + 100 : start;
  const kind = file[header];
  // Inside a table there are keys alone; inside the tree of a table without row ids, records.
  if (kind === 5) return [];
  const isTable = kind === 13;
  const first = header + (kind === 2 ? 12 : 8);
  return Array.from({ length: file.readUInt16BE(header + 3) }, (_, nth): Pieces => {
    const cell = start + file.readUInt16BE(first + 2 * nth);
    let at = cell + (kind === 2 ? 4 : 0);
    const varint = (): number => {
      let value = 0;
      for (let byte = 0x80; (byte & 0x80) !== 0; at += 1) {
        byte = file[at] ?? 0;
        value = value * 128 + (byte & 0x7f);
      }
      return value;
    };
    const payload = varint();
    if (isTable) varint();
    const most = isTable ? pageSize - 35 : Math.floor(((pageSize - 12) * 64) / 255) - 23;
    if (payload <= most) return [{ at: cell, bytes: at + payload - cell }];
    const least = Math.floor(((pageSize - 12) * 32) / 255) - 23;
    const fitting = least + ((payload - least) % (pageSize - 4));
    const here = fitting <= most ? fitting : least;
    const pieces = [{ at: cell, bytes: at + here + 4 - cell }];
    let next = file.readUInt32BE(at + here);
    for (let left = payload - here; left > 0 && next > 0; left -= pageSize - 4) {
      pieces.push({ at: (next - 1) * pageSize, bytes: Math.min(pageSize, left + 4) });
      next = file.readUInt32BE((next - 1) * pageSize);
    }
    return pieces;
  });
}

export interface Damage {
  path: string;
  table: string;
  at: number;
  bytes: number;
}

/**
 * Changes up to 512 bytes of one record, each to another value. One time in two any byte of the file is as likely to be hit, otherwise any
 * table.
 */
export function damageOne(path: string, records: readonly LiveRecord[], random: Random): Damage {
  const sizeOf = ({ pieces }: LiveRecord) => pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  let record: LiveRecord | undefined;
  if (random.below(2) === 0) {
    let hit = random.below(records.reduce((sum, one) => sum + sizeOf(one), 0));
    record = records.find((one) => (hit -= sizeOf(one)) < 0);
  } else {
    const table = random.pick([...new Set(records.map((one) => one.table))]);
    record = random.pick(records.filter((one) => one.table === table));
  }
  if (record === undefined) throw new Error('there is no record');
  const piece = random.pick(record.pieces);
  const bytes = Math.min(piece.bytes, 1 + random.below(2 ** random.below(10)));
  const at = piece.at + random.below(piece.bytes - bytes + 1);
  const changed = readFileSync(path)
    .subarray(at, at + bytes)
    .map((byte) => byte ^ (1 + random.below(255)));
  const file = openSync(path, 'r+');
  writeSync(file, changed, 0, bytes, at);
  closeSync(file);
  return { path, table: record.table, at, bytes };
}

/** Damages copies of the files of a library so many times. @returns the damages that no check noticed */
export function damageOften(
  { folder, scratch, times, random }: { folder: string; scratch: string; times: number; random: Random },
  onDone: (damage: Damage, problems: readonly string[]) => void = () => undefined,
): Damage[] {
  const files = (['accounts/local.db', 'control.db'] as const).map((name) => join(folder, name));
  const records = files.map(liveRecords);
  const unnoticed: Damage[] = [];
  for (let time = 0; time < times; time += 1) {
    const nth = time % 4 === 3 ? 1 : 0;
    const path = join(scratch, basename(files[nth] ?? ''));
    copyFileSync(files[nth] ?? '', path);
    const damage = damageOne(path, records[nth] ?? [], random);
    const problems = checkFile(path, nth === 0 ? 'account' : 'control').map(({ problem }) => problem);
    if (problems.length === 0) unnoticed.push(damage);
    onDone(damage, problems);
  }
  return unnoticed;
}

import { memoryWarning } from '../../domain/machine-limits.ts';
import type { Coverage } from '../../store/records/search-records.ts';
import type { LibraryProblems, Stores } from '../../store/store.ts';
import { type CountsByCode, listedByCode, sumOf, type QueueFigures } from './queue-figures.ts';
import { adviceOnModel, minEmbedded } from '../search/meaning.ts';

export interface Check {
  name: string;
  /** `optional`: everything works without it, but better with it. */
  state: 'ok' | 'optional' | 'warning' | 'error';
  detail: string;
  fix?: string;
}

export interface InspectedSystem {
  account: string;
  /** Milliseconds since the epoch. */
  now: number;
  nodeVersion: string;
  dataFolder: string;
  /** The sync service or network file system of the data folder, and its free space; null where there is none or it is unknown. */
  dataPlace: { syncService: string | null; networkDrive: string | null; freeBytes: number | null };
  allowPrivateAddresses: boolean;
  /** `place`: host of the embedding server, null when there is none; `problem`: why the model does not answer now. */
  embedder: { id: string; languages: readonly string[] | null; place: string | null; problem: string | null } | null;
  /** The model that writes analyses, its daily limits, and why it is waiting. */
  llm: { model: string; waitsFor: string | null; dollarsPerDay: number } | null;
  /** Memory that this process may use. */
  memoryMegabytes: number;
  /** Of all accounts. */
  queues: QueueFigures;
  /** Text recognition in images: whether it is turned on, and its missing packages. */
  recognition: { wanted: boolean; missing: readonly string[] };
}

/** Checks each part of the setup: whether it exists, what is lost without it, and how to get it. */
export async function inspect(stores: Stores, system: InspectedSystem): Promise<Check[]> {
  const store = await stores.open(system.account);
  const coverage = await store.coverage();
  const checks: Check[] = [
    { name: 'Node.js', state: 'ok', detail: system.nodeVersion },
    placeCheck(system),
    memoryCheck(system.memoryMegabytes),
    libraryCheck(coverage),
    queueCheck(system.queues, system.now),
    failedCheck(system.queues.failed),
    await meaningCheck(stores, system),
    await analysisCheck(stores, system),
    goalsCheck((await store.listGoals({ limit: 1, offset: 0 })).total),
    {
      name: 'Kinds of content',
      state: 'ok',
      detail:
        'web pages, discussions, posts, papers, repositories, feeds, PDFs, e-books (EPUB), Word documents, mails (EML), pages saved as one file (MHTML), Markdown and plain text; videos and podcasts by their captions and show notes.',
    },
    recognitionCheck(system.recognition),
    system.allowPrivateAddresses
      ? {
          name: 'Private addresses',
          state: 'warning',
          detail: 'may be saved: an assistant can be talked into reading pages of this machine and its network.',
          fix: 'Set allowPrivateAddresses to false unless you need it.',
        }
      : { name: 'Private addresses', state: 'ok', detail: 'refused' },
    await servingCheck(stores, system.now),
  ];
  return checks;
}

const megabyte = 1024 * 1024;
/** With less than this a few saved pages, or the copy of the library before an update, fill the disk. */
const littleRoom = 200 * megabyte;

export function placeCheck({
  dataFolder,
  dataPlace: { syncService, networkDrive, freeBytes },
}: Pick<InspectedSystem, 'dataFolder' | 'dataPlace'>): Check {
  const name = 'Data folder';
  if (syncService !== null)
    return {
      name,
      state: 'warning',
      detail: `${dataFolder} is in a folder of ${syncService}, which copies its files while they are written and replaces open ones by those of other machines: the library gets damaged.`,
      fix: `Stop everything, move the folder to a place that is not synced and name that with --data. To have the library on several machines, let them use one \`commonplace serve\`; to have it in ${syncService}, write backups there: \`commonplace backup --to <folder>\`.`,
    };
  if (networkDrive !== null)
    return {
      name,
      state: 'warning',
      detail: `${dataFolder} is on a network drive (${networkDrive}), on which the locks of a database are not reliable: two programs at once may damage it.`,
      fix: 'Stop everything, move the folder to a disk of this machine and name that with --data. Other machines use it through `commonplace serve`; the drive is a good place for backups: `commonplace backup --to <folder>`.',
    };
  if (freeBytes !== null && freeBytes < littleRoom)
    return {
      name,
      state: 'warning',
      detail: `${dataFolder}, on a disk with ${Math.floor(freeBytes / megabyte)} MB free.`,
      fix: 'Free some space: on a full disk nothing can be saved or processed.',
    };
  return { name, state: 'ok', detail: dataFolder };
}

function memoryCheck(megabytes: number): Check {
  const name = 'Memory';
  const warning = memoryWarning(megabytes);
  return warning === null
    ? { name, state: 'ok', detail: `${megabytes} MB` }
    : { name, state: 'warning', detail: `${megabytes} MB`, fix: warning };
}

function libraryCheck({ searchable, pending, failed }: Coverage): Check {
  const detail = `${searchable} searchable, ${pending} waiting, ${failed} failed`;
  if (failed === 0) return { name: 'Library', state: 'ok', detail };
  return {
    name: 'Library',
    state: 'warning',
    detail,
    fix: 'commonplace list --status failed says why; commonplace retry <id> tries one again, --all-failed all of them.',
  };
}

function recognitionCheck({ wanted, missing }: InspectedSystem['recognition']): Check {
  const name = 'Text recognition';
  const install = `npm install ${missing.join(' ')} beside Commonplace`;
  if (wanted && missing.length === 0) return { name, state: 'ok', detail: 'on, for English' };
  if (wanted)
    return { name, state: 'warning', detail: `turned on, but ${missing.join(', ')} missing`, fix: `${install}.` };
  return {
    name,
    state: 'optional',
    detail: 'off: scanned PDFs and images are not read; saving one says so.',
    fix: `Set ocr to on${missing.length === 0 ? '' : `, and ${install}`}.`,
  };
}

function queueCheck(queues: QueueFigures, now: number): Check {
  const { accountsWithWork, uncounted, ageMs, waiting, running, background, oldestDueAt } = queues;
  if (waiting + running + background + uncounted === 0) return { name: 'Queue', state: 'ok', detail: 'empty' };
  const said = [
    `${waiting} waiting${oldestDueAt === null ? '' : `, the oldest for ${duration(now - oldestDueAt)}`}`,
    `${running} being processed`,
    `${background} in the background`,
    `in ${accountsWithWork} ${accountsWithWork === 1 ? 'account' : 'accounts'}`,
    ...(ageMs >= 1_000 ? [`counted up to ${duration(ageMs)} ago`] : []),
    ...(uncounted > 0 ? [`${uncounted} accounts with work not counted`] : []),
  ];
  return {
    name: 'Queue',
    state: 'warning',
    detail: said.join(', '),
    fix: "They are processed while an assistant's server runs; commonplace work does it now.",
  };
}

function failedCheck(failed: CountsByCode): Check {
  const name = 'Failed items of all accounts';
  if (sumOf(failed) === 0) return { name, state: 'ok', detail: 'none' };
  return {
    name,
    state: 'warning',
    detail: listedByCode(failed),
    fix: 'commonplace retry --all-failed tries those of the local account again; --code timeout those with that code.',
  };
}

/** In the largest unit that fits, as in "3 hours". */
function duration(ms: number): string {
  const units: [ms: number, name: string][] = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ];
  const [unit, name] = units.find(([length]) => ms >= length) ?? [1_000, 'second'];
  const count = Math.max(0, Math.floor(ms / unit));
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

async function servingCheck({ control }: Stores, now: number): Promise<Check> {
  const name = 'Serving over HTTP';
  const accounts = await control.listAccounts();
  const pro = new Set(accounts.filter(({ plan }) => plan === 'pro').map(({ id }) => id));
  const usable = (await control.tokens.listTokens()).filter(
    ({ accountId, revokedAt, expiresAt }) =>
      revokedAt === null && (expiresAt === null || expiresAt > now) && pro.has(accountId),
  ).length;
  const detail = `${accounts.length} account${accounts.length === 1 ? '' : 's'}, ${usable} token${usable === 1 ? '' : 's'} in use`;
  if (usable > 0) return { name, state: 'ok', detail: `${detail}: commonplace serve` };
  return {
    name,
    state: 'optional',
    detail: `${detail}: other programs and machines have no access.`,
    fix: 'commonplace token create laptop makes a token, commonplace serve lets its owner in.',
  };
}

async function analysisCheck(stores: Stores, { account, llm }: InspectedSystem): Promise<Check> {
  const name = 'Summaries and action items';
  if (llm === null) {
    return {
      name,
      state: 'optional',
      detail: 'made by extracting sentences, without a model.',
      fix: 'COMMONPLACE_CLAUDE_API_KEY lets Claude write them; without a key a connected assistant can (setting analyseTools).',
    };
  }
  const { waiting, claimed, failed, failures, delays } = await (await stores.open(account)).countLlmAnalyses();
  const { costMicros, inputTokens, outputTokens } = await stores.control.usageToday();
  const tokens = (count: number) => count.toLocaleString('en');
  const spent = `$${(costMicros / 1_000_000).toFixed(2)} of $${llm.dollarsPerDay.toFixed(2)} spent today, ${tokens(inputTokens + outputTokens)} tokens`;
  const detail = `${llm.model}, ${waiting + claimed} waiting, ${failed} failed, ${spent}`;
  if (llm.waitsFor !== null && waiting > 0)
    return { name, state: 'warning', detail: `${detail}; paused: ${llm.waitsFor}` };
  const listed = (problems: typeof failures) => problems.map(({ message, items }) => `${items} × ${message}`).join(' ');
  const [worst] = failures;
  const said = [
    detail,
    ...(delays.length > 0 ? [`waiting because of: ${listed(delays)}`] : []),
    ...(worst === undefined ? [] : [`failed (they keep the extract): ${listed(failures)}`]),
  ].join('; ');
  if (worst !== undefined) {
    const fix = `commonplace reprocess ${worst.contentId} --from analyse tries one again.`;
    return { name, state: 'warning', detail: said, fix };
  }
  if (delays.length > 0) return { name, state: 'warning', detail: said };
  return { name, state: 'ok', detail };
}

function goalsCheck(count: number): Check {
  if (count > 0) return { name: 'Goals', state: 'ok', detail: `${count}` };
  return {
    name: 'Goals',
    state: 'optional',
    detail: 'none yet. Action items are tied to them, and those that serve one come first.',
    fix: 'commonplace goal add "Sleep eight hours" --category Health',
  };
}

async function meaningCheck(stores: Stores, { account, embedder }: InspectedSystem): Promise<Check> {
  const name = 'Search by meaning';
  if (embedder === null)
    return {
      name,
      state: 'optional',
      detail: 'off: search goes by words alone, other words for the same thing are not found.',
    };
  const store = await stores.open(account);
  const { passages, embedded } = await store.countVectors(embedder.id, embedder.languages);
  const detail = `${embedder.id}${embedder.place === null ? '' : ` at ${embedder.place}`}, ${embedded} of ${passages} passages`;
  if (embedder.problem !== null) return { name, state: 'warning', detail, fix: embedder.problem };
  if (embedded < passages * minEmbedded) {
    const others = (await store.listEmbedders()).find(({ id }) => id !== embedder.id)?.vectors ?? 0;
    const meanwhile =
      embedded + others < passages * minEmbedded
        ? `words alone answer until ${minEmbedded * 100} % have a vector`
        : 'the others have vectors of another model, which still answers where it can be run; else words alone do';
    const fix = 'They are embedded while `commonplace serve` or an assistant runs; `commonplace work` does it now.';
    return { name, state: 'warning', detail: `${detail}: ${meanwhile}.`, fix };
  }
  const advice = adviceOnModel(embedder, passages, (await store.countVectors(embedder.id)).passages);
  if (advice !== null) return { name, state: 'optional', detail, fix: advice };
  return { name, state: 'ok', detail };
}

export interface DatabaseChecked {
  /** Host and name, without role and password. */
  name: string;
  version: string;
  role: string;
  schema: number;
  latencyMs: number;
  connections: number;
  maxConnections: number;
  /** Whether the data folder has a library, too, which is not used. */
  hasLibrary: boolean;
}

/** A save is some round trips: beyond this it is felt. */
const slowMs = 10;
/** Connections of the server that have to be left for others. */
const minFree = 10;

export function databaseCheck(database: DatabaseChecked): Check {
  const { version, role, schema, latencyMs, connections, maxConnections, hasLibrary } = database;
  const name = 'Database';
  const detail = `PostgreSQL ${version} at ${database.name}, role ${role}, schema ${schema}, ${latencyMs.toFixed(1)} ms an answer, ${connections} of ${maxConnections} connections`;
  const fixes = [
    ...(latencyMs > slowMs
      ? ['The database is far away: each save waits for several answers. Run the servers near it.']
      : []),
    ...(maxConnections - connections < minFree
      ? ['It has hardly a connection left: lower databaseConnections, or put PgBouncer before it.']
      : []),
    ...(hasLibrary
      ? [
          'The data folder has a library, too, which is not used: `commonplace move --to database` copies it; else move it away.',
        ]
      : []),
  ];
  return fixes.length === 0 ? { name, state: 'ok', detail } : { name, state: 'warning', detail, fix: fixes.join(' ') };
}

/** Maximum number of accounts or files to name for each kind of problem. */
const maxShown = 5;

/** Checks that accounts and libraries match. `unusable`: accounts whose library cannot be used. */
export async function checkLibraryFiles(stores: Stores): Promise<{ check: Check; unusable: string[] }> {
  const problems = await stores.checkLibraries();
  return { check: describe(problems), unusable: problems.unusable.map(({ accountId }) => accountId) };
}

function describe({ unusable, unknown }: LibraryProblems): Check {
  const name = 'Library files';
  const said: string[] = [];
  const todo: string[] = [];
  if (unusable.length > 0) {
    const shown = unusable.slice(0, maxShown);
    said.push(
      `${unusable.length} cannot be used (${listed(
        shown.map(({ accountId }) => accountId),
        unusable.length,
      )})`,
    );
    todo.push(...new Set(shown.map(({ message }) => message)));
  }
  if (unknown.length > 0) {
    said.push(`${unknown.length} belong to no account (${listed(unknown.slice(0, maxShown), unknown.length)})`);
    todo.push(`commonplace account adopt ${unknown[0]} makes one an account's; remove what is not wanted.`);
  }
  if (said.length === 0) return { name, state: 'ok', detail: 'every account has its own' };
  return { name, state: unusable.length > 0 ? 'error' : 'warning', detail: said.join('; '), fix: todo.join(' ') };
}

function listed(names: readonly string[], count: number): string {
  return [...names, ...(count > names.length ? ['…'] : [])].join(', ');
}

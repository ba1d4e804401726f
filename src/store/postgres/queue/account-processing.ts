import type { Resource } from '../../../domain/records/resource.ts';
import type { HistoryLimits } from '../../history.ts';
import { type Db, type Steps, together } from '../../library/db.ts';
import { hasExpired, hasWhatGrowsOld } from '../../library/items/deletion.ts';
import { hasHistoryToPrune, pruneHistory } from '../../library/history/pruning.ts';
import { nextJobDueAt } from '../../library/queue/jobs.ts';
import { hasDueSource } from '../../library/sources.ts';
import { claimAnalysis, hasDueAnalysis } from '../../library/queue/llm-analyses.ts';
import { maintenanceChecks } from '../../library/maintenance.ts';
import { forgetRequests, hasRequestsToForget } from '../../library/queue/requests-answered.ts';
import { keepChangedPage } from '../../library/queue/refreshing.ts';
import { keepOriginal } from '../../library/queue/stages.ts';
import { isSetBack, needsNote } from '../../passed-time.ts';
import type { Claim, RefreshedText } from '../../records.ts';
import type { AnalysesToClaim, AnalysisClaim } from '../../records/analysis-records.ts';
import { type AccountAccess, type AccountTx, readNotedTime } from '../account-access.ts';
import { keepResource, keepResources } from '../blobs/kept-bytes.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';

/** Whether there is work outside the items' jobs. */
async function hasMaintenance(tx: AccountTx, limits: HistoryLimits | null): Promise<boolean> {
  const note = await readNotedTime(tx);
  const db = postgresDb(tx, limits);
  const found = await runSteps(tx, together(...[hasExpired, ...maintenanceChecks].map((isDue) => isDue(db))));
  return (
    found.includes(true) ||
    isSetBack(note, tx.now) ||
    (needsNote(note, tx.clock) && (await runSteps(tx, hasWhatGrowsOld(db))))
  );
}

/** The methods for jobs and analyses that are not shared as they stand. A part of `createPostgresStore`. */
export function processingOf(access: AccountAccess) {
  const limits = access.historyLimits;
  const isDue = (due: (db: Db) => Steps<boolean>) => access.read((db) => runSteps(db, due(postgresDb(db, limits))));
  const write = (work: (db: Db) => Steps<void>) => access.write((db) => runSteps(db, work(postgresDb(db, limits))));
  return {
    /** Work and its announcement commit together here, so there is nothing to settle. */
    settleWork: (_generation: number): Promise<boolean> =>
      access.read(
        async (db) =>
          (await runSteps(db, nextJobDueAt(postgresDb(db)))) === null &&
          !(await runSteps(db, hasDueSource(postgresDb(db)))) &&
          !(await hasMaintenance(db, limits)),
      ),
    hasMaintenance: (): Promise<boolean> => access.read((db) => hasMaintenance(db, limits)),
    async maintain(): Promise<boolean> {
      if (await isDue(hasHistoryToPrune)) await write(pruneHistory);
      else if (await isDue(hasRequestsToForget)) await write(forgetRequests);
      else return false;
      return true;
    },

    async keepOriginalAndRelease(claim: Claim, original: Resource): Promise<void> {
      const kept = await keepResource(access, original);
      await write((db) => keepOriginal(db, claim, kept));
    },

    async keepChangedPage(
      claim: Claim,
      original: Resource,
      companions: readonly { name: string; resource: Resource }[],
      text: RefreshedText,
    ): Promise<void> {
      const [page, ...others] = await keepResources(access, [original, ...companions.map(({ resource }) => resource)]);
      if (page === undefined) throw new Error('a page that was just kept is not there');
      const named = others.map((kept, at) => ({ name: companions[at]?.name ?? '', kept }));
      await write((db) => keepChangedPage(db, claim, page, named, text));
    },

    async claimAnalysis(leaseMs: number, which: AnalysesToClaim = {}): Promise<AnalysisClaim | null> {
      // Read first, so that an idle worker does not make others wait.
      if (!(await isDue((db) => hasDueAnalysis(db, which)))) return null;
      return access.write((db) => runSteps(db, claimAnalysis(postgresDb(db), leaseMs, which)));
    },
  };
}

import type { Resource } from '../../../src/domain/records/resource.ts';
import type { Claim, JobsToClaim } from '../../../src/store/records.ts';
import type { Store } from '../../../src/store/store.ts';

/** Claims the next job that is due; null when none is. */
export async function claimJob(
  store: Pick<Store, 'claimJobs'>,
  leaseMs: number,
  which?: JobsToClaim,
): Promise<Claim | null> {
  const [claim = null] = await store.claimJobs(leaseMs, 1, which);
  return claim;
}

/** Ends the stage `fetch` of a claimed job, and claims its next stage, for as long as the claim had left. */
export async function keepOriginal(
  store: Pick<Store, 'claimJobs' | 'keepOriginalAndRelease' | 'releaseJob'>,
  claim: Claim,
  original: Resource,
  leaseMs = 60_000,
): Promise<Claim> {
  await store.keepOriginalAndRelease(claim, original);
  const claims = await store.claimJobs(leaseMs, 100, { work: 'read' });
  const next = claims.find(({ contentId }) => contentId === claim.contentId);
  for (const other of claims) if (other !== next) await store.releaseJob(other);
  if (next === undefined) throw new Error(`the job of ${claim.url} was not claimed again`);
  return next;
}

import { accountOf, type Writer } from '../../domain/records/change.ts';
import type { PlaceAnalysis } from '../../domain/drafts/place-analysis.ts';
import type { AnalysisDraft, DraftProblem, VerifyDraft } from '../../domain/drafts/analysis-draft.ts';
import { afterwards } from '../../domain/drafts/verify-draft.ts';
import { analysisRules, mostWrittenActions, rulesVersion } from '../../domain/records/analyses/analysis.ts';
import type { NextToAnalyse, SubmittedAnalysis } from '../../domain/records/answers.ts';
import { linkedAddress } from '../../domain/links/archived-copy.ts';
import { isoTime, type Clock } from '../../domain/clock.ts';
import type { Goal } from '../../domain/records/analyses/goal.ts';
import type { AppError } from '../../errors.ts';
import { invalidInput, notFound, ProcessingError, unavailable } from '../../errors.ts';
import type { AnalysisClaim } from '../../store/records/analysis-records.ts';
import type { StoredDocument } from '../../store/records.ts';
import type { Store, Stores } from '../../store/store.ts';
import { ownTags } from '../../store/own-tags.ts';
import { countFitting, fittingEnd, tokensOf } from '../../domain/text/token-budget.ts';

export type AssistantAnalysisService = ReturnType<typeof createAssistantAnalysisService>;

/** An assistant reads a long item in several calls, and may ask its user in between. */
const leaseMs = 30 * 60_000;
const reserveTokens = 60;
/** Maximum share of the budget for rules and goals. */
const frameShare = 0.6;
/** The same for tags. */
const tagsShare = 0.1;
/** Leases whose first draft had invalid entries; the second draft is stored without these. */
const maxRemembered = 1_000;

/** Checks analyses against a text. A text may be a book, so neither check runs on the main thread. */
export interface AnalysisChecks {
  verify: VerifyDraft;
  place: PlaceAnalysis;
}

/** Aborting would end the thread that other callers wait for, so it goes on when one caller has left. */
const never = new AbortController().signal;

/** Lets the assistant analyse in place of a model: the same queue, rules and verifier. */
export function createAssistantAnalysisService(stores: Stores, clock: Clock, checks: AnalysisChecks) {
  const askedToMend = new Set<string>();
  const remember = (lease: string) => {
    askedToMend.add(lease);
    for (const oldest of askedToMend) {
      if (askedToMend.size <= maxRemembered) break;
      askedToMend.delete(oldest);
    }
  };

  return {
    async next(
      account: string,
      { maxTokens, cursor }: { maxTokens: number; cursor?: string | undefined },
    ): Promise<NextToAnalyse> {
      const store = await stores.open(account);
      if (cursor !== undefined) return continueReading(store, cursor, maxTokens);
      const claim = await store.claimAnalysis(leaseMs, { includeRetryable: true });
      const waiting = await countWaiting(store);
      if (claim === null) return { item: null, waiting };
      const document = await store.readDocument(claim.contentId);
      if (document === null) {
        // The document was removed after the claim. Release the claim, or the item could not be claimed until the lease expires.
        const failure = { code: 'not_found', message: gone().message, nextAttemptAt: clock.now() };
        await store.endAnalysis(claim, { ...failure, attempts: claim.attempts });
        throw gone();
      }
      return beginReading(store, claim, document, maxTokens, waiting);
    },

    async submit(writer: Writer, id: string, lease: string, draft: AnalysisDraft): Promise<SubmittedAnalysis> {
      const store = await stores.open(writer);
      const [item, document] = [await store.getContentSummary(id), await store.readDocument(id)];
      if (item === null || document === null) throw gone();
      const goals = await store.listGoals({ offset: 0 });
      const { text } = document.transcript;
      const verified = await asRefusal(checks.verify(draft, text, goals.items, never, accountOf(writer)));
      const { refusals } = verified;
      const most = mostWrittenActions(item.url, document);
      const analysis = { ...verified.analysis, actions: verified.analysis.actions.slice(0, most) };
      const problems = [...verified.problems, ...tooMany(verified.analysis.actions.length, most)];
      const kept = { insights: analysis.insights.length, actions: analysis.actions.length };
      if (refusals > 0 && !askedToMend.has(lease)) {
        // Only the holder of the lease is asked to correct the draft. Others get the store's error below.
        const held = await store.renewAnalysis({ contentId: id, leaseToken: lease }, leaseMs);
        if (held) {
          remember(lease);
          const waiting = await countWaiting(store);
          return { id, outcome: 'mend', problems, kept: { insights: 0, actions: 0 }, waiting };
        }
      }
      const info = { by: 'assistant', model: null, at: isoTime(clock.now()), promptVersion: rulesVersion } as const;
      const about = { url: linkedAddress(item.url, document.warnings), contentType: document.contentType };
      const placed = await asRefusal(
        checks.place(analysis, document.transcript, about, info, never, accountOf(writer)),
      );
      const outcome = await store.keepLlmAnalysis({ contentId: id, leaseToken: lease }, document.documentId, placed);
      if (outcome === 'gone') throw gone();
      if (outcome === 'text_changed' || outcome === 'lease_lost') throw refused(outcome);
      askedToMend.delete(lease);
      const waiting = await countWaiting(store);
      if (outcome === 'kept') return { id, outcome, problems: problems.map(afterwards), kept, waiting };
      // This draft was not stored, so report the counts of the analysis that was stored first.
      const stored = await store.getContent(id);
      const before = { insights: stored?.keyInsights.length ?? 0, actions: stored?.actions.length ?? 0 };
      return { id, outcome, problems: [], kept: before, waiting };
    },
  };
}

function tooMany(actions: number, most: number): DraftProblem[] {
  const message = `At most ${most} actions of this item are kept: those after the first ${most} were left out.`;
  return actions > most ? [{ path: 'actions', message }] : [];
}

/** Counts items that the model has given up as well: an assistant may analyse them. */
async function countWaiting(store: Store): Promise<number> {
  const { waiting, failed } = await store.countLlmAnalyses();
  return waiting + failed;
}

async function beginReading(
  store: Store,
  claim: AnalysisClaim,
  document: StoredDocument,
  maxTokens: number,
  waiting: number,
): Promise<NextToAnalyse> {
  const goals = await store.listGoals({ offset: 0 });
  const frame: NextToAnalyse = {
    item: { id: claim.contentId, title: document.title, url: claim.url, language: document.language },
    lease: claim.leaseToken,
    leaseExpiresAt: isoTime(claim.leaseExpiresAt),
    rules: analysisRules,
    goals: goalsWithin(goals.items, maxTokens * frameShare - tokensOf(analysisRules)),
    waiting,
  };
  const tags = await ownTags(store);
  const fitting = countFitting(tags, maxTokens * tagsShare);
  if (fitting > 0) frame.tags = tags.slice(0, fitting);
  return { ...frame, ...pieceOf(document.transcript.text, 0, maxTokens - tokensOf(frame), claim) };
}

async function continueReading(store: Store, cursor: string, maxTokens: number): Promise<NextToAnalyse> {
  const [contentId = '', leaseToken = '', digits = ''] = cursor.split('.');
  const start = /^[0-9a-z]{1,9}$/.test(digits) ? Number.parseInt(digits, 36) : Number.NaN;
  const held = await store.renewAnalysis({ contentId, leaseToken }, leaseMs);
  const document = held ? await store.readDocument(contentId) : null;
  const item = held ? await store.getContentSummary(contentId) : null;
  if (document === null || item === null || !(start < document.transcript.text.length)) throw refused('lease_lost');
  const waiting = await countWaiting(store);
  const frame: NextToAnalyse = {
    item: { id: contentId, title: document.title, url: item.url, language: document.language },
    lease: leaseToken,
    waiting,
  };
  const room = maxTokens - tokensOf(frame);
  return { ...frame, ...pieceOf(document.transcript.text, start, room, { contentId, leaseToken }) };
}

function pieceOf(
  text: string,
  start: number,
  maxTokens: number,
  claim: Pick<AnalysisClaim, 'contentId' | 'leaseToken'>,
): Pick<NextToAnalyse, 'text' | 'range' | 'nextCursor'> {
  const end = fittingEnd(text, start, Math.max(50, maxTokens - reserveTokens));
  const piece = { text: text.slice(start, end), range: { start, end, total: text.length } };
  if (end >= text.length) return piece;
  return { ...piece, nextCursor: `${claim.contentId}.${claim.leaseToken}.${end.toString(36)}` };
}

function goalsWithin(goals: readonly Goal[], maxTokens: number): Pick<Goal, 'id' | 'title' | 'category'>[] {
  const shown = [];
  let left = maxTokens;
  for (const { id, title, category } of goals) {
    const goal = { id, title, category };
    left -= tokensOf(goal);
    if (left < 0) break;
    shown.push(goal);
  }
  return shown;
}

/** Turns a ProcessingError of a check into `unavailable`, with the same message. */
async function asRefusal<T>(check: Promise<T>): Promise<T> {
  try {
    return await check;
  } catch (error) {
    if (error instanceof ProcessingError) throw unavailable(error.message, { cause: error });
    throw error;
  }
}

function gone(): AppError {
  return notFound('This item no longer exists. `next_to_analyse` gives the next one.');
}

function refused(why: 'text_changed' | 'lease_lost'): AppError {
  return invalidInput(
    why === 'text_changed'
      ? 'The text of this item is being processed again, so an analysis of the earlier text is not kept. `next_to_analyse` gives the item again when it is ready.'
      : 'Your lease on this item has ended: somebody else has claimed it, or it was processed again. `next_to_analyse` without a cursor gives the next one.',
  );
}

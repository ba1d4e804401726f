import type { Analyses } from '../../analyses.ts';
import type { AccountAccess } from '../account-access.ts';
import * as llm from '../queue/llm-analyses.ts';
import * as actions from './actions.ts';
import * as analysed from './analysed-items.ts';
import * as notes from './note-tasks.ts';
import * as links from './goal-links.ts';
import * as goals from './goals.ts';

/** The methods for analyses, action items and goals. A part of `createPostgresStore`. */
export function analysesOf(access: AccountAccess): Analyses {
  return {
    async claimAnalysis(leaseMs, which = {}) {
      // Read first, so that an idle worker does not make others wait.
      if (!(await access.read((db) => llm.hasDueAnalysis(db, which)))) return null;
      return access.write((db) => llm.claimAnalysis(db, leaseMs, which));
    },
    renewAnalysis: (claim, leaseMs) => access.change((db) => llm.renewAnalysis(db, claim, leaseMs)),
    endAnalysis: (claim, failure) => access.write((db) => llm.endAnalysis(db, claim, failure)),
    keepLlmAnalysis: (claim, documentId, analysis) =>
      access.writeWork((db) => llm.keepLlmAnalysis(db, claim, documentId, analysis)),
    countLlmAnalyses: () => access.read(llm.countLlmAnalyses),
    listAnalysed: (after, limit) => access.read((db) => analysed.listAnalysed(db, after, limit)),
    renewExtractiveAnalysis: (contentId, documentId, analysis, goalsVersion) =>
      access.write((db) => analysed.renewExtractiveAnalysis(db, contentId, documentId, analysis, goalsVersion)),

    listActions: (query) => access.read((db) => actions.listActions(db, query)),
    countActionsByGoal: (since) => access.read((db) => actions.countActionsByGoal(db, since)),
    countActions: () => access.read(actions.countActions),
    updateAction: (id, changes) => access.write((db) => actions.updateAction(db, id, changes)),

    listGoals: (query) => access.read((db) => goals.listGoals(db, query)),
    addAction: (added) => access.write((db) => actions.addAction(db, added)),
    addGoal: (goal) => access.writeWork((db) => goals.addGoal(db, goal)),
    updateGoal: (id, changes) => access.writeWork((db) => goals.updateGoal(db, id, changes)),
    goalsVersion: () => access.read(links.goalsVersion),
    listLinksDue: (limit) =>
      access.read(async (db) => ({
        ...(await links.listLinksDue(db, limit)),
        goals: (await goals.listGoals(db, { offset: 0 })).items,
      })),
    listNotesDue: (limit) => access.read((db) => notes.listNotesDue(db, limit)),
    keepNoteTasks: (read, tasks) => access.write((db) => notes.keepNoteTasks(db, read, tasks)),
    keepGoalLinks: (version, found) => access.write((db) => links.keepGoalLinks(db, version, found)),
  };
}

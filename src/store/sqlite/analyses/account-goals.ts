import type { ActionChanges, ActionItem, NewAction } from '../../../domain/records/action.ts';
import type { PlacedAnalysis } from '../../../domain/records/analysis.ts';
import type { Goal, GoalChanges, NewGoal } from '../../../domain/records/goal.ts';
import type * as analyses from '../../records/analysis-records.ts';
import type * as records from '../../records.ts';
import type * as port from '../../store.ts';
import * as actions from './actions.ts';
import * as analysed from './analysed-items.ts';
import * as links from './goal-links.ts';
import * as goals from './goals.ts';
import * as notes from './note-tasks.ts';
import type { AccountAccess } from '../files/account-access.ts';

/** The methods for extractive analyses that are made anew, action items and goals. A part of `createSqliteStore`. */
export function goalsOf(access: AccountAccess) {
  return {
    async listActions(query: analyses.ActionQuery): Promise<records.Page<ActionItem>> {
      return access.use((file) => actions.listActions(file, query));
    },

    async countActionsByGoal(since: number): Promise<analyses.GoalCount[]> {
      return access.use((file) => actions.countActionsByGoal(file, since));
    },

    async countActions(): Promise<analyses.ActionCount[]> {
      return access.use((file) => actions.countActions(file));
    },

    async updateAction(id: string, changes: ActionChanges): Promise<ActionItem | null> {
      return access.write((file, now) => actions.updateAction(file, id, changes, now));
    },

    async addAction(added: NewAction): Promise<ActionItem | null> {
      return access.write((file, now) => actions.addAction(file, added, now));
    },

    async listAnalysed(after: number, limit: number): Promise<analyses.AnalysedItem[]> {
      return access.use((file) => analysed.listAnalysed(file, after, limit));
    },

    async renewExtractiveAnalysis(
      contentId: string,
      documentId: number,
      analysis: PlacedAnalysis,
      goalsVersion: number,
    ): Promise<boolean> {
      return access.write((file, now) =>
        analysed.renewExtractiveAnalysis(file, contentId, documentId, analysis, goalsVersion, now),
      );
    },

    async goalsVersion(): Promise<number> {
      return access.use((file) => links.goalsVersion(file));
    },

    async listLinksDue(limit: number): Promise<analyses.LinksDue> {
      return access.use((file) =>
        file.read(() => ({ ...links.listLinksDue(file, limit), goals: goals.listGoals(file, { offset: 0 }).items })),
      );
    },

    async keepGoalLinks(goalsVersion: number, found: readonly analyses.GoalLink[]): Promise<boolean> {
      return access.write((file, now) => links.keepGoalLinks(file, goalsVersion, found, now));
    },

    async listNotesDue(limit: number): Promise<analyses.NotesDue[]> {
      return access.use((file) => file.read(() => notes.listNotesDue(file, limit)));
    },

    async keepNoteTasks(
      read: Pick<analyses.NotesDue, 'contentId' | 'updatedAt'>,
      tasks: readonly analyses.NoteTask[],
    ): Promise<boolean> {
      return access.write((file, now) => notes.keepNoteTasks(file, read, tasks, now));
    },

    async listGoals(query: records.GoalQuery): Promise<records.Page<Goal>> {
      return access.use((file) => goals.listGoals(file, query));
    },

    async addGoal(goal: NewGoal): Promise<Goal> {
      return access.writeWork((file, now) => goals.addGoal(file, goal, now));
    },

    async updateGoal(id: string, changes: GoalChanges): Promise<Goal | null> {
      return access.writeWork((file, now) => goals.updateGoal(file, id, changes, now));
    },
  } satisfies Partial<port.Store>;
}

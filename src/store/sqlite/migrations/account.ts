import type { Migration } from '../files/migrate.ts';
import { rowSums } from '../files/row-sums.ts';
import { firstTables } from './account/001-first-tables.ts';
import { betterAnalyses } from './account/005-better-analyses.ts';
import { backgroundJobs } from './account/003-background-jobs.ts';
import { fingerprints } from './account/002-fingerprints.ts';
import { knownMetadata } from './account/004-known-metadata.ts';
import { mendedRecords } from './account/006-mended-records.ts';
import { actionsAndGoals } from './account/007-actions-and-goals.ts';
import { mergedActions } from './account/008-merged-actions.ts';
import { suggestions } from './account/009-suggestions.ts';
import { vectorChanges } from './account/010-vector-changes.ts';
import { titlesDue } from './account/011-titles-due.ts';
import { spellings } from './account/012-spellings.ts';
import { mergedWhenIdle } from './account/013-merged-when-idle.ts';
import { titlesGiven } from './account/014-titles-given.ts';
import { fragments } from './account/015-fragments.ts';
import { settledWork } from './account/016-settled-work.ts';
import { passedTime } from './account/017-passed-time.ts';
import { hostsOfJobs } from './account/018-hosts-of-jobs.ts';
import { workOfJobs } from './account/019-work-of-jobs.ts';
import { highlights } from './account/020-highlights.ts';
import { history } from './account/021-history.ts';
import { stems } from './account/022-stems.ts';
import { requestsAnswered } from './account/023-requests-answered.ts';
import { restoredHistory } from './account/024-restored-history.ts';
import { shorterStems } from './account/025-shorter-stems.ts';
import { namesOfDocuments } from './account/026-names-of-documents.ts';
import { packedTexts } from './account/027-packed-texts.ts';
import { textsInPassages } from './account/028-texts-in-passages.ts';
import { shortColumns } from './account/029-short-columns.ts';
import { analysesGivenUp } from './account/030-analyses-given-up.ts';
import { deletedAddresses } from './account/031-deleted-addresses.ts';
import { actionsOfPersons } from './account/032-actions-of-persons.ts';
import { linksByMeaning } from './account/034-links-by-meaning.ts';
import { goalsOfInsights } from './account/036-goals-of-insights.ts';
import { wordsWrittenTwoWays } from './account/035-words-written-two-ways.ts';
import { compounds } from './account/037-compounds.ts';

/** The migrations of an account's file, in order. Only append: an entry that was released never changes. */
export const accountMigrations: readonly Migration[] = [
  firstTables,
  fingerprints,
  backgroundJobs,
  knownMetadata,
  betterAnalyses,
  mendedRecords,
  actionsAndGoals,
  mergedActions,
  suggestions,
  vectorChanges,
  titlesDue,
  spellings,
  mergedWhenIdle,
  titlesGiven,
  fragments,
  settledWork,
  passedTime,
  hostsOfJobs,
  workOfJobs,
  highlights,
  history,
  stems,
  requestsAnswered,
  restoredHistory,
  shorterStems,
  namesOfDocuments,
  packedTexts,
  textsInPassages,
  shortColumns,
  analysesGivenUp,
  deletedAddresses,
  actionsOfPersons,
  rowSums,
  linksByMeaning,
  wordsWrittenTwoWays,
  goalsOfInsights,
  compounds,
];

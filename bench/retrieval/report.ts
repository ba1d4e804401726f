import type { Difference, RankingName, Scores } from './measure.ts';

/** The results with one set of settings. */
interface Summary {
  /** Questions asked. */
  queries: number;
  mode: string;
  passagesToEmbed: number;
  rankings: Partial<Record<RankingName, Scores>>;
  /** Share of questions with a quote whose answer shows it; null when no question has one. */
  quotesShown: number | null;
  gained: Difference[];
  lost: Difference[];
  queryMsP50: number;
  queryMsP95: number;
}

export interface Report extends Summary {
  /** The name of the collection's folder or of the file with the questions. */
  collection: string;
  documents: number;
  passages: number;
  failed: number;
  /** Null where nothing was indexed. */
  passagesPerSecond: number | null;
  peakAnonymousMegabytes: number | null;
  /** The results with other settings; `gained` and `lost` are relative to the first run. */
  compared?: Summary & { settings: Record<string, string> };
}

const row = (name: string, cells: readonly string[]) =>
  name.padEnd(24) + cells.map((cell) => cell.padStart(11)).join('');
const one = (name: string, value: string) => `${name.padEnd(26)}${value}`;

export function renderReport(report: Report): string {
  const { compared } = report;
  const memory = report.peakAnonymousMegabytes;
  const lines = [
    `${report.collection}: ${report.documents} documents, ${report.passages} passages, ${report.queries} queries (${report.mode})`,
    ...renderWaiting(report, report.passages),
    '',
    ...renderScores(report),
    '',
    one('ms/query p50', report.queryMsP50.toFixed(1)),
    one('ms/query p95', report.queryMsP95.toFixed(1)),
    ...(report.passagesPerSecond === null ? [] : [one('passages/s', report.passagesPerSecond.toFixed(1))]),
    one('peak anonymous memory', memory === null ? 'not known here' : `${memory.toFixed(0)} MB`),
    ...(report.failed > 0 ? [one('failed documents', String(report.failed))] : []),
    ...renderDifferences('Gained most from meaning', 'nDCG@10 lexical → hybrid', report.gained),
    ...renderDifferences('Lost most', 'nDCG@10 lexical → hybrid', report.lost),
  ];
  if (compared === undefined) return lines.join('\n');
  const settings = Object.entries(compared.settings).map(([name, value]) => `${name}=${value}`);
  return [
    ...lines,
    '',
    `With ${settings.join(', ')} (${compared.mode})`,
    ...renderWaiting(compared, report.passages),
    '',
    ...renderScores(compared),
    '',
    one('ms/query p50', compared.queryMsP50.toFixed(1)),
    one('ms/query p95', compared.queryMsP95.toFixed(1)),
    ...renderDifferences('Gained most from the change', 'nDCG@10 before → after', compared.gained),
    ...renderDifferences('Lost most by the change', 'nDCG@10 before → after', compared.lost),
  ].join('\n');
}

function renderWaiting({ passagesToEmbed, rankings: { dense } }: Summary, passages: number): string[] {
  if (passagesToEmbed === 0) return [];
  const meanwhile = dense === undefined ? 'words alone answered' : 'they were found by their words alone';
  return [
    `${passagesToEmbed} of ${passages} passages wait for their vector: ${meanwhile}. \`commonplace work\` makes them.`,
  ];
}

function renderScores({ rankings: { lexical, dense, hybrid }, quotesShown }: Summary): string[] {
  const columns = [lexical, dense, hybrid].map((scores) => scores ?? null);
  const scored = (name: string, key: keyof Scores) =>
    row(
      name,
      columns.map((scores) => (scores === null ? '–' : scores[key].toFixed(4))),
    );
  return [
    row('', ['lexical', 'dense', 'hybrid']),
    scored('nDCG@10', 'ndcg10'),
    scored('recall@10', 'recall10'),
    scored('recall@100', 'recall100'),
    ...(quotesShown === null ? [] : [one('answers with the quote', `${(quotesShown * 100).toFixed(0)} %`)]),
  ];
}

function renderDifferences(name: string, what: string, differences: readonly Difference[]): string[] {
  if (differences.length === 0) return [];
  return [
    '',
    `${name} (${what})`,
    ...differences.map(
      ({ query, before, after }) =>
        `  ${before.toFixed(2)} → ${after.toFixed(2)}  ${query.replaceAll(/\s+/g, ' ').slice(0, 100)}`,
    ),
  ];
}

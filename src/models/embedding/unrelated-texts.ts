/**
 * Queries and passages, none of which match: the mean cosine of these pairs is the model's cosine for unrelated texts.
 */
export const unrelatedTexts: { queries: readonly string[]; passages: readonly string[] } = {
  queries: [
    'How long does sourdough have to rest?',
    'What causes the tides of the sea?',
    'Who may vote in a tenants’ meeting?',
    'error when the database connection is closed',
  ],
  passages: [
    'The violinist tuned her instrument for the last time and walked onto the stage, where the orchestra was waiting.',
    'Running shoes lose their cushioning after some eight hundred kilometres, even when the soles still look new.',
    'In the spring the beekeeper looks through the hives, counts the frames with brood and removes what is mouldy.',
    'The painter mixed lead white with a little ochre, so that the faces seem lit by a candle from below.',
  ],
};

/** The mean cosine of all pairs of a query and a passage, limited to 0 to .95. */
export function meanCosine(queries: readonly Float32Array[], passages: readonly Float32Array[]): number {
  let sum = 0;
  for (const query of queries) {
    for (const passage of passages) {
      for (const [index, component] of query.entries()) sum += component * (passage[index] ?? 0);
    }
  }
  return Math.min(0.95, Math.max(0, sum / (queries.length * passages.length)));
}

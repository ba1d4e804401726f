import { z } from 'zod';
import { localAccountId } from '../../src/domain/records/account.ts';
import { contentType, contentId, tags } from '../../src/domain/records/content.ts';
import { canonicalUrl } from '../../src/domain/links/url.ts';
import { AppError } from '../../src/errors.ts';
import type { App } from '../../src/app/app.ts';
import { readLines } from './collection.ts';
import type { JudgedQuery } from './measure.ts';
import { filterOf } from '../../src/operations/content/filters.ts';

/** One line of the user's questions. */
const questionLine = z.strictObject({
  query: z.string().trim().min(1).max(2_000),
  /** Ids or addresses of the saved items that answer it, as a list or with grades. */
  relevant: z.union([z.array(z.string().min(1)).min(1), z.record(z.string(), z.number().positive())]),
  /** Text of the passage that answers it. */
  quote: z.string().trim().min(1).optional(),
  filters: z.strictObject({ contentType: contentType.optional(), tags: tags.optional() }).optional(),
});

const example = '{"query": "how much sleep do I need", "relevant": ["https://example.org/sleep"]}';

/**
 * Reads questions about saved items and finds the items they name.
 * @throws {AppError} `invalid_input` naming the invalid line, or the item that does not exist
 */
export async function readQuestions(
  path: string,
  app: App,
): Promise<{ queries: JudgedQuery[]; keyOf: (result: { id: string }) => string; items: number }> {
  const lines = await readLines(path, words, (line) => questionLine.parse(JSON.parse(line)));
  if (lines.length === 0)
    throw new AppError('invalid_input', `${path} is empty. A question looks like this: ${example}`);
  const library = await listItems(app);
  const queries = lines.map(({ line, value: { relevant, query, quote, filters } }) => {
    const graded = Array.isArray(relevant) ? relevant.map((name) => [name, 1] as const) : Object.entries(relevant);
    const judgements = new Map<string, number>();
    for (const [name, grade] of graded) {
      const key = library.find(name);
      if (key === undefined) {
        throw new AppError('invalid_input', `${path}, line ${line}: ${name.slice(0, 200)} is not among what is saved.`);
      }
      judgements.set(key, Math.max(grade, judgements.get(key) ?? 0));
    }
    return { query, filter: filterOf(filters ?? {}), quote, judgements };
  });
  return { queries, keyOf: ({ id }) => library.keyOf(id), items: library.size };
}

const words = {
  unreadable: `cannot be read. It holds one question a line: ${example}`,
  wrongLine: `is not a question. One looks like this: ${example}`,
};

/**
 * Lists the saved items by id and by address. Search shows only one of several items with the same content, so they
 * share one key.
 */
async function listItems({ services }: App) {
  const keys = new Map<string, string>();
  const byAddress = new Map<string, string>();
  const limit = 100;
  for (let offset = 0; ; offset += limit) {
    const { items, total } = await services.library.list(localAccountId, { limit, offset });
    for (const { id, url, canonicalUrl: address, duplicateOf } of items) {
      keys.set(id, duplicateOf ?? id);
      if (url === null) continue;
      for (const known of [url, address, canonicalUrl(url)]) if (known) byAddress.set(known, id);
    }
    if (items.length === 0 || offset + limit >= total) break;
  }
  const keyOf = (id: string): string => keys.get(id) ?? id;
  return {
    size: keys.size,
    keyOf,
    find(name: string): string | undefined {
      const id = contentId.safeParse(name).success ? name : (byAddress.get(name) ?? byAddress.get(canonicalUrl(name)));
      return id === undefined || !keys.has(id) ? undefined : keyOf(id);
    },
  };
}

import { maxUrlLength } from '../domain/links/url.ts';
import type { Operation } from '../operations/operation.ts';

/** As many ids as a tool takes. */
const maxIds = 100;

/**
 * The input with the ids of saved pages in place of their addresses, which models know better than ids. An address from
 * which nothing was saved stays.
 */
export async function withIdsOfPages(
  { example }: Operation,
  input: unknown,
  idOf: (address: string) => Promise<string | null>,
): Promise<unknown> {
  if (typeof input !== 'object' || input === null) return input;
  const names = Object.keys(input).filter((name) => name === 'contentId' || isOfItem(example.input[name]));
  const found = await Promise.all(
    names.map(async (name) => {
      const value: unknown = (input as Record<string, unknown>)[name];
      const read = async (given: unknown) => (isAddress(given) ? ((await idOf(given)) ?? given) : given);
      const isList = Array.isArray(value) && value.length <= maxIds;
      return [name, isList ? await Promise.all(value.map(read)) : await read(value)];
    }),
  );
  return { ...input, ...Object.fromEntries(found) };
}

function isAddress(given: unknown): given is string {
  return typeof given === 'string' && given.length <= maxUrlLength && /^https?:\/\//i.test(given);
}

/** Whether an input holds ids of saved items, by those of its example. */
function isOfItem(sample: unknown): boolean {
  return (Array.isArray(sample) ? sample : [sample]).some((one) => typeof one === 'string' && one.startsWith('c_'));
}

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/*
 * Where the tokens of answers go, field by field, for bench/answers.ts. The parts of a text that is tokenised part by
 * part add up to some percent more than the whole; shares are of their sum.
 */

/** By name of a field, with the tool before it: `search results.passages.text`. */
export type FieldTokens = Map<string, number>;

const add = (tokens: FieldTokens, name: string, more: number) => tokens.set(name, (tokens.get(name) ?? 0) + more);

/** Tokens of a text as a model is given it; nothing in it is taken for a special token. */
export const tokensOf = (text: string) => countTokens(text, { disallowedSpecial: new Set() });

/** Addresses inside Markdown: `](https://…)`. */
const linkAddress = /\]\([^()\s]{0,2000}\)/g;

/** Adds the tokens of one answer by field, and under names in brackets what could be cut from it. */
export function countFields(tool: string, answer: unknown, tokens: FieldTokens): void {
  const addresses = new Set<string>();
  const visit = (value: unknown, name: string, key: string): void => {
    const written = (text: string) => tokensOf(`"${key}":${text},`);
    if (Array.isArray(value) && value.some((one) => typeof one === 'object' && one !== null && !Array.isArray(one))) {
      add(tokens, name, tokensOf(`"${key}":[],`));
      for (const one of value) visit(one, name, '');
      return;
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      add(tokens, name, written('{}'));
      for (const [field, one] of Object.entries(value)) visit(one, `${name}.${field}`, field);
      return;
    }
    const cost = written(JSON.stringify(value));
    add(tokens, name, cost);
    if (value === null) add(tokens, `${tool} [nulls]`, cost);
    if (Array.isArray(value) && value.length === 0) add(tokens, `${tool} [empty lists]`, cost);
    if (typeof value !== 'string') return;
    if (key === 'url') {
      const [page = ''] = value.split('#');
      if (addresses.has(page)) add(tokens, `${tool} [addresses said before]`, tokensOf(page));
      addresses.add(page);
      if (value.includes('#')) add(tokens, `${tool} [text fragments]`, tokensOf(value.slice(page.length)));
    } else {
      const inside = [...value.matchAll(linkAddress)].map(([link]) => link).join('');
      if (inside !== '') add(tokens, `${tool} [link addresses in texts]`, tokensOf(inside));
    }
  };
  if (typeof answer !== 'object' || answer === null) return;
  for (const [field, one] of Object.entries(answer)) visit(one, `${tool} ${field}`, field);
}

/** Fields with their tokens and shares of all, the largest first. */
export function shownFields(tokens: FieldTokens): Record<string, string>[] {
  const isPart = (name: string) => name.endsWith(']');
  const all = [...tokens].reduce((sum, [name, cost]) => (isPart(name) ? sum : sum + cost), 0);
  return [...tokens]
    .toSorted(([, a], [, b]) => b - a)
    .filter(([, cost]) => cost * 500 >= all)
    .map(([field, cost]) => ({ field, tokens: `${cost}`, share: `${((cost / all) * 100).toFixed(1)} %` }));
}

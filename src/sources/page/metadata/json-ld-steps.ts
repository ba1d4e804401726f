import type { Json } from '../../../domain/json/json-value.ts';
import { jsonLdObjects } from './json-ld.ts';

/** A recipe has fewer ingredients and steps. */
const maxSteps = 500;

/** The ingredients and steps of recipes and instructions in JSON-LD. */
export function readSteps(scripts: readonly string[]): string[] {
  const steps: string[] = [];
  for (const object of jsonLdObjects(scripts.filter((script) => /"(?:Recipe|HowTo)"/.test(script)))) {
    for (const key of ['recipeIngredient', 'recipeInstructions', 'step']) collect(object[key] ?? null, steps);
  }
  return steps;
}

function collect(value: Json, steps: string[]): void {
  const queue: Json[] = [value];
  for (let one = queue.pop(); one !== undefined && steps.length < maxSteps; one = queue.pop()) {
    if (typeof one === 'string') steps.push(...one.split('\n'));
    else if (Array.isArray(one)) queue.push(...one.slice(0, maxSteps));
    else if (one !== null && typeof one === 'object') queue.push(one['text'] ?? null, one['itemListElement'] ?? null);
  }
}

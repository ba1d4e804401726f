import { withoutTrailing } from '../../../domain/text/trailing.ts';
import type { PageFacts } from '../html/html-scan.ts';
import { declaredPrice } from '../metadata/declared-price.ts';
import type { TextBlock } from './page-blocks.ts';

/** A longer text only mentions a price. */
const maxWords = 12;
const maxLength = 120;

/**
 * Restores the text that shows the price of a page's product: it is short, and built like the prices of other products.
 * Does nothing where the price, as the page's data have it, stands in kept text. Changes `kept` in place.
 */
export function restorePrice(blocks: readonly TextBlock[], kept: boolean[], facts: PageFacts): void {
  if (!kept.includes(true)) return;
  const price = centsOf(declaredPrice(facts) ?? '');
  if (price === null) return;
  const shows = ({ text, words }: TextBlock): boolean =>
    words <= maxWords && text.length <= maxLength && amountsOf(text).some((amount) => centsOf(amount) === price);
  if (blocks.some((block, i) => kept[i] === true && shows(block))) return;
  const own = blocks.findIndex(shows);
  if (own !== -1) kept[own] = true;
}

/** Numbers as shops write them: 1.299,00, 1 299.00, 1'299, 189. */
function amountsOf(text: string): string[] {
  return text.match(/\d[\d.,'’\u00a0\u202f ]{0,20}/g) ?? [];
}

/** The amount in hundredths: the last point or comma with one or two digits behind it begins the decimals. */
function centsOf(amount: string): number | null {
  const digits = amount.slice(0, maxLength).replaceAll(/[^\d.,]/g, '');
  const number = withoutTrailing(digits, '.,');
  const at = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','));
  const hasDecimals = at !== -1 && number.length - at <= 3;
  const whole = (hasDecimals ? number.slice(0, at) : number).replaceAll(/\D/g, '');
  const decimals = hasDecimals ? number.slice(at + 1) : '';
  return whole === '' ? null : Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
}

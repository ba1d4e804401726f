import { canonicalUrl } from './url.ts';

/** Whether an address leads to a single post on X. */
export function isPostOnX(url: URL): boolean {
  return /^https:\/\/x\.com\/(?:\w+|i\/web)\/status\/\d+$/.test(canonicalUrl(url.href));
}

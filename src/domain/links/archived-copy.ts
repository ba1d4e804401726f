import type { ArchivedCopy, KeptWarning } from '../records/content.ts';
import { canonicalUrl } from './url.ts';

/*
 * Web archives of the Wayback Machine's kind keep a copy at `<copies>/<timestamp>/<address of the page>`, and its bytes
 * as the site sent them at `<copies>/<timestamp>id_/<address of the page>`. A timestamp is YYYYMMDDhhmmss in UTC.
 */

/** A copy of a page in a web archive, and where it is shown in a browser. */
export interface NamedCopy extends ArchivedCopy {
  /** The archive's host. */
  archive: string;
}

const timestampLength = 14;
const rawMark = 'id_/';

/** An address as it is given to an archive: without its fragment. */
export function archivableAddress(address: string): string {
  const url = new URL(address);
  url.hash = '';
  return url.href;
}

/** The address of a copy's bytes as the site sent them. `copies` ends with a slash. */
export function rawCopyAddress(copies: string, timestamp: string, page: string): string {
  return `${copies}${timestamp}${rawMark}${page}`;
}

/** The timestamp of a raw copy of this page; null when the address is something else. `copies` ends with a slash. */
export function rawCopyTimestamp(address: string, copies: string, page: string): string | null {
  if (!address.startsWith(copies)) return null;
  const timestamp = address.slice(copies.length, copies.length + timestampLength);
  const rest = address.slice(copies.length + timestampLength);
  if (dateOfTimestamp(timestamp) === null || !rest.startsWith(rawMark)) return null;
  return isSamePage(rest.slice(rawMark.length), page) ? timestamp : null;
}

/**
 * The archived copy that an item was made from, or null when it was made from the page itself. A copy has the address in
 * the archive as the requested address, and the page's own as the one that answered.
 */
export function archivedCopyOf(original: { url: string; finalUrl: string }, itemUrl: string): NamedCopy | null {
  if (URL.parse(itemUrl) === null) return null;
  const page = archivableAddress(itemUrl);
  const ending = rawMark + page;
  if (original.finalUrl !== page || !original.url.endsWith(ending)) return null;
  const before = original.url.slice(0, -ending.length);
  const timestamp = before.slice(-timestampLength);
  const copies = URL.parse(before.slice(0, -timestampLength));
  const date = dateOfTimestamp(timestamp);
  if (copies === null || date === null) return null;
  return { archive: copies.host, date, url: `${before}/${page}` };
}

/** The copy that a text is from, by the warnings that are kept with it; null when it is from the page itself. */
export function archivedCopyIn(warnings: readonly KeptWarning[]): ArchivedCopy | null {
  return warnings.find(({ copy }) => copy !== undefined)?.copy ?? null;
}

/** Base URL for links into an item's text: the archived copy if the text came from one, otherwise the item's own URL. */
export function linkedAddress<T extends string | null>(url: T, warnings: readonly KeptWarning[]): T | string {
  return archivedCopyIn(warnings)?.url ?? url;
}

/** YYYY-MM-DD; null when this is no timestamp. */
export function dateOfTimestamp(timestamp: string): string | null {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(timestamp);
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second] = parts;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const time = Date.parse(iso);
  return Number.isNaN(time) || new Date(time).toISOString() !== iso ? null : iso.slice(0, 10);
}

/** The timestamp of a time. */
export function timestampOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\D/g, '').slice(0, timestampLength);
}

/** Archives do not tell http from https, nor a host with www. from one without. */
function isSamePage(one: string, other: string): boolean {
  const key = (address: string): string => canonicalUrl(address).replace(/^https?:\/\/(?:www\.)?/, '');
  return key(one) === key(other);
}

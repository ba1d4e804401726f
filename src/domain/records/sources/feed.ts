import type { WantedWords } from '../../text/words/wanted-words.ts';
import type { KnownMetadata } from '../texts/document.ts';

/** Of entries that one reading of a feed gives. */
export const maxFeedEntries = 1_000;

/** The options for reading a feed. */
export interface FeedQuestion extends WantedWords {
  /** Keys of entries whose own text is wanted. */
  texts: readonly string[];
}

/** An entry of a feed, as a reading process found it. */
export interface FeedEntry {
  /** Its id, else its address, else a hash of its text; in at most `maxEntryKey` characters. */
  key: string;
  /** Its page; null when it has none. */
  link: { url: string; canonicalUrl: string } | null;
  /** Title, author and date, for the time until its page is read. */
  known: KnownMetadata & { title: string };
  /** Milliseconds since the epoch, as the feed says; null when it says none. */
  publishedAt: number | null;
  /** Of its title and text. */
  fingerprint: string;
  /** Whether its text is long enough to know it again by. */
  isTelling: boolean;
  /** Whether the words that were asked for want it. */
  isWanted: boolean;
  /** Its own text as Markdown, under its title; absent unless it was asked for. */
  text?: string;
}

/** How often a feed says that it is worth asking for. */
export interface FeedHints {
  /** Not more often than this. */
  minMinutes: number;
  /** Hours of the day in UTC, 0 to 23, in which it does not change. */
  skipHours: number[];
  /** Days of the week, 0 for Sunday. */
  skipDays: number[];
}

export interface FeedReading {
  title: string | null;
  /** As the feed orders them, each key once. */
  entries: FeedEntry[];
  hints: FeedHints;
}

/** A feed that was found at an address. */
export interface FoundFeed {
  address: string;
  title: string | null;
}

/** The result for an address that a person follows: a feed, or a page that may name some. */
export type FeedPage = { feed: FeedReading } | { feed: null; named: FoundFeed[] };

/** A piece of what is said in a recording. */
export interface Caption {
  /** Seconds from the beginning of the recording. */
  start: number;
  /** Seconds; null where the captions do not tell. */
  duration: number | null;
  /** Without markup and entities. Lines stay apart: who shows captions line by line repeats them. */
  text: string;
  /** Who speaks, where the captions name somebody. */
  speaker?: string | undefined;
}

/** A chapter of a recording. */
export interface Chapter {
  /** Seconds. */
  start: number;
  title: string;
}

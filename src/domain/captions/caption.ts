/** One caption of a recording. */
export interface Caption {
  /** Seconds from the beginning of the recording. */
  start: number;
  /** Seconds; null when the captions do not give it. */
  duration: number | null;
  /** Without markup and entities. Line ends are kept: rolling captions repeat lines, which are deduplicated later. */
  text: string;
  /** The speaker, if the captions name one. */
  speaker?: string | undefined;
}

/** A chapter of a recording. */
export interface Chapter {
  /** Seconds. */
  start: number;
  title: string;
}

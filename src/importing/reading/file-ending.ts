/** Where a reader notes that a file ends in the middle of something. What it read before that is whole. */
export interface FileEnding {
  /** For a person; null when the file ends as it should. */
  fault: string | null;
}

export const cutOff = 'the file is cut off: it ends in the middle of an entry. Export it again';

/** Where a reader notes that a file ends in the middle of something. What it read before that is whole. */
export interface FileEnding {
  /** For a person; null when the file ends as it should. */
  fault: string | null;
  /** What it holds is in another file of the export as well, and is read there. */
  isRepeated: boolean;
}

export const cutOff = 'the file is cut off: it ends in the middle of an entry. Export it again';

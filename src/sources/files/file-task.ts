/** What a reader of files is given beside the bytes. */
export interface FileTask {
  /** Where the file is from, for names and links. */
  url: string;
  /** For a locked file. Never logged, kept nowhere. */
  password: string | null;
  /** Whether text is recognised on pages that are pictures. */
  ocr: boolean;
  /**
   * To be called at least with every finished page or chapter: silence for too long ends the process.
   * @param recognised pages on which text was recognised, with the one that is at work; none when left out
   */
  progress(done: number, recognised?: number): void;
}

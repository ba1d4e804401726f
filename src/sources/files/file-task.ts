/** Inputs of a file reader besides the bytes. */
export interface FileTask {
  /** Address of the file, for names and links. */
  url: string;
  /** Password of a locked file. Never logged or stored. */
  password: string | null;
  /** Whether text recognition (OCR) runs on pages that are pictures. */
  ocr: boolean;
  /**
   * Must be called at least after every finished page or chapter: the process is ended after too long a silence.
   * @param recognised pages with text recognition, including the current one; 0 when omitted
   */
  progress(done: number, recognised?: number): void;
}

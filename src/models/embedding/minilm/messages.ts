/** To the model's process: one text. The next is sent when this one is answered. */
export interface ToWorker {
  text: string;
  /**
   * Given, the text is a sentence to judge, which stands under these words: the answer is one number, the log odds of its being a
   * thing to do, or none at all where the layers for that cannot be loaded.
   */
  around?: string;
}

/** From the model's process: once that it has loaded, then one answer for each text; or why it cannot go on. */
export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'vector'; vector: Float32Array }
  | { kind: 'failed'; reason: string };

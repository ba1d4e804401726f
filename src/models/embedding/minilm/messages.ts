/** Message to the model's process: one text. The next one is sent when this one is answered. */
export interface ToWorker {
  text: string;
  /**
   * The heading of the sentence. If given, the sentence is scored and not embedded: the answer is one number, the log
   * odds that it is a thing to do, or empty when the layers for it cannot be loaded.
   */
  around?: string;
}

/** Message from the model's process: the answer to one text. */
export interface TextVector {
  kind: 'vector';
  vector: Float32Array;
}

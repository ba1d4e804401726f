/** A text for the model. */
export interface Text {
  text: string;
}

/** Message to the model's process: one text. It is given as many at once as it was said to take. */
export interface ToWorker extends Text {
  /** Number of the text; its answer bears it, too. */
  id: number;
  isQuery: boolean;
}

/** Message from the model's process: the answer to one text. */
export interface TextVector {
  kind: 'vector';
  id: number;
  vector: Float32Array;
}

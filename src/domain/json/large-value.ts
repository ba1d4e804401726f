/**
 * A value of a request that is too large to be read on the main thread. It travels through the program as the bytes of its
 * JSON and is read in a worker thread. No request can forge one: parsing JSON makes no instances of a class.
 */
export class LargeValue {
  readonly json: Uint8Array;

  constructor(json: Uint8Array) {
    this.json = json;
  }
}

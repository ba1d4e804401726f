/**
 * A value of a request that is too large to be parsed on the main thread. It is passed on as the bytes of its JSON and
 * parsed in a worker thread. No request can forge one, because parsing JSON never creates instances of a class.
 */
export class LargeValue {
  readonly json: Uint8Array;

  constructor(json: Uint8Array) {
    this.json = json;
  }
}

import type { CallOptions, Requests } from './requests.ts';

/** One page of a list. */
interface Page<Item> {
  items: Item[];
  total: number;
  nextCursor?: string | undefined;
}

/** A list that is read page by page while it is walked: `for await (const item of client.content.list())`. */
export interface List<Item> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page<Item>>;
}

export type Filters<Input> = Omit<Input, 'cursor'>;

export function listOf<Item>(requests: Requests, path: string, input: object, options?: CallOptions): List<Item> {
  const read = (cursor?: string) => requests.get<Page<Item>>(path, { ...input, cursor }, options);
  const pages = async function* (): AsyncGenerator<Page<Item>> {
    let page = await read();
    yield page;
    while (page.nextCursor !== undefined) {
      page = await read(page.nextCursor);
      yield page;
    }
  };
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}

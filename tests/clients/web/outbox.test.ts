import { describe, expect, it } from 'vitest';
import { CallError } from '../../../web/data/calls.ts';
import { Kept, type Shelf } from '../../../web/kept/kept.ts';
import { type Fate, Outbox } from '../../../web/kept/outbox.ts';

/* Writes of the page that wait for the server: in order, once, and never lost. */

/** What a browser keeps; `isFull` as when its storage takes no more. */
class TestShelf extends Map<string, string> implements Shelf {
  isFull = false;
  get length(): number {
    return this.size;
  }
  key(index: number): string | null {
    return [...this.keys()][index] ?? null;
  }
  getItem(name: string): string | null {
    return this.get(name) ?? null;
  }
  setItem(name: string, value: string): void {
    if (this.isFull) throw new Error('QuotaExceededError');
    this.set(name, value);
  }
  removeItem(name: string): void {
    this.delete(name);
  }
}

/** A server that is away until `status` is 200, and remembers what it was sent. */
function open(shelf = new TestShelf()) {
  const kept = new Kept(shelf, 'ann');
  const server = { status: 200, sent: [] as string[], keys: [] as string[], inputs: [] as object[], answer: {} };
  const changes: string[] = [];
  const late: string[] = [];
  const settled = Promise.withResolvers<void>();
  const outbox = new Outbox({
    kept,
    send: (operation, input, key) => {
      server.keys.push(key);
      server.inputs.push(input);
      if (server.status !== 200) return Promise.reject(new CallError('No.', server.status));
      server.sent.push(`${operation} ${JSON.stringify(input)}`);
      return Promise.resolve({ undo: 'h_1', ...server.answer });
    },
    onLate: (fate, operation) =>
      late.push(`${operation} ${typeof fate === 'string' ? fate : 'refused' in fate ? 'refused' : 'sent'}`),
    onChange: (done) => {
      if (done !== undefined) changes.push(done[0]);
      if (outbox.waiting.length === 0) settled.resolve();
    },
  });
  /** Resolves with the first fate of a write. */
  const add = (operation: string, input: object, draft?: { name: string; value: unknown }) =>
    new Promise<Fate>((resolve) => outbox.add({ operation, input, drafts: draft && [draft] }, resolve));
  return { shelf, kept, server, outbox, add, late, changes, settled: settled.promise };
}

describe('the outbox', () => {
  it('returns the answer of a successful write, and keeps nothing', async () => {
    const { add, shelf } = open();
    expect(await add('complete_action', { id: 'a_1' })).toEqual({ answer: { undo: 'h_1' } });
    expect(shelf.size).toBe(0);
  });

  it('keeps writes while the server is away, over a reload, and sends them in order with the same keys', async () => {
    const { add, server, shelf } = open();
    server.status = 0;
    const fates = await Promise.all(['one', 'two', 'three'].map((text) => add('add_note', { text })));
    expect(fates).toEqual(['waits', 'waits', 'waits']);
    const after = open(shelf);
    expect(after.outbox.waiting).toHaveLength(3);
    after.outbox.send();
    await after.settled;
    expect(after.server.sent).toEqual(['one', 'two', 'three'].map((text) => `add_note {"text":"${text}"}`));
    expect(after.server.keys[0]).toBe(server.keys[0]);
    expect(new Set(after.server.keys).size).toBe(3);
    expect([after.late, shelf.size]).toEqual([['add_note sent', 'add_note sent', 'add_note sent'], 0]);
  });

  it('sends the last of several waiting changes of the same fields', async () => {
    const { add, server, outbox } = open();
    server.status = 503;
    await add('add_note', { text: 'x' });
    await add('update_content', { id: 'c_1', notes: 'a' });
    await add('update_content', { id: 'c_1', title: 't' });
    await add('update_content', { id: 'c_1', notes: 'b' });
    expect(outbox.waiting.slice(1).map(([, { input }]) => input)).toEqual([
      { id: 'c_1', title: 't' },
      { id: 'c_1', notes: 'b' },
    ]);
    server.status = 200;
    await add('complete_action', { id: 'a_1' });
    expect(server.sent).toHaveLength(4);
  });

  it('merges waiting changes of several fields of an item, with the values before the first', async () => {
    const { add, kept, server, outbox } = open();
    server.status = 0;
    await add('add_note', { text: 'x' });
    const title = { name: 'title c_1', value: 'T' };
    kept.set(title.name, title.value);
    await add('edit_item', { id: 'c_1', title: 'T', before: { title: 'old' } }, title);
    await add('edit_item', { id: 'c_1', tags: ['x'], before: { tags: [] } });
    await add('edit_item', { id: 'c_1', title: 'U', before: { title: 'T' } });
    await add('edit_item', { id: 'c_2', title: 'V', before: { title: '' } });
    const both = { id: 'c_1', title: 'U', tags: ['x'], before: { title: 'old', tags: [] } };
    expect(outbox.waiting.slice(1).map(([, { input }]) => input)).toEqual([
      both,
      { id: 'c_2', title: 'V', before: { title: '' } },
    ]);
    server.status = 200;
    await add('complete_action', { id: 'a_1' });
    expect(server.sent).toHaveLength(4);
    expect(kept.get(title.name)).toBeUndefined();
  });

  it('changes no write that the server may already have, also after a reload, and sends no merged one', async () => {
    const { add, shelf, server, outbox } = open();
    server.status = 0;
    await add('edit_item', { id: 'c_1', title: 'b', before: { title: 'a' } });
    server.status = 400;
    // The second is taken into the third while the first is on its way.
    const fates = Promise.all([
      add('edit_item', { id: 'c_1', title: 'c', before: { title: 'a' } }),
      add('edit_item', { id: 'c_1', title: 'd', before: { title: 'c' } }),
    ]);
    expect(open(shelf).outbox.waiting.map(([, { input }]) => input)).toEqual([
      { id: 'c_1', title: 'b', before: { title: 'a' } },
      { id: 'c_1', title: 'd', before: { title: 'a' } },
    ]);
    expect(await fates).toMatchObject([{ refused: { status: 400 } }, { refused: { status: 400 } }]);
    expect([server.keys.length, outbox.waiting]).toEqual([3, []]);
  });

  it("sends the person's choice in a conflict unchanged, and knows the title after one was cleared", async () => {
    const { add, server, outbox } = open();
    await add('edit_item', { id: 'c_1', title: 'a', before: { title: 'of the page' } });
    server.answer = { title: 'of the page' };
    await add('edit_item', { id: 'c_1', title: '', before: { title: 'a' } });
    server.answer = {};
    await add('edit_item', { id: 'c_1', title: 'b', before: { title: 'of the page' } });
    outbox.settle('');
    await add('edit_item', { id: 'c_1', title: 'c', before: { title: 'of the page' } });
    const seen = server.sent.map((one) => /"([^"]*)"\}\}$/.exec(one)?.[1]);
    expect(seen).toEqual(['of the page', 'a', 'of the page', 'of the page']);
  });

  it('does not report its own change as a conflict, although a list shows the previous value', async () => {
    const { add, server } = open();
    for (const title of ['b', 'c']) await add('edit_item', { id: 'c_1', title, before: { title: 'a' } });
    await add('undo', { id: 'h_1' });
    await add('edit_item', { id: 'c_1', title: 'd', before: { title: 'b' } });
    const sent = server.sent.flatMap((one) => /"before":.*/.exec(one)?.[0] ?? []);
    expect(sent.map((one) => one.slice(-5, -2))).toEqual(['"a"', '"b"', '"b"']);
  });

  it('holds a change that conflicts with another until the person has chosen', async () => {
    const { add, kept, server, shelf } = open();
    const draft = { name: 'notes c_1', value: 'mine' };
    kept.set(draft.name, draft.value);
    server.status = 412;
    expect(await add('edit_item', { id: 'c_1', notes: 'mine', before: { notes: '' } }, draft)).toBe('conflicts');
    const { outbox } = open(shelf);
    expect([kept.get(draft.name), outbox.waiting]).toEqual([undefined, []]);
    const [[key, { input }] = ['', { input: {} }]] = outbox.conflicts;
    expect(input).toMatchObject({ notes: 'mine' });
    outbox.settle(key);
    expect(shelf.size).toBe(0);
  });

  it('keeps a draft for each write of a form that is refused late', async () => {
    const { add, kept, server } = open();
    server.status = 400;
    for (const value of ['one', 'two', 'three'])
      await add('add_action', { title: value }, { name: 'action of ', value });
    const drafts: unknown[] = [];
    for (let draft = kept.draft('action of '); draft !== undefined; draft = kept.draft('action of ')) {
      drafts.push(draft);
      kept.set('action of ', undefined);
    }
    expect(drafts).toEqual(['one', 'two', 'three']);
  });

  it('keeps nothing after it is closed', () => {
    const { kept, shelf } = open();
    kept.set('action of ', 'x');
    kept.end();
    kept.set('action of ', 'y');
    expect(shelf.size).toBe(0);
  });

  it('reports a refusal, turns the text into a draft again, and continues with the next', async () => {
    const { add, kept, server, outbox } = open();
    const draft = { name: 'notes c_1', value: 'long words' };
    kept.set(draft.name, draft.value);
    server.status = 404;
    expect(await add('update_content', { id: 'c_1', notes: 'long words' }, draft)).toMatchObject({
      refused: { status: 404 },
    });
    expect([kept.get(draft.name), outbox.waiting]).toEqual(['long words', []]);
    server.status = 200;
    await add('update_content', { id: 'c_1', notes: 'long words' }, draft);
    expect(kept.get(draft.name)).toBeUndefined();
  });

  it('waits for the first attempt when it is still under way, but not forever', async () => {
    const { add, server, outbox, late } = open();
    server.status = 409;
    expect(await add('add_note', { text: 'x' })).toBe('waits');
    for (let i = 0; i < 3; i += 1) outbox.send();
    await expect.poll(() => outbox.waiting).toEqual([]);
    // Its listener was told that it waits, and then what became of it.
    expect([server.keys.length, late]).toEqual([4, []]);
  });

  it('sends a change of what an earlier write makes with the id that it got', async () => {
    const { add, server, outbox } = open();
    server.status = 0;
    expect(await add('add_highlight', { contentId: 'c_1', quote: 'x' })).toBe('waits');
    const [key = ''] = outbox.waiting[0] ?? [];
    expect(await add('update_highlight', { id: key, note: 'y' })).toBe('waits');
    Object.assign(server, { status: 200, answer: { id: 'hl_1' } });
    outbox.send();
    await expect.poll(() => outbox.waiting).toEqual([]);
    await add('delete_highlight', { id: key });
    expect(server.sent.slice(1)).toEqual([
      'update_highlight {"id":"hl_1","note":"y"}',
      'delete_highlight {"id":"hl_1"}',
    ]);
  });

  it('names what was made by its new id, and sends an edit that saw a refused one with what the server has', async () => {
    const shelf = new TestShelf();
    const { add, server, outbox, kept, changes } = open(shelf);
    server.answer = { id: 'hl_1' };
    await add('add_highlight', { contentId: 'c_1', quote: 'x' });
    const [key = ''] = server.keys;
    expect([outbox.idOf(key), outbox.idOf('c_1'), changes]).toEqual(['hl_1', 'c_1', ['hl_1']]);
    server.status = 0;
    await add('edit_item', { id: 'c_1', title: 'b', notes: 'n', before: { title: 'a', notes: '' } });
    const second = add('edit_item', { id: 'c_1', title: 'c', tags: ['x'], before: { title: 'b', tags: [] } });
    server.status = 400;
    expect(await second).toMatchObject({ refused: { status: 400 } });
    expect(server.inputs.at(-1)).toMatchObject({ title: 'c', before: { title: 'a', tags: [] } });
    expect(kept.names('outbox ')).toEqual([]);
  });

  it('loses nothing to another window that sends from the same outbox', async () => {
    const shelf = new TestShelf();
    const [first, second] = [open(shelf), open(shelf)];
    first.server.status = 0;
    await first.add('add_note', { text: 'x' });
    second.outbox.send();
    await second.settled;
    expect(second.server.sent).toHaveLength(1);
    first.server.status = 200;
    first.outbox.send();
    await expect.poll(() => first.outbox.isHeld).toBe(false);
    expect([first.outbox.waiting, first.server.sent]).toEqual([[], []]);
  });
});

it('sends waiting writes although the browser once refused the lock', async () => {
  const locks = [() => Promise.reject(new Error('The lock was stolen.')), (work: () => Promise<void>) => work()];
  const sent: string[] = [];
  const outbox = new Outbox({
    kept: new Kept(new TestShelf(), 'ann'),
    send: (operation) => Promise.resolve(sent.push(operation)),
    onLate: () => undefined,
    onChange: () => undefined,
    alone: (work) => locks.shift()!(work),
  });
  const answered = new Promise((resolve) => outbox.add({ operation: 'add_note', input: {} }, resolve));
  outbox.send();
  expect(await answered).toEqual({ answer: 1 });
  expect([sent, locks, outbox.waiting]).toEqual([['add_note'], [], []]);
});

describe("the page's store", () => {
  it('belongs to one account, and is gone when it is cleared', () => {
    const { kept, shelf } = open();
    kept.set('save', { typed: 'words' });
    const other = new Kept(shelf, 'bob');
    expect([kept.get('save'), other.get('save')]).toEqual([{ typed: 'words' }, undefined]);
    other.set('save', 1);
    kept.end();
    expect([kept.names(''), other.names('')]).toEqual([[], ['save']]);
  });

  it('reports when the browser refuses to store, and then keeps data until the page closes', () => {
    const { kept, shelf } = open();
    shelf.isFull = true;
    kept.set('places', [], false);
    expect(kept.isSafe).toBe(true);
    kept.set('save', 'words');
    expect([kept.get('save'), kept.isSafe]).toEqual(['words', false]);
    shelf.isFull = false;
    kept.set('save', 'more words');
    expect([kept.get('save'), kept.isSafe]).toEqual(['more words', true]);
  });
});

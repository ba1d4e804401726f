import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localAccountId } from '../../src/domain/records/account.ts';
import { addFinishedItem, paragraphs } from '../support/content.ts';
import { openHouse } from '../support/house.ts';
import { connectInMemory, type TestClient } from '../support/mcp.ts';

/* What hosts and models send in place of what the schemas of the tools say. */

let house: Awaited<ReturnType<typeof openHouse>>;
let client: TestClient;
let item: string;

beforeAll(async () => {
  house = await openHouse({ embedder: 'none', workers: 0 });
  client = await connectInMemory(house.app);
  const store = await house.app.stores.open(localAccountId);
  const blocks = paragraphs('The boiler was serviced in May, and its valve was replaced.');
  item = await addFinishedItem(store, { url: 'https://example.com/saved-page', blocks, about: { title: 'Boiler' } });
});
afterAll(async () => {
  await client.close();
  await house.close();
});

const call = async <Answer = Record<string, unknown>>(tool: string, input: object): Promise<Answer> => {
  const { text, isError } = await client.call(tool, input);
  expect(isError, text).toBe(false);
  return JSON.parse(text) as Answer;
};
const refusal = async (tool: string, input: object): Promise<string> => {
  const { text, isError } = await client.call(tool, input);
  expect(isError, text).toBe(true);
  return text;
};
const stored = async (id = item) => house.app.services.library.get(localAccountId, id);

const empty = [null, '', ' ', '\u200b', [], [''], [null, {}], {}].map((value) => ({ value }));

describe('empty values', () => {
  test.each(empty)('$value for tags, notes and title keeps what a person wrote', async ({ value }) => {
    await call('update_content', { id: item, title: 'Own title', tags: ['house'], notes: 'Own words' });
    await call('update_content', { id: item, title: 'New', tags: value, notes: value });
    await call('update_content', { id: item, title: value, tags: ['house', 'new'], text: value });
    await call('update_contents', { ids: [item], addTags: ['added'], notes: value, titles: value, clear: value });
    await call('save_content', { url: 'https://example.com/saved-page', notes: value, tags: value, title: value });
    expect(await stored()).toMatchObject({ title: 'New', tags: ['house', 'new', 'added'], notes: 'Own words' });
  });

  test.each(empty)(
    '$value keeps the description of a goal, and the note and colour of a highlight',
    async ({ value }) => {
      const goal = await call<{ id: string }>('add_goal', {
        title: 'Warm',
        category: 'Health',
        description: 'At home',
      });
      expect(await call('update_goal', { id: goal.id, title: 'Warm', description: value })).toMatchObject({
        description: 'At home',
      });
      expect(await call('add_goal', { title: 'Warm', category: 'Health', description: value })).toMatchObject({
        description: 'At home',
      });
      const mark = { quote: 'its valve was replaced', note: 'In May', colour: 'yellow' };
      const { id } = await call<{ id: string }>('add_highlight', { contentId: item, ...mark });
      await call('update_highlight', { id, quote: 'The boiler was serviced', note: value, colour: value });
      await call('update_highlight', { id, quote: mark.quote, note: value, colour: value });
      expect(await call('add_highlight', { contentId: item, quote: mark.quote, note: value })).toMatchObject(mark);
    },
  );

  test('a call that gives nothing else is told that nothing was given', async () => {
    expect(await refusal('update_content', { id: item, title: '', tags: [], notes: null })).toContain(
      'Nothing to change',
    );
    expect(await refusal('update_contents', { ids: [], titles: [{ id: '', title: '' }] })).toContain(
      'Nothing to change',
    );
    expect(await refusal('update_contents', { ids: [], addTags: ['x'] })).toContain('ids');
    expect(await refusal('update_contents', { titles: [{ id: item, title: '' }] })).toContain('title');
  });

  test('words that look like nothing are kept', async () => {
    await call('update_content', { id: item, tags: ['0', 'null', 'false'], notes: 'null', title: 'undefined' });
    expect(await stored()).toMatchObject({ tags: ['0', 'null', 'false'], notes: 'null', title: 'undefined' });
  });
});

describe('clear', () => {
  test('empties what it names, and nothing else', async () => {
    const own = { title: 'Own title', tags: ['house'], notes: 'Own words' };
    await call('update_content', { id: item, ...own });
    await call('update_content', { id: item, clear: ['notes'] });
    expect(await stored()).toMatchObject({ title: 'Own title', tags: ['house'], notes: null });
    await call('update_content', { id: item, notes: 'Again', clear: ['title', 'tags'] });
    expect(await stored()).toMatchObject({ title: 'Boiler', tags: [], notes: 'Again' });
    await call('update_content', { id: item, ...own });
    await call('update_contents', { ids: [item], clear: ['notes', 'title'] });
    expect(await stored()).toMatchObject({ title: 'Boiler', tags: ['house'], notes: null });
    await call('update_contents', { ids: [item], clear: ['tags'], addTags: ['only'] });
    expect(await stored()).toMatchObject({ tags: ['only'] });
  });

  test('empties goals, highlights and the goal of an action item', async () => {
    const goal = await call<{ id: string }>('add_goal', { title: 'Save', category: 'Wealth', description: 'A tenth' });
    expect(await call('update_goal', { id: goal.id, clear: ['description'] })).not.toHaveProperty('description');
    const { id } = await call<{ id: string }>('add_highlight', {
      contentId: item,
      quote: 'serviced in May',
      note: 'When',
      colour: 'blue',
    });
    const cleared = await call('update_highlight', { id, clear: ['note', 'colour'] });
    expect(cleared).not.toHaveProperty('note');
    expect(cleared).not.toHaveProperty('colour');
    expect(await refusal('update_action', { id: 'a_none', clear: ['goalId'] })).toContain('no action item');
  });

  test('is refused for a field that is given as well, or that cannot be emptied', async () => {
    await call('update_content', { id: item, notes: 'Own words' });
    expect(await refusal('update_content', { id: item, notes: 'x', clear: ['notes'] })).toContain('notes: is given');
    expect(await refusal('update_content', { id: item, clear: ['text'] })).toContain('title, tags, notes');
    expect(await stored()).toMatchObject({ notes: 'Own words' });
  });
});

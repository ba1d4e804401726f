import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localAccountId } from '../../src/domain/records/account.ts';
import { addFinishedItem, paragraphs } from '../support/content.ts';
import { exampleIds, exampleLease } from '../../src/domain/records/examples.ts';
import { openTestServer } from '../support/test-server.ts';
import { connectInMemory, type TestClient } from '../support/mcp.ts';
import { exampleInput, tools as toolOperations } from '../support/api/operations.ts';

/* What hosts and models send in place of what the schemas of the tools say. */

let testServer: Awaited<ReturnType<typeof openTestServer>>;
let client: TestClient;
let item: string;

beforeAll(async () => {
  testServer = await openTestServer({ embedder: 'none', workers: 0 });
  client = await connectInMemory(testServer.app);
  const store = await testServer.app.stores.open(localAccountId);
  const blocks = paragraphs('The boiler was serviced in May, and its valve was replaced.');
  item = await addFinishedItem(store, { url: 'https://example.com/saved-page', blocks, about: { title: 'Boiler' } });
});
afterAll(async () => {
  await client.close();
  await testServer.close();
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
const stored = async (id = item) => testServer.app.services.library.get(localAccountId, id);

const empty = [null, '', ' ', '\u200b', [], [''], [null, {}], {}].map((value) => ({ value }));

describe('empty values', () => {
  test.each(empty)("$value for tags, notes and title keeps a person's values", async ({ value }) => {
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

  test('a call without other values is told that nothing was given', async () => {
    expect(await refusal('update_content', { id: item, title: '', tags: [], notes: null })).toContain(
      'Nothing to change',
    );
    expect(await refusal('update_contents', { ids: [], titles: [{ id: '', title: '' }] })).toContain(
      'Nothing to change',
    );
    expect(await refusal('update_contents', { ids: [], addTags: ['x'] })).toContain('ids');
    expect(await refusal('update_contents', { titles: [{ id: item, title: '' }] })).toContain('title');
  });

  test('words that only look empty are kept', async () => {
    await call('update_content', { id: item, tags: ['0', 'null', 'false'], notes: 'null', title: 'undefined' });
    expect(await stored()).toMatchObject({ tags: ['0', 'null', 'false'], notes: 'null', title: 'undefined' });
  });
});

describe('clear', () => {
  test('empties the named fields and nothing else', async () => {
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
    const added = { contentId: item, goalId: goal.id, due: '2026-03-31', priority: 'high', snoozedUntil: '2099-01-01' };
    const action = await call<{ id: string }>('add_action', { title: 'Bleed the radiators', ...added });
    expect(action).toMatchObject(added);
    expect(await call('update_action', { id: action.id, due: null, goalId: '', state: 'open' })).toMatchObject(added);
    const bare = await call('update_action', { id: action.id, clear: ['goalId', 'due', 'snoozedUntil'] });
    expect(bare).not.toHaveProperty('goalId');
    expect(bare).not.toHaveProperty('due');
    expect(bare).not.toHaveProperty('snoozedUntil');
    expect(await call('update_action', { id: action.id, priority: 'Low' })).toMatchObject({ priority: 'low' });
    expect(await refusal('update_action', { id: action.id, due: '2026-02-30' })).toContain('give a day: 2026-03-31');
  });

  test('is refused for a field that is also set, or that cannot be emptied', async () => {
    await call('update_content', { id: item, notes: 'Own words' });
    expect(await refusal('update_content', { id: item, notes: 'x', clear: ['notes'] })).toContain('notes: is given');
    expect(await refusal('update_content', { id: item, clear: ['text'] })).toContain('title, tags, notes');
    expect(await stored()).toMatchObject({ notes: 'Own words' });
  });
});

describe('a value in another form', () => {
  const found = async (tool: string, input: object) => {
    const { items, results = [] } = await call<{ items?: { id: string }[]; results?: { id: string }[] }>(tool, input);
    return (items ?? results).map(({ id }) => id);
  };

  beforeAll(async () => {
    await call('update_content', { id: item, tags: ['house', 'heating'], clear: ['notes', 'title'] });
  });

  test.each([
    ['search', { query: 'boiler', limit: null, filters: null, cursor: null }],
    ['search', { query: 'boiler', limit: 0, filters: {}, neighbours: 0, maxTokens: 0, cursor: '', detail: '' }],
    ['search', { query: 'boiler', limit: '10', neighbours: '1', maxTokens: '"4000"' }],
    ['search', { query: 'boiler', limit: 100, neighbours: 50, maxTokens: 1e9 }],
    ['search', { query: 'boiler', limit: -1, maxTokens: 100, detail: 'Full' }],
    ['search', { query: ['boiler'], filters: '{"tags": "[\\"house\\"]"}' }],
    ['search', { query: 'boiler', tags: ['house'], contentType: 'Article' }],
    ['search', { query: 'boiler', tags: 'house', filters: '' }],
    ['search', { query: 'boiler', savedAfter: '2020/01/01', filters: { tags: ['house'], contentType: 'any' } }],
    ['search', { query: 'boiler', task_progress: '- [ ] look', explanation: 'why', _meta: {}, random_string: 'x' }],
    ['search', { arguments: { query: 'boiler' } }],
    ['list_content', { tags: 'house, heating' }],
    ['list_content', { tags: 'house' }],
    ['list_content', { tags: "['house', 'heating']" }],
    ['list_content', { tags: '[house, heating]' }],
    ['list_content', { tags: ['house, heating', ''] }],
    ['list_content', { tags: 'null', status: 'None', limit: 'null', deleted: 'no' }],
    ['list_content', { contentType: 'ARTICLES', status: 'Done' }],
    ['list_content', { contentType: 'web page', status: 'all' }],
    ['list_content', { filters: { tags: ['house'], status: 'completed' } }],
    ['list_content', { savedAfter: '2024-01-01T00:00:00', savedBefore: '31.12.2999' }],
    ['list_content', { savedAfter: '2024/1/5', savedBefore: '2999-01-01 08:30' }],
    ['list_content', { savedAfter: 2024, savedBefore: '29990101' }],
    ['list_content', { savedAfter: '12/25/2023', savedBefore: '2999-01-01T08:30:00+0200' }],
    ['list_content', { limit: '100.0', offset: '0', maxTokens: [8000] }],
  ])('%s accepts %j', async (tool, input) => {
    expect(await found(tool, input)).toEqual([item]);
  });

  test.each([
    (id: string) => `commonplace://content/${id}`,
    (id: string) => `commonplace://content/${id}/transcript`,
    (id: string) => `"${id}"`,
    (id: string) => ` \`${id}\` `,
    (id: string) => `[${id}]`,
    (id: string) => `["${id}"]`,
    (id: string) => `<${id.toUpperCase()}>`,
    (id: string) => `id: ${id}`,
    (id: string) => [id],
    (id: string) => ({ id, title: 'Boiler' }),
    (id: string) => `https://library.example/app/read/${id}#at-12`,
    () => 'https://example.com/saved-page',
    () => '<https://example.com/saved-page?utm_source=x#boiler>',
  ])('an id is extracted from its surroundings (%#)', async (dressed) => {
    for (const tool of ['fetch', 'get_content'])
      expect(await call(tool, { id: dressed(item) })).toMatchObject({ id: item });
    await call('list_highlights', { contentId: dressed(item) });
    expect(await call('update_contents', { ids: dressed(item), addTags: 'house' })).toMatchObject({ changed: 1 });
  });

  test('several ids are a list, and an unsaved address is not an item', async () => {
    const other = await call<{ id: string }>('save_content', { title: 'Other', text: 'Another note.' });
    const ids = `${item}, ${other.id}`;
    expect(await call('update_contents', { ids, addTags: 'both, of, them' })).toMatchObject({ changed: 2 });
    expect(await call('update_contents', { ids, removeTags: '["both", "of", "them"]' })).toMatchObject({ changed: 2 });
    expect(await refusal('get_content', { id: ids })).toContain('no saved item');
    for (const id of ['https://example.com/never-saved', 'https://elsewhere.example/c_aaaaaaaaaaaaaaaa'])
      expect(await refusal('get_content', { id })).toContain('no saved item');
    await call('delete_content', { id: `"${other.id}"` });
  });

  test('numbers and booleans are converted to text, unless JSON has rounded them', async () => {
    await call('search', { query: 2024 });
    await call('update_content', { id: item, title: 1984, notes: true, tags: [0, 'false'] });
    expect(await stored()).toMatchObject({ title: '1984', notes: 'true', tags: ['0', 'false'] });
    expect(await refusal('search', { query: 2 ** 64 })).toContain('must be a text');
  });

  test('a text that looks like JSON, a list or an id stays unchanged', async () => {
    const notes = `["a", "b"] {"c": 1} \`${item}\``;
    await call('update_content', { id: item, title: '[Own] "title", with a comma', notes });
    expect(await stored()).toMatchObject({ title: '[Own] "title", with a comma', notes });
    const { id } = await call<{ id: string }>('save_content', { title: 'null', text: '["a", "b"]', tags: '0' });
    expect(await stored(id)).toMatchObject({ tags: ['0'] });
    await call('delete_content', { id });
  });

  test("a page is saved under the caller's own title", async () => {
    const url = 'https://example.com/named';
    expect(await call('save_content', { url, title: 'My name for it' })).toMatchObject({ title: 'My name for it' });
    const { id, undo } = await call<{ id: string; undo: string }>('save_content', {
      url: `\`${url}\``,
      title: 'Another',
    });
    expect((await stored(id)).title).toBe('Another');
    await call('undo', { id: `\`${undo}\``, force: 'false' });
    expect((await stored(id)).title).toBe('My name for it');
    await call('delete_content', { id });
  });
});

describe('values that are still refused', () => {
  test.each([
    ['search', { query: 'x', limit: 'ten' }, 'For example limit: 3.'],
    ['search', { query: 'x', limit: -5 }, 'limit: must be at least 1'],
    ['search', { query: 'x', qurey: 'y' }, 'Instead of qurey, use query.'],
    ['search', { query: 'x', max_tokens: 4000 }, 'Instead of max_tokens, use maxTokens.'],
    [
      'search',
      { query: 'x', filters: { tag: 'house' } },
      'filters.tag: does not exist here. Instead of tag, use tags.',
    ],
    ['search', { query: 'x', filters: { contentType: 'wine' } }, 'one of youtube, article'],
    ['search', { query: 'x', tags: ['a'], filters: { tags: ['b'] } }, 'Instead of tags, use filters.tags.'],
    ['search', {}, 'For example query: "how to sleep better".'],
    ['list_content', { type: 'pdf' }, 'Instead of type, use contentType.'],
    ['list_content', { savedAfter: '05/06/2024' }, '2026-11-22T08:00:00Z'],
    ['list_content', { savedAfter: 'last week' }, '2026-11-22'],
    ['list_content', { colour: 'blue' }, 'list_content takes limit, offset'],
    ['list_content', { tags: 7, limit: [1, 2] }, 'must be a number'],
    ['get_content', { content_id: 'c_aaaaaaaaaaaaaaaa' }, 'Instead of content_id, use id.'],
    ['get_content', { id: '' }, 'such as "c_'],
    ['save_content', { url: 'https://example.com/x', summary: 'What somebody wrote' }, 'summary: does not exist here'],
    ['update_content', { id: 'c_aaaaaaaaaaaaaaaa', tags: false }, 'tags: must be a list'],
    ['update_contents', { ids: [], addTags: ['x'] }, 'ids are missing'],
    ['delete_content', { id: [] }, 'must be a text'],
    ['delete_content', { id: 'all' }, 'no saved item'],
  ])('%s %j: %s', async (tool, input, words) => {
    expect(await refusal(tool, input)).toContain(words);
  });

  test('names of JavaScript’s own properties are unknown names', async () => {
    for (const name of ['constructor', 'toString'])
      expect(await refusal('search', { query: 'x', [name]: {} })).toContain(`${name}: does not exist here`);
    const filters = JSON.parse('{"__proto__": {"tags": ["none"]}}') as object;
    expect(await refusal('search', { query: 'boiler', filters })).toContain('filters.__proto__: does not exist here');
    expect({}).not.toHaveProperty('tags');
  });
});

/** A call as a strict host makes it: every input that a tool does not need is filled in, by its type. */
function filledIn(schema: Json, given: Readonly<Record<string, unknown>>, odd: number): Record<string, unknown> {
  const { properties = {} } = schema;
  const entries = Object.entries(properties).map(([name, field]) => [name, given[name] ?? fillerFor(field, odd)]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

interface Json {
  type?: string;
  properties?: Record<string, Json>;
  items?: Json;
}

function fillerFor(field: Json, odd: number): unknown {
  const texts = ['', null, ' ', ''];
  switch (field.type) {
    case 'object':
      return [{}, null, filledIn(field, {}, odd), '{}'][odd];
    case 'array':
      return [[], null, [field.items === undefined ? '' : fillerFor(field.items, odd)], '[]'][odd];
    case 'integer':
    case 'number':
      return [0, null, '', '0'][odd];
    case 'boolean':
      return [false, null, 'false', ''][odd];
    default:
      return texts[odd];
  }
}

describe('a host that fills in every input', () => {
  /** Answers of the examples, by the names of what they give. */
  const real: Record<string, string> = {};

  beforeAll(async () => {
    const leased = await call<{ lease: string; item: { id: string } }>('next_to_analyse', {});
    const goal = await call<{ id: string; undo: string }>('add_goal', { title: 'Warmth', category: 'Health' });
    Object.assign(real, {
      [exampleIds.content]: item,
      [exampleIds.goal]: goal.id,
      [exampleIds.change]: goal.undo,
      [exampleLease]: leased.lease,
    });
  });

  /** Last, so that the others still find what they need. */
  const order = ['delete_highlight', 'undo', 'delete_content', 'restore_content'];
  const inOrder = toolOperations.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  const listed = async () => new Map((await client.listTools()).map((tool) => [tool.name, tool.inputSchema as Json]));

  test.each([0, 1, 2, 3])('works with every tool (filler %i)', async (odd) => {
    const schemas = await listed();
    const mark = await call<{ id: string }>('add_highlight', { contentId: item, quote: 'valve was replaced' });
    real[exampleIds.highlight] = mark.id;
    for (const operation of inOrder) {
      // Its sample is not in the text of this item.
      if (operation.name === 'submit_analysis' || operation.name.endsWith('_action')) continue;
      const needed = exampleInput(operation, (sample) => real[sample] ?? sample);
      const kept = operation.name === 'add_highlight' ? { ...needed, quote: 'valve was replaced' } : needed;
      const input = filledIn(schemas.get(operation.name) ?? {}, kept, odd);
      const { text, isError } = await client.call(operation.name, input);
      expect([operation.name, isError, JSON.stringify(input), text].slice(0, isError ? 4 : 2)).toEqual([
        operation.name,
        false,
      ]);
      if (operation.name === 'update_goal' || operation.name === 'undo')
        await call('update_goal', { id: real[exampleIds.goal], archived: false });
    }
  });

  test('works with every tool without required inputs, with fillers alone', async () => {
    const readers = new Set(toolOperations.filter(({ effects }) => effects.readOnly).map(({ name }) => name));
    // `get_content` needs an id or several.
    readers.delete('get_content');
    const free = [...(await listed())].filter(([name, schema]) => readers.has(name) && !('required' in schema));
    for (const [name, schema] of free)
      for (const odd of [0, 1, 2, 3]) expect(await call(name, filledIn(schema, {}, odd))).toHaveProperty('items');
  });

  test('deletes nothing that it does not name', async () => {
    const schemas = await listed();
    const before = await call<{ total: number }>('list_content', {});
    for (const { name, effects } of toolOperations)
      if (effects.destructive)
        for (const odd of [0, 1, 2, 3]) await refusal(name, filledIn(schemas.get(name) ?? {}, {}, odd));
    expect(await call('list_content', {})).toMatchObject({ total: before.total });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localAccountId, localCaller, type Caller } from '../../src/domain/records/account.ts';
import { isReading, permissions, permissionsOfScopes, readingOf, scopeOf } from '../../src/domain/access/permission.ts';
import { neededPermissions, callOperation, inputSchema, type Face } from '../../src/operations/call.ts';
import { AppError } from '../../src/errors.ts';
import { operations } from '../../src/operations/index.ts';
import { type Operation } from '../../src/operations/operation.ts';
import { okOperation } from '../support/api/operations.ts';
import { addFinishedItem, paragraphs } from '../support/content.ts';
import { openTestServer } from '../support/test-server.ts';

let testServer: Awaited<ReturnType<typeof openTestServer>>;
let id: string;

beforeAll(async () => {
  testServer = await openTestServer({ embedder: 'none' });
  id = await addFinishedItem(await testServer.app.stores.open(localAccountId), {
    url: 'https://example.com/a',
    blocks: paragraphs('word '.repeat(20_000)),
  });
});
afterAll(() => testServer.close());

function named(name: string): Operation {
  const operation = operations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  return operation;
}

function call(
  operation: Operation | string,
  face: Face,
  input: unknown,
  caller: Caller = localCaller(),
): Promise<unknown> {
  return callOperation(typeof operation === 'string' ? named(operation) : operation, face, input, caller, {
    ...testServer.app.services,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
}

async function refusal(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error('it was not refused', { cause: error });
  return error;
}

describe('the gate', () => {
  it('refuses unknown fields by name', async () => {
    const error = await refusal(call('search', 'mcp', { query: 'x', filter: {}, filters: { tag: 'y' } }));
    expect(error.code).toBe('invalid_input');
    expect(error.fields).toEqual([
      { path: 'filters.tag', message: 'does not exist here' },
      { path: 'filter', message: 'does not exist here' },
    ]);
    for (const word of ['search', 'filter', 'tag']) expect(error.message).toContain(word);
  });

  it.each(['toString', '__proto__', 'constructor'])('does not treat %s as a field', async (name) => {
    const error = await refusal(call('list_goals', 'mcp', JSON.parse(`{"${name}": 1}`)));
    expect(error.message).toContain(name);
  });

  it('reports every invalid value', async () => {
    const error = await refusal(
      call('list_content', 'mcp', { limit: 0, offset: -1, contentType: 'movie', tags: 'one' }),
    );
    expect(error.fields.map(({ path }) => path).toSorted()).toEqual(['contentType', 'limit', 'offset', 'tags']);
  });

  it('says in plain words what would be valid', async () => {
    const said = async (name: string, input: object) => (await refusal(call(name, 'mcp', input))).message;
    expect(await said('list_content', { limit: 0, offset: 1.5, tags: 'one', status: 'done' })).toBe(
      'The input of list_content is not valid. limit: must be at least 1; offset: must be a whole number; status: must be one of pending, processing, completed, failed; tags: must be a list.',
    );
    expect(await said('search', { limit: 51, query: '' })).toBe(
      'The input of search is not valid. query: must not be empty; limit: must be at most 50.',
    );
    expect(await said('save_content', { notes: 7, tags: ['x'.repeat(9_999)] })).toMatch(
      /valid\. tags\.0: must have at most \d+ characters; notes: must be a text\.$/,
    );
    expect(await said('get_content', {})).toMatch(/id: is missing/);
    expect(await said('save_content', {})).toMatch(/url/);
  });

  it('stays short whatever it is sent', async () => {
    const manyTags = Array.from({ length: 10_000 }, () => '');
    const manyFields = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`${index}${'x'.repeat(1_000)}`, 1]),
    );
    const error = await refusal(call('list_content', 'rest', { tags: manyTags, ...manyFields }));
    expect(error.message.length).toBeLessThan(5_000);
    expect(error.fields.length).toBeLessThanOrEqual(20);
  });

  it.each([[[]], ['text'], [7], [true]])('refuses an input that is not an object: %j', async (input) => {
    expect((await refusal(call('list_goals', 'mcp', input))).code).toBe('invalid_input');
  });

  it.each([[undefined], [null]])('treats %j as an empty input', async (input) => {
    expect(await call('list_goals', 'rest', input)).toMatchObject({ items: [], total: 0 });
  });

  it('checks the permission before anything else', async () => {
    for (const operation of operations) {
      for (const needed of neededPermissions(operation)) {
        const lacking = new Set(permissions.filter((one) => one !== needed));
        const error = await refusal(
          call(operation, 'mcp', { nonsense: true }, { accountId: localAccountId, permissions: lacking }),
        );
        expect(error.code).toBe('insufficient_scope');
        expect(error.message).toContain(scopeOf(needed) ?? needed);
      }
    }
  });

  it('refuses an answer that does not match the declared schema', async () => {
    const wrong = (answer: unknown) => okOperation('wrong', async () => answer);
    const error = await call(wrong({ ok: 'SECRET' }), 'rest', {}).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(AppError);
    expect((error as Error).message).not.toContain('SECRET');
    expect(await call(wrong({ ok: true, secret: 'of the store' }), 'rest', {})).toEqual({ ok: true });
  });

  it('passes on the messages of a service', async () => {
    const error = await refusal(call('get_content', 'rest', { id: 'c_aaaaaaaaaaaaaaaa' }));
    expect(error.code).toBe('not_found');
  });
});

describe('the interfaces', () => {
  const fields = (name: string, face: Face) => Object.keys(inputSchema(named(name), face).shape).toSorted();

  it('REST has no budget and no waiting', async () => {
    for (const operation of operations) {
      for (const name of ['maxTokens', 'cursor', 'wait']) expect(fields(operation.name, 'rest')).not.toContain(name);
    }
    for (const [name, input] of [
      ['search', { query: 'x', maxTokens: 500 }],
      ['get_content', { id, cursor: 'x' }],
      ['save_content', { url: 'https://example.com/b', wait: 1 }],
    ] as const) {
      expect((await refusal(call(name, 'rest', input))).code).toBe('invalid_input');
    }
  });

  it('MCP and the command line have them', () => {
    for (const face of ['mcp', 'cli'] as const) {
      // No model is told of them.
      const counts = ['facets'];
      // Whole answers are asked for where they are not the rule.
      const detail = face === 'mcp' ? ['detail'] : [];
      expect(fields('search', face)).toEqual(
        ['cursor', ...detail, ...counts, 'filters', 'limit', 'maxTokens', 'neighbours', 'query'].sort(),
      );
      expect(fields('get_content', face)).toEqual(['cursor', ...detail, 'id', 'ids', 'maxTokens']);
      expect(fields('save_content', face)).toEqual([
        'captions',
        'html',
        'notes',
        'refresh',
        'shelf',
        'tags',
        'text',
        'title',
        'url',
        ...(face === 'mcp' ? ['urls'] : []),
        'wait',
      ]);
    }
  });

  it('only MCP limits an answer by default', async () => {
    const bounded = await call('get_content', 'mcp', { id });
    expect(JSON.stringify(bounded).length / 4).toBeLessThanOrEqual(8_000);
    expect(bounded).toHaveProperty('nextCursor');
    for (const face of ['rest', 'cli'] as const) {
      const whole = await call('get_content', face, { id });
      expect(whole).toMatchObject({ transcript: 'word '.repeat(20_000).trim() });
      expect(whole).not.toHaveProperty('nextCursor');
    }
  });

  it('the command line limits an answer on request', async () => {
    const bounded = await call('get_content', 'cli', { id, maxTokens: 500 });
    expect(JSON.stringify(bounded).length / 4).toBeLessThanOrEqual(500);
  });

  it('all actions and goals are listed on REST, and fifty elsewhere', () => {
    for (const name of ['list_actions', 'list_goals']) {
      expect(inputSchema(named(name), 'rest').parse({})).not.toHaveProperty('limit');
      expect(inputSchema(named(name), 'cli').parse({})).toMatchObject({ limit: 50, offset: 0 });
      expect(inputSchema(named(name), 'cli').parse({})).not.toHaveProperty('maxTokens');
      expect(inputSchema(named(name), 'mcp').parse({})).toMatchObject({ limit: 50, maxTokens: 8_000 });
    }
    // Without a limit, a model is given what comes near the best.
    expect(inputSchema(named('search'), 'mcp').parse({ query: 'x' })).toEqual({ query: 'x', maxTokens: 4_000 });
    expect(inputSchema(named('search'), 'cli').parse({ query: 'x' })).toEqual({ query: 'x', limit: 10 });
  });

  it('unknown fields are refused on each of them', async () => {
    for (const face of ['rest', 'mcp', 'cli'] as const) {
      for (const operation of operations) {
        const error = await refusal(call(operation, face, { ...operation.example.input, surprise: 1 }));
        expect(error.message).toContain('surprise');
      }
    }
  });
});

describe('a write-only caller', () => {
  const writing = operations.filter(({ permission }) => !isReading(permission));

  it('gets the acknowledgement of each operation, unless that requires the permission to read', () => {
    for (const { name, permission, alsoPermissions = [], acknowledges } of writing) {
      const needsReading = alsoPermissions.includes(readingOf(permission));
      expect(acknowledges !== undefined, name).toBe(!needsReading);
    }
  });

  it('learns nothing of a record by changing nothing in it', async () => {
    const contentWriter = { ...localCaller(), permissions: permissionsOfScopes(['content:write']) };
    expect(await call('update_content', 'mcp', { id, tags: ['one'] }, contentWriter)).toEqual({
      id,
      status: 'completed',
    });
    const goal = (await call('add_goal', 'mcp', { title: 'Sleep', category: 'Health', description: 'hidden' })) as {
      id: string;
    };
    const goalsWriter = { ...localCaller(), permissions: permissionsOfScopes(['goals:write']) };
    expect(await call('update_goal', 'mcp', { id: goal.id, archived: false }, goalsWriter)).toEqual({ id: goal.id });
    expect(await call('add_goal', 'mcp', { title: 'Sleep', category: 'Health' }, goalsWriter)).toEqual({ id: goal.id });
  });
});

/*
 * What a program does with the TypeScript client, in whichever runtime runs this file: Node, Deno, Bun.
 * Arguments: the address of a server with `apiV1`, a token, and the client's built index.js.
 */
const [url, token, clientFile] = globalThis.Deno === undefined ? process.argv.slice(2) : globalThis.Deno.args;
const { Commonplace, CommonplaceError } = await import(clientFile);
const client = new Commonplace({ baseUrl: url, token });
const name = globalThis.Deno === undefined ? (globalThis.Bun === undefined ? 'node' : 'bun') : 'deno';

function check(what, isTrue) {
  if (!isTrue) throw new Error(`${what} failed`);
  console.log(`  ✓ ${what}`);
}

async function refusal(call) {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call was not refused');
}

const saved = await client.content.save({ title: `Fence, ${name}`, text: `The fence of ${name} was painted green.` });
const item = await client.content.waitUntilProcessed(saved.id);
check('a note is saved and read', item.status === 'completed');
const { results } = await client.search({ query: `fence ${name}`, limit: 3 });
check(
  'it is found',
  results.some(({ id }) => id === saved.id),
);
const listed = [];
for await (const { id } of client.content.list({ limit: 1 })) listed.push(id);
check('a list is walked page by page', listed.includes(saved.id));

await client.content.update(saved.id, { notes: 'one' }, { ifMatch: item.etag });
const moved = await refusal(client.content.update(saved.id, { notes: 'two' }, { ifMatch: item.etag }));
check(
  'a change of what has moved is refused',
  moved instanceof CommonplaceError && moved.code === 'precondition_failed',
);
const stranger = new Commonplace({ baseUrl: url, token: 'wrong' });
check('a wrong token is refused', (await refusal(stranger.search({ query: 'fence' }))).status === 401);
const cancelled = await refusal(client.search({ query: 'fence' }, { signal: AbortSignal.abort() }));
check('a cancelled call ends', cancelled.name === 'AbortError');

const entries = Array.from(
  { length: 40 },
  (_, at) => `<DT><A HREF="https://example.com/${name}/${at}">Entry ${at}</A>`,
);
const bookmarks = new Blob([`<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>${entries.join('\n')}</DL>`]);
const { id: first } = await client.imports.start(bookmarks, { name: 'bookmarks.html' });
check('a file is imported', (await client.imports.waitUntilDone(first)).counts.taken === entries.length);
const { id: second } = await client.imports.start(bookmarks.stream(), { name: 'bookmarks.html' });
check('a stream is imported', (await client.imports.waitUntilDone(second)).counts.skipped === entries.length);

const { id: archive } = await client.exports.start({ format: 'archive' });
await client.exports.waitUntilDone(archive);
const { body } = await client.exports.download(archive);
let head = new Uint8Array();
for await (const chunk of body) if (head.length === 0) head = chunk.slice(0, 2);
check('an archive is downloaded', new TextDecoder().decode(head) === 'PK');

/* A key that is restricted to a tag, as `tests/http/keys/held.test.ts` has it, with the library in a database. */

process.env['TEST_ENGINE'] = 'postgres';
await import('../../http/keys/held.test.ts');
// It was read when the file was loaded. Other files share this process.
delete process.env['TEST_ENGINE'];

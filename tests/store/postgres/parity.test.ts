/* What every operation answers on every face, as `tests/operations/parity.test.ts` has it, with the library in a database. */

process.env['TEST_ENGINE'] = 'postgres';
await import('../../operations/parity.test.ts');
// It was read when the file was loaded. Other files share this process.
delete process.env['TEST_ENGINE'];

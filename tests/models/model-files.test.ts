import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findModelFiles, readMiniLmFiles, readModelFiles } from '../../src/models/embedding/minilm/files.ts';
import { openTensorFile } from '../../src/models/embedding/minilm/safetensors.ts';

const folder = mkdtempSync(join(tmpdir(), 'commonplace-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
const manifest = JSON.parse(readFileSync(join(readMiniLmFiles().folder, 'manifest.json'), 'utf8')) as object;

function read(changes: object) {
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, ...changes }));
  return readModelFiles(folder);
}

test('a manifest defaults to the values of the bundled model', () => {
  expect(
    read({ pooling: undefined, languages: undefined, queryPrefix: undefined, unrelatedCosine: undefined }),
  ).toMatchObject({
    pooling: 'mean',
    languages: ['en'],
    queryPrefix: '',
    passagePrefix: '',
    unrelatedCosine: 0,
  });
  expect(read({ languages: null, pooling: 'first' })).toMatchObject({ languages: null, pooling: 'first' });
});

test.each([
  [{ model: 1 }, 'manifest.json: model is not'],
  [{ maxTokens: '256' }, 'manifest.json: maxTokens is not'],
  [{ dimensions: 1.5 }, 'manifest.json: dimensions is not'],
  [{ pooling: 'last' }, 'manifest.json: pooling is not'],
  [{ languages: 'en' }, 'manifest.json: languages is not'],
  [{ unrelatedCosine: null }, 'manifest.json: unrelatedCosine is not'],
  [{ matchFloors: { weak: 0.1 } }, 'manifest.json: matchFloors is not'],
  [{ files: {} }, 'model_int8.safetensors is not'],
  [{ files: { 'model_int8.safetensors': { sha256: 'abc' } } }, 'manifest.json: sha256 is not'],
])('the manifest with %j is refused', (changes, message) => {
  expect(() => read(changes)).toThrow(message);
  expect(findModelFiles(folder)).toBeNull();
});

test.each([
  ['[]', 'the header of the model file is not'],
  ['{"words":{"dtype":"I8","shape":[1],"data_offsets":[0]}}', 'words is not'],
  ['{"words":{"dtype":"I8","shape":[-1],"data_offsets":[0,1]}}', 'words is not'],
  ['{"words":{"dtype":1,"shape":[1],"data_offsets":[0,1]}}', 'words is not'],
  ['{"words":null}', 'words is not'],
])('a model file with the header %s is refused', (header, message) => {
  const path = join(folder, 'model.safetensors');
  const start = Buffer.alloc(8);
  start.writeBigUInt64LE(BigInt(header.length));
  writeFileSync(path, Buffer.concat([start, Buffer.from(header)]));
  expect(() => openTensorFile(path)).toThrow(message);
});

test('an unfinished installation is ignored', () => {
  const unfinished = join(folder, 'unfinished');
  cpSync(readMiniLmFiles().tokenizer, join(unfinished, 'tokenizer.json'));
  expect(findModelFiles(unfinished)).toBeNull();
});

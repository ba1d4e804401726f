import { expect, test } from 'vitest';
import { shownUrl } from '../../../src/domain/links/configured-addresses.ts';

test.each([
  ['https://api.example.com/v1', 'https://api.example.com/v1'],
  ['https://me:secret@api.example.com/v1', 'https://***:***@api.example.com/v1'],
  ['https://secret@api.example.com/', 'https://***@api.example.com/'],
  ['https://api.example.com/?key=secret&key=secret2', 'https://api.example.com/?key=***'],
  ['127.0.0.1', '127.0.0.1'],
  ['/var/lib/model.onnx', '/var/lib/model.onnx'],
  ['', ''],
])('%s is shown as %s', (text, shown) => {
  expect(shownUrl(text)).toBe(shown);
});

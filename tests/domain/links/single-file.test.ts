import { expect, test } from 'vitest';
import { singleFileNote } from '../../../src/domain/links/single-file.ts';

const page = (comment: string, before = '<!DOCTYPE html> <html lang=en>') =>
  `${before}<!--${comment}--><title>x</title>`;

test('the comment gives the address and the time', () => {
  expect(
    singleFileNote(
      page(
        '\n Page saved with SingleFile \n url: https://a.example/b?c=1 \n saved date: Tue Mar 03 2026 08:15:00 GMT+0100 (CET)\n',
      ),
    ),
  ).toEqual({ url: 'https://a.example/b?c=1', savedAt: '2026-03-03T07:15:00.000Z' });
  expect(singleFileNote(page('\n Page saved with SingleFile\n url: http://a.example/\n'))).toEqual({
    url: 'http://a.example/',
    savedAt: null,
  });
});

test('the comment of a browser gives the address', () => {
  const note = singleFileNote('<!DOCTYPE html>\n<!-- saved from url=(0025)https://a.example/b/c?d=1 -->\n<html>');
  expect(note).toEqual({ url: 'https://a.example/b/c?d=1', savedAt: null });
  expect(singleFileNote(page(' saved from url=(0014)about:internet '))).toBeNull();
});

test('another comment, place or kind of address gives nothing', () => {
  expect(singleFileNote('<!doctype html><p>url: https://a.example/')).toBeNull();
  expect(singleFileNote(page('\n url: https://a.example/\n'))).toBeNull();
  expect(singleFileNote(page('\n Page saved with SingleFile\n url: file:///etc/passwd\n'))).toBeNull();
  expect(singleFileNote(page('\n Page saved with SingleFile\n url: https://me:secret@a.example/\n'))).toBeNull();
  expect(
    singleFileNote(page('\n Page saved with SingleFile\n url: https://a.example/\n', 'x'.repeat(9_000))),
  ).toBeNull();
});

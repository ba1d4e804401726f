import { z } from 'zod';
import { contentItem } from '../../domain/records/content.ts';
import { blockKinds } from '../../domain/records/document.ts';
import { exampleIds, exampleItem } from '../../domain/records/examples.ts';
import { locator } from '../../domain/records/locator.ts';
import { someId } from '../fields.ts';
import { defineOperation } from '../operation.ts';

/** A saved item with the structure of its text, so that a page can be drawn of it. */
export const readItem = defineOperation({
  name: 'read_item',
  title: 'Read a saved item with its structure',
  description: 'A saved item, the blocks of its text and its outline.',
  input: z.strictObject({ id: someId }),
  output: contentItem.extend({
    blocks: z.array(
      z.object({
        start: z.int(),
        end: z.int(),
        kind: z.enum(blockKinds),
        level: z.int().optional(),
        locator: locator.optional(),
      }),
    ),
    outline: z.array(
      z.object({
        title: z.string(),
        start: z.int(),
        level: z.int(),
        seconds: z.int().optional(),
        page: z.int().optional(),
      }),
    ),
  }),
  permission: 'content:read',
  set: null,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  example: { input: { id: exampleIds.content }, output: { ...exampleItem, blocks: [], outline: [] } },
  run: ({ id }, { library, account }) => library.getStructured(account, id),
});

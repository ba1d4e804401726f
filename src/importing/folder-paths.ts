import { z } from 'zod';
import type { JsonElement } from './reading/json-elements.ts';

/** The names of a folder and of those that it lies in, outermost first. Nothing for a folder that is not known. */
export type FolderPath = (id: unknown) => string[];

export const noFolders: FolderPath = () => [];

/** Deeper ones are left out, and so is what lies in itself. */
const maxDepth = 20;
const maxFolders = 100_000;

const folder = z.object({
  id: z.union([z.string(), z.number()]),
  name: z.string(),
  parentId: z.union([z.string(), z.number()]).nullish().catch(null),
});

/** Reads the folders of an export, where each names the one that it lies in. They may stand behind what lies in them. */
export async function readFolders(elements: AsyncIterable<JsonElement>): Promise<FolderPath> {
  const folders = new Map<unknown, z.infer<typeof folder>>();
  for await (const { value } of elements) {
    const found = folder.safeParse(value).data;
    if (found !== undefined && folders.size < maxFolders) folders.set(found.id, found);
  }
  return (id) => {
    const path: string[] = [];
    for (let next = folders.get(id); next !== undefined && path.length < maxDepth; next = folders.get(next.parentId))
      path.unshift(next.name);
    return [...new Set(path)];
  };
}

import { type FolderPath, noFolders, readFolders } from './folder-paths.ts';
import { omnivoreHighlights } from './formats/highlight-texts.ts';
import { type JsonFormat, jsonFormatOf } from './formats/json-formats.ts';
import { type RawEntry, withPlainTitle } from './raw-entry.ts';
import type { ForeignFile } from './reading/export-files.ts';
import { headOf } from './reading/file-head.ts';
import type { JsonElement } from './reading/json-elements.ts';

/** Of the highlights of one page. */
const maxHighlightBytes = 1_000_000;

export async function* readJson(
  file: ForeignFile,
  companions: ReadonlyMap<string, ForeignFile>,
  elements: AsyncIterable<JsonElement>,
  /** Reads the elements of one array of the file again. */
  elementsOf: (key: string) => AsyncIterable<JsonElement>,
): AsyncGenerator<{ format: string; raw: RawEntry }> {
  let format: JsonFormat | null = null;
  let folderPath: FolderPath | undefined;
  let count = 0;
  for await (const element of elements) {
    count += 1;
    format ??= jsonFormatOf(element);
    if (format === null) continue;
    folderPath ??= format.folders === undefined ? noFolders : await readFolders(elementsOf(format.folders));
    const raws = format.read(element, folderPath);
    if (raws === null) yield { format: format.name, raw: { title: `entry ${count}`, refused: 'it could not be read' } };
    for (const raw of raws ?? [])
      yield {
        format: format.name,
        raw: withPlainTitle(
          format.name === 'Omnivore' ? await withHighlights(raw, element.value, file, companions) : raw,
        ),
      };
  }
  if (format === null)
    yield { format: '', raw: { title: file.path, refused: 'it is not recognised as an export of another program' } };
}

/** Omnivore keeps highlights as Markdown, in a file named by the page. */
async function withHighlights(
  raw: RawEntry,
  value: unknown,
  file: ForeignFile,
  companions: ReadonlyMap<string, ForeignFile>,
): Promise<RawEntry> {
  const { slug } = value as { slug: string };
  const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1);
  const highlights = companions.get(`${folder}highlights/${slug}.md`);
  if (highlights === undefined) return raw;
  return { ...raw, ...omnivoreHighlights(await headOf(highlights, maxHighlightBytes)) };
}

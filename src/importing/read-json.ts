import { noFolders, readFolders } from './formats/json-entries.ts';
import { omnivoreHighlights } from './formats/highlight-texts.ts';
import { type JsonContext, type JsonFormat, jsonFormatOf, maxWholeLength } from './formats/json-formats.ts';
import { notRecognised, type RawEntry, withPlainTitle } from './raw-entry.ts';
import { type ForeignFile, nameOf, headOf } from './reading/export-files.ts';
import { type JsonElement, readWholeJson } from './reading/json-elements.ts';
import { textChunks } from './reading/text-chunks.ts';

/** Of the highlights of one page. */
const maxHighlightBytes = 1_000_000;
/** A longer page is fetched. */
const maxPageBytes = 5_000_000;

export async function* readJson(
  file: ForeignFile,
  companions: ReadonlyMap<string, ForeignFile>,
  elements: AsyncIterable<JsonElement>,
  /** Reads the elements of one array of the file again. */
  elementsOf: (key: string) => AsyncIterable<JsonElement>,
): AsyncGenerator<{ format: string; raw: RawEntry }> {
  let format: JsonFormat | null = null;
  const context: JsonContext = { folderPath: noFolders, file: nameOf(file) };
  let count = 0;
  for await (const element of elements) {
    count += 1;
    if (format === null) {
      format = jsonFormatOf(element, context);
      if (format?.folders !== undefined) context.folderPath = await readFolders(elementsOf(format.folders));
    }
    if (format === null) continue;
    const raws = format.read(element, context);
    if (raws === null) yield { format: format.name, raw: { title: `entry ${count}`, refused: 'it could not be read' } };
    for (const raw of raws ?? [])
      yield {
        format: format.name,
        raw: withPlainTitle(
          format.name === 'Omnivore' ? await withCompanions(raw, element.value, file, companions) : raw,
        ),
      };
  }
  if (format === null) yield { format: '', raw: { title: file.path, refused: notRecognised } };
}

/** The elements of a file, or its root object for a format that is one object. */
export async function* elementsOfFile(
  file: ForeignFile,
  elements: () => AsyncIterable<JsonElement>,
): AsyncGenerator<JsonElement> {
  const maxLength = maxWholeLength((await headOf(file)).replace(/^\ufeff/, '').trimStart());
  if (maxLength > 0) {
    const whole = await readWholeJson(textChunks(file.read()), maxLength);
    if (jsonFormatOf(whole, { folderPath: noFolders, file: nameOf(file) }) !== null) return yield whole;
  }
  yield* elements();
}

/** Omnivore keeps highlights as Markdown, and texts as HTML, in files named by the page. */
async function withCompanions(
  raw: RawEntry,
  value: unknown,
  file: ForeignFile,
  companions: ReadonlyMap<string, ForeignFile>,
): Promise<RawEntry> {
  const { slug } = value as { slug: string };
  const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1);
  const highlights = companions.get(`${folder}highlights/${slug}.md`);
  const content = companions.get(`${folder}content/${slug}.html`);
  return {
    ...raw,
    ...(highlights !== undefined && omnivoreHighlights(await headOf(highlights, maxHighlightBytes))),
    ...(content !== undefined &&
      content.bytes <= maxPageBytes && { page: { html: await headOf(content, maxPageBytes) } }),
  };
}

import { z } from 'zod';
import { isoTime } from '../../domain/clock.ts';
import { LargeValue } from '../../domain/json/large-value.ts';
import { parseSavableUrl } from '../../domain/links/url.ts';
import { addressOfUpload } from '../../domain/links/shown-address.ts';
import { type Author, type Change, newChange } from '../../domain/records/change.ts';
import { notes, tags, shelf } from '../../domain/records/content.ts';
import { highlightQuote } from '../../domain/records/highlights/highlight.ts';
import { refusedInput, unknownFields } from '../../domain/refused-input.ts';
import { cleanLine } from '../../domain/text/clean-text.ts';
import { AppError } from '../../errors.ts';
import { parseInput, shownTo, callOperation } from '../../operations/call.ts';
import { saveContent, savedUrl } from '../../operations/content/save-content.ts';
import type { Form, FormContent } from '../../requests/read-form.ts';
import { tooLargeForm } from '../../requests/uploads.ts';
import type { TokenCaller } from '../../services/access.ts';
import type { SavedItem } from '../../services/library/saving.ts';
import { type HttpContext, respond } from '../context.ts';
import { announcedBytes, arrivingPieces, closing, refused, unlimitArrival, readJsonBody } from '../incoming/body.ts';
import type { MountParts, Mount } from '../mount.ts';
import { HttpRefusal } from '../problem.ts';
import { answered, isForm, sendAnswer } from './answer.ts';
import { routeOf, type RestCall, type Route } from './routes.ts';
import { idempotencyKeyOf, onceForEachKey } from './writes.ts';
import { lookUpPage } from '../../operations/capture.ts';
import { addHighlight } from '../../operations/highlights.ts';
import { standardBodyBytes } from '../incoming/limits.ts';

/*
 * Saving what a person has in front of them: a form (`multipart/form-data`) with a file, a page or a text, and fields about it.
 * Browsers, phones and other programs send it.
 */

/** Above this size a file is saved from the command line, which reads it from the disk. */
const maxFileBytes = 32 * 2 ** 20;
/** The fields that a form may have beside its file. */
const otherBytes = 256 * 1024;
const maxNameLength = 150;
/** Types that clients send for unknown files; Markdown cannot be recognised from the bytes of a text. */
const markdownName = /\.(?:md|markdown|mdown|mkd)$/i;

/** Fields about the content, as text. */
export const aboutFields = z.strictObject({
  url: savedUrl.optional(),
  title: z
    .string()
    .max(1_000)
    .overwrite(cleanLine)
    .describe('Shown until the text is read, and afterwards if it has no title of its own.')
    .optional(),
  selection: z.array(highlightQuote).max(20).describe('Words of the text, which become highlights.').optional(),
  tags: tags.describe('Tags, as several fields or separated by commas.').optional(),
  notes: notes.describe('Your own words about it.').optional(),
  shelf: shelf.describe('Where to keep it; without it a new item comes to the inbox.').optional(),
});
type About = z.infer<typeof aboutFields>;
const names = Object.keys(aboutFields.shape);

/** `POST /capture`, which exists with any settings. */
export const captureRoute: Route = {
  ...routeOf(
    {
      ...saveContent,
      name: 'capture',
      title: 'Save what is in front of you',
      input: z.strictObject({}),
      example: { ...saveContent.example, input: {} },
      http: {
        method: 'post',
        path: '/capture',
        status: ({ outcome }: { outcome: string }) => (outcome === 'created' ? 201 : 200),
        about: `Saves a file, the HTML of a page or a text, as a form up to ${maxFileBytes / 2 ** 20} MB. With a \`url\` it is the page at that address, and nothing is fetched; a page that SingleFile saved knows its address. A file without an address is known by its name. With a \`url\` alone, the page is fetched.`,
        answers: saveContent.http?.answers ?? {},
      },
    } as never,
    false,
  ),
  hasBody: false,
  takesForm: true,
  takesKey: true,
};

/** Answers a call that brings a form. */
export async function answerForm(call: RestCall, parts: MountParts): Promise<Response> {
  const { context, caller, route } = call;
  const query = new URL(context.req.url).searchParams;
  if (query.size > 0) throw refusedInput('No query parameters are known here.', unknownFields([...query.keys()]));
  // The item has its address there, however it was saved.
  const ofItems = { ...route, http: { ...route.http, path: route.http.path.replace('/capture', '/content') } };
  // A bad key is refused before the form is received.
  if (route.takesKey) idempotencyKeyOf(context);
  const answer = await receiveForm(context, parts, caller, 1, (form) => {
    const input = {
      ...form.about,
      contents: form.contents.map(({ field, fileName, hash }) => [field, fileName, hash]),
    };
    const save = async () => {
      const {
        saved: [saved],
      } = await saveForm(context, parts, { caller, face: 'rest', form });
      return answered(ofItems, shownTo(saveContent, caller, saveContent.output.parse(saved)), parts);
    };
    return route.takesKey ? onceForEachKey({ ...call, input }, parts.repeatedRequests, save) : save();
  });
  return sendAnswer(call, answer);
}

export interface ReadForm extends Pick<Form, 'contents'> {
  about: About;
}

/**
 * Receives a form.
 * @throws {HttpRefusal} `unsupported_media_type`, `payload_too_large`; {AppError} `invalid_input`, and what `Uploads.receive` throws
 */
export async function receiveForm<Answer>(
  context: HttpContext,
  { uploads, config }: Pick<MountParts, 'uploads' | 'config'>,
  { accountId }: TokenCaller,
  maxContents: number,
  use: (form: ReadForm) => Promise<Answer>,
): Promise<Answer> {
  const { headers, signal } = context.req.raw;
  if (!isForm(context) || (headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity')
    throw new HttpRefusal(
      'unsupported_media_type',
      'The body is a form that is not compressed: send Content-Type: multipart/form-data, as curl does with -F.',
      { headers: { Accept: 'multipart/form-data', ...closing } },
    );
  const maxBytes = Math.min(maxFileBytes, config.fetchMaxMegabytes * 2 ** 20) + otherBytes;
  if (announcedBytes(context) > maxBytes) throw refused(tooLargeForm(maxBytes));
  if (context.env?.incoming !== undefined) unlimitArrival(context.env.incoming);
  const upload = {
    account: accountId,
    contentType: headers.get('content-type') ?? '',
    pieces: arrivingPieces(context),
    names,
    maxContents,
    maxBytes,
    signal,
  };
  try {
    return await uploads.receive(upload, ({ fields: sent, contents }) =>
      use({ about: parseInput(aboutFields, 'capture', valuesOf(sent)), contents }),
    );
  } catch (error) {
    // The rest of the form is not read.
    throw context.env?.incoming?.complete === false ? refused(error) : error;
  }
}

/** A form sends empty values for fields that were not filled in. */
function valuesOf(sent: Form['fields']): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const [given, selection]: [string[], string[]] = [[], []];
  for (const [name, value] of sent) {
    if (value.trim() === '') continue;
    if (name === 'tags') for (const tag of value.split(',')) given.push(tag);
    else if (name === 'selection') selection.push(value);
    else if (values[name] === undefined) values[name] = value;
    else throw refusedInput('The form is not valid.', [{ path: name, message: 'was given more than once' }]);
  }
  const named = given.filter((tag) => tag.trim() !== '');
  return { ...values, ...(given.length > 0 && { tags: named }), ...(selection.length > 0 && { selection }) };
}

interface Saving {
  caller: TokenCaller;
  face: Change['face'];
  form: ReadForm;
}

interface SavedForm {
  saved: (SavedItem & { undo?: string })[];
  /** Why one of several contents was refused, at which saving ended; null: all are saved. */
  refused: AppError | null;
}

/**
 * Saves what a form holds, as one change.
 * @throws {AppError} `invalid_input` and others, when nothing was saved
 */
export async function saveForm(
  context: HttpContext,
  { services, clock }: Pick<MountParts, 'services' | 'clock'>,
  { caller, face, form: { about, contents } }: Saving,
): Promise<SavedForm> {
  const change = newChange({ face, by: caller.name ?? null, operation: saveContent.name, scopes: ['content:write'] });
  const author: Author = { account: caller.accountId, change };
  const { signal } = context.req.raw;
  const { title = '', tags: given, notes: ownWords, shelf: place, selection = [] } = about;
  const rest = { tags: given, notes: ownWords, shelf: place };
  const saveOne = (content: FormContent | undefined): Promise<SavedItem> => {
    const address = about.url ?? content?.savedFrom ?? undefined;
    const known = title === '' ? {} : { known: { title } };
    if (content === undefined) {
      if (address === undefined) throw missingUrl('is missing: give url, file, html or text');
      return services.library.save(author, { url: address, ...rest, ...known }, { signal });
    }
    if (content.field === 'text') {
      const text = { text: new LargeValue(content.bytes), title: title || undefined, ...rest };
      return address === undefined
        ? services.library.saveNote(author, text, { signal })
        : services.library.save(author, { url: address, ...text }, { signal });
    }
    const isHtml = content.field === 'html';
    if (address === undefined && isHtml) throw missingUrl('is missing: html belongs to a page');
    const name = nameOf(content.fileName);
    const url = address === undefined ? addressOfUpload(name, content.hash) : parseSavableUrl(address).href;
    const declaredType = isHtml ? 'text/html; charset=utf-8' : markdownName.test(name) ? 'text/markdown' : null;
    const resource = { url, finalUrl: url, bytes: content.bytes, declaredType, fetchedAt: isoTime(clock.now()) };
    const named = address === undefined ? { known: { title: title || name } } : known;
    return services.library.saveResource(author, resource, { ...rest, ...named }, { signal });
  };
  const saved: SavedItem[] = [];
  let refused: AppError | null = null;
  try {
    for (const content of contents.length === 0 ? [undefined] : contents) {
      const item = await saveOne(content);
      for (const quote of selection) await services.highlights.add(author, { contentId: item.id, quote });
      saved.push(item);
    }
  } catch (error) {
    if (!(error instanceof AppError) || saved.length === 0) throw error;
    refused = error;
  }
  return { saved: saved.map((item) => ({ ...item, ...(change.isRecorded && { undo: change.id }) })), refused };
}

function missingUrl(message: string): AppError {
  return refusedInput('The form is not valid.', [{ path: 'url', message }]);
}

/** The last part of the given name, in one line. */
function nameOf(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  return cleanLine(last).slice(0, maxNameLength).toWellFormed() || 'file';
}

/**
 * The browser extension's calls beside `POST /capture`, which saves: whether the current page is saved, and words marked on it.
 * Like that route, these work without the setting `apiV1`. The page's address is in the body, because proxies log addresses.
 */
export const mountLookUp: Mount = (app, parts) => {
  const routes = { '/capture/look-up': lookUpPage, '/capture/highlights': addHighlight };
  for (const [path, operation] of Object.entries(routes)) {
    app.post(path, async (context) => {
      const caller = await parts.authenticate(context);
      const input = await readJsonBody(context, parts, { maxBytes: standardBodyBytes, largeInputs: [] });
      const { signal } = context.req.raw;
      const output = await callOperation(operation, 'rest', input, caller, { ...parts.services, signal });
      const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
      return respond(context, 200, JSON.stringify(output), headers);
    });
  }
};

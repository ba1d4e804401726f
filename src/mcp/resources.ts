import { ResourceNotFoundError, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { maskText } from '../domain/text/clean-text.ts';
import { nameOf, resourceOf } from '../domain/records/item.ts';
import { modelName } from '../domain/text/model-names.ts';
import { beginningOf } from '../domain/text/shortened.ts';
import { AppError } from '../errors.ts';
import { isAllowed } from '../operations/call.ts';
import { type McpParts, translateErrors } from './mcp-parts.ts';
import { notice } from '../operations/answers/for-models.ts';
import { answerText, betweenMarks, dataNotice } from './saved-text.ts';

/**
 * Maximum items in the list of resources. Other items are found with the tools, or by completing the id in the URI
 * template.
 */
const maxListed = 50;
const maxNameLength = 100;
/** Maximum characters of one transcript (about 100,000 tokens): a whole book would fill any conversation. */
const maxTranscript = 400_000;

/** The resources, as the documentation lists them. */
export const resources = [
  {
    uri: 'commonplace://content/{id}',
    about: 'What is known of a saved item, as JSON. The newest 50 are listed.',
    scope: 'content:read',
  },
  { uri: 'commonplace://content/{id}/transcript', about: 'Its text or transcript.', scope: 'content:read' },
  { uri: 'commonplace://goals', about: 'Your goals, as JSON.', scope: 'goals:read' },
] as const;

const json = 'application/json';

/** Registers the resources that the caller is allowed. */
export function addResources(server: McpServer, parts: McpParts): void {
  if (isAllowed(parts.caller, ['content:read'])) addContent(server, parts);
  if (isAllowed(parts.caller, ['goals:read'])) addGoals(server, parts);
}

function addContent(server: McpServer, parts: McpParts): void {
  const { services, caller } = parts;
  const account = caller.accountId;
  const complete = { id: async (typed: string) => (await services()).completions.items(account, typed) };
  /** An item of another account is not found, like one that never existed. */
  const itemAt = async (uri: URL, id: string | string[] | undefined) => {
    try {
      const { library } = await services();
      return await library.get(account, String(id));
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found')
        throw new ResourceNotFoundError(
          uri.href,
          'There is no saved item with this id. The list of saved items shows the ids.',
        );
      throw error;
    }
  };

  server.registerResource(
    'item',
    new ResourceTemplate('commonplace://content/{id}', {
      complete,
      list: (context) =>
        translateErrors(parts, 'resources/list', context.mcpReq.signal, async () => {
          const { library } = await services();
          const { items } = await library.list(account, { limit: maxListed, offset: 0 });
          return {
            resources: items.map(({ id, title, url, contentType, createdAt, status }) => ({
              uri: resourceOf(id),
              name: modelName(maskText(nameOf({ title, url })), maxNameLength),
              description: `${contentType ?? (status === 'failed' ? 'could not be read' : 'not read yet')}, saved ${createdAt.slice(0, 10)} (${notice.notice})`,
              mimeType: json,
            })),
          };
        }),
    }),
    { title: 'Saved item', description: 'Summary, insights and actions of a saved item.', mimeType: json },
    (uri, { id }, context) =>
      translateErrors(parts, 'item', context.mcpReq.signal, async () => {
        const { transcript, ...item } = await itemAt(uri, id);
        const more = transcript !== undefined && {
          transcript: { uri: `${uri.href}/transcript`, characters: transcript.length },
        };
        return { contents: [{ uri: uri.href, mimeType: json, text: answerText({ ...item, ...more }) }] };
      }),
  );
  server.registerResource(
    'transcript',
    new ResourceTemplate('commonplace://content/{id}/transcript', { complete, list: undefined }),
    { title: 'Text of a saved item', description: 'Its whole text or transcript.', mimeType: 'text/markdown' },
    (uri, { id }, context) =>
      translateErrors(parts, 'transcript', context.mcpReq.signal, async () => {
        const { transcript, status, failure } = await itemAt(uri, id);
        const text =
          transcript === undefined
            ? maskText(`There is no text of this item (${status}). ${failure?.message ?? ''}`.trimEnd())
            : transcriptText(transcript);
        return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] };
      }),
  );
}

function addGoals(server: McpServer, parts: McpParts): void {
  server.registerResource(
    'goals',
    'commonplace://goals',
    { title: 'Goals', description: "The user's goals.", mimeType: json },
    (uri, context) =>
      translateErrors(parts, 'goals', context.mcpReq.signal, async () => {
        const { goals } = await parts.services();
        const { items, total, hint } = await goals.list(parts.caller.accountId, { offset: 0 });
        const text = answerText({ items, total, ...(hint !== undefined && { hint }) });
        return { contents: [{ uri: uri.href, mimeType: json, text }] };
      }),
  );
}

/** The transcript between boundary marks. If it is too long, a notice before it says how to read the rest. */
function transcriptText(transcript: string): string {
  if (transcript.length <= maxTranscript) return `${dataNotice}\n\n${betweenMarks(transcript)}`;
  const shown = beginningOf(transcript, maxTranscript);
  const rest = `These are the first ${shown.length} of ${transcript.length} characters; \`get_content\` reads all of it in pieces.`;
  return `${dataNotice} ${rest}\n\n${betweenMarks(shown)}`;
}

import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type CallToolResult,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/*
 * Tools of the conformance suite that ask the client for something in the middle of a call (protocol 2026-07-28:
 * the answer says what is needed, and the call is made again with it).
 */

/** What a request of protocol 2026-07-28 says of its client. */
const envelope = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({ sampling: z.unknown(), elicitation: z.unknown() }).partial().default({}),
});
const envelopeOf = (given: unknown) => envelope.parse(given ?? {});

type ToolAnswer = CallToolResult | InputRequiredResult;

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
const named = z.object({ name: z.string() });
const askName = (message = 'What is your name?') => inputRequired.elicit({ message, requestedSchema: named });
const askModel = (question: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens,
  });

/** @param mint signs what the client is to hand back unchanged; the server is built with what verifies it */
export function addAskingTools(server: McpServer, mint: (state: unknown) => Promise<string>): void {
  const tool = (name: string, run: (context: ServerContext) => ToolAnswer | Promise<ToolAnswer>) =>
    server.registerTool(name, { description: `Of the conformance suite: ${name}` }, run);

  tool('test_input_required_result_elicitation', ({ mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'user_name', named);
    if (answer === undefined) return inputRequired({ inputRequests: { user_name: askName() } });
    return text(`Hello, ${answer.name}!`);
  });
  tool('test_input_required_result_sampling', ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (answer.kind === 'sampling') return text(JSON.stringify(answer.result.content));
    return inputRequired({ inputRequests: { capital_question: askModel('What is the capital of France?', 100) } });
  });
  tool('test_input_required_result_list_roots', ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (answer.kind === 'roots') return text(`Roots: ${JSON.stringify(answer.roots)}`);
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  const confirmTool = (name: string) =>
    tool(name, async ({ mcpReq }) => {
      if (mcpReq.inputResponses?.['confirm'] !== undefined && mcpReq.requestState() !== undefined) {
        return text('state-ok');
      }
      return inputRequired({
        inputRequests: {
          confirm: inputRequired.elicit({
            message: 'Please confirm',
            requestedSchema: z.object({ ok: z.boolean() }),
          }),
        },
        requestState: await mint({ step: 'confirm' }),
      });
    });
  confirmTool('test_input_required_result_request_state');
  confirmTool('test_input_required_result_tampered_state');
  tool('test_input_required_result_multiple_inputs', async ({ mcpReq }) => {
    const answers = mcpReq.inputResponses ?? {};
    const wanted = ['user_name', 'greeting', 'client_roots'];
    if (wanted.every((name) => answers[name] !== undefined)) return text('All three answered.');
    return inputRequired({
      inputRequests: {
        user_name: askName(),
        greeting: askModel('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await mint({ step: 'three' }),
    });
  });
  tool('test_input_required_result_multi_round', async ({ mcpReq }) => {
    const answers = mcpReq.inputResponses ?? {};
    if (answers['step2'] !== undefined) return text('Both rounds answered.');
    if (answers['step1'] === undefined) {
      return inputRequired({
        inputRequests: { step1: askName('Step 1: What is your name?') },
        requestState: await mint({ round: 1 }),
      });
    }
    return inputRequired({
      inputRequests: {
        step2: inputRequired.elicit({
          message: 'Step 2: What is your favorite color?',
          requestedSchema: z.object({ color: z.string() }),
        }),
      },
      requestState: await mint({ round: 2 }),
    });
  });
  tool('test_input_required_result_capabilities', ({ mcpReq }) => {
    const { sampling, elicitation } = envelopeOf(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY];
    return inputRequired({
      inputRequests: {
        ...(elicitation !== undefined && { user_name: askName() }),
        ...(sampling !== undefined && { greeting: askModel('Generate a greeting', 50) }),
      },
    });
  });
  tool('test_missing_capability', () => inputRequired({ inputRequests: { question: askModel('Are you there?', 10) } }));
  tool('test_streaming_elicitation', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken !== undefined) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } });
    }
    return inputRequired({ inputRequests: { user_name: askName() } });
  });
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks for its context' },
    ({ mcpReq }: ServerContext) => {
      const answer = acceptedContent(mcpReq.inputResponses, 'user_context', z.object({ context: z.string() }));
      if (answer === undefined) {
        return inputRequired({
          inputRequests: {
            user_context: inputRequired.elicit({
              message: 'What context should the prompt use?',
              requestedSchema: z.object({ context: z.string() }),
            }),
          },
        });
      }
      return { messages: [{ role: 'user', content: { type: 'text', text: `Context: ${answer.context}` } }] };
    },
  );
}

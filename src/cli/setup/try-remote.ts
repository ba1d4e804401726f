import type { RemoteServer } from './assistant-host.ts';
import {
  initializedNotification,
  initializeRequest,
  listToolsRequest,
  maxAnswerBytes,
  maxTrialMs,
  type Trial,
  TrialAnswers,
} from './trial.ts';

/** Asks a server elsewhere for its tools, with its token, as a host would. */
export async function tryRemote(server: RemoteServer, signal: AbortSignal): Promise<Trial> {
  const answers = new TrialAnswers();
  const within = AbortSignal.any([signal, AbortSignal.timeout(maxTrialMs)]);
  try {
    let session: string | null = null;
    for (const message of [initializeRequest, initializedNotification, listToolsRequest]) {
      const response: Response = await post(server, message, session, within);
      session ??= response.headers.get('mcp-session-id');
      if (!response.ok) return { ok: false, problem: refusal(response.status) };
      for (const answer of messagesOf(await bodyOf(response))) answers.take(answer);
      if (answers.trial !== null) return answers.trial;
    }
    return { ok: false, problem: 'it does not answer as an MCP server does' };
  } catch {
    signal.throwIfAborted();
    return { ok: false, problem: within.aborted ? 'it did not answer in time' : 'it cannot be reached' };
  }
}

function post({ url, token }: RemoteServer, message: object, session: string | null, signal: AbortSignal) {
  return fetch(url, {
    method: 'POST',
    // A redirect would carry the token to another place.
    redirect: 'error',
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': initializeRequest.params.protocolVersion,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(session === null ? {} : { 'mcp-session-id': session }),
    },
    body: JSON.stringify(message),
  });
}

function refusal(status: number): string {
  if (status === 401) return 'it does not accept the token (401)';
  if (status === 404) return 'there is nothing at this address (404): it ends in /mcp';
  return `it answers with status ${status}`;
}

async function bodyOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > maxAnswerBytes) throw new RangeError('the answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The JSON messages of a body, which is one of them or a stream of events. */
function messagesOf(body: string): unknown[] {
  const texts = body.trimStart().startsWith('{')
    ? [body]
    : body.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []));
  return texts.filter((text) => text.trim() !== '').map((text) => JSON.parse(text) as unknown);
}

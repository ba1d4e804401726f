import { z } from 'zod';

/** What a host sees of a server: its tools, or why there are none. */
export type Trial =
  | { ok: true; version: string; tools: string[]; milliseconds: number }
  | { ok: false; problem: string };

/** Longest wait for a server's answers. */
export const maxTrialMs = 30_000;
/** Longest answer that is read. */
export const maxAnswerBytes = 8 << 20;

/** What a client sends first. The version is one that every host of today speaks. */
export const initializeRequest = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'commonplace-setup', version: '1' },
  },
} as const;
export const initializedNotification = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;
export const listToolsRequest = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} } as const;

const answer = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).nullish(),
});
const initialized = z.object({ serverInfo: z.object({ version: z.string() }) });
const toolList = z.object({ tools: z.array(z.object({ name: z.string() })) });

/** Collects the answers to the two requests as they come in. */
export class TrialAnswers {
  readonly #began = performance.now();
  #version: string | null = null;
  #trial: Trial | null = null;

  /** The outcome, once it is known. */
  get trial(): Trial | null {
    return this.#trial;
  }

  /**
   * Takes one message of the server.
   * @returns whether the next request may be sent now
   */
  take(message: unknown): boolean {
    const parsed = answer.safeParse(message);
    if (!parsed.success || this.#trial !== null) return false;
    const { id, result, error } = parsed.data;
    if (error !== undefined && error !== null) {
      this.#trial = { ok: false, problem: 'it answers with an error' };
      return false;
    }
    if (id === initializeRequest.id) {
      const greeting = initialized.safeParse(result);
      this.#version = greeting.success ? greeting.data.serverInfo.version : '';
      return true;
    }
    if (id === listToolsRequest.id) {
      const list = toolList.safeParse(result);
      this.#trial = list.success
        ? {
            ok: true,
            version: this.#version ?? '',
            tools: list.data.tools.map(({ name }) => name),
            milliseconds: Math.round(performance.now() - this.#began),
          }
        : { ok: false, problem: 'its list of tools cannot be read' };
    }
    return false;
  }
}

/** The parts of oidc-provider that are used here; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface OidcClient {
    clientId: string;
    clientName?: string;
    redirectUris?: string[];
  }

  /** The person's answer. */
  interface InteractionResult {
    consent?: { grantId?: string };
    error?: string;
  }

  export interface OidcContext {
    req: IncomingMessage;
    res: ServerResponse;
    status: number;
    type: string;
    body: unknown;
    response: { get(header: string): string };
    set(headers: Record<string, string>): void;
    remove(header: string): void;
    oidc: {
      client?: OidcClient;
      session?: { accountId?: string };
      result?: InteractionResult;
      entities: { Interaction?: { result?: InteractionResult } };
      provider: Provider;
    };
  }

  export interface Grant {
    addOIDCScope(scope: string): void;
    rejectOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    rejectResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  export interface Interaction {
    uid: string;
    prompt: { name: string };
    params: Record<string, string | undefined>;
    session?: { accountId: string };
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    proxy: boolean;
    Grant: {
      new (grant: { accountId: string; clientId: string }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    Client: { find(id: string): Promise<OidcClient | undefined> };
    use(middleware: (ctx: OidcContext, next: () => Promise<void>) => Promise<void>): void;
    callback(): (req: IncomingMessage, res: ServerResponse) => Promise<void>;
    interactionDetails(req: IncomingMessage, res: ServerResponse): Promise<Interaction>;
    interactionFinished(
      req: IncomingMessage,
      res: ServerResponse,
      result: Record<string, unknown>,
      options?: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
    on(event: string, listener: (...values: never[]) => void): void;
  }

  export namespace interactionPolicy {
    class Check {
      static REQUEST_PROMPT: boolean;
      static NO_NEED_TO_PROMPT: boolean;
      constructor(reason: string, description: string, check: (ctx: OidcContext) => boolean);
      constructor(reason: string, description: string, error: string, check: (ctx: OidcContext) => boolean);
    }
    interface Prompt {
      checks: { add(check: Check): void };
    }
    function base(): { get(name: string): Prompt };
  }

  export namespace errors {
    class OIDCProviderError extends Error {
      statusCode: number;
      error: string;
      error_description?: string;
    }
    class InvalidTarget extends OIDCProviderError {}
    class InvalidGrant extends OIDCProviderError {
      constructor(detail: string);
    }
  }
}

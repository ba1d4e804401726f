import type { z } from 'zod';
import type { Scope } from '../domain/records/account.ts';
import type { AnalysingService } from '../services/analyses/analysing.ts';
import type { ActionsService } from '../services/analyses/actions.ts';
import type { GoalsService } from '../services/analyses/goals.ts';
import type { LibraryService, Progress } from '../services/library/library.ts';
import type { NamesService } from '../services/library/completions.ts';
import type { ReviewService } from '../services/analyses/review.ts';
import type { RelatedService } from '../services/search/related.ts';
import type { SearchService } from '../services/search/search.ts';
import type { SuggestionService } from '../services/search/suggestions.ts';

/** What the product can do, behind every operation. */
export interface Services {
  library: LibraryService;
  search: SearchService;
  related: RelatedService;
  suggestions: SuggestionService;
  actions: ActionsService;
  goals: GoalsService;
  analysing: AnalysingService;
  /** These two serve prompts and completions. */
  names: NamesService;
  review: ReviewService;
}

/** What an operation's `run` is given beside its input. */
export interface OperationContext extends Services {
  account: string;
  signal: AbortSignal;
  /** Tells a waiting caller how far the work is; absent where nobody listens. */
  onProgress?: (progress: Progress) => void;
}

/**
 * Tools come in sets, because a model pays for every tool it is shown: `core` is always there, `manage` (mending
 * records) and `analyse` (the connected assistant does the analysis) when the settings want them.
 */
export const toolSets = ['core', 'manage', 'analyse'] as const;
export type ToolSet = (typeof toolSets)[number];

type Shape = Readonly<Record<string, z.ZodType>>;

type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface HttpBinding<Output> {
  method: HttpMethod;
  /** `/content/:id`; every `:name` is an input of the operation. */
  path: string;
  /** The status of a successful answer; 200 when absent. */
  status?: (output: Output) => number;
  /** What it does, for the people who read the API's pages. */
  about: string;
  /** What each status of success means. */
  answers: Readonly<Record<number, string>>;
  /** The largest body that is read; 64 KB when absent. */
  maxBodyBytes?: number;
}

/**
 * One thing the product can do, declared once; every face is a loop over these. The field list is closed:
 * what does not fit is written by hand beside its face.
 */
export interface Operation<Input extends Shape = Shape, Extra extends Shape = Shape> {
  /** `verb_noun`, the tool's name. */
  name: string;
  title: string;
  /** For a model to read: what it does, when to use it, what comes back. Under 1,024 characters. */
  description: string;
  input: z.ZodObject<Input, z.core.$strict>;
  output: z.ZodType;
  /** Callers that pay for every token (MCP, CLI) have further inputs, and answers that come in pieces. */
  assistant?: { input: Extra; output: z.ZodType };
  scope: Scope;
  /** Further ones that it needs: what it does, or what its answer holds, is more than one scope allows. */
  alsoScopes?: readonly Scope[];
  /**
   * Of an operation that writes: all that its answer holds for a caller who may write and not read. Absent where it needs
   * the scope for reading as well.
   */
  acknowledges?: readonly string[];
  /** Inputs that may be too large for the main thread: they then come as `LargeValue`, which a worker thread checks. */
  largeInputs?: readonly string[];
  /** Which tool set shows it over MCP; null: none. REST and the CLI show it whatever the set. */
  set: ToolSet | null;
  effects: { readOnly: boolean; destructive: boolean; idempotent: boolean; openWorld: boolean };
  /** Absent: not on REST (yet). */
  http?: HttpBinding<never>;
  /** `goal add <title>`: words of the command, then its positional inputs. Absent: not a command of its own. */
  cli?: { command: string; /** Inputs that only the command line has. */ input?: Shape };
  example: { input: Record<string, unknown> };
  run(input: never, context: OperationContext): Promise<unknown>;
}

type InputOf<Input extends Shape, Extra extends Shape> = z.infer<z.ZodObject<Input>> &
  Partial<z.infer<z.ZodObject<Extra>>>;

interface Declaration<Input extends Shape, Extra extends Shape, Output extends z.ZodType> extends Omit<
  Operation<Input, Extra>,
  'run' | 'output' | 'http'
> {
  output: Output;
  http?: HttpBinding<z.infer<Output>>;
  run(input: InputOf<Input, Extra>, context: OperationContext): Promise<unknown>;
}

/** Identity; it only checks the declaration's types against each other. */
export function defineOperation<
  Input extends Shape,
  Output extends z.ZodType,
  Extra extends Shape = Record<never, never>,
>(operation: Declaration<Input, Extra, Output>): Operation {
  // The registry holds operations of all inputs side by side; `call.ts` parses before it runs one.
  return operation as Operation;
}

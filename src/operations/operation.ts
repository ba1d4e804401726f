import type { z } from 'zod';
import type { Caller } from '../domain/records/account.ts';
import type { Writer } from '../domain/records/change.ts';
import type { Permission } from '../domain/access/permission.ts';
import type { AssistantAnalysisService } from '../services/analyses/assistant-analysis.ts';
import type { ActionsService } from '../services/analyses/actions.ts';
import type { GoalsService } from '../services/analyses/goals.ts';
import type { KeysService } from '../services/keys.ts';
import type { HighlightsService } from '../services/library/highlights.ts';
import type { ExportJobsService } from '../services/library/jobs/export-jobs.ts';
import type { LibraryService } from '../services/library/library.ts';
import type { ListsService } from '../services/library/lists.ts';
import type { SourcesService } from '../services/library/sources.ts';
import type { Progress } from '../services/library/saving.ts';
import type { HistoryService } from '../services/library/history.ts';
import type { ImportJobsService } from '../services/library/jobs/import-jobs.ts';
import type { CompletionsService } from '../services/library/completions.ts';
import type { ReviewService } from '../services/analyses/review.ts';
import type { PicturesService } from '../services/library/pictures.ts';
import type { RelatedService } from '../services/search/related.ts';
import type { SearchService } from '../services/search/search.ts';
import type { SuggestionService } from '../services/search/suggestions.ts';
import type { Printed } from './answers/printed.ts';

export interface Services {
  library: LibraryService;
  lists: ListsService;
  sources: SourcesService;
  search: SearchService;
  pictures: PicturesService;
  related: RelatedService;
  suggestions: SuggestionService;
  actions: ActionsService;
  goals: GoalsService;
  highlights: HighlightsService;
  assistantAnalysis: AssistantAnalysisService;
  history: HistoryService;
  imports: ImportJobsService;
  exports: ExportJobsService;
  keys: KeysService;
  /** `names` and `review` serve prompts and completions. */
  completions: CompletionsService;
  review: ReviewService;
}

export interface OperationContext extends Services {
  account: string;
  /** The account, for services that write: what they write is recorded as one change of this call. */
  writer: Writer;
  caller: Caller;
  signal: AbortSignal;
  /** The answer goes to a model, which pays for every token and reads only what fits. */
  forModel: boolean;
  /** The answer is sent in its lean form (`answers/lean.ts`), which is what a budget counts. */
  isLean: boolean;
  /** The tools that the caller has, for hints that name them; absent when it calls none by name. */
  tools?: ReadonlySet<string>;
  /** The version of the item that the caller read: the write is refused when the item has changed since. */
  unchangedSince?: number;
  /** Reports progress to a waiting caller; absent without a listener. */
  onProgress?: (progress: Progress) => void;
}

/**
 * Tools are grouped in sets, because a model pays tokens for every tool it is shown. `core` is always shown. `manage`
 * (editing records), `highlights` and `analyse` (the connected assistant writes the analyses) depend on the settings.
 */
export const toolSets = ['core', 'manage', 'highlights', 'analyse'] as const;
export type ToolSet = (typeof toolSets)[number];

type Shape = Readonly<Record<string, z.ZodType>>;

type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface HttpBinding<Output> {
  method: HttpMethod;
  /** `/content/:id`; every `:name` is an input of the operation. */
  path: string;
  /** The status of a successful answer; 200 when absent. */
  status?: (output: Output) => number;
  about: string;
  answers: Readonly<Record<number, string>>;
  /** Maximum body size; 64 KB when absent. */
  maxBodyBytes?: number;
  /** Answers 404, although its path holds no id: what the query or the body names may not exist. */
  mayMissRecord?: true;
  /** Dependencies between the body's fields, as keywords of JSON Schema, for the API documentation. */
  bodyRules?: Readonly<Record<string, unknown>>;
  /** Optional inputs that this route requires. */
  requires?: readonly string[];
}

interface CliBinding<Shown> {
  /**
   * The words of the command, then its arguments: `goal add <title>`. `<query...>` takes several words, so that a
   * question needs no quotes. `[id]` may be left out.
   */
  command: string;
  /** The argument that is read from stdin when it is left out or `-`. */
  piped?: string;
  print(answer: Shown): Printed;
  /** Whether the command did not do what was asked, so that it fails. Absent: it always did. */
  isFailure?(answer: Shown): boolean;
}

/** A call and its answer, for the documentation and for the tests, which try it on every interface. */
interface Example<Output> {
  input: Readonly<Record<string, unknown>>;
  output: Output;
  /** Further answers, where REST has several success statuses. */
  otherOutputs?: readonly Output[];
}

/**
 * One thing the product can do, declared once. REST, MCP and the command line are built by looping over these
 * declarations. Do not add fields for special cases: write those by hand in the interface concerned.
 */
export interface Operation<Input extends Shape = Shape, Extra extends Shape = Shape> {
  /** `verb_noun`, the tool's name. */
  name: string;
  title: string;
  /** For a model to read: what it does, when to use it, what comes back. Under 1,024 characters. */
  description: string;
  /** `.describe()` tells people what a field is. A model sees only what is in `modelWords`. */
  input: z.ZodObject<Input, z.core.$strict>;
  output: z.ZodType;
  /** For callers that read answers in pages (MCP, CLI): further inputs, or the same ones in another form. */
  assistant?: Assistant<Extra, z.ZodType, never>;
  /** The required permission. A token has it by one of its scopes (`domain/access/permission.ts`). */
  permission: Permission;
  /** Further permissions that are needed, because one does not cover what the operation does or returns. */
  alsoPermissions?: readonly Permission[];
  /**
   * For operations that write: the only answer fields that a caller may see who may write and not read. Absent where the
   * operation needs the permission to read as well.
   */
  acknowledges?: readonly string[];
  /** Answer fields that hold a secret: an answer that is kept for a repeated request lacks them. */
  secrets?: readonly string[];
  /** Inputs that may be too large for the main thread. They arrive as `LargeValue`, which a worker thread validates. */
  largeInputs?: readonly string[];
  /** The tool set that shows it over MCP; absent: no tool. REST and the CLI show it whatever the set. */
  set?: ToolSet;
  effects: { readOnly: boolean; destructive: boolean; idempotent: boolean; openWorld: boolean };
  /** Absent: no REST route (yet). */
  http?: HttpBinding<never>;
  /** Its route under /api/v1. Absent: the same as `http`, if there is one. `more`: fields that this route alone has. */
  apiV1?: HttpBinding<never> & { more?: { input: Shape; output: Shape } };
  /** Absent: it has no command. */
  cli?: CliBinding<never>;
  example: Example<unknown>;
  run(input: never, context: OperationContext): Promise<unknown>;
}

interface Assistant<Extra, Output, Answer> {
  /** The command line lacks those that are `isForModels` (`modelWords`). */
  input: Extra;
  /** Absent: the operation's own. */
  output?: Output;
  /** The answer's lean form, which a model is given. It is made from the whole answer, which `output` describes. */
  lean?(answer: Answer, input: Readonly<Record<string, unknown>>): unknown;
}

/** The inputs of all callers: those of people, and those of assistants only. */
type InputOf<Input extends Shape, Extra extends Shape> = Omit<z.infer<z.ZodObject<Input>>, keyof Extra> & {
  [Name in keyof Input & keyof Extra]?: z.infer<Input[Name]> | z.infer<Extra[Name]>;
} & Partial<Omit<z.infer<z.ZodObject<Extra>>, keyof Input>>;

/** The fields of any of several answers. */
type FieldOf<Answer> = Answer extends unknown ? keyof Answer : never;

interface Declaration<
  Input extends Shape,
  Extra extends Shape,
  Output extends z.ZodType,
  Shown extends z.ZodType,
> extends Omit<
  Operation<Input, Extra>,
  'run' | 'output' | 'assistant' | 'acknowledges' | 'secrets' | 'http' | 'apiV1' | 'cli' | 'example'
> {
  output: Output;
  assistant?: Assistant<Extra, Shown, z.infer<Shown>>;
  acknowledges?: readonly (FieldOf<z.infer<Output> | z.infer<Shown>> & string)[];
  secrets?: readonly (keyof z.infer<Output> & string)[];
  http?: HttpBinding<z.infer<Output>>;
  apiV1?: HttpBinding<z.infer<Output>> & { more?: { input: Shape; output: Shape } };
  cli?: CliBinding<z.infer<Shown>>;
  example: Example<z.infer<Output>>;
  run(input: InputOf<Input, Extra>, context: OperationContext): Promise<unknown>;
}

export type AnswerOf<Declared extends { output: z.ZodType }> = z.infer<Declared['output']>;

/** Returns the declaration unchanged; it only checks its types against each other. */
export function defineOperation<
  Input extends Shape,
  Output extends z.ZodType,
  Extra extends Shape = Record<never, never>,
  Shown extends z.ZodType = Output,
>(operation: Declaration<Input, Extra, Output, Shown>): Operation & { output: Output } {
  // The registry holds operations with different input types; `call.ts` parses the input before it runs one.
  return operation as Operation & { output: Output };
}

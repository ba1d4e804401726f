/** Settings of a model that its name implies, as documented by its authors. */
export interface EmbeddingProfile {
  /** Prefixes of queries and passages, as in the model's training. */
  queryPrefix: string;
  passagePrefix: string;
  /** ISO 639-1; null: any. */
  languages: readonly string[] | null;
  /** The request's field `input_type` for queries and passages; null: not sent. */
  inputType: { query: string; passage: string } | null;
}

const plain: EmbeddingProfile = {
  queryPrefix: '',
  passagePrefix: '',
  languages: null,
  inputType: null,
};
const english = ['en'];
const searchPrompt = 'Represent this sentence for searching relevant passages: ';
const instruction = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ';

/** The first match wins, so more specific names come first. Names are compared in lower case, without owner and tag. */
const profiles: readonly [RegExp, Partial<EmbeddingProfile>][] = [
  [/^nomic-embed-text-?v2/, { queryPrefix: 'search_query: ', passagePrefix: 'search_document: ' }],
  [/^nomic-embed/, { queryPrefix: 'search_query: ', passagePrefix: 'search_document: ', languages: english }],
  [/^multilingual-e5-.*instruct/, { queryPrefix: instruction }],
  [/^multilingual-e5/, { queryPrefix: 'query: ', passagePrefix: 'passage: ' }],
  [/^e5-/, { queryPrefix: 'query: ', passagePrefix: 'passage: ', languages: english }],
  [/^bge-m3/, {}],
  [/^bge-.*zh/, { queryPrefix: '为这个句子生成表示以用于检索相关文章：', languages: ['zh'] }],
  [/^bge-(?:small|base|large)/, { queryPrefix: searchPrompt, languages: english }],
  [/^mxbai-embed-large/, { queryPrefix: searchPrompt, languages: english }],
  [/^mxbai-embed-2d/, { queryPrefix: searchPrompt, languages: english }],
  [/^snowflake-arctic-embed-?(?:2|[lm]-v2)/, { queryPrefix: 'query: ' }],
  [/^snowflake-arctic-embed/, { queryPrefix: searchPrompt, languages: english }],
  [/^embeddinggemma/, { queryPrefix: 'task: search result | query: ', passagePrefix: 'title: none | text: ' }],
  [/^qwen3-embedding/, { queryPrefix: instruction }],
  [/^paraphrase-multilingual/, {}],
  [/^(?:all-minilm|all-mpnet|gte-(?:small|base|large)|paraphrase-)/, { languages: english }],
  [/^voyage-/, { inputType: { query: 'query', passage: 'document' } }],
];

/** The profile of `model`. The default for an unknown model has no prefix and any language. */
export function findEmbeddingProfile(model: string): EmbeddingProfile {
  // Names come as `BAAI/bge-m3`, `text-embedding-nomic-embed-text-v1.5` (LM Studio) or `nomic-embed-text:latest`
  // (Ollama).
  const [bare = ''] = model.toLowerCase().split('/').at(-1)?.split(':') ?? [];
  const name = bare.replace(/^text-embedding-(?=[a-z])(?!ada)/, '');
  const found = profiles.find(([pattern]) => pattern.test(name));
  return { ...plain, ...found?.[1] };
}

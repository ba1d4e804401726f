export interface ClaudeSettings {
  apiKey: string;
  /** Base URL of the Messages API, or of a server that speaks it (Ollama, LM Studio). */
  baseUrl: string;
  model: string;
  /** Dollars per million tokens. */
  inputPrice: number;
  outputPrice: number;
  /** Maximum tokens of one section; a longer document is read section by section, one call each. */
  sectionTokens: number;
  /** Maximum sections of one document; the text after them is not read, and the user is told so. */
  maxSections: number;
  timeoutMs: number;
}

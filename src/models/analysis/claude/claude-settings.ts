export interface ClaudeSettings {
  apiKey: string;
  /** Of the Messages API, or of a server that speaks it (Ollama, LM Studio). */
  baseUrl: string;
  model: string;
  /** Dollars a million tokens. */
  inputPrice: number;
  outputPrice: number;
  /** Of one call; a longer document is read section by section. */
  sectionTokens: number;
  /** Of one document; what comes after them is not read, and that is said. */
  maxSections: number;
  timeoutMs: number;
}

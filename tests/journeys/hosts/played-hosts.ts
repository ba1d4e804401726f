import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A real host that npm installs, and how it is asked to list its servers and to answer one question. */
export interface PlayedHost {
  id: string;
  package: string;
  program: string;
  /** Words after the program that list the servers. */
  list: readonly string[];
  /** What the list says of a server that is connected, or at least known. */
  listed: RegExp;
  /** The same for a server elsewhere, where the list looks otherwise. */
  listedRemote?: RegExp;
  ask: (question: string) => readonly string[];
  /** Variables, beside HOME and PATH, that send it to the model that is played. */
  environment: (model: string) => Record<string, string>;
  /** What has to stand in its home folder before it is set up. */
  prepare?: (home: string, work: string, model: string) => void;
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export const playedHosts: readonly PlayedHost[] = [
  {
    id: 'claude-code',
    package: '@anthropic-ai/claude-code',
    program: 'claude',
    list: ['mcp', 'list'],
    listed: /commonplace: .*Connected/,
    ask: (question) => ['-p', question, '--allowedTools', 'mcp__commonplace__list_goals'],
    environment: (model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'sk-ant-played',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Else the tools stand behind a search of Claude Code's own, and its first request does not wait for servers.
      ENABLE_TOOL_SEARCH: 'false',
      MCP_CONNECTION_NONBLOCKING: 'false',
    }),
  },
  {
    id: 'codex',
    package: '@openai/codex',
    program: 'codex',
    list: ['mcp', 'list'],
    listed: /commonplace .*enabled/,
    // It lists no more of servers elsewhere than how they authenticate.
    listedRemote: /commonplace .*\/mcp .*enabled/,
    // Else its first request does not wait for servers.
    ask: (question) => ['exec', '-c', 'mcp_servers.commonplace.required=true', '--skip-git-repo-check', question],
    environment: () => ({ PLAYED_KEY: 'played' }),
    prepare: (home, _, model) =>
      put(
        join(home, '.codex', 'config.toml'),
        `# set by hand\nmodel = "played"\nmodel_provider = "played"\n\n[model_providers.played]\nname = "Played"\nbase_url = "${model}/v1"\nenv_key = "PLAYED_KEY"\nwire_api = "responses"\n`,
      ),
  },
  {
    id: 'gemini',
    package: '@google/gemini-cli',
    program: 'gemini',
    list: ['mcp', 'list'],
    listed: /commonplace: .*Connected/,
    ask: (question) => ['--yolo', '-p', question],
    environment: (model) => ({
      GEMINI_API_KEY: 'played',
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_MODEL: 'gemini-2.5-pro',
    }),
    prepare: (home, work) => {
      put(join(home, '.gemini', 'trustedFolders.json'), JSON.stringify({ [work]: 'TRUST_FOLDER' }));
      put(
        join(home, '.gemini', 'settings.json'),
        '{\n  // set by hand\n  "security": { "auth": { "selectedType": "gemini-api-key" } },\n  "privacy": { "usageStatisticsEnabled": false }\n}\n',
      );
    },
  },
  {
    id: 'opencode',
    package: 'opencode-ai',
    program: 'opencode',
    list: ['mcp', 'list'],
    listed: /commonplace.*connected/,
    ask: (question) => ['run', '--model', 'played/fake', question],
    environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    prepare: (home, _, model) =>
      put(
        join(home, '.config', 'opencode', 'opencode.jsonc'),
        `{\n  "$schema": "https://opencode.ai/config.json",\n  // set by hand\n  "provider": {\n    "played": {\n      "npm": "@ai-sdk/openai-compatible",\n      "name": "Played",\n      "options": { "baseURL": "${model}/v1", "apiKey": "played" },\n      "models": { "fake": { "name": "Fake" } },\n    },\n  },\n}\n`,
      ),
  },
];

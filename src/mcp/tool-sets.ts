import type { Config } from '../settings/config.ts';
import type { ToolSet } from '../operations/operation.ts';

/** The tool sets enabled in the settings. They are fixed at start, because MCP hosts cache the list of tools. */
export function shownToolSets(
  config: Pick<Config, 'manageTools' | 'highlightTools' | 'analyseTools'>,
): ReadonlySet<ToolSet> {
  return new Set<ToolSet>([
    'core',
    ...(config.manageTools ? (['manage'] as const) : []),
    ...(config.highlightTools ? (['highlights'] as const) : []),
    ...(config.analyseTools ? (['analyse'] as const) : []),
  ]);
}

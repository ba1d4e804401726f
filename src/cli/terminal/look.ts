import type { Environment } from '../../settings/config.ts';
import type { Printed, Span } from '../../operations/answers/printed.ts';

export interface Look {
  /** Bold, colours and rendered Markdown. */
  styled: boolean;
  /** Links that a click opens (OSC 8). */
  links: boolean;
  /** Columns after which lines are wrapped; null: lines are left as they are, for pipes and files. */
  width: number | null;
}

const usualWidth = 80;
/** Longer lines are hard to read, however wide the window is. */
const maxWidth = 100;
const minWidth = 30;

/**
 * The capabilities of the terminal behind stdout. `NO_COLOR` and `TERM=dumb` turn styles off and `FORCE_COLOR` turns them on, in a
 * pipe as well; where both are set, `FORCE_COLOR` wins, as in Node.js.
 */
export function lookOf(stdout: { isTTY?: boolean; columns?: number }, environment: Environment): Look {
  const isTerminal = stdout.isTTY === true;
  const forced = forcedColour(environment['FORCE_COLOR']);
  const styled = forced ?? (isTerminal && environment['TERM'] !== 'dumb' && (environment['NO_COLOR'] ?? '') === '');
  const columns = isTerminal && (stdout.columns ?? 0) > 0 ? stdout.columns : undefined;
  return {
    styled,
    // The console of Linux prints the address of such a link in the middle of the text.
    links: styled && isTerminal && !['dumb', 'linux'].includes(environment['TERM'] ?? ''),
    width: isTerminal || styled ? Math.max(minWidth, Math.min(columns ?? usualWidth, maxWidth)) : null,
  };
}

/** True or false when `FORCE_COLOR` says so; undefined when it is not set. */
function forcedColour(value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  return value !== '0' && value !== 'false';
}

/** An answer as plain text, for pipes and files. */
export function plainText(printed: Printed): string {
  return printed
    .map((part) =>
      'prose' in part
        ? part.prose
            .split('\n')
            .map((line) => part.indent + line)
            .join('\n')
        : part.indent + part.spans.map(textOf).join(''),
    )
    .join('\n');
}

function textOf(span: Span): string {
  return typeof span === 'string' ? span : span.text;
}

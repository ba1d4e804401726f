import { createRequire } from 'node:module';
import type Pino from 'pino';

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** The logger of the whole program. Pass fields, then a fixed sentence; never log page text or secrets. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** Creates a log of JSON lines on stderr: stdout is used by the protocol. pino is loaded with the first line. */
export function createLog(level: LogLevel): Log {
  let lines: Log | undefined;
  const logger =
    (of: keyof Log): Log[typeof of] =>
    (fields, message) => {
      if (levels.indexOf(of) < levels.indexOf(level)) return;
      lines ??= openLines(level);
      lines[of](fields, message);
    };
  return { debug: logger('debug'), info: logger('info'), warn: logger('warn'), error: logger('error') };
}

function openLines(level: LogLevel): Log {
  // Not `import()`: the line must be written before this returns, in case the process ends next.
  const pino = createRequire(import.meta.url)('pino') as typeof Pino;
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['authorization', 'token', 'apiKey', '*.authorization', '*.token', '*.apiKey'],
    },
    pino.destination({ dest: 2, sync: true }),
  );
}

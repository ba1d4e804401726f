import pino from 'pino';

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** What the house logs with. Fields first, then a fixed sentence; never page text, never a secret. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A log of JSON lines on stderr: stdout belongs to the protocol. */
export function createLog(level: LogLevel): Log {
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

/** Sends everything that any library prints with `console` to stderr: stdout belongs to the protocol and to answers. */
export function sendConsoleToStderr(): void {
  const toStderr = (...parts: unknown[]) => process.stderr.write(`${parts.map(String).join(' ')}\n`);
  for (const name of ['log', 'info', 'debug', 'warn', 'error', 'trace', 'dir'] as const) {
    globalThis.console[name] = toStderr;
  }
}

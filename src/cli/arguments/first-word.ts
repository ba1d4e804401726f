/** Flags of the program that take no value. */
const bareFlags = new Set(['--json']);
/** Flags that are answered without a command. */
const answeringFlags = new Set(['--help', '-h', '--version']);

/** The command, or a request for help or the version: the first word that is no flag of the program or its value. */
export function firstWord(argv: readonly string[]): string | undefined {
  for (let at = 0; at < argv.length; at += 1) {
    const argument = argv[at] ?? '';
    if (!argument.startsWith('-') || argument === '--' || answeringFlags.has(argument)) return argument;
    if (!argument.includes('=') && !bareFlags.has(argument)) at += 1;
  }
  return undefined;
}

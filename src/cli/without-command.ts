/** Flags of the program that take no value. */
const bareFlags = new Set(['--json']);
/** Flags that are an answer of their own. */
const answeringFlags = new Set(['--help', '-h', '--version']);

/** Whether the arguments name a command, or ask for help or the version. Every other flag is followed by its value. */
export function namesCommand(argv: readonly string[]): boolean {
  for (let i = 0; i < argv.length; i += 1) {
    const argument = argv[i] ?? '';
    if (!argument.startsWith('-') || argument === '--' || answeringFlags.has(argument)) return true;
    if (!argument.includes('=') && !bareFlags.has(argument)) i += 1;
  }
  return false;
}

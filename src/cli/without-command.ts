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

/** What the program says on a terminal when it is called without a command. */
export function welcome(version: string): string {
  return `Commonplace ${version}: a personal knowledge base that your AI assistant reads.

Connect your assistant:   commonplace connect --host claude-desktop   (or claude-code, cursor, vscode)
Save something:           commonplace save https://example.com/article --wait
Find it again:            commonplace search "what it was about"
Check the installation:   commonplace doctor
Everything else:          commonplace --help

An assistant starts this program itself. Where its stdin is a pipe, it serves MCP, as \`commonplace stdio\` does.
`;
}

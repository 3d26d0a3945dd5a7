/** Commands that run no code of the project in this process. */
const others: ReadonlySet<string> = new Set(['completion', 'dev', 'generate', 'new', 'start']);
/** Commands that write a document, or data, without being asked for JSON. */
const writing: ReadonlySet<string> = new Set(['ai-context', 'call', 'client', 'docs', 'openapi']);

/** The reason to keep stdout for the command: `data`, which is worth another process, or `text`, which is not. */
export function toStdoutNeed(argv: readonly string[]): 'data' | 'text' | undefined {
  const [, , command = '-'] = argv;
  if (command.startsWith('-') || others.has(command)) return undefined;
  if (command === 'mcp' && !argv.includes('--list')) return undefined;
  if (argv.includes('--help')) return 'text';
  return writing.has(command) || argv.includes('--json') ? 'data' : 'text';
}

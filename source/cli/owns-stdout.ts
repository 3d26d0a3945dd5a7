/** Commands that run no code of the project in this process. */
const others: ReadonlySet<string> = new Set(['completion', 'dev', 'generate', 'new', 'start']);

/** Whether stdout belongs to what the command itself writes: it may run the project's code, whose output goes elsewhere. */
export function ownsStdout(argv: readonly string[]): boolean {
  const [, , command = '-'] = argv;
  if (command.startsWith('-') || others.has(command)) return false;
  return command !== 'mcp' || argv.includes('--list');
}

/** Whether a failure is reported as JSON. Reads the raw words, since it may be that they cannot be parsed. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? undefined : end).includes('--json');
}

/** Commands that run no code of the project in this process. */
const others: ReadonlySet<string> = new Set(['completion', 'dev', 'new', 'start']);

/** Whether stdout belongs to the command's data: it may run the project's code, whose output goes elsewhere. */
export function ownsStdout(argv: readonly string[]): boolean {
  const command = argv[2] ?? '-';
  if (command.startsWith('-') || others.has(command)) return false;
  return command !== 'mcp' || argv.includes('--list');
}

/**
 * The index of the command among the words; -1 if there is none. Options that it shares with the tool may stand before
 * it, with their values: `capix --config x.ts list`.
 */
export function findCommand(argv: readonly string[]): number {
  return argv.findIndex(
    (word, at) => at > 1 && !word.startsWith('-') && (at === 2 || !/^--(config|env-file)$/.test(argv[at - 1] ?? '')),
  );
}

/** Whether a failure is told in JSON, read from the raw words: it may be that they cannot be parsed. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? undefined : end).includes('--json');
}

/** Commands that run no code of the project in this process. */
const others: ReadonlySet<string> = new Set(['completion', 'dev', 'generate', 'new', 'start']);

/** Whether stdout belongs to the command's data: it may run the project's code, whose output goes elsewhere. */
export function ownsStdout(argv: readonly string[]): boolean {
  const command = argv[findCommand(argv)];
  if (command === undefined || others.has(command)) return false;
  return command !== 'mcp' || argv.includes('--list');
}

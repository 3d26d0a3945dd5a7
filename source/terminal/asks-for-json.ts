/** Read from the raw words: the failure may be that they cannot be parsed. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? undefined : end).includes('--json');
}

/** The arguments with `--fields` in place of `--help` behind a capability: only the project knows what `capix call items.createItem --help` is to tell. */
export function toFieldHelp(argv: readonly string[]): readonly string[] {
  const [command, key = ''] = argv.slice(2);
  if (command !== 'call' || key === '' || /^[-@]/.test(key)) return argv;
  return argv.map((word) => (word === '--help' || word === '-h' ? '--fields' : word));
}

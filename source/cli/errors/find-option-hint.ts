/** An option of a command. */
interface KnownOption {
  /** `['--header', '-H']` */
  readonly names: readonly string[];
  /** The only ones that it can have; empty where it can have others. */
  readonly values: readonly string[];
}

/** The names of other tools for what an option of ours does; the first of ours that the command has is meant. */
const habits: ReadonlyMap<string, readonly string[]> = new Map([
  ['--reporter', ['--format']],
  ['--reporters', ['--format']],
  ['--report', ['--format']],
  ['--output-format', ['--format']],
  ['--out', ['--output']],
  ['--outfile', ['--output']],
  ['--out-file', ['--output']],
  ['--output-file', ['--output']],
  ['--env', ['--environment', '--env-file']],
  ['--base-url', ['--url', '--live', '--server']],
  ['--hostname', ['--host']],
  ['--filter', ['--only']],
]);

/**
 * The words to write in place of an option that a user of other tools expects: a value of an option (`--junit` for `--format junit`), an option of another
 * name, or a redirection. Undefined for any other text. `text`: as it was written, `--reporter` or `--reporter=junit`.
 */
export function findOptionHint(text: string, options: readonly KnownOption[]): string | undefined {
  const [, name = '', value] = /^([^=]+)(?:=([^]*))?$/.exec(text) ?? [];
  const bare = name.replace(/^--/, '');
  const chosen = options.find(({ values }) => values.includes(bare));
  if (chosen !== undefined) return `Did you mean \`${chosen.names[0]} ${bare}\`?`;
  const meant = habits.get(name)?.map((ours) => options.find(({ names }) => names.includes(ours)));
  const found = meant?.find((option) => option !== undefined);
  if (found !== undefined) return toHint(found, value);
  const isFile = name === '--output' || habits.get(name)?.includes('--output') === true;
  return isFile ? 'It writes to stdout: end the line with `> <file>`.' : undefined;
}

function toHint({ names: [name = ''], values }: KnownOption, value: string | undefined): string {
  const [only] = values.length === 1 ? values : values.filter((one) => one === value);
  if (only !== undefined) return `Did you mean \`${name} ${only}\`?`;
  const list = values.length === 0 ? '' : ` It takes ${values.join(', ')}.`;
  return `Did you mean \`${name}\`?${list}`;
}

/** The arguments with what stands behind `--` as options of Node: `capix dev -- --import ./otel.mjs`. */
export function toNodeOptions(argv: readonly string[]): readonly string[] {
  const at = argv.indexOf('--');
  if (at === -1 || !argv.slice(2, at).includes('dev')) return argv;
  return [...argv.slice(0, at), ...argv.slice(at + 1).map((option) => `--node-option=${option}`)];
}

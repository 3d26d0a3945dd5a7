import { usageError } from '../errors/cli-error.ts';

/**
 * The headers of the option `--header`, by their names in lower case.
 *
 * @throws CliError `Usage` for a line that is not a header
 */
export function parseHeaders(lines: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.map((line) => {
      const header = parseHeader(line);
      if (header === undefined) throw usageError('option --header: write it as "name: value"');
      return header;
    }),
  );
}

/** `name: value` with the name in lower case; undefined for what is not a header. */
export function parseHeader(line: string): readonly [name: string, value: string] | undefined {
  const [, name = '', value = ''] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*:\s*([^\p{Cc}]*?)\s*$/u.exec(line) ?? [];
  return name === '' ? undefined : [name.toLowerCase(), value];
}

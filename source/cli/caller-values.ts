import { parseJsonObject } from '../values/json.ts';
import { usageError } from './cli-error.ts';

/**
 * The headers of `--header`, names in lower case. `${TOKEN}` is a variable of the environment.
 * @throws CliError `Usage` for a line that is not a header, and for a variable that is not set
 */
export function parseHeaders(
  lines: readonly string[],
  environment: Environment,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.map((line) => {
      const header = parseHeader(expandVariables(line, environment, 'option --header: '));
      if (header === undefined) throw usageError('option --header: write it as "name: value"');
      return header;
    }),
  );
}

export function parseHeader(line: string): readonly [name: string, value: string] | undefined {
  const { name = '', value = '' } =
    /^\s*(?<name>[!#$%&'*+.^_`|~\w-]+)\s*:\s*(?<value>[^\p{Cc}]*?)\s*$/u.exec(line)?.groups ?? {};
  return name === '' ? undefined : [name.toLowerCase(), value];
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A text with the values of its variables, `${NAME}`. `place`: where it stands. @throws CliError `Usage` */
export function expandVariables(text: string, variables: Environment, place = ''): string {
  return text.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => {
    const value = variables[name];
    if (value !== undefined) return value;
    throw usageError(
      `${place}the variable ${name} is not set`,
      'Set it, or name a file with --env-file.',
    );
  });
}

/** The object of `--context`. @throws CliError `Usage` for what is not a JSON object */
export function parseContext(text: string): Readonly<Record<string, unknown>> {
  const context = parseJsonObject(text);
  if (context === undefined) throw usageError("option '--context': write it as a JSON object");
  return context;
}

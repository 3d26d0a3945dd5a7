import { usageError } from './cli-error.ts';

/**
 * The headers of the option `--header`, by their names in lower case. `${TOKEN}` is a variable of the environment: the
 * configuration of a host names it, so that no secret stands there.
 *
 * @throws CliError `Usage` for a line that is not a header, and for a variable that is not set
 */
export function parseHeaders(lines: readonly string[], environment: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.map((line) => {
      const header = parseHeader(fillIn(line, environment));
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

function fillIn(line: string, environment: Environment): string {
  try {
    return expandVariables(line, environment);
  } catch (error) {
    if (!(error instanceof UnsetVariable)) throw error;
    throw usageError(`option --header: ${error.message}`, 'Set it, or name a file with --env-file.');
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A `${NAME}` that has no value. */
export class UnsetVariable extends Error {
  readonly variable: string;

  constructor(variable: string) {
    super(`the variable ${variable} is not set`);
    this.variable = variable;
  }
}

/**
 * A text with the values of its variables, written `${NAME}`.
 *
 * @throws UnsetVariable
 */
export function expandVariables(text: string, variables: Environment): string {
  return text.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => {
    const value = variables[name];
    if (value === undefined) throw new UnsetVariable(name);
    return value;
  });
}

/**
 * The object of the option `--context`.
 *
 * @throws CliError `Usage` for what is not a JSON object
 */
export function parseContext(text: string): Readonly<Record<string, unknown>> {
  let context: unknown;
  try {
    context = JSON.parse(text);
  } catch {
    context = undefined;
  }
  if (typeof context !== 'object' || context === null || Array.isArray(context))
    throw usageError("option '--context': write it as a JSON object");
  return context as Readonly<Record<string, unknown>>;
}

import { randomUUID } from 'node:crypto';

/** Stands before the name of a variable until the text around it is quoted. Nobody else can write it. */
const MARK = `capix-variable-${randomUUID()}-`;
const variables = new RegExp(String.raw`${MARK}(\w+)`, 'g');

/** Stands for a variable of the shell in a text that `toShellWord` quotes: `$AUTHORIZATION` for `authorization`. */
export function toShellVariable(name: string): string {
  return MARK + toVariableName(name);
}

/** The name of the variable that a text is, all of it; undefined for any other text. */
export function findShellVariable(text: string): string | undefined {
  return new RegExp(`^${variables.source}$`).exec(text)?.[1];
}

export function hasShellVariable(text: string): boolean {
  return text.includes(MARK);
}

/**
 * One word of a shell, which changes nothing in it: everything that a person copies into a shell goes through here. It
 * is in single quotes; a variable is in double ones: `'{"password":"'"$PASSWORD"'"}'`.
 */
export function toShellWord(text: string): string {
  const quoted = `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return quoted.replaceAll(variables, `'"$$$1"'`).replace(/^''(?=")|(?<=")''$/g, '');
}

/** The same without quotes where a shell takes the text as it is. */
export function toPlainShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : toShellWord(text);
}

/** `x-api-key` as `X_API_KEY`. */
function toVariableName(name: string): string {
  return name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replace(/^(?=\d|$)/, '_');
}

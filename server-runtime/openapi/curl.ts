import { looksSecret } from '../schema/received.ts';
import { type Fields, toParameterText } from './fill-route.ts';

type Pairs = readonly (readonly [name: string, value: string])[];

/** The options of curl for a body of these fields, and of files by their paths: `['-F', 'avatar=@me.png']`. */
export function toBodyOptions(fields: Fields, files: Readonly<Record<string, readonly string[]>>): Pairs {
  const toParts = (flag: string, all: Fields, sign: string): Pairs =>
    Object.entries(all).flatMap(([name, value]) =>
      [value].flat().map((one: unknown) => [flag, `${name}=${sign}${toParameterText(one)}`] as const),
    );
  const parts = toParts('-F', files, '@');
  if (parts.length > 0) return [...toParts('--form-string', fields, ''), ...parts];
  const json = ['-d', JSON.stringify(fields)] as const;
  return Object.keys(fields).length === 0 ? [] : [['-H', 'content-type: application/json'], json];
}

type CurlRequest = Readonly<Record<'method' | 'url', string> & Record<'headers' | 'options', Pairs>>;

/** The command line of a request. A secret is a variable of the shell, so that it does not land in a file or a chat. */
export function toCurlText({ method, url, headers, options }: CurlRequest): string {
  const words = ['curl', ...(method === 'GET' ? [] : ['-X', method]), quote(url)];
  for (const [name, value] of headers)
    words.push('-H', looksSecret(name) ? `"${name}: $${toVariableName(name)}"` : quote(`${name}: ${value}`));
  for (const [flag, text] of options) words.push(flag, quote(text));
  return words.join(' ');
}

/** Stands for a variable of the shell until the text around it is quoted; characters that no text of others has. */
export function toVariable(name: string): string {
  return `\uE000${toVariableName(name)}\uE001`;
}

/** `x-api-key` as `X_API_KEY`. */
function toVariableName(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
}

/** In single quotes, where a shell changes nothing; a variable in double ones: `'{"password":"'"$PASSWORD"'"}'`. */
function quote(text: string): string {
  const quoted = `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return quoted.replaceAll(/\uE000(\w+)\uE001/g, `'"$$$1"'`).replace(/"''$/, '"');
}

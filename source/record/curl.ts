import {
  type CalledRoute,
  type Fields,
  type FilledRoute,
  fillRoute,
  toAddress,
  toParameterText,
  toWholeText,
} from '../../server-runtime/routing/fill-route.ts';
import { looksSecret } from '../../server-runtime/schema/received.ts';
import type { IsSecret } from '../../server-runtime/schema/secret-names.ts';
import type { Listed } from '../manifest/manifest.ts';
import {
  hasShellVariable,
  toPlainShellWord,
  toShellVariable,
  toShellWord,
} from '../terminal/shell-word.ts';
import { attempt } from '../values/attempt.ts';
import {
  type RoutedRequest,
  replacePairSecrets,
  replaceUrlSecrets,
  toSecretCheck,
} from './replace-url-secrets.ts';
import type { RequestRecord } from './request-record.ts';

interface CurlOptions {
  /** `http://localhost:3000` */
  readonly baseUrl: string;
  readonly input: unknown;
  /** A secret one is a variable of the shell, so that it lands in no file or chat: `$AUTHORIZATION`. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Paths of files by field; with them it is a form. @default none */
  readonly files?: Readonly<Record<string, readonly string[]>>;
}

/** The command line that calls a capability over HTTP with an input. */
export function toCapabilityCurl(
  capability: Pick<Listed, 'method' | 'path' | 'params'> & {
    readonly facts?: Pick<Listed['facts'], 'sent' | 'body'>;
  },
  { baseUrl, input, headers = {}, files = {} }: CurlOptions,
): string {
  const { facts } = capability;
  const {
    url,
    rest,
    headers: sent,
    whole,
  } = fillRoute({ ...capability, sent: facts?.sent, body: facts?.body }, input);
  return toCurlText({
    method: capability.method,
    url: toAddress(baseUrl, url),
    headers: Object.entries({ ...headers, ...sent }),
    options:
      facts?.body === undefined
        ? toBodyOptions(rest, files)
        : toWholeOptions(whole, facts.body, files),
  });
}

/** The options of curl for a body that is one field: its text, or the bytes of a file. */
export function toWholeOptions(
  whole: FilledRoute['whole'],
  { field, types }: NonNullable<CalledRoute['body']>,
  files: Readonly<Record<string, readonly string[]>>,
): Pairs {
  const [file] = files[field] ?? [];
  const [type = ''] = types;
  const usual = type.includes('*') ? 'application/octet-stream' : type;
  const head = ['-H', `content-type: ${usual}`] as const;
  if (file !== undefined) return [head, ['--data-binary', `@${file}`]];
  return whole === undefined ? [] : [head, ['--data-binary', toWholeText(whole)]];
}

/** Headers of one connection, those that every client sets by itself, and the id, which is new each time. */
const ownHeaders = new RegExp(
  '^(host|connection|keep-alive|upgrade|expect|te|trailer|content-length|transfer-encoding|accept-encoding|' +
    'user-agent|x-request-id|:.*)$',
  'i',
);

/** The headers of a recorded request that belong to one that repeats it; one name may occur more than once. */
export function toRepeatedHeaders({
  details,
}: Pick<RequestRecord, 'details'>): readonly (readonly [string, string])[] {
  return (details?.headers ?? []).filter(([name]) => !ownHeaders.test(name));
}

/** The command that sends a request again, with variables of the shell for its secrets. */
export function toRequestCurl(
  request: Pick<RoutedRequest, 'method' | 'url' | 'route' | 'details' | 'fields'>,
  serverUrl: string,
): string {
  const { method, details } = request;
  const isSecret = toSecretCheck(request);
  return toCurlText({
    method,
    url: serverUrl + replaceUrlSecrets(request, toShellVariable),
    headers: toRepeatedHeaders(request).filter(
      ([name, value]) => name !== 'accept' || value !== '*/*',
    ),
    options:
      details?.body === undefined
        ? []
        : [['--data-binary', replaceBodySecrets(details.body, isSecret)]],
    isSecret,
  });
}

/** JSON is written anew where it holds a secret; everything else but a form stays as it is. */
function replaceBodySecrets(body: string, isSecret: IsSecret): string {
  const value = attempt(() => JSON.parse(body) as unknown);
  if (value === undefined)
    return /^[^\s=&]+=/.test(body) ? replacePairSecrets(body, isSecret, toShellVariable) : body;
  let hasSecret = false;
  const written = JSON.stringify(value, (name, field: unknown) => {
    if (!isSecret(name) || field === null) return field;
    hasSecret = true;
    return toShellVariable(name);
  });
  return hasSecret ? written : body;
}

type Pairs = readonly (readonly [name: string, value: string])[];

/** The options of curl for a body of these fields, and of files by their paths: `['-F', 'avatar=@me.png']`. */
export function toBodyOptions(
  fields: Fields,
  files: Readonly<Record<string, readonly string[]>>,
): Pairs {
  const toParts = (flag: string, all: Fields, sign: string): Pairs =>
    Object.entries(all).flatMap(([name, value]) =>
      [value]
        .flat()
        .map((one: unknown) => [flag, `${name}=${sign}${toParameterText(one)}`] as const),
    );
  const parts = toParts('-F', files, '@');
  if (parts.length > 0) return [...toParts('--form-string', fields, ''), ...parts];
  const json = ['-d', JSON.stringify(fields)] as const;
  return Object.keys(fields).length === 0 ? [] : [['-H', 'content-type: application/json'], json];
}

type CurlRequest = Readonly<
  Record<'method' | 'url', string> & Record<'headers' | 'options', Pairs> & { isSecret?: IsSecret }
>;

/** The command line of a request. A secret is a variable of the shell, so that it does not land in a file or a chat. */
export function toCurlText({
  method,
  url,
  headers,
  options,
  isSecret = looksSecret,
}: CurlRequest): string {
  const words = ['curl'];
  if (method !== 'GET') words.push('-X', toPlainShellWord(method));
  words.push(toShellWord(url));
  for (const [name, value] of headers) {
    const sent = isSecret(name) && !hasShellVariable(value) ? toShellVariable(name) : value;
    words.push('-H', toShellWord(`${name}: ${sent}`));
  }
  for (const [flag, text] of options) words.push(flag, toShellWord(text));
  return words.join(' ');
}

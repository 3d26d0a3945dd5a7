import { looksSecret } from '../../../server-runtime/schema/looks-secret.ts';
import type { RequestHeaders } from '../run/request-headers.ts';
import type { savedCallFile } from './saved-call.ts';

export interface ToSavedFileOptions {
  readonly key: string;
  readonly input: unknown;
  readonly headers: RequestHeaders;
  readonly environment: string | undefined;
  /** The status of the last answer; undefined where there is none. */
  readonly status: number | undefined;
}

/** The file of a saved call. In place of a secret it names a variable: `password` is `${PASSWORD}`. */
export function toSavedFileText({ key, input, headers, environment, status }: ToSavedFileOptions): string {
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, toHeader(name, value)]));
  const content: Partial<Parameters<typeof savedCallFile.parse>[0] & object> = {
    call: key,
    ...(input === undefined ? {} : { input: withoutSecrets(input) }),
    ...(Object.keys(own).length === 0 ? {} : { headers: own }),
    ...(environment === undefined ? {} : { environment }),
    ...(status === undefined ? {} : { expect: { status } }),
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, looksSecret(name) ? toVariable(name) : withoutSecrets(field)]),
  );
}

/** `Bearer abc` is `Bearer ${AUTHORIZATION}`. */
function toHeader(name: string, value: string): string {
  if (!looksSecret(name) || isTemplate(value)) return value;
  const [scheme = ''] = /^[A-Za-z]+ /.exec(value) ?? [];
  return `${scheme}${toVariable(name)}`;
}

/** Whoever has written a template has written no secret. */
function isTemplate(value: string): boolean {
  return /^(?:[A-Za-z]+ )?(?:\{\{[^{}]+\}\}|\$\{\w+\})$/.test(value);
}

function toVariable(name: string): string {
  const words = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').replaceAll(/[^A-Za-z0-9]+/g, '_');
  return `\${${words.toUpperCase()}}`;
}

import { looksSecret } from '../../../../server-runtime/schema/looks-secret.ts';
import { toRepeatedHeaders } from '../../../record/repeated-headers.ts';
import { type RoutedRequest, replacePairSecrets, replaceUrlSecrets } from '../../../record/replace-url-secrets.ts';

/**
 * The command that sends a request again. A secret is a variable of the shell, so that it does not land in a file or a chat:
 * `-H "authorization: $AUTHORIZATION"`, `'{"password":"'"$PASSWORD"'"}'`.
 */
export function toRequestCurl(
  request: Pick<RoutedRequest, 'method' | 'url' | 'route' | 'details'>,
  serverUrl: string,
): string {
  const { method, details } = request;
  const headers = toRepeatedHeaders(request).filter(([name, value]) => name !== 'accept' || value !== '*/*');
  const url = serverUrl + replaceUrlSecrets(request, toVariable);
  const parts = ['curl', ...(method === 'GET' ? [] : ['-X', method]), quote(url)];
  for (const [name, value] of headers)
    parts.push('-H', looksSecret(name) ? `"${name}: $${toVariableName(name)}"` : quote(`${name}: ${value}`));
  if (details?.body !== undefined) parts.push('--data-binary', quote(replaceBodySecrets(details.body)));
  return parts.join(' ');
}

/** JSON is written anew where it holds a secret; everything else but a form stays as it is. */
function replaceBodySecrets(body: string): string {
  const value = parse(body);
  if (value === undefined) return /^[^\s=&]+=/.test(body) ? replacePairSecrets(body, toVariable) : body;
  let hasSecret = false;
  const written = JSON.stringify(value, (name, field: unknown) => {
    if (!looksSecret(name) || field === null) return field;
    hasSecret = true;
    return toVariable(name);
  });
  return hasSecret ? written : body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Stands for a variable of the shell until the text around it is quoted; characters that no text of others has. */
function toVariable(name: string): string {
  return `\uE000${toVariableName(name)}\uE001`;
}

/** `x-api-key` as `X_API_KEY`. */
function toVariableName(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
}

/** In single quotes, where a shell changes nothing; a variable in double ones. */
function quote(text: string): string {
  const quoted = `'${text.replaceAll("'", `'\\''`)}'`;
  return quoted.replaceAll(/\uE000(\w+)\uE001/g, `'"$$$1"'`).replace(/"''$/, '"');
}

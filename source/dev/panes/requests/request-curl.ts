import { looksSecret } from '../../../../server-runtime/schema/looks-secret.ts';
import { toCurlText, toVariable } from '../../../record/curl-text.ts';
import { toRepeatedHeaders } from '../../../record/repeated-headers.ts';
import { type RoutedRequest, replacePairSecrets, replaceUrlSecrets } from '../../../record/replace-url-secrets.ts';

/** The command that sends a request again, with variables of the shell for its secrets. */
export function toRequestCurl(
  request: Pick<RoutedRequest, 'method' | 'url' | 'route' | 'details'>,
  serverUrl: string,
): string {
  const { method, details } = request;
  return toCurlText({
    method,
    url: serverUrl + replaceUrlSecrets(request, toVariable),
    headers: toRepeatedHeaders(request).filter(([name, value]) => name !== 'accept' || value !== '*/*'),
    options: details?.body === undefined ? [] : [['--data-binary', replaceBodySecrets(details.body)]],
  });
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

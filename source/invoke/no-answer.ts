import { CliError, createCliError } from '../cli/cli-error.ts';
import { cliErrors } from '../cli/cli-errors.ts';
import { readProxies } from '../system/proxies.ts';
import { MissingFile } from './call-input.ts';

/** Why a server gave no answer, with what to do about it. Returns what is of the caller's making as it is. */
export function toNoAnswer(url: string, thrown: unknown): unknown {
  if (thrown instanceof CliError || thrown instanceof MissingFile) return thrown;
  const { code, message, isPlain } = readReason(thrown);
  const hint = isPlain ? undefined : findHint(code, message, url);
  return createCliError('NoAnswer', { url, reason: message }, { hint, cause: thrown });
}

function readReason(thrown: unknown) {
  const outer = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  // Each address of a name that was tried.
  const error = outer instanceof AggregateError ? (outer.errors[0] as unknown) : outer;
  const { code = '', message = '' } = Object(error) as { code?: string; message?: string };
  return {
    code: String(code),
    message: message || String(thrown),
    isPlain: !(error instanceof Error),
  };
}

/** The hint where the reason is another one than that no server runs on this machine. */
function findHint(code: string, message: string, url: string): string | undefined {
  const { hostname, protocol } = new URL(url);
  if (/SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_UNTRUSTED/.test(code))
    return 'Name the file of the certificate that signed it: NODE_EXTRA_CA_CERTS=<file.pem> capix call …';
  if (/CERT|ALTNAME/.test(code))
    return 'The server has to show a certificate that is valid for this host.';
  if (/^(?:EPROTO|ERR_SSL_)/.test(code) || /wrong version number/.test(message))
    return 'The server may speak http:// there, and no https://.';
  if (/^(?:localhost|127\.|\[::1\])/.test(hostname) || hostname.endsWith('.localhost'))
    return undefined;
  const { http, https } = readProxies();
  const proxy = protocol === 'https:' ? https : http;
  if (proxy !== undefined && /^(?:E[A-Z]+|UND_ERR)/.test(code))
    return 'The environment names a proxy, HTTP_PROXY or HTTPS_PROXY; hosts of NO_PROXY are called without it.';
  if (/ENOTFOUND|EAI_AGAIN/.test(code)) return 'Check the name of the host, and the network.';
  return 'Check host and port, and that the server runs.';
}

/** Why there is no answer, for a screen: it can choose another target. */
export function toNoAnswerText(error: unknown): string {
  if (!(error instanceof CliError)) return error instanceof Error ? error.message : String(error);
  const { code, hint, message } = error;
  const isAway = code === 'NoAnswer' && hint === cliErrors.NoAnswer.hint;
  const next = isAway ? 'Start it with capix dev, or choose another target with Ctrl-T.' : hint;
  return next === undefined ? message : `${message}\n${next}`;
}

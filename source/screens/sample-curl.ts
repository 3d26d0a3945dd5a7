import { toSampleValue } from '../document/samples/sample-value.ts';
import { findServerAddress, type ServerAddress } from '../files/dev-servers.ts';
import type { Listed } from '../manifest/manifest.ts';
import { toCapabilityCurl } from '../record/curl.ts';
import { toShellVariable } from '../terminal/shell-word.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The command line that calls a capability, with an input that looks like what its schema asks for. */
export function toSampleCurl(capability: Listed, { url }: Pick<ServerAddress, 'url'>): string {
  return toCapabilityCurl(capability, {
    baseUrl: url,
    input: toSampleValue(capability.declaredInput() ?? { json: {}, root: {} }),
    headers: toCredentialHeaders(capability.security),
  });
}

/** The headers of the first credentials that a route takes, with variables of the shell: `Bearer $TOKEN`. */
function toCredentialHeaders(security: Listed['security']): Readonly<Record<string, string>> {
  const [first = []] = security.some((choice) => choice.length === 0) ? [] : security;
  const headers = first.flatMap(({ scheme: { type, scheme, in: place, name } }) => {
    if (type === 'http' && scheme === 'basic')
      return [['authorization', `Basic ${toShellVariable('token')}`]];
    if (type === 'http' || type === 'oauth2' || type === 'openIdConnect')
      return [['authorization', `Bearer ${toShellVariable('token')}`]];
    if (place === 'header') return [[String(name), toShellVariable(String(name))]];
    return place === 'cookie'
      ? [['cookie', `${String(name)}=${toShellVariable(String(name))}`]]
      : [];
  });
  return Object.fromEntries(headers) as Record<string, string>;
}

/** The same for the server that runs now, and what it is for the notice of a copy. */
export async function readSampleCurl(
  capability: Listed,
  { root, terminal }: { readonly root: string; readonly terminal: Pick<Terminal, 'environment'> },
): Promise<{ readonly command: string; readonly what: string }> {
  const address = await findServerAddress(root, terminal);
  const what = address.isRunning
    ? 'the curl command'
    : `the curl command for ${address.url}, where no server runs,`;
  return { command: toSampleCurl(capability, address), what };
}

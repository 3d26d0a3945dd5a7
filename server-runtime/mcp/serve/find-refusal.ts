import type { IncomingHttpHeaders } from 'node:http';

export interface CallerRules {
  /** Host names, without port, under which the server may be asked for. */
  readonly hosts: ReadonlySet<string>;
  /** Origins of pages that may ask, beside pages of this machine: `https://app.example.org`. */
  readonly origins: ReadonlySet<string>;
}

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether an address that a server listens at can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Why a request is refused before it is read; undefined where it is not. A page on the internet can make a browser ask
 * this machine, under a name of its own (DNS rebinding) or with its own origin: neither is let in.
 */
export function findRefusal(headers: IncomingHttpHeaders, { hosts, origins }: CallerRules): string | undefined {
  const host = headers.host === undefined ? undefined : findHostname(`http://${headers.host}`);
  if (host === undefined || !(loopbackNames.has(host) || hosts.has(host))) {
    return `The Host '${headers.host ?? ''}' is not one of this server. Name it in allowedHosts.`;
  }
  const { origin } = headers;
  if (origin === undefined || origins.has(origin)) return undefined;
  const name = findHostname(origin);
  return name !== undefined && loopbackNames.has(name)
    ? undefined
    : `The Origin '${origin}' may not ask this server. Name it in allowedOrigins.`;
}

/** Whether a `Host` is a name or an address, and a port if any. One that is not there is refused by its name. */
export function isHost(host: string | undefined): boolean {
  return host === undefined || (!/[@/?#\\\s]/.test(host) && URL.canParse(`http://${host}`));
}

function findHostname(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

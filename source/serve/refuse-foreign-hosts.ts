import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP, type Server, type Socket } from 'node:net';
import { interceptEvents } from '../patches/intercept-events.ts';

/**
 * Refuses requests for a host that is not of this machine: a page on the internet can have its own name resolved to it
 * (DNS rebinding). `allowed` are more names of it, with a dot in front (`.example.org`) every name below.
 */
export function refuseForeignHosts(server: Server, allowed: readonly string[]): void {
  interceptEvents(server, (pass, event, details) => {
    const isRequest = event === 'request';
    if (!isRequest && event !== 'upgrade' && event !== 'connect') return pass(event, details);
    const [{ headers }, answer] = details as [IncomingMessage, ServerResponse | Socket];
    const host = headers.host ?? headers[':authority'];
    if (host === undefined || isOwnHost(String(host), allowed)) return pass(event, details);
    const why = `The host ${JSON.stringify(host)} is not one of this machine.`;
    const message = `${why} Name it in dev.allowedHosts of the settings of capix.`;
    if (isRequest)
      (answer as ServerResponse).writeHead(403, {
        'content-type': 'application/json; charset=utf-8',
      });
    answer.end(
      isRequest
        ? JSON.stringify({ error: 'Forbidden', message })
        : 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n',
    );
    return true;
  });
}

/**
 * Whether a page may ask a server whose code says nothing of origins: one of this machine, of a host that is allowed,
 * or of the server itself. `Origin: null`, of a page in a sandbox, says nothing and may not.
 */
export function isOwnOrigin(
  origin: string,
  host: string | undefined,
  allowed: readonly string[],
): boolean {
  if (!/^https?:/i.test(origin) || !URL.canParse(origin)) return false;
  const { hostname, host: own } = new URL(origin);
  return own === host?.toLowerCase() || isLoopback(hostname) || isNamed(hostname, allowed);
}

/** `127.0.0.0/8` and `::1`, as a URL has them. */
function isLoopback(hostname: string): boolean {
  return /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === '[::1]';
}

function isOwnHost(host: string, allowed: readonly string[]): boolean {
  const url = `http://${host}`;
  const name = URL.canParse(url) ? new URL(url).hostname : '';
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0 || isNamed(name, allowed);
}

function isNamed(name: string, allowed: readonly string[]): boolean {
  return ['localhost', '.localhost', ...allowed.map((each) => each.toLowerCase())].some((each) =>
    each.startsWith('.') ? name.endsWith(each) || name === each.slice(1) : name === each,
  );
}

import { EnvHttpProxyAgent } from 'undici';

const ofThisMachine = ['localhost', '.localhost', '127.0.0.1', '[::1]'];

/** The proxies that the environment names, by the variables that curl reads too. */
export function readProxies() {
  const find = (name: string): string | undefined => {
    const value = process.env[name.toLowerCase()] ?? process.env[name];
    if (!value) return undefined;
    return /^[a-z][a-z\d]*:\/\//i.test(value) ? value : `http://${value}`;
  };
  const http = find('HTTP_PROXY');
  return { http, https: find('HTTPS_PROXY') ?? http };
}

/** What sends requests, without a time limit, by the proxies of the environment, but for those to this machine. */
export function openDispatcher(): EnvHttpProxyAgent {
  const { http, https } = readProxies();
  const direct = process.env['no_proxy'] ?? process.env['NO_PROXY'] ?? '';
  return new EnvHttpProxyAgent({
    headersTimeout: 0,
    bodyTimeout: 0,
    // A proxy may open no tunnels to port 80.
    proxyTunnel: false,
    ...(http && { httpProxy: http }),
    ...(https && { httpsProxy: https }),
    noProxy: direct.trim() === '*' ? '*' : [direct, ...ofThisMachine].join(','),
  });
}

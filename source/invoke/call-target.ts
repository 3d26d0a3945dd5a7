import { type Environment, expandVariables } from '../cli/caller-values.ts';
import type { ServerAddress } from '../files/dev-servers.ts';
import { readSettings } from '../load/settings/read-settings.ts';
import { decodePlain } from '../values/attempt.ts';
import type { RequestHeaders } from './perform-call.ts';

export interface CallTarget {
  /** Says which one it is, also when the dev server has another port. */
  readonly id: string;
  /** `in this process`, `dev http://localhost:3000` */
  readonly text: string;
  /** Before what changes data: it is not of this machine's own making, and its text stands out. */
  readonly asksFirst: boolean;
  /** Undefined for a process of the tool, the same one for all calls: what one of them creates another one gets. */
  readonly url?: string;
  readonly environment?: string;
  /** Sent with every call to it, with their variables. */
  readonly headers: RequestHeaders;
}

export type Environments = Readonly<
  Record<string, { readonly url: string; readonly headers: RequestHeaders }>
>;

export interface KnownServers {
  /** The dev server that runs, or the address where one would be. */
  readonly address: ServerAddress;
  /** All dev servers of the project that run. */
  readonly devServers: readonly ServerAddress[];
  readonly environments: Environments;
}

const inProcess: CallTarget = {
  id: 'process',
  text: 'in this process',
  asksFirst: false,
  headers: {},
};

/** The targets in the order in which they are offered. A server that was found needs no guessed port. */
export function toCallTargets({
  address: { url, isRunning },
  devServers,
  environments,
}: KnownServers): readonly CallTarget[] {
  const named = Object.entries(environments).map(([environment, server]): CallTarget => {
    const text = `${environment} ${server.url}`;
    return { id: `environment ${environment}`, text, asksFirst: true, environment, ...server };
  });
  const dev: CallTarget =
    isRunning === true
      ? { id: 'dev', text: `dev ${url}`, asksFirst: false, url, headers: {} }
      : { id: 'port', text: url, asksFirst: true, url, headers: {} };
  const otherDevs = devServers
    .filter((server) => server.url !== url)
    .map((server): CallTarget => {
      const text = `dev ${server.url}`;
      return { id: text, text, asksFirst: false, url: server.url, headers: {} };
    });
  return [inProcess, dev, ...otherDevs, ...named];
}

/** The chosen target, where it is still there. Else the dev server that runs, else this process. */
export function toChosenTarget(
  targets: readonly CallTarget[],
  chosen: string | undefined,
): CallTarget {
  return (
    targets.find(({ id }) => id === chosen) ?? targets.find(({ id }) => id === 'dev') ?? inProcess
  );
}

/**
 * The environments in the settings of a project: `{"staging": {"url": "https://x.io", "headers": {"authorization":
 * "Bearer ${STAGING_TOKEN}"}}}`. Their variables are those of the file still: only a call that goes there needs them.
 *
 * @throws as `readSettings`
 */
export function readEnvironments(root: string): Environments {
  const entries = Object.entries(readSettings(root).environments).map(
    ([name, { url, headers = {} }]) => {
      const named = Object.entries(headers).map(
        ([header, text]) => [header.toLowerCase(), text] as const,
      );
      const address = toServerAddress(url);
      return [
        name,
        {
          url: address.url.replace(/\/+$/, ''),
          headers: { ...address.headers, ...Object.fromEntries(named) },
        },
      ] as const;
    },
  );
  return Object.fromEntries(entries);
}

/**
 * The headers of an environment with the values of their variables, so that no secret is in the file.
 *
 * @throws CliError `Usage` for one that is not set
 */
export function expandHeaders(
  name: string,
  headers: RequestHeaders,
  variables: Environment,
): RequestHeaders {
  const expand = ([header, text]: [string, string]) =>
    [header, expandVariables(text, variables, `environment ${name}, ${header}: `)] as const;
  return Object.fromEntries(Object.entries(headers).map(expand));
}

/**
 * The address of a server as a request names it, and what is sent to it with each one: user and password of the URL are
 * a header, as with curl. What follows `#` is for browsers.
 */
export function toServerAddress(address: string): {
  readonly url: string;
  readonly headers: RequestHeaders;
} {
  const url = address.replace(/#.*$/, '').replace(/^(https?:\/\/)[^/?]*@/i, '$1');
  if (!URL.canParse(address)) return { url, headers: {} };
  const { username, password } = new URL(address);
  if (username === '' && password === '') return { url, headers: {} };
  const caller = [username, password].map(decodePlain).join(':');
  return { url, headers: { authorization: `Basic ${Buffer.from(caller).toString('base64')}` } };
}

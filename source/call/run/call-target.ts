import { type Environment, expandVariables, UnsetVariable } from '../../cli/caller-values.ts';
import { usageError } from '../../cli/cli-error.ts';
import type { Token } from '../../kit/theme.ts';
import { readSettings } from '../../load/settings/read-settings.ts';
import type { Listed } from '../../manifest/listed.ts';
import type { ServerAddress } from '../../screens/use-server-address.ts';
import type { RequestHeaders } from './request-headers.ts';

/** The target of a call. */
export type CallTarget =
  /** A process of the tool, the same one for all calls, so that what one of them creates another one gets. */
  { readonly kind: 'process' } | ServerTarget;

export interface ServerTarget {
  /** `dev`: of `capix dev` of this project. `port`: at the port that the project would have. */
  readonly kind: 'dev' | 'port' | 'environment';
  /** `dev`; of an environment its own. */
  readonly name: string;
  /** Without a slash at its end. */
  readonly url: string;
  /** Sent with every call to it, with the values of their variables; names in lower case. */
  readonly headers: RequestHeaders;
}

/** Servers by the name of their environment, as a project has them: `{"staging": {url, headers}}`. */
export type Environments = Readonly<Record<string, Pick<ServerTarget, 'url' | 'headers'>>>;

export interface KnownServers {
  /** The dev server that runs, or the address where one would be. */
  readonly address: ServerAddress;
  readonly environments: Environments;
}

/** The targets in the order in which they are offered. A server that was found needs no guessed port. */
export function toCallTargets({ address, environments }: KnownServers): readonly CallTarget[] {
  const kind = address.isRunning === true ? 'dev' : 'port';
  const own: ServerTarget = { kind, name: kind, url: address.url, headers: {} };
  const named = Object.entries(environments).map(
    ([name, environment]): ServerTarget => ({ kind: 'environment', name, ...environment }),
  );
  return [{ kind: 'process' }, own, ...named];
}

/** The chosen target, where it is still there. Else the dev server that runs, else this process. */
export function toPickedTarget(targets: readonly CallTarget[], chosen: string | undefined): CallTarget {
  const picked = targets.find((target) => toTargetId(target) === chosen);
  return picked ?? targets.find(({ kind }) => kind === 'dev') ?? { kind: 'process' };
}

/** The one after it, round and round. */
export function toNextTarget(targets: readonly CallTarget[], current: CallTarget): CallTarget {
  const at = targets.findIndex((target) => toTargetId(target) === toTargetId(current));
  return targets[(at + 1) % targets.length] ?? current;
}

/** Keeps its meaning when the dev server has another port. */
export function toTargetId(target: CallTarget): string {
  return target.kind === 'environment' ? `environment ${target.name}` : target.kind;
}

/** `in this process`, `dev http://localhost:3000`. */
export function toTargetText(target: CallTarget): string {
  if (target.kind === 'process') return 'in this process';
  return target.kind === 'port' ? target.url : `${target.name} ${target.url}`;
}

/** The colour of its name: a server that is not of this machine's own making stands out. */
export function toTargetToken({ kind }: CallTarget): Token {
  return kind === 'process' ? 'muted' : kind === 'dev' ? 'accent' : 'warning';
}

/** Whether a call asks before it is made: it changes data that is not of this machine's own making. */
export function asksFirst({ kind }: CallTarget, { intent }: Pick<Listed['facts'], 'intent'>): boolean {
  return (kind === 'port' || kind === 'environment') && intent !== 'query';
}

export function toQuestion(target: CallTarget, { method, path }: Pick<Listed, 'method' | 'path'>): string {
  return `${method} ${path} on ${toTargetText(target)} may change data.`;
}

/**
 * The environments in the settings of a project: `{"staging": {"url": "https://…", "headers": {"authorization": "Bearer
 * ${STAGING_TOKEN}"}}}`. Their variables are those of the file still: only a call that goes there needs them.
 *
 * @throws as `readSettings`
 */
export function readEnvironments(root: string): Environments {
  const entries = Object.entries(readSettings(root).environments).map(([name, { url, headers = {} }]) => {
    const named = Object.entries(headers).map(([header, text]) => [header.toLowerCase(), text]);
    return [name, { url: url.replace(/\/+$/, ''), headers: Object.fromEntries(named) as RequestHeaders }] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * The headers of an environment with the values of their variables, so that no secret is in the file.
 *
 * @throws CliError `Usage` for one that is not set
 */
export function expandHeaders(name: string, headers: RequestHeaders, variables: Environment): RequestHeaders {
  const entries = Object.entries(headers).map(([header, text]) => {
    const [bare] = /\$[A-Z_][A-Z0-9_]*/.exec(text) ?? [];
    if (bare !== undefined) throw usageError(`environment ${name}, ${header}: write \${${bare.slice(1)}} for ${bare}`);
    try {
      return [header, expandVariables(text, variables)];
    } catch (error) {
      if (!(error instanceof UnsetVariable)) throw error;
      const told = `environment ${name}, ${header}: ${error.message}`;
      throw usageError(told, 'Set it in the shell or in an env file.');
    }
  });
  return Object.fromEntries(entries) as RequestHeaders;
}

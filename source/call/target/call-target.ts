import type { Token } from '../../kit/theme/tokens.ts';
import type { Listed } from '../../manifest/listed.ts';
import type { ServerAddress } from '../../screens/use-server-address.ts';
import type { RequestHeaders } from '../run/request-headers.ts';

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

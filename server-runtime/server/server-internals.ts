import type { GroupTree } from '../capability/group-tree.ts';
import type { Application } from './application.ts';
import type { AnyTransport } from './transport.ts';

const INTERNALS: unique symbol = Symbol.for('capix.server') as never;

/** The parts of a server that the rest of the package needs, and its users do not. */
export interface ServerInternals {
  readonly transports: readonly AnyTransport[];
  /** The application, or one of other capabilities in its place. */
  readonly appFor: (capabilities: GroupTree | undefined) => Application;
}

export function withInternals<S extends object>(server: S, internals: ServerInternals): S {
  return Object.defineProperty(server, INTERNALS, { value: internals });
}

/** @throws TypeError for what `createServer` did not make */
export function internalsOf(server: object): ServerInternals {
  const internals = (server as { readonly [INTERNALS]?: ServerInternals })[INTERNALS];
  if (internals === undefined) throw new TypeError('Expected a server made by createServer(…).');
  return internals;
}

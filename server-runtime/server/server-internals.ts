import type { GroupTree } from '../capability/group-tree.ts';
import type { Application } from './create-application.ts';
import { invokeOperation } from './invoke-operation.ts';
import type { AnyTransport, App } from './transport.ts';

const INTERNALS: unique symbol = Symbol.for('capix.server') as never;
const APPLICATION: unique symbol = Symbol.for('capix.application') as never;

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

/** The part of an application that a transport is given; those of this package find the rest by `applicationOf`. */
export function toApp(application: Application, transport: string): App {
  const { registry, logger } = application;
  const call: App['call'] = ({ remoteAddress, ...invocation }) =>
    invokeOperation(application, invocation, { transport, remoteAddress });
  return Object.defineProperty({ registry, logger, call }, APPLICATION, { value: application });
}

/** @throws TypeError for what no server handed to a transport */
export function applicationOf(app: App): Application {
  const application = (app as { readonly [APPLICATION]?: Application })[APPLICATION];
  if (application === undefined) throw new TypeError('Expected the application that a server gives to its transports.');
  return application;
}

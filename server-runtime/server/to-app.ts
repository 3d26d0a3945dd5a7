import type { Application } from './application.ts';
import { invokeOperation } from './invoke/invoke-operation.ts';
import type { App } from './transport.ts';

const APPLICATION: unique symbol = Symbol.for('capix.application') as never;

/** The part of an application that a transport is given; those of this package find the rest by `applicationOf`. */
export function toApp(application: Application, transport: string): App {
  const { registry, logger } = application;
  const app: App = {
    registry,
    logger,
    call: ({ remoteAddress, ...invocation }) => invokeOperation(application, invocation, { transport, remoteAddress }),
  };
  return Object.defineProperty(app, APPLICATION, { value: application });
}

/** @throws TypeError for what no server handed to a transport */
export function applicationOf(app: App): Application {
  const application = (app as { readonly [APPLICATION]?: Application })[APPLICATION];
  if (application === undefined) throw new TypeError('Expected the application that a server gives to its transports.');
  return application;
}

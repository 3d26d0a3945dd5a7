// The public surface of `capix/graphql`.
import type { GraphQLSchema } from 'graphql';
import type { GroupTree, KeyOf, NeedsOf } from '../capability/group-tree.ts';
import type { Uninferred } from '../errors/define-error.ts';
import { loadPackage } from '../errors/load-package.ts';
import { DOOR, type HasDoor } from '../http/http-door.ts';
import { internalsOf, type Server } from '../server/create-server.ts';
import type { Transport } from '../server/transport.ts';
import type { FieldNames } from './field-names.ts';
import type { ForeignCaller } from './foreign-calls.ts';
import { type GraphqlOptions, toGraphqlSettings } from './options.ts';

export type { ForeignCaller } from './foreign-calls.ts';
export type { GraphqlDocuments, GraphqlLimits, GraphqlOptions } from './options.ts';

type FieldsOf<Key extends string, Own> = string extends Key ? never : Exclude<Key, KeyOf<Own>>;

/**
 * Serves capabilities as GraphQL, at `/graphql` of the transport that listens and of handlers of the server. It needs
 * the package `graphql`.
 * @throws TypeError or RangeError for an invalid option
 */
export function graphqlTransport<
  const Key extends string = never,
  Own extends GroupTree = Record<never, never>,
>(
  options: GraphqlOptions<Key, Own> = {},
): Uninferred<Transport<FieldsOf<Key, Own>, NeedsOf<Own>>, Own> {
  const settings = toGraphqlSettings(options as GraphqlOptions);
  const transport: Transport & HasDoor = {
    name: 'graphql',
    needsHost: true,
    capabilities: options.capabilities,
    start: async () => ({ routes: [] }),
    stop: async () => {},
    [DOOR]: async (app) => {
      const load = () => import('./door.ts');
      const { createGraphqlDoor } = await loadPackage(['graphql'], 'graphqlTransport', load);
      return createGraphqlDoor(app, settings);
    },
  };
  return transport as Transport<string, never> as never;
}

/** The options of a schema that another server serves. */
export interface GraphqlSchemaOptions {
  /** The names of fields, by the keys of capabilities. @default `getUser` for `users.getUser` */
  readonly fields?: FieldNames | undefined;
  /** Finds the caller in the context of an operation. @default the request that yoga, Apollo and mercurius put there */
  readonly findCaller?: ((context: unknown) => ForeignCaller) | undefined;
}

/**
 * The schema of the capabilities of a server, for a server of another library: yoga, mercurius, Apollo. Needs the
 * package `graphql`. Rejects where two capabilities are one field.
 */
export async function toGraphqlSchema(
  server: Server,
  options: GraphqlSchemaOptions = {},
): Promise<GraphQLSchema> {
  const load = () => Promise.all([import('./to-schema.ts'), import('./foreign-calls.ts')] as const);
  const [{ toSchema }, calls] = await loadPackage(['graphql'], 'toGraphqlSchema', load);
  const app = internalsOf(server).appFor(undefined);
  const { fields: names = {}, findCaller = calls.findForeignCaller } = options;
  const run = calls.createForeignRun(app, findCaller);
  return toSchema({ operations: app.registry.operations, names, run }).schema;
}

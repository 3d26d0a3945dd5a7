// The public surface of `capix/graphql`.
import type { GraphQLSchema } from 'graphql';
import { loadPackage } from '../errors/load-package.ts';
import { internalsOf, type Server } from '../server/create-server.ts';
import type { FieldNames } from './field-names.ts';
import type { ForeignCaller } from './foreign-calls.ts';

export type { ForeignCaller } from './foreign-calls.ts';

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

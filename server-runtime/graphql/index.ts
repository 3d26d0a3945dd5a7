// The public surface of `capix/graphql`.
import type { GraphQLSchema } from 'graphql';
import type { GroupTree, KeyOf, LinkEnds, LinksIn, NeedsOf } from '../capability/group-tree.ts';
import type { Uninferred } from '../errors/define-error.ts';
import { loadPackage } from '../errors/load-package.ts';
import { DOOR, type HasDoor } from '../http/http-door.ts';
import { internalsOf, type Server } from '../server/create-server.ts';
import type { Transport } from '../server/transport.ts';
import type { FieldNames } from './field-names.ts';
import type { ForeignCaller } from './foreign-calls.ts';
import { expectLinks, type GraphqlLinks } from './links/link.ts';
import {
  type GraphqlOptions,
  type HasGraphqlSettings,
  SETTINGS,
  toGraphqlSettings,
  usualLimits,
} from './options.ts';

export type { ForeignCaller } from './foreign-calls.ts';
export type { GraphqlLink, GraphqlLinks } from './links/link.ts';
export { type Loader, loader } from './links/loader.ts';
export type { GraphqlDocuments, GraphqlLimits, GraphqlOptions } from './options.ts';

type FieldsOf<Key extends string, Own> = string extends Key ? never : Exclude<Key, KeyOf<Own>>;

/** What links read and send, for the compiler; those that capabilities of the transport itself fit are checked. */
type EndsOf<Links, Own> = Exclude<
  {
    [Type in keyof Links]: {
      [Field in keyof Links[Type]]: ToEnds<Links[Type][Field]>;
    }[keyof Links[Type]];
  }[keyof Links],
  LinksIn<Own>
>;
type ToEnds<Link> = Link extends readonly [
  infer Key extends string,
  (value: infer Read) => infer Sent,
]
  ? LinkEnds<Key, (value: Read) => void, NonNullable<Sent>>
  : never;

/**
 * Serves capabilities as GraphQL, at `/graphql` of the transport that listens and of handlers of the server. It needs
 * the package `graphql`.
 * @throws TypeError or RangeError for an invalid option
 */
export function graphqlTransport<
  const Key extends string = never,
  Own extends GroupTree = Record<never, never>,
  const Links extends GraphqlLinks = Record<never, never>,
>(
  options: GraphqlOptions<Key, Own, Links> = {},
): Uninferred<Transport<FieldsOf<Key, Own>, NeedsOf<Own>, EndsOf<Links, Own>>, Own> {
  const settings = toGraphqlSettings(options as GraphqlOptions);
  const transport: Transport & HasDoor & HasGraphqlSettings = {
    name: 'graphql',
    needsHost: true,
    capabilities: options.capabilities,
    [SETTINGS]: settings,
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
  /** Fields that lead from one answer to another, as for `graphqlTransport`. */
  readonly links?: GraphqlLinks | undefined;
  /** Finds the caller in the context of an operation. @default the request that yoga, Apollo and mercurius put there */
  readonly findCaller?: ((context: unknown) => ForeignCaller) | undefined;
}

/**
 * The schema of the capabilities of a server, for a server of another library: yoga, mercurius, Apollo. Needs the
 * package `graphql`. Rejects where two capabilities are one field, and where a link leads nowhere.
 */
export async function toGraphqlSchema(
  server: Server,
  options: GraphqlSchemaOptions = {},
): Promise<GraphQLSchema> {
  const load = () => Promise.all([import('./to-schema.ts'), import('./foreign-calls.ts')] as const);
  const [{ toSchema }, calls] = await loadPackage(['graphql'], 'toGraphqlSchema', load);
  const app = internalsOf(server).appFor(undefined);
  const { fields: names = {}, links = {}, findCaller = calls.findForeignCaller } = options;
  expectLinks('toGraphqlSchema links', links);
  const { operations } = app.registry;
  const run = calls.createForeignRun(app, findCaller);
  return toSchema({ operations, names, links, maxLinks: usualLimits.links, run }).schema;
}

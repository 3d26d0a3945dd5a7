// The public surface of `capix/graphql`.
import type { GraphQLSchema } from 'graphql';
import type { GroupTree, KeyOf, LinkEnds, LinksIn, NeedsOf } from '../capability/group-tree.ts';
import type { Uninferred } from '../errors/define-error.ts';
import { loadPackage } from '../errors/load-package.ts';
import { DOOR, type HasDoor } from '../http/http-door.ts';
import { applicationOf } from '../server/application.ts';
import { internalsOf, type Server } from '../server/create-server.ts';
import { replacedSignal } from '../server/dev-link.ts';
import type { Transport } from '../server/transport.ts';
import {
  type GraphqlOptions,
  type GraphqlSettings,
  type HasGraphqlSettings,
  SETTINGS,
  toGraphqlSettings,
  usualLimits,
} from './execution/options.ts';
import type { ForeignCaller } from './foreign-calls.ts';
import type { FieldNames } from './schema/field-names.ts';
import { expectLinks, type GraphqlLinks } from './schema/link.ts';
import type { GraphqlSocketDoor } from './subscriptions/socket-door.ts';

export type { GraphqlDocuments, GraphqlLimits, GraphqlOptions } from './execution/options.ts';
export type { ForeignCaller } from './foreign-calls.ts';
export { type Loader, loader } from './loader.ts';
export type { GraphqlLink, GraphqlLinks } from './schema/link.ts';

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

/** The links as `createServer` compares them with what its capabilities allow; never where there are none. */
type ToLinkSources<Ends> = [Ends] extends [never] ? never : { readonly links: Ends };

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
): Uninferred<Transport<FieldsOf<Key, Own>, NeedsOf<Own>, ToLinkSources<EndsOf<Links, Own>>>, Own> {
  const settings = toGraphqlSettings(options as GraphqlOptions);
  const transport: Transport & HasDoor & HasGraphqlSettings = {
    name: 'graphql',
    needsHost: true,
    capabilities: options.capabilities,
    [SETTINGS]: settings,
    start: async () => ({ routes: [] }),
    stop: async () => {},
    ...(settings.webSocket && createSockets(settings)),
    [DOOR]: async (app) => {
      const [{ GraphqlDoor }, { createEngine }] = await loadPackage(
        ['graphql'],
        'graphqlTransport',
        () => Promise.all([import('./door.ts'), import('./execution/engine.ts')]),
      );
      return new GraphqlDoor(createEngine(app, settings), settings.path);
    },
  };
  return transport as Transport<string, never> as never;
}

/** The parts of a transport that sends subscriptions over WebSockets, too. */
function createSockets(
  settings: GraphqlSettings,
): Required<Pick<Transport, 'start' | 'open' | 'upgrade' | 'stop'>> {
  let door: GraphqlSocketDoor | undefined;
  let replaced: AbortSignal | undefined;
  const leave = (): void => door?.leave('reload');
  return {
    start: async (app) => {
      const [{ createEngine }, { createSocketDoor }] = await loadPackage(
        ['graphql', 'ws'],
        'graphqlTransport({ webSocket: true })',
        () =>
          Promise.all([import('./execution/engine.ts'), import('./subscriptions/socket-door.ts')]),
      );
      door = createSocketDoor(createEngine(applicationOf(app), settings), settings.path);
      // Under `capix dev`, where operations that have begun are answered by the code that was replaced.
      replaced = replacedSignal();
      replaced.addEventListener('abort', leave);
      return { routes: [] };
    },
    open: () => door?.open(),
    upgrade: (request, host) => door?.upgrade(request, host),
    stop: async ({ graceMs }) => {
      replaced?.removeEventListener('abort', leave);
      await door?.stop(graceMs);
    },
  };
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
  const load = () =>
    Promise.all([import('./schema/to-schema.ts'), import('./foreign-calls.ts')] as const);
  const [{ toSchema }, calls] = await loadPackage(['graphql'], 'toGraphqlSchema', load);
  const app = internalsOf(server).appFor(undefined);
  const { fields: names = {}, links = {}, findCaller = calls.findForeignCaller } = options;
  expectLinks('toGraphqlSchema links', links);
  const { operations } = app.registry;
  const run = calls.createForeignRun(app, findCaller);
  return toSchema({ operations, names, links, maxLinks: usualLimits.links, run }).schema;
}

import type { GroupTree } from '../../capability/group-tree.ts';
import {
  expectInteger,
  expectKnownOptions,
  type OptionNames,
} from '../../errors/expect-options.ts';
import type { MaybePromise } from '../../errors/maybe-promise.ts';
import { toPrefix } from '../../routing/path-pattern.ts';
import type { FieldNames } from '../schema/field-names.ts';
import { expectLinks, type GraphqlLinks } from '../schema/link.ts';

/** The documents that a server knows: by their ids, or found by one. */
export type GraphqlDocuments =
  | Readonly<Record<string, string>>
  | ((id: string) => MaybePromise<string | undefined>);

/** The options of serving capabilities as GraphQL. `Own` are capabilities of this transport. */
export interface GraphqlOptions<
  Key extends string = string,
  Own extends GroupTree = GroupTree,
  Links extends GraphqlLinks = GraphqlLinks,
> {
  /** The path of requests, behind the prefix of the transport that listens. @default '/graphql' */
  readonly path?: string | undefined;
  /** The names of fields, by the keys of capabilities. @default `getUser` for `users.getUser` */
  readonly fields?: { readonly [K in Key]?: string } | undefined;
  /**
   * Fields that lead from one answer to another, by type and name:
   * `{ Post: { author: ['users.getUser', (post: Post) => ({ id: post.authorId })] } }`. Each is a call of its own.
   */
  readonly links?: Links | undefined;
  /** Whether callers may read the schema, and errors name what is similar. @default under `capix dev` alone */
  readonly introspection?: boolean | undefined;
  /** Documents that callers may name by an id, as `documentId` or a `sha256Hash`. @default none */
  readonly documents?: GraphqlDocuments | undefined;
  /** Whether only these are run. @default false */
  readonly onlyDocuments?: boolean | undefined;
  /** Whether it takes WebSockets of `graphql-transport-ws` at the same path. Needs the package `ws`. @default false */
  readonly webSocket?: boolean | undefined;
  /** Limits of documents. */
  readonly limits?: GraphqlLimits | undefined;
  /** Capabilities of this transport, in place of the application's. */
  readonly capabilities?: Own | undefined;
}

/** The limits of one document. */
export interface GraphqlLimits {
  /** The most fields at the root, of which each is a call. @default 30 */
  readonly calls?: number | undefined;
  /** The most fields within each other. @default 15 */
  readonly levels?: number | undefined;
  /** The most fields in all, those of fragments wherever they are spread. @default 2000 */
  readonly selections?: number | undefined;
  /** The most words and signs. @default 2000 */
  readonly tokens?: number | undefined;
  /** The most calls by links, counted while the operation runs; for a subscription, in one result. @default 1000 */
  readonly links?: number | undefined;
}

/** On what `graphqlTransport` makes: its settings, which the command-line tool reads. */
export const SETTINGS: unique symbol = Symbol.for('capix.graphql');

export interface HasGraphqlSettings {
  readonly [SETTINGS]: GraphqlSettings;
  readonly capabilities?: GroupTree | undefined;
}

export interface GraphqlSettings {
  readonly path: string;
  readonly names: FieldNames;
  readonly links: GraphqlLinks;
  readonly introspection: boolean | undefined;
  readonly findDocument: ((id: string) => MaybePromise<string | undefined>) | undefined;
  readonly onlyDocuments: boolean;
  readonly webSocket: boolean;
  readonly limits: { readonly [Name in keyof GraphqlLimits]-?: number };
}

const optionNames: OptionNames<GraphqlOptions> = {
  path: true,
  fields: true,
  links: true,
  introspection: true,
  documents: true,
  onlyDocuments: true,
  webSocket: true,
  limits: true,
  capabilities: true,
};

export const usualLimits: GraphqlSettings['limits'] = {
  calls: 30,
  levels: 15,
  selections: 2000,
  tokens: 2000,
  links: 1000,
};

/** @throws TypeError or RangeError that names the option, its value and the values that are allowed */
export function toGraphqlSettings(options: GraphqlOptions): GraphqlSettings {
  expectKnownOptions('graphqlTransport', options, optionNames);
  const {
    path = '/graphql',
    fields = {},
    links = {},
    introspection,
    documents,
    onlyDocuments = false,
    webSocket = false,
  } = options;
  const { limits = {} } = options;
  const pattern = toPrefix(path);
  if (pattern === '')
    throw new TypeError("graphqlTransport path: expected a path such as '/graphql', got '/'.");
  if (onlyDocuments && documents === undefined)
    throw new TypeError('graphqlTransport onlyDocuments: it needs documents: { id: text }.');
  expectLinks('graphqlTransport links', links);
  expectKnownOptions('graphqlTransport({limits})', limits, usualLimits);
  const named = Object.entries(limits).filter((limit) => limit[1] !== undefined);
  for (const [name, value] of named)
    expectInteger(`graphqlTransport limits.${name}`, value, { min: 1 });
  return {
    path: pattern,
    names: fields,
    links,
    introspection,
    findDocument: documents && toFinder(documents),
    onlyDocuments,
    webSocket,
    limits: { ...usualLimits, ...Object.fromEntries(named) },
  };
}

function toFinder(documents: GraphqlDocuments): NonNullable<GraphqlSettings['findDocument']> {
  if (typeof documents === 'function') return documents;
  return (id) => (Object.hasOwn(documents, id) ? documents[id] : undefined);
}

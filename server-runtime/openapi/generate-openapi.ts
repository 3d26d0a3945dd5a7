import type { GroupTree, KeyOf } from '../capability/group-tree.ts';
import type { DocsOptions } from '../http/docs-options.ts';
import { type Envelope, toEnvelope } from '../http/envelope.ts';
import type { JobObject, OpenApiDocument, OperationObject, TagObject } from '../http/openapi-document.ts';
import { type EtagKind, toEtagKind } from '../http/to-etag-kind.ts';
import { type CompiledRegistry, compileRegistry } from '../registry/compile-registry.ts';
import { findInGroups } from '../registry/group.ts';
import type { Operation } from '../registry/operation.ts';
import { type UrlCase, urlCases } from '../routing/infer-route.ts';
import type { Route, RouteOverrides } from '../routing/route.ts';
import { toRouteTable } from '../routing/route-table.ts';
import { createErrorResponses, toErrorSchema } from './error-responses.ts';
import { toInputName, toOperationId, toPaths } from './operation-id.ts';
import { createSchemaConverter, type SchemaConverter } from './schema-converter.ts';
import { createSecuritySchemes } from './security-schemes.ts';
import { type DocumentNotes, toNoted, toOperationObject, withNotes } from './to-operation-object.ts';

/** The options of the document: what it says of the API, and its routes. `Key` are the keys of `overrides`. */
export interface OpenApiOptions<Key extends string = string> extends DocsOptions {
  /** As given to `restTransport`. @default 'kebab' */
  readonly urlCase?: UrlCase | undefined;
  /** As given to `restTransport`. @default none */
  readonly prefix?: string | undefined;
  /** As given to `restTransport`. @default dataEnvelope */
  readonly envelope?: Envelope | undefined;
  /** As given to `restTransport`. @default false */
  readonly etag?: boolean | EtagKind | undefined;
  /** As given to `restTransport`. @default none */
  readonly cacheControl?: string | undefined;
  /** As given to `restTransport`. */
  readonly overrides?: RouteOverrides<Key> | undefined;
}

/**
 * The OpenAPI 3.1 document of an application, in the order of declaration, with the routes that `restTransport` serves
 * for the same `urlCase`, `prefix` and `overrides`, and the headers that it sends for the same `etag` and
 * `cacheControl`.
 *
 * @throws TypeError where the server would not start: two capabilities on one route, a bad override
 *
 * @example
 * ```ts
 * const getUser = capability(z.object({ id: z.string() }), ({ id }) => ({ id, name: 'Ada' }));
 * const document = generateOpenAPI({ users: { getUser } }, { title: 'Users', version: '1.0.0' });
 * console.log(Object.keys(document.paths)); // ['/users/{id}']
 * ```
 */
export function generateOpenAPI<Tree extends GroupTree>(
  capabilities: Tree | CompiledRegistry<Tree>,
  options: OpenApiOptions<KeyOf<NoInfer<Tree>>> = {},
): OpenApiDocument {
  const { document } = toOpenApi(compileRegistry(capabilities), options as OpenApiOptions);
  return options.edit === undefined ? document : options.edit(document);
}

/** A document, and what is not certain in it. */
export interface WrittenDocument {
  readonly document: OpenApiDocument;
  /** The components that nobody named: their names come from where they occur first. */
  readonly guessedNames: readonly string[];
}

/** The parts of a document that no server publishes. */
export interface UnpublishedParts {
  /** The capabilities that a queue runs: those who read a server's own document cannot add any. @default none */
  readonly jobs?: readonly DocumentedJob[];
  /** The facts that stand under `x-capix`, for the tool. @default none */
  readonly notes?: DocumentNotes | undefined;
  /** Whether routes that clash are written, too: the second has a number behind its path. @default false */
  readonly withClashes?: boolean;
}

/** The document before `edit`. */
export function toOpenApi(
  registry: CompiledRegistry,
  options: OpenApiOptions,
  { jobs: documented = [], notes, withClashes = false }: UnpublishedParts = {},
): WrittenDocument {
  const routes = toRoutes(registry, options, withClashes);
  const converter = createSchemaConverter(notes?.onNode);
  const envelope = toEnvelope(options.envelope);
  const errors = createErrorResponses(envelope, converter);
  const security = createSecuritySchemes();
  const caching = { hasEtag: toEtagKind(options.etag) !== undefined, cacheControl: options.cacheControl };
  const operationIds = toOperationIds(routes);
  const parts = { converter, errors, security, caching, envelope, toEnvelope: envelope.successSchema, notes };
  const bare = routes.map((route, index) => toOperationObject(route, operationIds[index] ?? '', parts));
  const jobs = toJobObjects(documented, converter, notes);
  // What is noted refers to the components that the rest has made.
  const operations = routes.map((route, index) => withNotes(bare[index] as OperationObject, route, parts));
  const tags = toTags(operations, findInGroups('text', registry.operations), options.tags);
  const { title = 'Capix API', version = '0.1.0', description, contact, license, servers = [] } = options;
  const securitySchemes = security.components();
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: {
      title,
      version,
      ...(description !== undefined && { description }),
      ...(contact !== undefined && { contact }),
      ...(license !== undefined && { license }),
    },
    servers: servers.length === 0 ? [{ url: '/' }] : servers,
    ...(tags.length === 0 ? {} : { tags }),
    paths: toPaths(routes, operations),
    ...(documented.length === 0 ? {} : { 'x-jobs': jobs }),
    components: {
      schemas: { ...converter.components, Error: toErrorSchema(envelope) },
      responses: errors.components(),
      ...(Object.keys(securitySchemes).length === 0 ? {} : { securitySchemes }),
    },
  };
  return { document, guessedNames: converter.guessedNames };
}

/** The groups in the order of declaration. */
function toTags(
  operations: readonly OperationObject[],
  declared: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, string>> = {},
): TagObject[] {
  const names = new Set(operations.flatMap((operation) => operation.tags ?? []));
  for (const name of Object.keys(texts)) {
    if (!names.has(name))
      throw new TypeError(`tags: there is no group '${name}'. Groups are ${[...names].join(', ')}.`);
  }
  const all = new Map(Object.entries({ ...declared, ...texts }));
  return [...names].map((name) => ({ name, ...(all.has(name) && { description: all.get(name) ?? '' }) }));
}

function toRoutes(
  registry: CompiledRegistry,
  { urlCase, overrides, prefix }: OpenApiOptions,
  withClashes: boolean,
): readonly Route<Operation>[] {
  if (urlCase !== undefined && !urlCases.includes(urlCase)) {
    throw new TypeError(`generateOpenAPI urlCase: expected ${urlCases.join(', ')}, got '${String(urlCase)}'.`);
  }
  const { routes, others, problems } = toRouteTable(registry.operations, { urlCase, overrides, prefix });
  const errors = problems.filter(({ severity }) => severity === 'error' && !withClashes);
  if (errors.length > 0) throw new TypeError(errors.map(({ message }) => message).join('\n'));
  return [...routes, ...others];
}

/** The ids of the second and later routes of a capability, with their method: `users_saveUser_patch`. */
function toOperationIds(routes: readonly Route<Operation>[]): readonly string[] {
  const taken = new Set<string>();
  return routes.map(({ operation: { key }, method }) => {
    const base = toOperationId(key);
    const second = `${base}_${method.toLowerCase()}`;
    let id = taken.has(base) ? second : base;
    for (let count = 2; taken.has(id); count++) id = `${second}${count}`;
    taken.add(id);
    return id;
  });
}

/** A capability that a queue runs, with how. */
export interface DocumentedJob {
  readonly operation: Operation;
  readonly settings: Omit<JobObject, 'description' | 'input'>;
}

/** The jobs by key. */
function toJobObjects(
  jobs: readonly DocumentedJob[],
  { convert }: SchemaConverter,
  notes: DocumentNotes | undefined,
): Readonly<Record<string, JobObject>> {
  const entries = jobs.map(({ operation, settings }) => {
    const { maxJobs, attempts, backoffMs, rate, repeat } = settings;
    const { schema, description } = operation.definition;
    const job: JobObject = {
      ...(description !== undefined && { description }),
      ...(schema !== undefined && { input: convert({ schema, name: toInputName(operation) }) }),
      maxJobs,
      attempts,
      backoffMs,
      ...(rate !== undefined && { rate }),
      ...(repeat !== undefined && { repeat }),
      ...toNoted(notes?.ofJob(operation)),
    };
    return [operation.key, job] as const;
  });
  return Object.fromEntries(entries);
}

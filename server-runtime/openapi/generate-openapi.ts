import type { GroupTree, KeyOf } from '../capability/group-tree.ts';
import type { SecurityScheme } from '../capability/guard.ts';
import type { DocsOptions } from '../http/docs-options.ts';
import { type Envelope, toEnvelope } from '../http/envelope.ts';
import type {
  JobObject,
  OpenApiDocument,
  OperationObject,
  ResponseObject,
  TagObject,
} from '../http/openapi-document.ts';
import { type EtagKind, toEtagKind } from '../http/to-etag-kind.ts';
import { type CompiledRegistry, compileRegistry } from '../registry/compile-registry.ts';
import { findInGroups } from '../registry/group.ts';
import type { Operation } from '../registry/operation.ts';
import { type UrlCase, urlCases } from '../routing/infer-route.ts';
import type { Route, RouteOverrides } from '../routing/route.ts';
import { toRouteTable } from '../routing/route-table.ts';
import { toErrorSchema } from './error-responses.ts';
import { toInputName, toOperationId, toPaths } from './operation-id.ts';
import { createSchemaConverter } from './schema-converter.ts';
import { createNames } from './security-schemes.ts';
import {
  type DocumentNotes,
  type DocumentParts,
  toNoted,
  toOperationObject,
  withNotes,
} from './to-operation-object.ts';

/** The options of the document: what it says of the API, and its routes. `Key` are the keys of `overrides`. */
export interface OpenApiOptions<Key extends string = string> extends DocsOptions {
  /** As given to `restTransport`, as are those below. @default 'kebab' */
  readonly urlCase?: UrlCase | undefined;
  /** @default none */
  readonly prefix?: string | undefined;
  /** @default dataEnvelope */
  readonly envelope?: Envelope | undefined;
  /** @default false */
  readonly etag?: boolean | EtagKind | undefined;
  /** @default none */
  readonly overrides?: RouteOverrides<Key> | undefined;
}

/**
 * The OpenAPI 3.1 document of an application, in the order of declaration, with the routes and headers that
 * `restTransport` has for the same options.
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

/** A capability that a queue runs, with how. */
export interface DocumentedJob {
  readonly operation: Operation;
  readonly settings: Omit<JobObject, 'description' | 'input'>;
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
  const { title = 'Capix API', version = '0.1.0', description, contact, license, servers = [] } = options;
  const routes = toRoutes(registry, options, withClashes);
  const converter = createSchemaConverter(notes?.onNode);
  const envelope = toEnvelope(options.envelope);
  const [errors, schemes] = [createNames<ResponseObject>(), createNames<SecurityScheme>()];
  const hasEtag = toEtagKind(options.etag) !== undefined;
  const parts = { converter, envelope, errors, schemes, hasEtag, notes };
  const operationIds = toOperationIds(routes);
  const bare = routes.map((route, index) => toOperationObject(route, operationIds[index] ?? '', parts));
  const jobs = documented.map((job) => [job.operation.key, toJobObject(job, parts)] as const);
  // What is noted refers to the components that the rest has made.
  const operations = routes.map((route, index) => withNotes(bare[index] as OperationObject, route, parts));
  const tags = toTags(operations, findInGroups('text', registry.operations), options.tags);
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
    ...(jobs.length === 0 ? {} : { 'x-jobs': Object.fromEntries(jobs) }),
    components: {
      schemas: { ...converter.components, Error: toErrorSchema(envelope) },
      responses: Object.fromEntries([...errors.named].sort(([one], [other]) => (one < other ? -1 : 1))),
      ...(schemes.named.size === 0 ? {} : { securitySchemes: Object.fromEntries(schemes.named) }),
    },
  };
  return { document, guessedNames: converter.guessedNames };
}

function toRoutes(
  registry: CompiledRegistry,
  { urlCase, overrides, prefix }: OpenApiOptions,
  withClashes: boolean,
): readonly Route<Operation>[] {
  if (urlCase !== undefined && !urlCases.includes(urlCase))
    throw new TypeError(`generateOpenAPI urlCase: expected ${urlCases.join(', ')}, got '${String(urlCase)}'.`);
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

function toJobObject({ operation, settings }: DocumentedJob, { converter, notes }: DocumentParts): JobObject {
  const { maxJobs, attempts, backoffMs, rate, repeat } = settings;
  const { schema, description } = operation.definition;
  return {
    ...(description !== undefined && { description }),
    ...(schema !== undefined && { input: converter.convert({ schema, name: toInputName(operation) }) }),
    maxJobs,
    attempts,
    backoffMs,
    ...(rate !== undefined && { rate }),
    ...(repeat !== undefined && { repeat }),
    ...toNoted(notes?.ofJob(operation)),
  };
}

/** The groups in the order of declaration. */
function toTags(
  operations: readonly OperationObject[],
  declared: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, string>> = {},
): TagObject[] {
  const names = new Set(operations.flatMap((operation) => operation.tags ?? []));
  const unknown = Object.keys(texts).find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new TypeError(`tags: there is no group '${unknown}'. Groups are ${[...names].join(', ')}.`);
  const all = new Map(Object.entries({ ...declared, ...texts }));
  return [...names].map((name) => ({ name, ...(all.has(name) && { description: all.get(name) ?? '' }) }));
}

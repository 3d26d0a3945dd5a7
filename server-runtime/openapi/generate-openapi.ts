import type { GroupTree, KeyOf } from '../capability/group-tree.ts';
import type { AnyGuard, SecurityScheme } from '../capability/guard.ts';
import { type Envelope, toEnvelope } from '../http/envelope.ts';
import {
  type CompiledRegistry,
  compileRegistry,
  type Operation,
} from '../registry/compile-registry.ts';
import { findInGroups } from '../registry/group.ts';
import { type UrlCase, urlCases } from '../routing/infer-route.ts';
import type { Route, RouteOverrides } from '../routing/route.ts';
import { toRouteTable } from '../routing/route-table.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { OnNode } from '../schema/to-json-schema.ts';
import type { WebSocketObject } from '../server/guests.ts';
import type { JobSettings } from '../server/job.ts';
import { addNamed, toDefined, toPaths } from './document-parts.ts';
import { toErrorSchema } from './error-responses.ts';
import type {
  DocsOptions,
  InfoObject,
  JobObject,
  OpenApiDocument,
  OperationObject,
  ResponseObject,
} from './openapi-document.ts';
import { toInputName, toOperationIds, toOperationTexts } from './operation-id.ts';
import { toBinaryFiles, toRequestParts } from './request-parts.ts';
import { toResponses } from './responses.ts';
import { createSchemaConverter, type SchemaConverter, toPart } from './schema-converter.ts';

/** The texts of the document, and the options of `restTransport` for its routes. `Key` are the keys of `overrides`. */
export interface OpenApiOptions<Key extends string = string> extends DocsOptions {
  /** @default 'kebab' */
  readonly urlCase?: UrlCase | undefined;
  /** @default none */
  readonly prefix?: string | undefined;
  /** @default dataEnvelope */
  readonly envelope?: Envelope | undefined;
  /** @default false */
  readonly etag?: boolean | undefined;
  /** @default none */
  readonly overrides?: RouteOverrides<Key> | undefined;
}

/**
 * The OpenAPI 3.1 document of an application, in the order of declaration.
 *
 * @throws TypeError where the server would not start: two capabilities on one route, a bad override
 */
export function generateOpenAPI<Tree extends GroupTree>(
  capabilities: Tree | CompiledRegistry<Tree>,
  options: OpenApiOptions<KeyOf<NoInfer<Tree>>> = {},
): OpenApiDocument {
  const { urlCase = 'kebab' } = options;
  if (!urlCases.includes(urlCase))
    throw new TypeError(
      `generateOpenAPI urlCase: expected ${urlCases.join(', ')}, got '${String(urlCase)}'.`,
    );
  return toEdited(compileRegistry(capabilities), options as OpenApiOptions);
}

/** The document after `edit`. */
export function toEdited(
  registry: CompiledRegistry,
  options: OpenApiOptions,
  parts: FurtherParts = {},
): OpenApiDocument {
  const { document } = toOpenApi(registry, options, parts);
  return options.edit === undefined ? document : options.edit(document);
}

/**
 * `guessedNames` are the components without a name of their author: their names come from the place where they occur
 * first.
 */
export type WrittenDocument = { readonly document: OpenApiDocument } & Pick<
  SchemaConverter,
  'guessedNames'
>;

/** The facts that stand under `x-capix`, for the tool. */
export interface DocumentNotes {
  /** Called with every schema. Keywords that begin with `x-capix-` and that it adds to `json` stay in the document. */
  readonly onNode: OnNode;
  readonly ofRoute: (route: Route<Operation>, nameOf: (scheme: SecurityScheme) => string) => object;
  readonly ofJob: (operation: Operation) => object;
}

/** A capability that a queue runs. */
interface UnpublishedJob {
  readonly operation: Operation;
  readonly settings: JobSettings;
}

/** The parts of a document that capabilities do not say: jobs and notes are published by no server. */
interface FurtherParts {
  readonly webSockets?: readonly WebSocketObject[] | undefined;
  readonly jobs?: readonly UnpublishedJob[];
  readonly notes?: DocumentNotes | undefined;
  /** Whether routes that clash are written, too: the second has a number behind its path. */
  readonly withClashes?: boolean;
}

/** The parts that the operations of one document have in common. */
export interface DocumentParts {
  readonly converter: SchemaConverter;
  readonly envelope: Envelope;
  readonly errors: Map<string, ResponseObject>;
  readonly schemes: Map<string, SecurityScheme>;
  readonly hasEtag: boolean;
}

/** The document before `edit`. */
export function toOpenApi(
  registry: CompiledRegistry,
  options: OpenApiOptions,
  { jobs = [], webSockets = [], notes, withClashes = false }: FurtherParts = {},
): WrittenDocument {
  const { routes: first, others, problems } = toRouteTable(registry.operations, options);
  const errors = problems.filter(({ severity }) => severity === 'error' && !withClashes);
  if (errors.length > 0) throw new TypeError(errors.map(({ message }) => message).join('\n'));
  const routes = [...first, ...others];
  const converter = createSchemaConverter(notes?.onNode);
  const parts: DocumentParts = {
    converter,
    envelope: toEnvelope(options.envelope),
    errors: new Map(),
    schemes: new Map(),
    hasEtag: options.etag === true,
  };
  const operationIds = toOperationIds(routes);
  const bare = routes.map((route, index) =>
    toOperationObject(route, operationIds[index] ?? '', parts),
  );
  const jobObjects = jobs.map((job) => [job.operation.key, toJobObject(job, notes, converter)]);
  const error = toErrorSchema(parts);
  const guessedNames = [...converter.guessedNames];
  const published = new Set(Object.keys(converter.components));
  // The notes refer to components that the document has. Components that only the notes need are notes, too.
  const operations = routes.map((route, index) => {
    return { ...(bare[index] as OperationObject), ...(notes && toNotes(route, notes, parts)) };
  });
  for (const [name, json] of Object.entries(converter.components))
    if (!published.has(name)) json['x-capix-note'] = true;
  const tags = toTags(operations, findInGroups('text', registry.operations), options.tags);
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: toInfo(options),
    servers: options.servers?.length ? options.servers : [{ url: '/' }],
    ...(tags.length > 0 && { tags }),
    paths: toPaths(routes, operations),
    ...toExtensions(Object.fromEntries(jobObjects), webSockets),
    components: toComponents(parts, error),
  };
  return { document, guessedNames };
}

/** The extensions, each only where there is something that it names. */
function toExtensions(
  jobs: NonNullable<OpenApiDocument['x-jobs']>,
  webSockets: readonly WebSocketObject[],
): Partial<OpenApiDocument> {
  return {
    ...(webSockets.length > 0 && { 'x-websockets': webSockets }),
    ...(Object.keys(jobs).length > 0 && { 'x-jobs': jobs }),
  };
}

function toComponents(
  { converter, errors, schemes }: DocumentParts,
  error: JsonSchema,
): OpenApiDocument['components'] {
  const sorted = [...errors].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    schemas: { ...converter.components, Error: error },
    responses: Object.fromEntries(sorted),
    ...(schemes.size > 0 && { securitySchemes: Object.fromEntries(schemes) }),
  };
}

function toInfo(options: OpenApiOptions): InfoObject {
  const { title = 'Capix API', version = '0.1.0', description, contact, license } = options;
  return toDefined<InfoObject>({ title, version, description, contact, license });
}

function toJobObject(
  { operation, settings }: UnpublishedJob,
  notes: DocumentNotes | undefined,
  converter: SchemaConverter,
): JobObject {
  const { schema, description } = operation.definition;
  const input = schema && converter.convert({ schema, name: toInputName(operation) });
  const facts = { ...settings, 'x-capix': notes?.ofJob(operation) };
  return toDefined<JobObject>({ description, input, ...facts });
}

function toOperationObject(
  route: Route<Operation>,
  operationId: string,
  parts: DocumentParts,
): OperationObject {
  const { groups, definition } = route.operation;
  const request = toRequestParts(route, parts.converter);
  return {
    operationId,
    ...(groups.length > 0 && { tags: [groups.join('.')] }),
    ...toOperationTexts(route.operation),
    ...(definition.deprecation !== undefined && { deprecated: true }),
    ...request,
    responses: toResponses(route, request, parts),
    security: toSecurity(definition.guards, parts.schemes),
  };
}

/** Credentials that are sent together, each with its scopes. */
type Requirement = Readonly<Record<string, readonly string[]>>;

/** The choices of credentials with which a caller passes all of these guards; `[]` where no guard declares any. */
function toSecurity(
  guards: readonly AnyGuard[],
  schemes: Map<string, SecurityScheme>,
): readonly Requirement[] {
  const [first = [], ...others] = guards.flatMap(({ security, scopes, isOptional }) => {
    if (security.length === 0) return [];
    const choices = security.map((scheme): Requirement => {
      const hasScopes = scheme.type === 'oauth2' || scheme.type === 'openIdConnect';
      return { [toSchemeName(scheme, schemes)]: hasScopes ? scopes : [] };
    });
    return [isOptional ? [...choices, {}] : choices];
  });
  return others.reduce(
    (choices, more) => choices.flatMap((one) => more.map((other) => join(one, other))),
    first,
  );
}

/** Two guards may ask for scopes of one credential. */
function join(one: Requirement, other: Requirement): Requirement {
  const shared = Object.entries(other).map(([name, scopes]) => [
    name,
    [...new Set([...(one[name] ?? []), ...scopes])],
  ]);
  return { ...one, ...(Object.fromEntries(shared) as Requirement) };
}

function toSchemeName(scheme: SecurityScheme, schemes: Map<string, SecurityScheme>): string {
  const word =
    scheme.type === 'http' ? scheme.scheme.toLowerCase().replace(/[^\w.-]/g, '_') : scheme.type;
  return addNamed(
    schemes,
    scheme.type === 'http' || scheme.type === 'apiKey' ? `${word}Auth` : word,
    scheme,
  );
}

/** The notes on an operation, with its whole input, which is not made a component. */
function toNotes(
  route: Route<Operation>,
  notes: DocumentNotes,
  { converter, schemes }: DocumentParts,
): object {
  const noted = notes.ofRoute(route, (scheme) => toSchemeName(scheme, schemes));
  const { schema } = route.operation.definition;
  if (schema === undefined) return { 'x-capix': noted };
  const json = toBinaryFiles(toPart(converter.describe(schema)));
  const input = converter.write(json, { schema, name: toInputName(route.operation) });
  return { 'x-capix': { ...noted, input } };
}

/** The groups in the order of declaration. */
function toTags(
  operations: readonly OperationObject[],
  declared: Readonly<Record<string, string>>,
  texts: Readonly<Record<string, string>> = {},
): NonNullable<OpenApiDocument['tags']> {
  const names = new Set(operations.flatMap((operation) => operation.tags ?? []));
  const unknown = Object.keys(texts).find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new TypeError(
      `tags: there is no group '${unknown}'. Groups are ${[...names].join(', ')}.`,
    );
  const all = new Map(Object.entries({ ...declared, ...texts }));
  return [...names].map((name) => ({
    name,
    ...(all.has(name) && { description: all.get(name) ?? '' }),
  }));
}

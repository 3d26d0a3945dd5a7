import type { ContentKind } from '../../server-runtime/capability/answers/content.ts';
import type {
  OpenApiDocument,
  OperationObject,
  SchemaObject,
} from '../../server-runtime/http/document/openapi-document.ts';
import { type Envelope, toEnvelope } from '../../server-runtime/http/envelope.ts';
import { type OpenApiOptions, toOpenApi, type WrittenDocument } from '../../server-runtime/openapi/generate-openapi.ts';
import { toOperationId } from '../../server-runtime/openapi/operation-id.ts';
import type { DocumentedJob } from '../../server-runtime/openapi/to-job-objects.ts';
import type { Operation } from '../../server-runtime/registry/operation.ts';
import { createCliError } from '../cli/errors/cli-error.ts';
import { toDocumentFacts, toDocumentNotes } from '../document/document-notes.ts';
import { FACTS } from '../document/facts.ts';
import type { SharedRestOptions } from '../document/parse-rest-options.ts';
import { toPublished } from '../document/to-published.ts';
import { findField, findRequiredField } from '../shape/find-field.ts';
import { toShape } from '../shape/read/to-shape.ts';
import type { Shape } from '../shape/shape.ts';
import type { LoadedRegistry } from './loaded-registry.ts';

/** The HTTP API of a project: what documents and clients are written from. */
export interface ApiDescription {
  /** With everything that `readOperations` reads: {@link toPublishedDocument} gives the one for callers. */
  readonly document: OpenApiDocument;
  /** The components that nobody named. */
  readonly guessedNames: readonly string[];
  /** The JSON around data and errors. */
  readonly envelope: Envelope;
  /** The endpoints in the order of declaration. */
  readonly endpoints: readonly Endpoint[];
}

/** One capability, as it was declared and as the document describes it. */
export interface Endpoint {
  readonly operation: Operation;
  readonly method: string;
  /** `/users/{id}` */
  readonly path: string;
  readonly object: OperationObject;
}

/**
 * Describes the API that the project's server has: its `restOptions` count, unless `options` say otherwise.
 *
 * @throws CliError `InvalidRoutes` where the server would not start
 */
export function describeApi(
  { registry, restOptions, jobs }: Pick<LoadedRegistry, 'registry' | 'restOptions' | 'jobs'>,
  options: OpenApiOptions = {},
): ApiDescription {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const all = { ...restOptions.docs, ...restOptions, ...given };
  const written = expectRoutes(() =>
    toOpenApi(registry, all, { jobs: toDocumentedJobs(jobs), notes: toDocumentNotes() }),
  );
  const { guessedNames } = written;
  const document = { ...written.document, [FACTS]: toDocumentFacts(all, jobs?.prefixes) };
  const places = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, object]) => [object.operationId, { method: method.toUpperCase(), path, object }] as const,
    ),
  );
  const placeOf = new Map(places);
  const endpoints = registry.operations.flatMap((operation): Endpoint[] => {
    const place = placeOf.get(toOperationId(operation.key));
    return place === undefined ? [] : [{ operation, ...place }];
  });
  return { document, guessedNames, endpoints, envelope: toEnvelope(restOptions.envelope) };
}

function toDocumentedJobs(jobs: LoadedRegistry['jobs']): readonly DocumentedJob[] {
  return (jobs?.registry.operations ?? []).flatMap((operation) => {
    const settings = jobs?.settings.get(operation.key);
    return settings === undefined ? [] : [{ operation, settings }];
  });
}

/** An error that the document lists for an operation. */
export interface ListedError {
  /** HTTP status, as text. */
  readonly status: string;
  readonly name: string;
  /** The meta that it carries besides its message, where that is declared. */
  readonly meta?: Shape;
}

/** The errors of an operation, in the order of their statuses. */
export function findErrors({ responses }: OperationObject, document: OpenApiDocument): readonly ListedError[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    if (!('$ref' in response)) return [];
    const target = document.components.responses[response.$ref.slice('#/components/responses/'.length)];
    if (target?.['x-error-names'] !== undefined) return target['x-error-names'].map((name) => ({ status, name }));
    const whole = toShape(target?.content?.['application/json']?.schema, document);
    // Each part for itself: what the envelope says of any meta adds nothing to that of one error.
    return toParts(whole).flatMap((part) => toListedErrors(status, part));
  });
}

function toParts(shape: Shape): readonly Shape[] {
  if (shape.kind === 'intersection') return shape.parts.flatMap(toParts);
  return shape.kind === 'tagged union' ? shape.variants.map((variant) => variant.shape) : [shape];
}

function toListedErrors(status: string, shape: Shape): readonly ListedError[] {
  const error = findField(shape, 'error');
  const meta = findRequiredField(shape, 'meta');
  const names = error?.kind === 'literal' ? error.values.map(String) : [];
  return names.map((name) => ({ status, name, ...(meta === undefined ? {} : { meta }) }));
}

/** One of the answers of an operation. */
export interface ListedAnswer {
  /** HTTP status, as text. */
  readonly status: string;
  readonly kind: ContentKind;
  /** The shape of the data, out of its envelope, or of each item; undefined where there is none. */
  readonly shape: Shape | undefined;
}

/** The facts by which clients read the answers of an API. */
type Described = Pick<ApiDescription, 'document' | 'envelope'>;

/** The answers of an operation that succeeds; without a declaration any data. */
export function findAnswers({ operation, object }: Endpoint, described: Described): readonly ListedAnswer[] {
  const { answers } = operation.definition;
  if (answers.length === 0) return [{ status: '200', kind: 'data', shape: { kind: 'any' } }];
  return answers.map(({ status, kind }) => {
    const response = object.responses[String(status)];
    const [media] = response === undefined || '$ref' in response ? [] : Object.values(response.content ?? {});
    return { status: String(status), kind, shape: media && findContentShape(kind, media.schema, described) };
  });
}

function findContentShape(
  kind: ContentKind,
  schema: SchemaObject,
  { document, envelope }: Described,
): Shape | undefined {
  if (kind === 'stream') return toShape(schema['contentSchema'] as SchemaObject, document);
  if (kind !== 'data') return undefined;
  const whole = toShape(schema, document);
  return envelope.dataPath.reduce<Shape | undefined>((shape, name) => shape && findField(shape, name), whole);
}

function expectRoutes(write: () => WrittenDocument): WrittenDocument {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw createCliError('InvalidRoutes', { reason: error.message }, { cause: error });
  }
}

/**
 * The document as the project publishes it, after `edit` of its `restOptions.docs`.
 *
 * @throws CliError `InvalidEdit` where that throws
 */
export function toPublishedDocument(
  { document }: Pick<ApiDescription, 'document'>,
  { docs }: Pick<SharedRestOptions, 'docs'>,
): OpenApiDocument {
  const published = toPublished(document);
  if (docs?.edit === undefined) return published;
  try {
    return docs.edit(published);
  } catch (cause) {
    throw createCliError('InvalidEdit', { reason: cause instanceof Error ? cause.message : String(cause) }, { cause });
  }
}

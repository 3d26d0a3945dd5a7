import type { SecurityScheme } from '../../server-runtime/capability/guard.ts';
import { findWholeBody } from '../../server-runtime/capability/http.ts';
import { findKeyRule } from '../../server-runtime/enhancers/with-idempotency.ts';
import type { ErrorFactory } from '../../server-runtime/errors/define-error.ts';
import type { CorsOptions } from '../../server-runtime/http/cors.ts';
import { toEnvelope } from '../../server-runtime/http/envelope.ts';
import { toMultipartLimits } from '../../server-runtime/input/multipart-limits.ts';
import type { DocumentNotes } from '../../server-runtime/openapi/generate-openapi.ts';
import type { Operation } from '../../server-runtime/registry/compile-registry.ts';
import type { Route } from '../../server-runtime/routing/route.ts';
import { isZodSchema } from '../../server-runtime/schema/schema.ts';
import { FACTS_VERSION, type SourceFacts } from './facts.ts';
import type { SharedRestOptions } from './parse-rest-options.ts';
import { noteChecks, toForeignChecks } from './to-schema-json.ts';

/** `x-capix` of a document: what holds for the whole API. `queuePrefixes`: undefined without a queue. */
export function toDocumentFacts(
  options: SharedRestOptions,
  queuePrefixes: readonly string[] | undefined,
) {
  const {
    urlCase = 'kebab',
    prefix = '',
    envelope,
    cors = {},
    calls = false,
    timeoutMs,
    etag,
  } = options;
  const { dataField, failure, failureType, validationStatus } = toEnvelope(envelope);
  return defined({
    version: FACTS_VERSION,
    urlCase,
    prefix,
    envelope: {
      /** The field that holds the data; false where it is sent bare. */
      dataField,
      /** Whether the application writes the body of an error itself. */
      isOwnError: failure !== undefined,
      errorType: failureType,
      validationStatus,
    },
    bodyLimits: toBodyLimits(options),
    cors: cors === false ? (false as const) : toCorsFacts(cors),
    /** Whether calls are taken by their keys, as the inferred client sends them. */
    calls,
    timeoutMs,
    etag: etag === true ? true : undefined,
    queuePrefixes,
  });
}

/** Bytes. */
const DEFAULT_BODY_SIZE = 1024 * 1024;

/** The limits of what a request may send, with the defaults of the server where the document has none. */
function toBodyLimits({ maxBodySize = DEFAULT_BODY_SIZE, multipart }: SharedRestOptions) {
  if (multipart === false) return { maxBodySize, forms: undefined };
  const { allowedMimeTypes: _types, ...forms } = toMultipartLimits(multipart);
  return { maxBodySize, forms };
}

function toCorsFacts({
  origin = '*',
  credentials = false,
  exposeHeaders,
  ...options
}: CorsOptions) {
  const {
    methods = 'GET, POST, PATCH, PUT, DELETE, OPTIONS',
    headers = 'Content-Type, Authorization',
  } = options;
  return {
    origin: typeof origin === 'string' ? origin : '(function)',
    methods,
    headers,
    exposeHeaders,
    credentials,
  };
}

/** The facts that a project knows of an operation beside what it declares. */
export type ToPlace = (operation: Operation) => {
  readonly source?: SourceFacts;
  readonly graphqlField?: string;
};

/** The facts that `toOpenApi` writes under `x-capix` of each operation and job. */
export function toDocumentNotes(toPlace: ToPlace = () => ({})): DocumentNotes {
  const known = new Set<Operation>();
  const toMore = (operation: Operation): object => {
    const { schema } = operation.definition;
    const inputChecks =
      schema === undefined || isZodSchema(schema) ? undefined : toForeignChecks(schema);
    return { ...(inputChecks && { inputChecks }), ...toPlace(operation) };
  };
  return {
    onNode: noteChecks,
    ofRoute: (route, nameOf) => {
      const { operation } = route;
      if (known.has(operation)) return toOtherRouteFacts(route);
      known.add(operation);
      return { ...toRouteFacts(route, nameOf), ...toMore(operation) };
    },
    ofJob: (operation) => ({ ...toOperationFacts(operation), ...toMore(operation) }),
  };
}

type NameOf = (scheme: SecurityScheme) => string;

/** `x-capix` of an operation at its first route; without `nameOf` its guards name no credentials. */
export function toRouteFacts({ operation, rule, path }: Route<Operation>, nameOf?: NameOf) {
  const { schema, sent, body, maxBodySize, cacheControl, tool } = operation.definition;
  const whole = findWholeBody(schema, body);
  return defined({
    ...toOperationFacts(operation, nameOf),
    rule,
    /** The parameter that takes the rest of the path. */
    wildcard: findWildcard(path),
    sent: toFilled(sent),
    /** The field that is the whole body, and its media types. */
    body: whole && { field: whole.field, types: whole.types },
    /** The longest body, bytes; missing where it is that of the server. */
    maxBodySize,
    /** Whether calls may carry an `Idempotency-Key`, or must; missing where they carry none. */
    idempotencyKey: findKeyRule(operation),
    cacheControl,
    /** The tool that agents see; `false` hides it from them. */
    tool,
    offers: toOffers(operation),
  });
}

/** `x-capix` of an operation at its second and later routes: the rest stands at the first. */
export function toOtherRouteFacts({ operation: { key }, path }: Route<Operation>) {
  return defined({ key, isOther: true, wildcard: findWildcard(path) });
}

/** The name of the parameter that takes the rest of the path. */
function findWildcard(path: string): string | undefined {
  return /\/\*(\w+)$/.exec(path)?.[1];
}

/** `x-capix` of an operation or a job, however it is called. A job has no credentials: it has no route. */
export function toOperationFacts(operation: Operation, nameOf?: NameOf) {
  const { key, intent, declaredIntent, fields, timeoutMs, definition } = operation;
  const { guards, inputGuards, enhancers, errors, answers, description, deprecation } = definition;
  return defined({
    key,
    intent,
    /** As declared; missing where the name alone decides. */
    declaredIntent,
    guards: guards.map(({ name, errors: declared, security, scopes, isOptional, params }) => ({
      name,
      /** The parameters of the path that it reads. */
      params: toFilled(params),
      errors: toErrorFacts(declared),
      /** Names among the `securitySchemes` of the document; any one of them does. */
      credentials: nameOf && toFilled(security.map(nameOf)),
      scopes: toFilled(scopes),
      isOptional: isOptional ? true : undefined,
    })),
    inputGuards: inputGuards.map(({ name, errors: declared }) => ({
      name,
      errors: toErrorFacts(declared),
    })),
    enhancers: enhancers.map((enhancer) => {
      const { name, settings, errors: declared } = enhancer;
      // An enhancer of the application has no kind, whatever its name.
      return { name, kind: enhancer.kind, settings, errors: toErrorFacts(declared) };
    }),
    /** The errors that the capability itself declares; those of guards and enhancers stand with them. */
    errors: toErrorFacts(errors),
    /** In the order of declaration, that of a plain value first; empty where nothing is declared. */
    answers: answers.map((answer) => {
      const { status, kind, contentTypes } = answer;
      return { status, kind, contentTypes, description: answer.description };
    }),
    description,
    deprecation,
    timeoutMs,
    /** Missing where the input is not an object schema. */
    inputFields: fields && [...fields.keys()],
  });
}

function toErrorFacts(errors: readonly ErrorFactory[]) {
  return errors.map(({ status, errorName }) => ({ name: errorName, status }));
}

function toOffers({ key, definition: { resources, prompt } }: Operation) {
  if (resources.length === 0 && prompt === undefined) return undefined;
  const own = key.replaceAll('.', '_');
  return {
    resources: resources.map(({ uri, name = own }) => ({ uri, name })),
    prompt: prompt && (prompt.name ?? own),
  };
}

function toFilled<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** JSON has no undefined, at any depth. */
export function defined<T>(value: T): T {
  if (Array.isArray(value)) return value.map((inner: unknown) => defined(inner)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter((entry) => entry[1] !== undefined);
  return Object.fromEntries(entries.map(([name, inner]) => [name, defined<unknown>(inner)])) as T;
}

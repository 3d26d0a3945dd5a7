import { innerPartsOf } from '../../server-runtime/capability/enhancer.ts';
import type { SecurityScheme } from '../../server-runtime/capability/guard.ts';
import { findKeyRule } from '../../server-runtime/enhancers/with-idempotency.ts';
import type { ErrorFactory } from '../../server-runtime/errors/define-error.ts';
import { toEnvelope } from '../../server-runtime/http/envelope.ts';
import { toEtagKind } from '../../server-runtime/http/to-etag-kind.ts';
import { toMultipartLimits } from '../../server-runtime/input/multipart-limits.ts';
import type { DocumentNotes } from '../../server-runtime/openapi/to-operation-object.ts';
import type { Operation } from '../../server-runtime/registry/operation.ts';
import type { CorsOptions } from '../../server-runtime/rest/cors-settings.ts';
import type { Route } from '../../server-runtime/routing/route.ts';
import { isZodSchema } from '../../server-runtime/schema/schema.ts';
import {
  type BodyLimits,
  type DocumentFacts,
  type ErrorName,
  FACTS_VERSION,
  type OperationFacts,
  type OtherRouteFacts,
  type RouteFacts,
} from './facts.ts';
import { noteChecks, toForeignChecks } from './note-checks.ts';
import type { SharedRestOptions } from './parse-rest-options.ts';

/** `x-capix` of the whole document. */
export function toDocumentFacts(
  options: SharedRestOptions,
  queuePrefixes: readonly string[] | undefined,
): DocumentFacts {
  const { urlCase = 'kebab', prefix = '', envelope, cors = {}, calls = false, timeoutMs, etag, cacheControl } = options;
  const { dataPath, successSchema, failure, failureType, validationStatus } = toEnvelope(envelope);
  return defined({
    version: FACTS_VERSION,
    urlCase,
    prefix,
    envelope: {
      dataPath,
      success: successSchema({}),
      isOwnError: failure !== undefined,
      errorType: failureType,
      validationStatus,
    },
    bodyLimits: toBodyLimits(options),
    cors: cors === false ? false : toCorsFacts(cors),
    calls,
    timeoutMs,
    etag: toEtagKind(etag) === undefined ? undefined : true,
    cacheControl,
    queuePrefixes,
  });
}

/** Bytes. */
const DEFAULT_BODY_SIZE = 1024 * 1024;

/** The limits of what a request may send, with the defaults of the server where nothing is said. */
function toBodyLimits({ maxBodySize = DEFAULT_BODY_SIZE, multipart }: SharedRestOptions): BodyLimits {
  if (multipart === false) return { maxBodySize };
  const { maxFileSize, maxFiles, maxFieldsSize, maxParts } = toMultipartLimits(multipart);
  return { maxBodySize, forms: { maxFileSize, maxFiles, maxFieldsSize, maxParts } };
}

function toCorsFacts({ origin = '*', credentials = false, exposeHeaders, ...options }: CorsOptions) {
  const { methods = 'GET, POST, PATCH, PUT, DELETE, OPTIONS', headers = 'Content-Type, Authorization' } = options;
  return { origin: typeof origin === 'string' ? origin : '(function)', methods, headers, exposeHeaders, credentials };
}

/** The facts that a project knows of an operation beside what it declares. */
export type ToPlace = (operation: Operation) => Pick<RouteFacts, 'source'>;

/** The facts that `toOpenApi` writes under `x-capix` of each operation and job. */
export function toDocumentNotes(toPlace: ToPlace = () => ({})): DocumentNotes {
  const known = new Set<Operation>();
  const toMore = (operation: Operation): object => {
    const { schema } = operation.definition;
    const inputChecks = schema === undefined || isZodSchema(schema) ? undefined : toForeignChecks(schema);
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
export function toRouteFacts({ operation, rule, segments }: Route<Operation>, nameOf?: NameOf): RouteFacts {
  const { request, cacheControl, tool } = operation.definition;
  return defined({
    ...toOperationFacts(operation, nameOf),
    rule,
    wildcard: findWildcard(segments),
    sent: toFilled(request.sent),
    idempotencyKey: findKeyRule(operation),
    cacheControl,
    tool,
    offers: toOffers(operation),
  });
}

/** `x-capix` of an operation at its second and later routes. */
export function toOtherRouteFacts({ operation: { key }, segments }: Route<Operation>): OtherRouteFacts {
  return defined({ key, isOther: true, wildcard: findWildcard(segments) });
}

/** The name of the parameter that takes the rest of the path. */
function findWildcard(segments: Route<Operation>['segments']): string | undefined {
  const last = segments.at(-1);
  return last !== undefined && 'param' in last && last.isRest === true ? last.param : undefined;
}

/** A job has no credentials: nobody calls it from outside. */
export function toOperationFacts(operation: Operation, nameOf?: NameOf): OperationFacts {
  const { key, intent, declaredIntent, fields, timeoutMs, definition } = operation;
  const { guards, inputGuards, enhancers, errors, answers, description, deprecation } = definition;
  return defined({
    key,
    intent,
    declaredIntent,
    guards: guards.map(({ name, errors: declared, security, alternatives, scopes, isOptional }) => ({
      name,
      errors: toErrorFacts(declared),
      credentials: security && nameOf && [security, ...alternatives].map(nameOf),
      scopes: toFilled(scopes),
      isOptional: isOptional ? true : undefined,
    })),
    inputGuards: inputGuards.map(({ name, errors: declared }) => ({ name, errors: toErrorFacts(declared) })),
    enhancers: enhancers.map((enhancer) => {
      const { name, settings, errors: declared } = enhancer;
      return { name, kind: innerPartsOf(enhancer).kind, settings, errors: toErrorFacts(declared) };
    }),
    errors: toErrorFacts(errors),
    answers: answers.map(({ status, kind, contentTypes, description: told }) => {
      return { status, kind, contentTypes, description: told };
    }),
    description,
    deprecation,
    timeoutMs,
    inputFields: fields && [...fields.keys()],
  });
}

function toErrorFacts(errors: readonly ErrorFactory[]): readonly ErrorName[] {
  return errors.map(({ status, errorName }) => ({ name: errorName, status }));
}

function toOffers({ key, definition: { offers } }: Operation): unknown {
  const { resources, prompt } = offers;
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
export function defined<T>(value: unknown): T {
  if (Array.isArray(value)) return value.map(defined) as T;
  if (typeof value !== 'object' || value === null) return value as T;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([name, inner]) => [name, defined(inner)])) as T;
}

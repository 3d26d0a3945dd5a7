import type { Content } from '../../server-runtime/capability/content.ts';
import { type AnyEnhancer, innerPartsOf } from '../../server-runtime/capability/enhancer.ts';
import type { Guard, SecurityScheme } from '../../server-runtime/capability/guard.ts';
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
  type AgentOffers,
  type AnswerFacts,
  type BodyLimits,
  type CorsFacts,
  type DocumentFacts,
  type EnhancerFacts,
  type ErrorName,
  FACTS_VERSION,
  type GuardFacts,
  type OperationFacts,
  type OtherRouteFacts,
  type RouteFacts,
  type StepFacts,
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
  return defined<DocumentFacts>({
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

function toCorsFacts({ origin = '*', credentials = false, exposeHeaders, ...options }: CorsOptions): CorsFacts {
  const { methods = 'GET, POST, PATCH, PUT, DELETE, OPTIONS', headers = 'Content-Type, Authorization' } = options;
  const text = typeof origin === 'string' ? origin : '(function)';
  return defined<CorsFacts>({ origin: text, methods, headers, exposeHeaders, credentials });
}

/** The facts that a project knows of an operation beside what it declares. */
export type ToPlace = (operation: Operation) => Pick<RouteFacts, 'source'>;

/** The facts that `toOpenApi` writes under `x-capix` of each operation and job. */
export function toDocumentNotes(toPlace: ToPlace = () => ({})): DocumentNotes {
  const known = new Set<Operation>();
  return {
    onNode: noteChecks,
    ofRoute: (route, nameOf) => {
      const { operation, segments } = route;
      if (known.has(operation))
        return defined<OtherRouteFacts>({ key: operation.key, isOther: true, wildcard: findWildcard(segments) });
      known.add(operation);
      return { ...withInputChecks(toRouteFacts(route, nameOf), operation), ...toPlace(operation) };
    },
    ofJob: (operation) => ({ ...withInputChecks(toOperationFacts(operation), operation), ...toPlace(operation) }),
  };
}

function withInputChecks<Facts extends OperationFacts>(facts: Facts, { definition: { schema } }: Operation): Facts {
  const inputChecks = schema === undefined || isZodSchema(schema) ? undefined : toForeignChecks(schema);
  return inputChecks === undefined ? facts : { ...facts, inputChecks };
}

type NameOf = (scheme: SecurityScheme) => string;

/** `x-capix` of an operation at its first route; without `nameOf` its guards name no credentials. */
export function toRouteFacts({ operation, rule, segments }: Route<Operation>, nameOf?: NameOf): RouteFacts {
  const { request, cacheControl, tool } = operation.definition;
  return defined<RouteFacts>({
    ...toOperationFacts(operation, nameOf),
    rule,
    wildcard: findWildcard(segments),
    sent: request.sent.length === 0 ? undefined : request.sent,
    idempotencyKey: findKeyRule(operation),
    cacheControl,
    tool: typeof tool === 'object' ? defined<typeof tool>(tool) : tool,
    offers: toOffers(operation),
  });
}

/** The name of the parameter that takes the rest of the path. */
export function findWildcard(segments: Route<Operation>['segments']): string | undefined {
  const last = segments.at(-1);
  return last !== undefined && 'param' in last && last.isRest === true ? last.param : undefined;
}

/** A job has no credentials: nobody calls it from outside. */
export function toOperationFacts(operation: Operation, nameOf?: NameOf): OperationFacts {
  const { key, intent, declaredIntent, fields, timeoutMs, definition } = operation;
  const { guards, inputGuards, enhancers, errors, answers, description, deprecation } = definition;
  return defined<OperationFacts>({
    key,
    intent,
    declaredIntent,
    guards: guards.map((guard) => toGuardFacts(guard, nameOf)),
    inputGuards: inputGuards.map(toStepFacts),
    enhancers: enhancers.map(toEnhancerFacts),
    errors: toErrorFacts(errors),
    answers: answers.map(toAnswerFacts),
    description,
    deprecation: deprecation && defined<typeof deprecation>(deprecation),
    timeoutMs,
    inputFields: fields && [...fields.keys()],
  });
}

function toGuardFacts(
  { security, alternatives, scopes, isOptional, ...step }: Guard,
  nameOf: NameOf | undefined,
): GuardFacts {
  const schemes = security === undefined || nameOf === undefined ? [] : [security, ...alternatives];
  return defined<GuardFacts>({
    ...toStepFacts(step),
    credentials: schemes.length === 0 || nameOf === undefined ? undefined : schemes.map(nameOf),
    scopes: scopes.length === 0 ? undefined : scopes,
    isOptional: isOptional ? true : undefined,
  });
}

function toEnhancerFacts(enhancer: AnyEnhancer): EnhancerFacts {
  const { name, settings, errors } = enhancer;
  return defined<EnhancerFacts>({ name, kind: innerPartsOf(enhancer).kind, settings, errors: toErrorFacts(errors) });
}

function toStepFacts({ name, errors }: Pick<AnyEnhancer, 'name' | 'errors'>): StepFacts {
  return { name, errors: toErrorFacts(errors) };
}

function toErrorFacts(errors: readonly ErrorFactory[]): readonly ErrorName[] {
  return errors.map(({ status, errorName }) => ({ name: errorName, status }));
}

function toAnswerFacts({ status, kind, contentTypes, description }: Content): AnswerFacts {
  return defined<AnswerFacts>({ status, kind, contentTypes, description });
}

function toOffers({ key, definition: { offers } }: Operation): AgentOffers | undefined {
  const { resources, prompt } = offers;
  if (resources.length === 0 && prompt === undefined) return undefined;
  const name = key.replaceAll('.', '_');
  return defined<AgentOffers>({
    resources: resources.map((resource) => ({ uri: resource.uri, name: resource.name ?? name })),
    prompt: prompt && (prompt.name ?? name),
  });
}

/** JSON has no undefined. */
export function defined<T extends object>(object: { readonly [Key in keyof T]: T[Key] | undefined }): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

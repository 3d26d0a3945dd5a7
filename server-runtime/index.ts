// The public surface of `capix`. Every name is a promise; nothing inside the runtime imports this file.

export type {
  AnswerMap,
  FirstOf,
  Fitting,
  GivableOf,
  MadeOf,
  Makes,
  Undeclared,
  WithAnswer,
  WithMade,
} from './capability/answers/answer-map.ts';
export {
  type Block,
  type BlockSource,
  type Blocks,
  blocks,
  type EmbeddedResource,
} from './capability/answers/blocks.ts';
export {
  type AnswerLike,
  type AnswerOptions,
  type ByteSource,
  bytes,
  type Content,
  type ContentKind,
  type GivenFor,
  type MadeFor,
  noContent,
  redirect,
  type StatusOf,
  stream,
  text,
} from './capability/answers/content.ts';
export {
  type Answers,
  type AnyCapability,
  type Capability,
  type DeclaredBy,
  isCapability,
  type Joined,
  type MadeBy,
  type ParsedInput,
  type RawFields,
  type RawInput,
  type Replaced,
} from './capability/capability.ts';
export type { CapabilityDefinition, Deprecation, Icon, ToolOptions } from './capability/capability-definition.ts';
export {
  type CapabilityFactory,
  capability,
  type HandlerOf,
  type HandlerTaker,
  type WithContext,
} from './capability/capability-factory.ts';
export {
  type BaseContext,
  type BuilderRequest,
  type CallContext,
  type CallingClient,
  type ContextBuilder,
  type ContextOf,
  type ContextOfGuard,
  type ContextRequest,
  defineContext,
} from './capability/context.ts';
export type { DeclarationPlace } from './capability/declared-at.ts';
export type { DeclaredParts } from './capability/declared-parts.ts';
export type { DeclaredSteps } from './capability/declared-steps.ts';
export {
  type Answer,
  type AnyEnhancer,
  defineEnhancer,
  type EnhancedOperation,
  type Enhancer,
  type EnhancerOptions,
  type Handler,
  type Next,
  type Wrap,
} from './capability/enhancer.ts';
export type {
  CapabilityAt,
  ContextTakers,
  DeclaredIn,
  GroupBehind,
  GroupTree,
  InputTo,
  KeyOf,
  NeedsOf,
  OutputFrom,
} from './capability/group-tree.ts';
export {
  defineGuard,
  defineInputGuard,
  type Guard,
  type GuardCheck,
  type GuardOptions,
  type InputGuard,
  type InputGuardOptions,
  type Narrowing,
  type SecurityScheme,
} from './capability/guard.ts';
export type { Intent } from './capability/intent.ts';
export { afterSuccess, type WorkAfter } from './capability/middleware/after-success.ts';
export type { CallerTools, Elicited, ElicitOptions, NoteLevel } from './capability/middleware/caller-tools.ts';
export {
  type AddedIn,
  defineMiddleware,
  type MiddlewareAnswer,
  type MiddlewareCall,
  type Passed,
  type PassedIn,
  type Proceed,
} from './capability/middleware/define-middleware.ts';
export type {
  AddedByUse,
  CheckedUse,
  Lacking,
  TakenByUse,
  UseCheck,
  Used,
  UseMistake,
} from './capability/middleware/used.ts';
export type { ObservedStep, Observer, RunStep } from './capability/observe/observer.ts';
export type { DeclaredResource, OfferOptions, Offers, ResourceOptions, Suggest } from './capability/offers/offers.ts';
export { type IsOther, type Replied, type Reply, type ReplyOptions, reply, type Unreply } from './capability/reply.ts';
export type { DeclaredRequest, SentField, TakesOptions } from './capability/route/declared-request.ts';
export type { DeclaredRoute, FieldsIn, ParamsIn, PathFor } from './capability/route/declared-route.ts';
export type { HttpMethod } from './capability/route/http-method.ts';
export type { HoldsReply, Leaf, SoundAnswer, SoundData } from './capability/sound-answer.ts';
export { type ServerSentEvent, type SseOptions, sse } from './capability/sse.ts';
export {
  type AcceptedFinding,
  type CapixConfig,
  type DevConfig,
  defineConfig,
  type EnvironmentConfig,
  type RuleChoice,
  type RulesConfig,
} from './config/define-config.ts';
export { invalidates } from './enhancers/invalidates.ts';
export type { By } from './enhancers/state/caller-of.ts';
export { type CacheOptions, withCache } from './enhancers/with-cache.ts';
export { InputRequired, withCaller } from './enhancers/with-caller.ts';
export { type CircuitBreakerOptions, withCircuitBreaker } from './enhancers/with-circuit-breaker.ts';
export { type IdempotencyOptions, withIdempotency } from './enhancers/with-idempotency.ts';
export { type RateLimitOptions, withRateLimit } from './enhancers/with-rate-limit.ts';
export { withTimeout } from './enhancers/with-timeout.ts';
export { defaultErrors } from './errors/default-errors.ts';
export {
  type DefineErrorOptions,
  defineError,
  type ErrorArguments,
  type ErrorDetails,
  type ErrorFactory,
  type MetaSchema,
} from './errors/define-error.ts';
export type { ErrorNameOf } from './errors/error-name.ts';
export type { Failure } from './errors/failure.ts';
export { type ErrorMeta, type FrameworkError, isFrameworkError } from './errors/framework-error.ts';
export type { Mistake, Unwrapped } from './errors/mistake.ts';
export type { MaybePromise, Outcome } from './errors/outcome.ts';
export type { RefusedBy } from './errors/refused-by.ts';
export type { Uninferred } from './errors/uninferred.ts';
export type { DocsOptions } from './http/document/docs-options.ts';
export type {
  ContactObject,
  HeaderObject,
  InfoObject,
  JobObject,
  LicenseObject,
  MediaTypeObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  PathItemObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
  SchemaObject,
  ServerObject,
  TagObject,
} from './http/document/openapi-document.ts';
export {
  bareEnvelope,
  dataEnvelope,
  defineEnvelope,
  type Envelope,
  type EnvelopeOptions,
  type Refusal,
} from './http/envelope.ts';
export type { LimitOptions } from './http/limits.ts';
export { problemDetails } from './http/problem-details.ts';
export type { EtagKind } from './http/to-etag-kind.ts';
export type { TrustProxy } from './http/trust-proxy.ts';
export type { MultipartOptions } from './input/multipart-limits.ts';
export { type StreamedFile, type UploadedFile, type UploadedFileOptions, uploadedFile } from './input/uploaded-file.ts';
export { type HealthOptions, type HealthProbe, type HealthTree, healthChecks } from './observe/health-checks.ts';
export { generateOpenAPI, type OpenApiOptions } from './openapi/generate-openapi.ts';
export { type CompiledRegistry, compileRegistry } from './registry/compile-registry.ts';
export { type GroupOptions, group, type MembersOf } from './registry/group.ts';
export type { Operation } from './registry/operation.ts';
export type { Resources } from './resources/resources.ts';
export { type CorsPluginOptions, cors } from './rest/cors.ts';
export type { CorsOptions } from './rest/cors-settings.ts';
export type { FetchHandler, FetchInfo } from './rest/rest-fetch-handler.ts';
export type { NodeHandler } from './rest/rest-node-handler.ts';
export type { CompressionOptions, RestOptions } from './rest/rest-options.ts';
export { type OverriddenKeys, restTransport, toFetchHandler, toNodeHandler } from './rest-transport.ts';
export type { UrlCase } from './routing/infer/url-case.ts';
export type { RouteOverride, RouteOverrides } from './routing/route-override.ts';
export type {
  InputOf,
  OutputOf,
  Schema,
  StandardIssue,
  StandardResult,
  StandardSchema,
  ZodSchema,
} from './schema/schema.ts';
export type { JsonSchema } from './schema/to-json-schema.ts';
export type { FieldProblem } from './schema/validator.ts';
export { createServer, type Server, type ServerOptions, type StopOptions } from './server/create-server.ts';
export type { AnsweredRequest, FailedRequest, GivenUpJob, Hooks } from './server/hooks.ts';
export type { Invocation, InvocationInput, InvocationOf, InvocationTo } from './server/invoke/invoke-operation.ts';
export {
  type AccessDetails,
  type AccessLogOptions,
  consoleLogger,
  type LogDetails,
  type Logger,
  silentLogger,
} from './server/log/logger.ts';
export { type AddedContext, definePlugin, type Plugin, type PluginOptions } from './server/plugin.ts';
export { replacedSignal } from './server/replaced-signal.ts';
export type {
  AddedBy,
  CheckedPlugins,
  ContextCheck,
  DeclaredCheck,
  MissingFrom,
  PluginCheck,
  PluginChecks,
  ServerChecks,
  ToldCheck,
  UnknownReplacement,
  WithPlugins,
} from './server/server-checks.ts';
export type { App, Call, ServedRoute, Transport, TransportStarted } from './server/transport.ts';
export type { Consumed, CountedWindow, Store, Swap } from './stores/store.ts';

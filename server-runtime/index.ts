// The public surface of `capix`. Every name is a promise; nothing inside the runtime imports this file.

export { afterSuccess } from './capability/after-success.ts';
export { type Blocks, blocks } from './capability/blocks.ts';
export {
  type AnyCapability,
  type Capability,
  type CapabilityFactory,
  capability,
  type HandlerTaker,
  isCapability,
  type RawFields,
  type Replaced,
} from './capability/capability.ts';
export type {
  Content,
  GivableOf,
  MadeOf,
  Makes,
  PageSchema,
  WithAnswer,
} from './capability/content.ts';
export { bytes, noContent, pageOf, redirect, stream, text } from './capability/content.ts';
export {
  type BaseContext,
  type ContextBuilder,
  type ContextOf,
  defineContext,
} from './capability/context.ts';
export type { Intent } from './capability/definition.ts';
export type { Answer, Enhancer, MiddlewareCall, Passed } from './capability/enhancer.ts';
export { defineMiddleware } from './capability/enhancer.ts';
export type { GroupTree, InputTo, KeyOf, OutputFrom } from './capability/group-tree.ts';
export {
  defineGuard,
  defineInputGuard,
  type Guard,
  type GuardCall,
  type InputGuard,
} from './capability/guard.ts';
export { type Reply, reply, type ServerSentEvent, sse } from './capability/reply.ts';
export type { Observer } from './capability/run-capability.ts';
export { trace } from './capability/trace.ts';
export { invalidates, withCache } from './enhancers/with-cache.ts';
export { InputRequired, withCaller } from './enhancers/with-caller.ts';
export { withCircuitBreaker } from './enhancers/with-circuit-breaker.ts';
export { withIdempotency } from './enhancers/with-idempotency.ts';
export { withRateLimit } from './enhancers/with-rate-limit.ts';
export { withTimeout } from './enhancers/with-timeout.ts';
export type { ErrorFactory, FrameworkError } from './errors/define-error.ts';
export { defaultErrors, defineError, isFrameworkError } from './errors/define-error.ts';
export type { Failure } from './errors/failure.ts';
export type { Mistake } from './errors/mistake.ts';
export { cors } from './http/cors.ts';
export {
  bareEnvelope,
  dataEnvelope,
  defineEnvelope,
  type Envelope,
  problemDetails,
} from './http/envelope.ts';
export { type StreamedFile, type UploadedFile, uploadedFile } from './input/uploaded-file.ts';
export { type HealthTree, healthChecks } from './observe/health-checks.ts';
export { generateOpenAPI, type OpenApiOptions } from './openapi/generate-openapi.ts';
export type { OpenApiDocument } from './openapi/openapi-document.ts';
export { type CompiledRegistry, compileRegistry } from './registry/compile-registry.ts';
export { group } from './registry/group.ts';
export type { FetchHandler, MountedHandler, NodeHandler } from './rest/rest-handlers.ts';
export { toFetchHandler, toNodeHandler } from './rest/rest-handlers.ts';
export type { RestOptions, ServedDocsOptions } from './rest/rest-options.ts';
export { restTransport } from './rest/rest-transport.ts';
export type { InputOf, OutputOf, Schema, StandardSchema } from './schema/schema.ts';
export type { AnswerMessage } from './server/answer-call.ts';
export { createServer, type Server, type ServerOptions } from './server/create-server.ts';
export { replacedSignal } from './server/dev-link.ts';
export type { FetchInfo, Guests, TakeSocket } from './server/guests.ts';
export type { Hooks } from './server/hooks.ts';
export type { CallResult } from './server/invoke-operation.ts';
export { consoleLogger, type Logger, silentLogger } from './server/logger.ts';
export { definePlugin, type Plugin } from './server/plugin.ts';
export type { App, CallParent, TextCall, Transport, TransportCall } from './server/transport.ts';
export type { Store } from './stores/store.ts';

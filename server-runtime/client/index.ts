export { ApiError, type ErrorFacts, isApiError, type OtherError } from './api-error.ts';
export type {
  Call,
  CallArguments,
  CallOptions,
  ClientOptions,
  ErrorNamed,
  ErrorsAt,
  HeaderFields,
  Interceptor,
  Refused,
  Result,
} from './call.ts';
export type {
  CallOf,
  ClientOf,
  DataOf,
  ErrorsMadeBy,
  ErrorsOf,
  FilesAsBlobs,
  NotKey,
  Sendable,
  TreeOf,
} from './client-of.ts';
export type { Route, RouteFacts } from './create-call.ts';
export { createClient } from './create-client.ts';
export { type ApiFacts, createClientOf, type Routes } from './create-client-of.ts';
export { type InputOnly, type MutationOptions, type QueryOptions, toMutation, toQuery, toQueryKey } from './queries.ts';
export { retry } from './retry.ts';
export type { InnerKinds, Kinds, SharedKinds } from './revive.ts';
export type { Bytes, NotJson, Sent, SentAlone, SentAsIs, SentItem, SentPart } from './sent.ts';

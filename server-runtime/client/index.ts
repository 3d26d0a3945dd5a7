export type { Call, CallOptions, ClientOptions, ErrorsAt, Interceptor, Result } from './call.ts';
export { ApiError, type ErrorFacts, isApiError, type OtherError } from './call.ts';
export type { Bytes, ClientOf } from './client-of.ts';
export type { Route } from './create-call.ts';
export { type ApiFacts, createClient, createClientOf, type Routes } from './create-client.ts';
export { pages } from './pages.ts';
export { toMutation, toQuery, toQueryKey } from './queries.ts';
export { retry } from './retry.ts';
export type { Kinds } from './revive.ts';

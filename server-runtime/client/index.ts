export type { Call, CallOptions, ClientOptions, ErrorsAt, Interceptor, Result } from './call.ts';
export { ApiError, type ErrorFacts, isApiError, type OtherError } from './call.ts';
export { type Bytes, type ClientOf, createClient } from './create-client.ts';
export { type ApiFacts, createClientOf, type Route, type Routes } from './create-client-of.ts';
export { pages, toMutation, toQuery, toQueryKey } from './queries.ts';
export type { Kinds } from './revive.ts';

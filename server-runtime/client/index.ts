export { ApiError, type ErrorFacts, isApiError, type OtherError } from './api-error.ts';
export type {
  CallArguments,
  CallOf,
  CallOptions,
  ClientOf,
  FilesAsBlobs,
  NotKey,
  Sendable,
  TreeOf,
} from './client-of.ts';
export { type ClientOptions, createClient, type HeaderFields } from './create-client.ts';
export type { ErrorOf, ErrorsOf, Result } from './result.ts';
export type { InJson, ResultAt, TreeIn } from './result-at.ts';
export { retry } from './retry.ts';
export type { ByteStream, NotJson, Sent, SentItem, SentPart } from './sent.ts';

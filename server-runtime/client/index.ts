export type {
  Call,
  CallOptions,
  ClientOptions,
  ErrorsAt,
  Interceptor,
  Result,
  SocketClientOptions,
  SocketTransport,
} from './call.ts';
export { ApiError, type ErrorFacts, isApiError, type OtherError } from './call.ts';
export { type Bytes, type ClientOf, createClient } from './create-client.ts';
export { type ApiFacts, createClientOf, type Route, type Routes } from './create-client-of.ts';
export { ConnectionLost } from './pending-call.ts';
export { pages, toMutation, toQuery, toQueryKey } from './queries.ts';
export type { Kinds } from './revive.ts';
export type { SocketEvent, WebSocketClass, WebSocketLike } from './socket-connection.ts';
export { type WebSocketClientOptions, webSocket } from './web-socket.ts';

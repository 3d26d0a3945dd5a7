import type { HandlerResultTypeMap, RequestMethod, RequestTypeMap, ServerContext } from '@modelcontextprotocol/server';
import type { MaybePromise } from '../errors/failure.ts';
import type { Operation } from '../registry/operation.ts';
import type { ProtocolCall, ReadContent } from './call-operation.ts';
import type { SessionClient } from './caller.ts';

/**
 * The life of a server of the protocol: one request, a session of the revisions before 2026-07-28, or a pair of streams
 * of that one, where the SDK picks out what its client has subscribed to.
 */
export type ConversationKind = 'request' | 'session' | 'streams';

/** One conversation, with the resources that its client watches. */
export interface Conversation extends SessionClient {
  readonly kind: ConversationKind;
  readonly watched: Set<string>;
}

/** The answers to the messages of clients, by method. */
export type Handlers = {
  readonly [Method in RequestMethod]?: (
    params: NonNullable<RequestTypeMap[Method]['params']>,
    context: ServerContext,
    conversation: Conversation,
  ) => MaybePromise<HandlerResultTypeMap[Method]>;
};

/** The parts that handlers have in common. */
export interface Desk {
  /** The entries of a list that the sender of a message may see. */
  readonly findSeen: <Offer extends { readonly operation: Operation }>(
    offers: Iterable<Offer>,
    context: ServerContext,
  ) => Promise<readonly Offer[]>;
  readonly toCall: (
    operation: Operation,
    input: object,
    message: readonly [ServerContext, Conversation],
  ) => ProtocolCall;
  /** Runs a capability. Rejects with an error of the protocol where the call is refused. */
  readonly run: <Result extends object>(
    call: ProtocolCall,
    toResult: (content: ReadContent) => Result,
  ) => Promise<Result>;
  readonly toInvalid: (message: string) => Error;
}

/** The most entries that one response lists. */
const PAGE_SIZE = 200;

/** A page of a list such as `{ tools: […] }`: the entries behind the cursor with which the page before ended. */
export function toListPage<List extends Readonly<Record<string, readonly unknown[]>>>(
  list: List,
  cursor: string | undefined,
  toInvalid: (message: string) => Error,
): { -readonly [Name in keyof List]: List[Name][number][] } & { nextCursor?: string } {
  const start = Number(cursor ?? 0);
  const [[name, entries]] = Object.entries(list) as [[string, readonly unknown[]]];
  if (!Number.isInteger(start) || start < 0 || (start > 0 && start >= entries.length))
    throw toInvalid(`There is no page '${cursor}' of this list. Ask for the list from its start.`);
  const end = start + PAGE_SIZE;
  const page = { [name]: entries.slice(start, end), ...(end < entries.length && { nextCursor: String(end) }) };
  return page as ReturnType<typeof toListPage<List>>;
}

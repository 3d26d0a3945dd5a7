import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import type { Operation } from '../../registry/operation.ts';
import { toToldMeta } from '../../schema/to-told-meta.ts';
import type { Application } from '../../server/application.ts';
import { callOperation, type ProtocolCall } from '../call-operation.ts';
import { findAllowed } from '../find-allowed.ts';
import type { ReadContent } from '../read-content.ts';
import { callerOf } from '../serve/caller.ts';

/** Makes the call of an operation that a message asks for. */
export type ToCall = (operation: Operation, input: object, context: ServerContext) => ProtocolCall;

/** An operation with its input, and the form of its answer. */
export interface OfferCall<Answer extends object> {
  readonly operation: Operation;
  readonly input: object;
  readonly toAnswer: (content: ReadContent) => Answer;
}

/** Lists and reads what an application offers, for the sender of a message. */
export interface OfferReader {
  readonly list: <Offer extends { readonly operation: Operation }>(
    offers: Iterable<Offer>,
    context: ServerContext,
  ) => Promise<readonly Offer[]>;
  /** Rejects with an error of the protocol where the call is refused. */
  readonly read: <Answer extends object>(
    call: OfferCall<Answer>,
    context: ServerContext,
  ) => Promise<Answer | InputRequiredResult>;
  readonly toInvalid: (message: string) => Error;
}

export interface OfferReaderParts {
  readonly app: Application;
  readonly hidesRefused: boolean;
  readonly toCall: ToCall;
  readonly toInvalid: (message: string) => Error;
  readonly toInternal: (message: string) => Error;
}

export function createOfferReader({ app, hidesRefused, toCall, toInvalid, toInternal }: OfferReaderParts): OfferReader {
  return {
    list: async (offers, context) => (hidesRefused ? findAllowed(app, offers, callerOf(context)) : [...offers]),
    read: async ({ operation, input, toAnswer }, context) => {
      const end = await callOperation({ app, operation, toAnswer }, toCall(operation, input, context));
      if (end.kind !== 'refusal') return end.kind === 'questions' ? end.questions : end.answer;
      const { name, status, message, meta } = end.failure;
      const fields = toToldMeta(meta).fields.map(({ path, message: what }) => `- ${path}: ${what}`);
      const text = [`${name} (${status}): ${message}`, ...fields].join('\n');
      throw status >= 500 ? toInternal(text) : toInvalid(text);
    },
    toInvalid,
  };
}

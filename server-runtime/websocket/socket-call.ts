import type { BuilderRequest, CallerConnection } from '../capability/context.ts';
import { isPlainData, toReplyData } from '../capability/reply.ts';
import { defaultErrors } from '../errors/define-error.ts';
import { type Failure, failure, type Outcome } from '../errors/failure.ts';
import { discardValue } from '../execution/execute.ts';
import { type HttpAnswer, toHttpAnswer } from '../http/http-answer.ts';
import { refuseLongInput } from '../input/refuse-long-input.ts';
import { toSafeInput } from '../input/safe-input.ts';
import { addSentFields } from '../input/sent-fields.ts';
import type { Operation } from '../registry/compile-registry.ts';
import { IS_BYTES, type ItemSource } from '../resources/item-source.ts';
import { Call, type CallPort } from '../server/call.ts';
import type { Connection } from './connection.ts';
import { ItemStream } from './item-stream.ts';
import type { CallMessage } from './message.ts';
import { breaksOff, leaves, toResultText } from './wire.ts';

const { UnsupportedMediaType } = defaultErrors;

/** The message with which a call ends before its answer: the reason, or nothing where its caller wants none. */
type LastWord = Failure | 'nothing';

/** A call that came in as a message. Its connection owns it until its answer is sent and its code has ended. */
export class SocketCall extends Call {
  readonly transport = 'websocket';
  readonly method = 'WS';
  readonly owner: Connection;
  readonly message: CallMessage;
  readonly headers: BuilderRequest['headers'];
  readonly requestId: string;
  /** Set once it runs, until its code has ended. */
  operation: Operation | undefined = undefined;
  /** The stream that it gives; undefined before it gives one, and where it gives none. */
  stream: ItemStream | undefined = undefined;
  /** Set where the call is ended from outside. */
  lastWord: LastWord | undefined = undefined;

  constructor(owner: Connection, message: CallMessage) {
    super(owner.app, socketPort as CallPort<never>);
    this.owner = owner;
    this.message = message;
    const { headers } = message;
    this.headers = headers === undefined ? owner.headers : { ...owner.headers, ...headers };
    this.requestId = owner.app.toRequestId(headers?.['x-request-id']);
  }

  get path(): string {
    return this.message.method;
  }
  get url(): string {
    return this.message.method;
  }
  get remoteAddress(): string | undefined {
    return this.owner.remoteAddress;
  }
  get connection(): CallerConnection {
    return this.owner.facts;
  }

  get isQuery(): boolean {
    return this.operation?.intent === 'query';
  }

  /** A stream goes on behind the answer of its handler. */
  override onEnd(): void {
    if (this.stream === undefined) this.owner.forget(this);
  }

  /** Ends the stream that it gives, whose server stops. */
  breakOff(): void {
    this.endWith(this.stream?.mayMove === true ? leaves : breaksOff);
  }

  /** Ends the call before its answer, or the stream that it gives. */
  endWith(word: LastWord): void {
    if (this.lastWord !== undefined) return;
    this.lastWord = word;
    if (word === 'nothing') this.abandon();
    else this.leave(new DOMException(word.message, 'AbortError'));
  }

  /** Sends the answer, which ends the call for its caller, and calls the hooks. */
  answer(text: string | undefined, status: number): void {
    this.owner.answer(this, text);
    this.reportAnswer(status);
  }
}

/** The port of all calls over WebSockets. */
const socketPort: CallPort<SocketCall> = {
  readInput,
  readParams: readInput,

  succeed: (call, value) => {
    if (isPlainData(value)) return sendData(call, value, 200);
    const answer = toHttpAnswer(value);
    if (answer.headers.includes('set-cookie')) {
      const lost = new TypeError('A message can set no cookie: it was lost. Set it over HTTP.');
      call.logError('set a cookie', lost);
    }
    return sendOther(call, answer, value);
  },

  refuse: (call, reason) => {
    const { id } = call.message;
    const text = id === undefined ? undefined : call.owner.toFailureText(id, reason, call);
    call.answer(text, reason.status);
  },
};

function readInput(call: SocketCall): Outcome {
  const { params = {} } = call.message;
  const input = toSafeInput(params);
  const operation = call.operation;
  if (operation === undefined) return input;
  const taken = refuseLongInput(operation.definition, input);
  if (!taken.ok || operation.definition.sent.length === 0) return taken;
  return addSent(taken, call, operation);
}

/** The fields that headers and cookies carry over HTTP: of the params where they are there. */
function addSent(input: Outcome, { headers, owner }: SocketCall, operation: Operation): Outcome {
  if (!input.ok) return input;
  const { sent } = operation.definition;
  const value = { ...(input.value as Record<string, unknown>) };
  addSentFields(value, headers, { sent, plan: owner.planOf(operation) });
  return { ok: true, value };
}

/** @throws TypeError for a value that cannot be sent, which is the failure of the call */
function sendData(call: SocketCall, value: unknown, status: number): void {
  const { message, owner, capability } = call;
  const data = owner.format.toText(value, capability);
  call.answer(
    message.id === undefined ? undefined : toResultText(message.id, data, status),
    status,
  );
}

/** Answers with everything except plain data. A message carries it only where it is not bytes. */
function sendOther(call: SocketCall, answer: HttpAnswer, handled: unknown): void {
  const { status, body, location } = answer;
  switch (body.kind) {
    case 'empty':
      return sendData(call, location ?? null, status);
    case 'text':
      return sendData(call, body.text, status);
    case 'data':
      return sendData(call, body.value, status);
    case 'bytes':
      return call.refuse(bytesAreForHttp);
    case 'items':
      if (!body.items[IS_BYTES]) return sendItems(call, body.items, status);
      void body.items.end();
      discardValue(toReplyData(handled));
      return call.refuse(bytesAreForHttp);
    default:
      return body satisfies never;
  }
}

const bytesAreForHttp = failure(
  UnsupportedMediaType,
  'The answer is bytes, which no message carries: ask for it over HTTP',
);

function sendItems(call: SocketCall, items: ItemSource, status: number): void {
  const { id } = call.message;
  if (id === undefined) {
    // Items need the id of their call, so a call without one gets none.
    void items.end();
    return call.answer(undefined, status);
  }
  if (call.owner.isLeaving) {
    void items.end();
    return call.refuse(call.isQuery ? leaves : breaksOff);
  }
  call.stream = new ItemStream(call, id, status);
  call.owner.watchStreams();
  call.stream.start(items);
}

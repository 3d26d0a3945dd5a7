import { isPlainData, isSse, toReplyData } from '../../capability/reply.ts';
import { defaultErrors } from '../../errors/define-error.ts';
import { failure, type Outcome } from '../../errors/failure.ts';
import { discardValue, type SharedCall } from '../../execution/execute.ts';
import { type AnswerBody, toHttpAnswer } from '../../http/http-answer.ts';
import { toInputPlan } from '../../input/input-fields.ts';
import { refuseLongInput } from '../../input/refuse-long-input.ts';
import { toSafeInput } from '../../input/safe-input.ts';
import { addSentFields } from '../../input/sent-fields.ts';
import { IS_BYTES, type ItemSource, withHooks } from '../../resources/item-source.ts';
import { Call, type CallPort, runCall } from '../../server/call.ts';
import { toRoot } from '../schema/answer-shape.ts';
import { toGraphqlError } from '../schema/errors.ts';
import type { FieldToRun } from '../schema/to-schema.ts';

/** What carries an operation: its fields are calls that are parts of it. */
export interface Carrier extends Call {
  context: Promise<object> | undefined;
}

/** An operation under way, and the calls of its fields. */
export class Run {
  readonly carrier: Carrier;
  /** The calls of the fields at its root, by their names in the answer. */
  readonly fields = new Map<string, FieldCall>();
  readonly #open = new Set<FieldCall>();

  constructor(carrier: Carrier) {
    this.carrier = carrier;
    carrier.signal.addEventListener('abort', this.cancel, { once: true });
  }

  /** Calls the capability of a field. Rejects with the error for its caller. */
  call({ operation, toInput, info: { path } }: FieldToRun): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { app } = this.carrier;
      const settle = (outcome: Outcome): void =>
        outcome.ok ? resolve(outcome.value) : reject(toGraphqlError(outcome.failure, app.logger));
      const names: (string | number)[] = [];
      for (let at: typeof path | undefined = path; at !== undefined; at = at.prev)
        names.unshift(at.key);
      const call = new FieldCall(this, { operation, toInput, place: names.join('.'), settle });
      if (path.prev === undefined) this.fields.set(String(path.key), call);
      this.#open.add(call);
      if (this.carrier.hasLeft) call.cancel();
      runCall(call, operation);
    });
  }

  forget(call: FieldCall): void {
    this.#open.delete(call);
  }

  /** Ends the calls that are under way, by their signals. */
  readonly cancel = (): void => {
    for (const call of this.#open) call.cancel();
  };

  end(): void {
    this.carrier.signal.removeEventListener('abort', this.cancel);
  }
}

interface FieldParts extends Pick<FieldToRun, 'operation' | 'toInput'> {
  /** The path of the field in the answer. */
  readonly place: string;
  readonly settle: (outcome: Outcome) => void;
}

/** The call of one field. */
export class FieldCall extends Call {
  readonly transport = 'graphql';
  readonly method = 'GQL';
  readonly path: string;
  readonly url: string;
  readonly requestId: string;
  readonly place: string;
  readonly graphqlRun: Run;
  readonly parts: FieldParts;
  #stream: ItemSource | undefined;

  constructor(run: Run, parts: FieldParts) {
    super(run.carrier.app, fieldPort as CallPort<never>);
    this.graphqlRun = run;
    this.parts = parts;
    this.path = parts.operation.key;
    this.url = this.path;
    this.requestId = run.carrier.requestId;
    this.place = parts.place;
  }

  override get parent(): SharedCall {
    return this.graphqlRun.carrier;
  }
  get headers(): Call['headers'] {
    return this.graphqlRun.carrier.headers;
  }
  get remoteAddress(): string | undefined {
    return this.graphqlRun.carrier.remoteAddress;
  }

  /** What a field adds is in the answer of all. */
  override addHeader(name: string, value: string): void {
    super.addHeader(name, value);
    this.graphqlRun.carrier.addHeader(name, value);
  }

  /** A stream goes on behind the answer of its handler. */
  override onEnd(): void {
    if (this.#stream === undefined) this.graphqlRun.forget(this);
  }

  /** Ends it because nobody waits for its answer. */
  cancel(): void {
    const { isOpen } = this;
    this.leave(new DOMException('The caller left.', 'AbortError'));
    void this.#stream?.end();
    if (isOpen) this.parts.settle({ ok: false, failure: ended });
  }

  /** The items for the subscription, which ends with its carrier. */
  toItems(source: ItemSource): ItemSource {
    const { signal } = this;
    this.#stream = withHooks(source, {
      signal,
      step: (item) => (isSse(item) ? item.data : item),
      onLeave: () => this.leave(new DOMException('The reader stopped.', 'AbortError')),
      onEnd: (_isWhole, fault) => {
        this.graphqlRun.forget(this);
        if (fault !== undefined && !signal.aborted) this.report(this.app.toFailure(fault));
      },
    });
    return this.#stream;
  }
}

const ended = failure(defaultErrors.ServiceUnavailable, 'The call was ended');

const fieldPort: CallPort<FieldCall> = {
  readInput,
  readParams: readInput,
  succeed: (call, value) => {
    if (isPlainData(value)) return call.parts.settle({ ok: true, value });
    const { headers, body, location } = toHttpAnswer(value);
    for (let at = 0; at + 1 < headers.length; at += 2)
      if (headers[at] === 'set-cookie') call.addHeader('set-cookie', headers[at + 1] ?? '');
    call.parts.settle({ ok: true, value: location ?? toData(call, body, value) });
  },
  refuse: (call, reason) => call.parts.settle({ ok: false, failure: reason }),
};

/** @throws UnsupportedMediaType for what no field can carry */
function toData(call: FieldCall, body: AnswerBody, value: unknown): unknown {
  if (body.kind === 'empty') return null;
  if (body.kind === 'text') return body.text;
  if (body.kind === 'data') return body.value;
  if (body.kind === 'bytes') throw toUnsayable('bytes', 'ask for them over REST');
  const { operation } = call.parts;
  if (!body.items[IS_BYTES] && toRoot(operation) === 'Subscription')
    return call.toItems(body.items);
  discardValue(toReplyData(value));
  void body.items.end();
  if (body.items[IS_BYTES]) throw toUnsayable('bytes', 'ask for them over REST');
  throw toUnsayable('a stream', 'declare it by .output(stream(…)), and it is a subscription');
}

function toUnsayable(what: string, advice: string): Error {
  return defaultErrors.UnsupportedMediaType(`The answer is ${what}: ${advice}`);
}

/** The arguments, and the fields that headers and cookies carry, where no argument has them. */
function readInput({ parts, headers }: FieldCall): Outcome {
  const { operation, toInput } = parts;
  const read = toInput();
  const input = refuseLongInput(operation.definition, read.ok ? toSafeInput(read.value) : read);
  const { sent, schema } = operation.definition;
  if (!input.ok || sent.length === 0) return input;
  const value = { ...(input.value as Record<string, unknown>) };
  addSentFields(value, headers, { sent, plan: toInputPlan(schema) });
  return { ok: true, value };
}

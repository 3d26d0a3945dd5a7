import { isSse } from '../../capability/reply.ts';
import { defaultErrors } from '../../errors/define-error.ts';
import { failure, type Outcome } from '../../errors/failure.ts';
import { andThen, type MaybePromise } from '../../errors/maybe-promise.ts';
import type { SharedCall } from '../../execution/execute.ts';
import { type ItemSource, withHooks } from '../../resources/item-source.ts';
import { Call, type CallPort, runCall } from '../../server/call.ts';
import { toGraphqlError } from '../schema/errors.ts';
import type { FieldToRun } from '../schema/to-schema.ts';
import { readFieldInput, toFieldAnswer, toFieldPlace } from './field-parts.ts';

/** What carries an operation: its fields are calls that are parts of it. */
export interface Carrier extends Call {
  context: MaybePromise<object> | undefined;
}

/** An operation under way, and the calls of its fields. */
export class Run {
  readonly carrier: Carrier;
  /** The calls of the fields at its root, by their names in the answer. */
  readonly fields = new Map<string, FieldCall>();
  readonly #open = new Set<FieldCall>();

  constructor(carrier: Carrier) {
    this.carrier = carrier;
    carrier.onLeave = this.cancel;
  }

  /** Calls the capability of a field. Throws, or rejects with, the error for its caller. */
  call({ operation, toInput, info }: FieldToRun): MaybePromise<unknown> {
    const { app } = this.carrier;
    const call = new FieldCall(this, { operation, toInput, place: toFieldPlace(info) });
    if (info.path.prev === undefined) this.fields.set(String(info.path.key), call);
    this.#open.add(call);
    if (this.carrier.hasLeft) call.cancel();
    runCall(call, operation);
    return andThen(call.whenSettled(), (outcome) => {
      if (outcome.ok) return outcome.value;
      throw toGraphqlError(outcome.failure, app.logger);
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
    this.carrier.onLeave = undefined;
  }
}

interface FieldParts extends Pick<FieldToRun, 'operation' | 'toInput'> {
  /** The path of the field in the answer. */
  readonly place: string;
}

/** The call of one field. */
class FieldCall extends Call {
  readonly transport = 'graphql';
  readonly method = 'GQL';
  readonly path: string;
  readonly url: string;
  readonly requestId: string;
  readonly place: string;
  readonly graphqlRun: Run;
  readonly parts: FieldParts;
  #stream: ItemSource | undefined;
  #outcome: Outcome | undefined;
  #onOutcome: ((outcome: Outcome) => void) | undefined;

  constructor(run: Run, parts: FieldParts) {
    super(run.carrier.app, fieldPort as CallPort<never>);
    this.graphqlRun = run;
    this.parts = parts;
    this.path = parts.operation.key;
    this.url = this.path;
    this.requestId = run.carrier.requestId;
    this.place = parts.place;
  }

  /** Its outcome for the field, of which only the first counts. */
  settle(outcome: Outcome): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    this.#onOutcome?.(outcome);
  }

  whenSettled(): MaybePromise<Outcome> {
    return (
      this.#outcome ??
      new Promise((resolve) => {
        this.#onOutcome = resolve;
      })
    );
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
    if (isOpen) this.settle({ ok: false, failure: ended });
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
  succeed: (call, handled) => {
    const value = toFieldAnswer(handled, {
      operation: call.parts.operation,
      addCookie: (cookie) => call.addHeader('set-cookie', cookie),
      toItems: (source) => call.toItems(source),
    });
    call.settle({ ok: true, value });
  },
  refuse: (call, reason) => call.settle({ ok: false, failure: reason }),
};

function readInput({ parts, headers }: FieldCall): Outcome {
  return readFieldInput(parts, headers);
}

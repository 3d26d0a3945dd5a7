import { type ExecutionResult, execute, subscribe } from 'graphql';
import type { BuilderRequest, CallerConnection } from '../../capability/context.ts';
import type { Failure } from '../../errors/failure.ts';
import type { MaybePromise } from '../../errors/maybe-promise.ts';
import { untilAborted } from '../../resources/item-source.ts';
import { Call, type CallPort, openCall } from '../../server/call.ts';
import type { Engine, FieldResult } from '../execution/engine.ts';
import { type Carrier, Run } from '../execution/run.ts';
import { toParams } from '../requests/params.ts';
import { toGraphqlError } from '../schema/errors.ts';

/** What an operation needs of its connection. */
export interface OperationOwner {
  readonly engine: Engine;
  readonly path: string;
  readonly headers: BuilderRequest['headers'];
  readonly remoteAddress: string | undefined;
  readonly facts: CallerConnection;
  send(message: string): void;
  whenDrained(): Promise<void> | undefined;
  /** Called once, when nothing of it runs any more. */
  forget(operation: SocketOperation): void;
}

/** An operation that came in as a message. Its fields are calls that are parts of it. */
export class SocketOperation extends Call implements Carrier {
  readonly transport = 'graphql';
  readonly method = 'WS';
  readonly path: string;
  readonly url: string;
  readonly headers: BuilderRequest['headers'];
  readonly remoteAddress: string | undefined;
  readonly requestId: string;
  readonly connection: CallerConnection;
  readonly id: string;
  context: MaybePromise<object> | undefined = undefined;
  /** Whether it has results until its client, or the server, ends it. */
  isSubscription = false;
  readonly #owner: OperationOwner;
  readonly #payload: unknown;

  constructor(owner: OperationOwner, id: string, payload: unknown) {
    super(owner.engine.app, noPort);
    this.#owner = owner;
    this.#payload = payload;
    this.id = id;
    this.path = owner.path;
    this.url = owner.path;
    this.headers = owner.headers;
    this.remoteAddress = owner.remoteAddress;
    this.requestId = owner.engine.app.toRequestId(undefined);
    this.connection = owner.facts;
    openCall(this);
  }

  /** Runs it to its end, and sends its results. Never rejects. */
  async run(): Promise<void> {
    try {
      await this.#run();
    } catch (thrown) {
      this.refuseWith(this.app.toFailure(thrown));
    }
    await this.release();
    if (!this.hasAnswer) this.reportAnswer(200);
    this.close();
    this.#owner.forget(this);
  }

  /** Ends its calls, by their signals. Nothing more is sent of it. */
  cancel(): void {
    this.leave(new DOMException('Nobody waits for the operation any more.', 'AbortError'));
  }

  /** Answers with a failure in place of results. */
  refuseWith(reason: Failure): void {
    this.report(reason);
    this.reportAnswer(reason.status);
    this.#sendErrors([toGraphqlError(reason, this.app.logger)]);
  }

  async #run(): Promise<void> {
    const { engine } = this.#owner;
    const params = toParams(this.#payload);
    if (!params.ok) return this.refuseWith(params.failure);
    const read = await engine.read(params.value);
    if ('errors' in read) return this.#sendErrors(read.errors);
    const run = new Run(this);
    const args = engine.toArguments(read, params.value, run);
    this.isSubscription = read.definition.operation === 'subscription';
    try {
      const found = this.hasLeft ? undefined : await this.#begin(args);
      if (found === undefined) return;
      if (Symbol.asyncIterator in found) await this.#sendEach(found, run);
      else this.#sendNext({ ...found, fields: run.fields });
    } finally {
      run.cancel();
      run.end();
    }
    this.#send('complete');
  }

  async #begin(
    args: ReturnType<Engine['toArguments']>,
  ): Promise<ExecutionResult | AsyncGenerator<ExecutionResult>> {
    return this.isSubscription
      ? ((await subscribe(args)) as ExecutionResult | AsyncGenerator<ExecutionResult>)
      : execute(args);
  }

  /** Sends results no faster than the client reads them. An error of their source is the last one. */
  async #sendEach(results: AsyncGenerator<ExecutionResult>, { fields }: Run): Promise<void> {
    try {
      for await (const result of results) {
        if (this.hasLeft) return;
        this.#sendNext({ ...result, fields });
        const drained = this.#owner.whenDrained();
        // A connection that has ended is never drained.
        if (drained !== undefined) await untilAborted(drained, this.signal);
      }
    } catch (thrown) {
      if (!this.hasLeft) this.#sendNext(this.#owner.engine.toFault(thrown));
    }
  }

  #sendNext(result: FieldResult): void {
    if (!this.hasAnswer) this.reportAnswer(200);
    this.#send('next', this.#owner.engine.toText(result));
  }

  #sendErrors(errors: Parameters<Engine['toShown']>[0]): void {
    this.#send('error', JSON.stringify(this.#owner.engine.toShown(errors)));
  }

  #send(type: 'next' | 'error' | 'complete', payload?: string): void {
    if (this.hasLeft) return;
    const more = payload === undefined ? '' : `,"payload":${payload}`;
    this.#owner.send(`{"id":${JSON.stringify(this.id)},"type":"${type}"${more}}`);
  }
}

/** An operation runs nothing itself, and answers by messages. */
const noPort: CallPort<never> = {
  readInput: () => ({ ok: true, value: {} }),
  succeed: () => {},
  refuse: () => {},
};

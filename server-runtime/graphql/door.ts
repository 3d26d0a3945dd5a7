import { type ExecutionArgs, type ExecutionResult, execute, subscribe } from 'graphql';
import { defaultErrors } from '../errors/define-error.ts';
import { type Failure, failure, type Outcome } from '../errors/failure.ts';
import { isPromise } from '../errors/maybe-promise.ts';
import { parseWeights } from '../http/accept.ts';
import type { DoorRequest, HttpDoor } from '../http/http-door.ts';
import { replacedSignal } from '../server/dev-link.ts';
import type { Engine, FieldResult } from './execution/engine.ts';
import { Run } from './execution/run.ts';
import { toGraphiqlPage } from './requests/graphiql-page.ts';
import { type TakenForms, toTakenForms } from './requests/media.ts';
import { type GraphqlParams, parseParams, parseUrlParams } from './requests/params.ts';
import { createEvents, eventFormat } from './subscriptions/events.ts';

/** Answers requests of GraphQL over HTTP. */
export class GraphqlDoor implements HttpDoor {
  readonly path: string;
  readonly transport = 'graphql';
  readonly allow = 'GET, HEAD, POST, OPTIONS';
  readonly #engine: Engine;
  readonly #subscriptions = new Set<DoorRequest>();

  constructor(engine: Engine, path: string) {
    this.#engine = engine;
    this.path = path;
    // Their clients subscribe again, to the new code.
    replacedSignal().addEventListener('abort', () => {
      for (const request of this.#subscriptions)
        request.leave(new DOMException('The code was replaced.', 'AbortError'));
    });
  }

  answer(request: DoorRequest): void {
    const { method } = request;
    if (method === 'POST')
      return request.takeJson((body) => this.#begin(request, parseParams(body)));
    if (this.#engine.hasPage && asksForPage(request)) {
      request.send(toGraphiqlPage());
      request.close();
      return;
    }
    if (method === 'GET' || method === 'HEAD')
      return this.#begin(request, parseUrlParams(request.url));
    request.addHeader('allow', this.allow);
    request.refuse(failure(MethodNotAllowed));
  }

  toRefusalText({ name, status, message }: Failure): string {
    return JSON.stringify({ errors: [{ message, extensions: { code: name, status } }] });
  }

  #begin(request: DoorRequest, params: Outcome<GraphqlParams>): void {
    if (!params.ok) return request.refuse(params.failure);
    request.watchLeave();
    // A stream that the server ends has a request that is over, and still gets an answer.
    this.#run(request, params.value).catch((thrown: unknown) => {
      this.#subscriptions.delete(request);
      request.refuse(this.#engine.app.toFailure(thrown));
      void request.release();
    });
  }

  async #run(request: DoorRequest, params: GraphqlParams): Promise<void> {
    const forms = toTakenForms(request.headers['accept'] as string | undefined);
    if (forms.whole === undefined && !forms.events) return request.refuse(notAcceptable);
    const known = this.#engine.read(params);
    const read = isPromise(known) ? await known : known;
    if ('errors' in read) return this.#send(request, forms, read);
    const { operation } = read.definition;
    if (operation !== 'query' && request.method !== 'POST') {
      request.addHeader('allow', 'POST');
      return request.refuse(failure(MethodNotAllowed, `A ${operation} is sent by POST`));
    }
    const run = new Run(request);
    const args = this.#engine.toArguments(read, params, run);
    if (operation === 'subscription')
      return forms.events ? this.#subscribe(request, args, run) : request.refuse(needsEvents);
    const executed = execute(args);
    const result = isPromise(executed) ? await executed : executed;
    run.end();
    if (request.held !== undefined) await request.release();
    if (request.isOpen) this.#send(request, forms, { ...result, fields: run.fields });
  }

  /** Sends the results of a subscription as events. Rejects where the server stops before the first one. */
  async #subscribe(request: DoorRequest, args: ExecutionArgs, run: Run): Promise<void> {
    const { fields } = run;
    this.#subscriptions.add(request);
    const found = await subscribe(args);
    const results = Symbol.asyncIterator in found ? found : toOne(found);
    const events = createEvents(results, request.signal, {
      onEnd: () => {
        this.#subscriptions.delete(request);
        run.cancel();
        run.end();
        void request.release();
      },
      toText: (result) => this.#engine.toText({ ...result, fields }),
      toFault: (thrown) => this.#engine.toFault(thrown),
    });
    await request.sendItems(events, eventFormat);
    request.close();
  }

  /** Sends a result: one without data has not been run. */
  #send(
    request: DoorRequest,
    { whole = 'application/json' }: TakenForms,
    result: FieldResult,
  ): void {
    const status = result.data !== undefined || whole === 'application/json' ? 200 : 400;
    const body = this.#engine.toText(result);
    const headers = ['content-type', `${whole}; charset=utf-8`, 'vary', 'Accept'];
    request.send({ status, headers, body });
    request.close();
  }
}

/** A browser that opens the path asks for a page, by GET and without a document. */
function asksForPage({ method, url, headers }: DoorRequest): boolean {
  const accept = headers['accept'];
  return method === 'GET' && !url.includes('?') && parseWeights(String(accept)).has('text/html');
}

/** A subscription that was not begun has one result. */
async function* toOne(result: ExecutionResult): AsyncGenerator<ExecutionResult> {
  yield result;
}

const { MethodNotAllowed } = defaultErrors;
const toRefused = (message: string): Failure => ({ name: 'NotAcceptable', status: 406, message });
const notAcceptable = toRefused('Accept application/graphql-response+json or application/json');
const needsEvents = toRefused('A subscription is sent as events: accept text/event-stream');

import type { IncomingMessage, ServerResponse } from 'node:http';
import { passGuard } from '../../server-runtime/capability/guard-call.ts';
import { toStages } from '../../server-runtime/capability/run-capability.ts';
import { findDeclaredSecrets } from '../../server-runtime/capability/secrets.ts';
import { isError, readThrown } from '../../server-runtime/errors/failure.ts';
import { andThen } from '../../server-runtime/errors/maybe-promise.ts';
import type { Operation } from '../../server-runtime/registry/compile-registry.ts';
import { looksSecret } from '../../server-runtime/schema/received.ts';
import { createSecretCheck, type IsSecret } from '../../server-runtime/schema/secret-names.ts';
import type { AnsweredRequest, FailedRequest } from '../../server-runtime/server/hooks.ts';
import { interceptEvents } from '../patches/intercept-events.ts';
import { toPreview } from './preview.ts';
import type { GuardRecord, RecordedLine, RequestDetails, RequestRecord } from './request-record.ts';

const MAX_BODY_LENGTH = 64 * 1024;
const MAX_LOGS = 50;
/** The longest line of a log that is stored with its call. */
const MAX_LINE_LENGTH = 2_000;

export class RecordedCall {
  answered: AnsweredRequest | undefined;
  /** Whether it is known which request of the library it is. */
  isNamed = false;
  readonly #incoming: IncomingMessage;
  readonly #response: ServerResponse;
  /** The facts at its beginning: a host may cut off the path below which it has a handler. */
  readonly #start: Pick<RequestRecord, 'id' | 'at' | 'method' | 'url'>;
  readonly #startedAt = performance.now();
  readonly #bytesBefore: number;
  readonly #guards: GuardRecord[] = [];
  readonly #logs: RecordedLine[] = [];
  readonly #body: Buffer[] = [];
  #secretNames: readonly string[] = [];
  #isSecret: IsSecret = looksSecret;
  #seen: Pick<RequestDetails, 'hasRun' | 'input' | 'context' | 'answer' | 'error'> = {
    hasRun: false,
  };

  constructor(id: string, incoming: IncomingMessage, response: ServerResponse) {
    this.#incoming = incoming;
    this.#response = response;
    this.#start = { id, at: Date.now(), method: incoming.method ?? '', url: incoming.url ?? '' };
    this.#bytesBefore = incoming.socket.bytesWritten;
    if (incoming.method !== 'GET') this.#tapBody();
  }

  addLog(stream: RecordedLine['stream'], text: string): void {
    const left = MAX_LOGS - this.#logs.length;
    if (left <= 0) return;
    for (const line of text.replace(/\n$/, '').split('\n', left))
      this.#logs.push({ stream, text: line.slice(0, MAX_LINE_LENGTH) });
  }

  /** Called with the value that is sent, and before with that of the handler, where its schema makes another one. */
  #seeAnswer<Value>(value: Value): Value {
    this.#see({ answer: toPreview(value ?? null, this.#isSecret) });
    return value;
  }

  setFailed({ failure: { name, message, meta, cause } }: FailedRequest): void {
    const thrown = isError(cause) ? readThrown(cause) : { name, message, stack: undefined };
    this.#see({ error: { ...thrown, meta: meta && toPreview(meta) } });
  }

  /** The operation with its guards and its handler looked on at. */
  watch(operation: Operation): Operation {
    const { guards, inputGuards } = operation.definition;
    this.#secretNames = findDeclaredSecrets(operation.definition);
    this.#isSecret = createSecretCheck(this.#secretNames);
    const steps = operation.steps();
    const watched: Omit<typeof steps, 'stages'> = {
      ...steps,
      checkGuards: async (run) => {
        this.#see({ context: toPreview(run.ctx, this.#isSecret) });
        for (const guard of guards)
          run.ctx = await this.#check(guard.name, () => passGuard(guard, run.ctx, run.source));
        return undefined;
      },
      checkInputGuards: async (ctx, input) => {
        for (const { name, check } of inputGuards)
          await this.#check(name, () => check(input as never, ctx as never));
      },
      validate: (input) => {
        this.#see({ input: toPreview(input, this.#isSecret) });
        return steps.validate(input);
      },
      handle: (input, ctx) => {
        this.#see({ input: toPreview(input, this.#isSecret), hasRun: true });
        return andThen(steps.handle(input, ctx), (value) => this.#seeAnswer(value));
      },
      toAnswer:
        steps.toAnswer &&
        ((value, ctx) => andThen(steps.toAnswer?.(value, ctx), (made) => this.#seeAnswer(made))),
    };
    const whole = { ...watched, stages: toStages(watched) };
    return { ...operation, steps: () => whole };
  }

  toRecord(): RequestRecord {
    const { statusCode, headersSent } = this.#response;
    const { rawHeaders, socket } = this.#incoming;
    const headers = rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : [],
    );
    return {
      ...this.#start,
      capability: this.answered?.capability,
      status: headersSent ? statusCode : 0,
      durationMs: performance.now() - this.#startedAt,
      bytes: Math.max(0, (socket?.bytesWritten ?? 0) - this.#bytesBefore),
      requestId: this.answered?.request.requestId,
      details: {
        ...this.#seen,
        headers,
        answerHeaders: answerHeaders(this.#response),
        body: this.#toBodyText(),
        guards: this.#guards,
        logs: this.#logs,
        secretNames: this.#secretNames,
      },
    };
  }

  #see(more: Partial<RequestDetails>): void {
    this.#seen = { ...this.#seen, ...more };
  }

  async #check(name: string, check: () => unknown): Promise<unknown> {
    try {
      const checked = await check();
      this.#guards.push({ name });
      return checked;
    } catch (thrown) {
      this.#guards.push({ name, rejection: readThrown(thrown).message });
      throw thrown;
    }
  }

  /** Looks at the body as whoever reads it gets it; reading stays theirs. */
  #tapBody(): void {
    let length = 0;
    interceptEvents(this.#incoming, (pass, event, details) => {
      const [chunk] = details;
      if (event === 'data' && length <= MAX_BODY_LENGTH && Buffer.isBuffer(chunk)) {
        length += chunk.length;
        this.#body.push(chunk);
      }
      return pass(event, details);
    });
  }

  #toBodyText(): string | undefined {
    const bytes = Buffer.concat(this.#body);
    if (bytes.length === 0 || bytes.length > MAX_BODY_LENGTH) return undefined;
    const text = bytes.toString('utf8');
    return text.includes('\uFFFD') ? undefined : text;
  }
}

/** The headers of an answer as they were sent, in order and by name; none where nothing was. */
export function answerHeaders(response: ServerResponse): RequestDetails['answerHeaders'] {
  // Headers that are passed to `writeHead` are in no other place; answers over HTTP/2 have no such text.
  const { _header: head } = response as ServerResponse & { readonly _header?: unknown };
  if (typeof head !== 'string')
    return Object.entries(response.getHeaders()).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => [name, String(one)] as const),
    );
  const lines = head.split('\r\n').slice(1);
  return lines.flatMap((line) => {
    const end = line.indexOf(':');
    return line === '' ? [] : [[line.slice(0, end), line.slice(end + 1).trim()] as const];
  });
}

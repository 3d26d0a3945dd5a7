import type { IncomingMessage, ServerResponse } from 'node:http';
import { isError, readThrown } from '../../server-runtime/errors/failure.ts';
import type { OperationCall } from '../../server-runtime/execution/execute.ts';
import { interceptEvents } from '../../server-runtime/patches/intercept-events.ts';
import { type RunnableOperation, stepsOf } from '../../server-runtime/registry/operation.ts';
import type { AnsweredRequest, FailedRequest } from '../../server-runtime/server/hooks.ts';
import { toPreview } from './preview.ts';
import type {
  GuardRecord,
  Preview,
  RecordedError,
  RecordedLine,
  RequestDetails,
  RequestRecord,
} from './request-record.ts';

export interface RecordedCallOptions {
  readonly id: number;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
}

const MAX_BODY_LENGTH = 64 * 1024;
const MAX_LOGS = 50;

/** A request while it runs. */
export class RecordedCall {
  readonly #id: number;
  readonly #at = Date.now();
  readonly #startedAt = performance.now();
  readonly #bytesBefore: number;
  readonly #incoming: IncomingMessage;
  readonly #response: ServerResponse;
  /** A host may cut off the path below which it has a handler. */
  readonly #url: string;
  readonly #method: string;
  readonly #guards: GuardRecord[] = [];
  readonly #logs: RecordedLine[] = [];
  readonly #body: Buffer[] = [];
  #answered: AnsweredRequest | undefined;
  #input: Preview;
  #hasRun = false;
  #context: Preview;
  #answer: Preview;
  #error: RecordedError | undefined;

  constructor({ id, incoming, response }: RecordedCallOptions) {
    this.#id = id;
    this.#incoming = incoming;
    this.#response = response;
    this.#url = incoming.url ?? '';
    this.#method = incoming.method ?? '';
    this.#bytesBefore = incoming.socket.bytesWritten;
    if (incoming.method !== 'GET') this.#tapBody();
  }

  addLog(stream: RecordedLine['stream'], text: string): void {
    const left = MAX_LOGS - this.#logs.length;
    if (left <= 0) return;
    for (const line of text.replace(/\n$/, '').split('\n', left)) this.#logs.push({ stream, text: line });
  }

  setAnswered(answered: AnsweredRequest): void {
    this.#answered = answered;
  }

  setAnswer(value: unknown): void {
    this.#answer = toPreview(value ?? null);
  }

  setFailed({ failure: { name, message, meta, cause } }: FailedRequest): void {
    const told = isError(cause) ? readThrown(cause) : { name, message, stack: undefined };
    this.#error = { ...told, meta: meta && toPreview(meta) };
  }

  /** The call with its guards and its handler looked on at. */
  watch(call: OperationCall): OperationCall {
    const { operation } = call;
    const { definition } = operation;
    const steps = stepsOf(operation);
    const checkGuards: typeof steps.checkGuards = (ctx) => {
      this.#context = toPreview(ctx);
      return this.#checkAll(definition.guards.map(({ name, check }) => ({ name, check: () => check(ctx as never) })));
    };
    const checkInputGuards: typeof steps.checkInputGuards = (ctx, input) =>
      this.#checkAll(
        definition.inputGuards.map(({ name, check }) => ({ name, check: () => check(input as never, ctx as never) })),
      );
    const validate: typeof steps.validate = (input) => {
      this.#input = toPreview(input);
      return steps.validate(input);
    };
    const handle: typeof steps.handle = (input, ctx) => {
      this.#input = toPreview(input);
      this.#hasRun = true;
      return steps.handle(input, ctx);
    };
    const watchedSteps = { ...steps, checkGuards, validate, checkInputGuards, handle };
    const watched: RunnableOperation = { ...operation, steps: () => watchedSteps };
    return { ...call, operation: watched };
  }

  toRecord(): RequestRecord {
    const { statusCode, headersSent } = this.#response;
    return {
      id: this.#id,
      at: this.#at,
      method: this.#method,
      url: this.#url,
      capability: this.#answered?.capability,
      status: headersSent ? statusCode : 0,
      durationMs: performance.now() - this.#startedAt,
      bytes: Math.max(0, (this.#incoming.socket?.bytesWritten ?? 0) - this.#bytesBefore),
      requestId: this.#answered?.request.requestId,
      details: this.#toDetails(),
    };
  }

  #toDetails(): RequestDetails {
    const { rawHeaders } = this.#incoming;
    const headers = Array.from(
      { length: rawHeaders.length / 2 },
      (_, index) => [rawHeaders[index * 2] ?? '', rawHeaders[index * 2 + 1] ?? ''] as const,
    );
    return {
      headers,
      answerHeaders: answerHeaders(this.#response),
      body: this.#toBodyText(),
      input: this.#input,
      hasRun: this.#hasRun,
      context: this.#context,
      guards: this.#guards,
      answer: this.#answer,
      error: this.#error,
      logs: this.#logs,
    };
  }

  async #checkAll(checks: readonly { readonly name: string; readonly check: () => unknown }[]): Promise<void> {
    for (const { name, check } of checks) {
      try {
        await check();
      } catch (thrown) {
        this.#guards.push({ name, rejection: readThrown(thrown).message });
        throw thrown;
      }
      this.#guards.push({ name });
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
export function answerHeaders(response: ServerResponse): readonly (readonly [name: string, value: string])[] {
  const head = headOf(response);
  if (head !== undefined)
    return head
      .split('\r\n')
      .slice(1)
      .filter((line) => line !== '')
      .map((line) => {
        const end = line.indexOf(':');
        return [line.slice(0, end), line.slice(end + 1).trim()] as const;
      });
  return Object.entries(response.getHeaders()).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, String(one)] as const),
  );
}

/** The head as text. Headers that `writeHead` is given are in no other place; answers over HTTP/2 have no such text. */
function headOf(response: ServerResponse): string | undefined {
  const { _header: head } = response as ServerResponse & { readonly _header?: unknown };
  return typeof head === 'string' ? head : undefined;
}

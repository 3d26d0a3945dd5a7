import { Readable } from 'node:stream';
import { defaultErrors } from '../errors/define-error.ts';
import { failure } from '../errors/failure.ts';
import { type BodyFormat, toRefusalText } from '../http/envelope.ts';
import type { RawHeaders } from '../http/exchange.ts';
import { type HttpAnswer, withType } from '../http/http-answer.ts';
import type { ItemFormat } from '../http/http-door.ts';
import { findHeader, findText, type HttpResponse } from '../http/http-response.ts';
import { toBeyond } from '../http/ranges.ts';
import { IS_BYTES, type ItemSource } from '../resources/item-source.ts';
import { joinHeaders } from '../server/raw-headers.ts';
import { findPart, hasParts, toLength } from './byte-parts.ts';
import { sliceBytes } from './byte-slice.ts';
import { EndedStreams } from './ended-streams.ts';
import {
  bytesFormat,
  type ItemBodyOptions,
  NOTHING_LEFT,
  openItemBody,
  REPEATABLE,
  toEventFormat,
} from './item-body.ts';
import type { RestRequest } from './request-handler.ts';
import type { RestParts } from './responder.ts';

/** The host of a sender, which knows the form of its answers. */
interface ItemHost {
  readonly parts: Pick<RestParts, 'settings' | 'life'>;
  send(request: RestRequest, ready: HttpResponse): void;
  formatOf(request: RestRequest): BodyFormat;
  isByKey(request: RestRequest): boolean;
  withCaching(request: RestRequest, headers: RawHeaders): RawHeaders;
}

/** Sends items and streams of bytes. It knows those under way, and which streams of events have ended. */
export class ItemSender {
  readonly #host: ItemHost;
  readonly #ended = new EndedStreams();
  /** The requests whose async iterables are being sent. */
  readonly #underWay = new Set<RestRequest>();

  constructor(host: ItemHost) {
    this.#host = host;
  }

  /** Ends the async iterables under way: the last item reports that the server stops. */
  endAll(): void {
    for (const request of this.#underWay)
      request.leave(new DOMException('The server is stopping.', 'AbortError'));
  }

  /** Sends the items of a handler: all of them, or the bytes that `Range` names where the length is known. */
  sendAnswer(
    request: RestRequest,
    answer: HttpAnswer,
    { items, length }: { readonly items: ItemSource; readonly length: number | undefined },
  ): void {
    const start = (sent: HttpAnswer, source: ItemSource): void =>
      void this.#send(request, sent, source).catch((thrown) =>
        request.refuse(request.app.toFailure(thrown)),
      );
    if (length === undefined || !items[IS_BYTES] || !hasParts(request, answer))
      return start(answer, items);
    const part = findPart(request, answer.headers, length);
    if (part === 'beyond') {
      void items.end();
      return request.refuse(toBeyond(length));
    }
    const { status, headers, range } = part;
    const byteLength = toLength(range);
    start({ ...answer, status, headers, byteLength }, sliceBytes(items, range, length));
  }

  async #send(request: RestRequest, answer: HttpAnswer, items: ItemSource): Promise<void> {
    const { envelope, toText } = this.#host.formatOf(request);
    const { signal } = request;
    const isEvents = !items[IS_BYTES];
    const toFault = (thrown: unknown): string => {
      const reason = signal.aborted ? stopping : request.app.toFailure(thrown);
      if (!signal.aborted) request.report(reason);
      return toRefusalText(envelope, reason, request);
    };
    const { status, byteLength } = answer;
    const accept = request.headers['accept'];
    const format = isEvents
      ? toEventFormat(findHeader(answer.headers, 'content-type'), accept, { toText, toFault })
      : bytesFormat;
    const headers = isEvents ? joinHeaders(answer.headers, format.headers) : withType(answer);
    const response = { status, headers: this.#host.withCaching(request, headers), byteLength };
    if (request.method === 'HEAD') {
      void items.end();
      return this.#host.send(request, { ...response, body: Readable.from([]) });
    }
    const lastEventId = findText(request.headers['last-event-id']);
    const body = await this.#openBody(request, items, {
      ...format,
      isEnded: isEvents,
      reading: format.isEvents ? this.#ended.read(request.url, lastEventId) : undefined,
      opening: format.isEvents ? this.#findOpening(request) : undefined,
    });
    if (body === NOTHING_LEFT)
      this.#host.send(request, {
        status: 204,
        headers: ['cache-control', 'no-cache', 'vary', 'Accept'],
      });
    else if (body !== undefined) this.#host.send(request, { ...response, body });
  }

  /** Sends the items of a door, with its texts. */
  async sendFormatted(request: RestRequest, items: ItemSource, format: ItemFormat): Promise<void> {
    const stream = { ...format, isEnded: true, reading: undefined, opening: undefined };
    const body = await this.#openBody(request, items, stream);
    if (body instanceof Readable) this.#host.send(request, { headers: format.headers, body });
  }

  /** Opens a body of items, which ends when the caller leaves. Undefined where that was before it had begun. */
  async #openBody(
    request: RestRequest,
    items: ItemSource,
    { isEnded, reading, opening, ...format }: OpenedFormat,
  ): ReturnType<typeof openItemBody> {
    const { settings, life } = this.#host.parts;
    const { signal } = request;
    const { heartbeatMs } = settings;
    request.watchLeave();
    if (isEnded) this.#underWay.add(request);
    if (life.phase === 'draining') this.endAll();
    const onEnd = (): void => void this.#underWay.delete(request);
    const options = { heartbeatMs, signal, onEnd, reading, opening };
    const body = await openItemBody(items, format, options);
    if (body === undefined && isEnded && life.phase === 'draining')
      throw defaultErrors.ServiceUnavailable();
    return body;
  }

  /** Only the method of other calls says whether they may be made again. */
  #findOpening(request: RestRequest): string | undefined {
    const isQuery = request.served?.operation.intent === 'query';
    return isQuery && this.#host.isByKey(request) ? REPEATABLE : undefined;
  }
}

/** A format with what its stream needs. */
interface OpenedFormat extends ItemFormat, Pick<ItemBodyOptions, 'reading' | 'opening'> {
  /** Whether a server that stops ends it. */
  readonly isEnded: boolean;
}

const stopping = failure(defaultErrors.ServiceUnavailable, 'The server is stopping');

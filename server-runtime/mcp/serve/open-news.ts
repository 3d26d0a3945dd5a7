import { type OfferedList, type OfferPrints, offeredLists } from '../offers/to-offers.ts';

/** The code of this server is replaced while its clients stay, as under `capix dev`. */
export interface Reload {
  readonly offers: OfferPrints;
  /** Fires when the code that comes next answers in place of this one. */
  readonly replaced: AbortSignal;
}

/** The wait of a client before it asks the next code for news, milliseconds. */
const RETRY_MS = 100;

/** The start of each stream of news. Its id says which lists the client knows, and comes back with the next. */
export function toStart(offers: OfferPrints): string {
  const id = offeredLists.map((list) => offers[list]).join('.');
  return `id: ${id}\nretry: ${RETRY_MS}\ndata: \n\n`;
}

/** A stream of news for a session of the code before: tells at once of the lists that are others now. */
export function openNews({ headers, signal }: Request, { offers, replaced }: Reload, closing: AbortSignal): Response {
  const known = headers.get('last-event-id')?.split('.') ?? [];
  const changed = offeredLists.filter((list, index) => known[index] !== offers[list]);
  const over = AbortSignal.any([signal, replaced, closing]);
  const text = [toStart(offers), ...changed.map(toNews)].join('');
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(text));
      over.addEventListener('abort', () => controller.close(), { once: true });
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' } });
}

function toNews(list: OfferedList): string {
  return `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/${list}/list_changed"}\n\n`;
}

/** The same stream with a text before it. */
export function startWith(text: string, { body, status, headers }: Response): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
  });
  void body?.pipeTo(writable).catch(() => {});
  return new Response(readable, { status, headers });
}

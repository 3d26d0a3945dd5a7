import type { RequestRecord } from './request-record.ts';

/**
 * Requests as a child sends them: the fields of each one after the other, since writing two thousand objects a second with all their names costs a
 * server more than recording them.
 */
export interface PackedRequests {
  /** Id, time, method, URL, capability, status, duration in microseconds and request id of each, in turn. */
  readonly fields: readonly Field[];
  /** What there is beside, with the place of its request. */
  readonly extras: readonly Extra[];
}

interface Extra extends Pick<RequestRecord, 'bytes' | 'details'> {
  readonly place: number;
}

type Field = string | number | null;

/** Packs one request after the other. */
export class RequestPacker {
  #fields: Field[] = [];
  #extras: Extra[] = [];

  get isEmpty(): boolean {
    return this.#fields.length === 0;
  }

  add(request: RequestRecord): void {
    const { id, at, method, url, capability, status, durationMs, requestId, bytes, details } = request;
    if (details !== undefined || bytes !== undefined)
      this.#extras.push({ place: this.#fields.length / FIELDS, bytes, details });
    this.#fields.push(
      id,
      at,
      method,
      url,
      capability ?? null,
      status,
      Math.round(durationMs * 1000),
      requestId ?? null,
    );
  }

  /** Gives what was added since the last time. */
  take(): PackedRequests {
    const packed = { fields: this.#fields, extras: this.#extras };
    this.#fields = [];
    this.#extras = [];
    return packed;
  }
}

export function unpackRequests({ fields, extras }: PackedRequests): readonly RequestRecord[] {
  const beside = new Map(extras.map(({ place, ...extra }) => [place, extra]));
  return Array.from({ length: fields.length / FIELDS }, (_, place) => {
    const [id, at, method, url, capability, status, durationUs, requestId] = fields.slice(
      place * FIELDS,
      (place + 1) * FIELDS,
    ) as Fields;
    return {
      id,
      at,
      method,
      url,
      capability: capability ?? undefined,
      status,
      durationMs: durationUs / 1000,
      requestId: requestId ?? undefined,
      ...beside.get(place),
    };
  });
}

const FIELDS = 8;

type Fields = [
  id: number,
  at: number,
  method: string,
  url: string,
  capability: string | null,
  status: number,
  durationUs: number,
  requestId: string | null,
];

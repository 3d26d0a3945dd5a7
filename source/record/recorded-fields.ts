import type { Failure } from '../../server-runtime/errors/failure.ts';
import type { FieldRecord, RequestDetails } from './request-record.ts';

/** The most fields of an operation that are recorded. */
const MAX_FIELDS = 50;

interface FieldCall {
  readonly failure: Failure | undefined;
  readonly endedAt: number | undefined;
  toDetails(): RequestDetails;
}

interface RecordedField {
  readonly path: string;
  readonly capability: string;
  readonly startedAt: number;
  readonly calls: [FieldCall, ...FieldCall[]];
}

/** The fields of an operation that are calls. The calls of a link in all values of a list are one field. */
export class RecordedFields {
  readonly #fields = new Map<string, RecordedField>();

  /** Adds a call that begins, unless there are too many fields. `place` is its path: `listPosts.0.author`. */
  add(place: string, capability: string, call: FieldCall): void {
    const path = place.replaceAll(/\.\d+(?=\.|$)/g, '');
    const known = this.#fields.get(path);
    if (known !== undefined) known.calls.push(call);
    else if (this.#fields.size < MAX_FIELDS)
      this.#fields.set(path, { path, capability, startedAt: performance.now(), calls: [call] });
  }

  toRecords(): readonly FieldRecord[] {
    return [...this.#fields.values()].map(toFieldRecord);
  }
}

/** The details are those of its first call that failed, or else of its first one. */
function toFieldRecord({ path, capability, startedAt, calls }: RecordedField): FieldRecord {
  const failed = calls.filter(({ failure }) => failure !== undefined);
  const ended = calls.map(({ endedAt = performance.now() }) => endedAt);
  const [shown = calls[0]] = failed;
  const { failure } = shown;
  const isWhole = calls.every(({ endedAt }) => endedAt !== undefined);
  return {
    path,
    capability,
    calls: calls.length,
    failed: failed.length,
    status: failure?.status ?? (isWhole ? 200 : 0),
    error: failure && { name: failure.name, message: failure.message },
    durationMs: Math.max(startedAt, ...ended) - startedAt,
    details: shown.toDetails(),
  };
}

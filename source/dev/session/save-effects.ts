import { signs } from '../../kit/theme.ts';
import { type RoutedRequest, toShownUrl } from '../../record/replace-url-secrets.ts';
import { toSize } from '../../values/count.ts';
import { toClock, toDuration } from '../../values/duration.ts';
import type { DevEvent } from './dev-event.ts';

/** What a save made worse of a request. */
export interface SaveEffect {
  /** `GET /orders` */
  readonly title: string;
  /** None where the request costs no more than before again. */
  readonly changes: readonly CostChange[];
  /** When the save came, milliseconds since 1970. */
  readonly since: number;
}

/** A figure before the save and after it; of a time, the slowest before and the fastest after, milliseconds. */
interface CostChange {
  readonly of: 'queries' | 'calls' | 'bytes' | 'durationMs';
  readonly before: number;
  readonly after: number;
}

/** What a request cost; the same request costs the same as long as its code is the same. */
interface Cost {
  readonly queries: number;
  readonly calls: number;
  readonly bytes: number;
  /** Of the last times that it was sent, milliseconds. */
  readonly tookMs: readonly number[];
}

interface SentRequest {
  readonly title: string;
  /** With the code before the save that made it worse, or else before the last one. */
  before: Cost | undefined;
  now: Cost | undefined;
  /** When the save came that made it worse, milliseconds since 1970. */
  worseSince: number | undefined;
}

/** The requests that are compared: who works on an application sends the same few. */
const MAX_REQUESTS = 500;
const KEPT_TIMES = 9;
/** With fewer, a time says nothing. */
const MIN_TIMES = 3;
/** What a save may add without being worse. */
const FEW_QUERIES = 3;
const FEW_BYTES = 10_000;
const NOISE_MS = 20;

/** What saves made worse: the same request before a save and after it, until it costs no more than before. */
export class SaveEffects {
  readonly #requests = new Map<string, SentRequest>();
  #savedAt = 0;
  #reported: readonly SaveEffect[] = [];

  /** Newer code answers: that of a save at this time, milliseconds since 1970. */
  save(at: number): void {
    this.#savedAt = at;
    for (const sent of this.#requests.values()) {
      if (sent.worseSince !== undefined) continue;
      sent.before = sent.now ?? sent.before;
      sent.now = undefined;
    }
  }

  add(request: RoutedRequest): void {
    const { status, details, at } = request;
    if (details?.marks === undefined || status < 200 || status >= 400) return;
    const key = `${request.method} ${request.url} ${details.body ?? ''}`;
    const sent = this.#find(key, request);
    // It may be known only after the save.
    if (at < this.#savedAt) {
      if (sent.now === undefined) sent.before = toCost(request, sent.before);
      return;
    }
    sent.now = toCost(request, sent.worseSince === undefined ? sent.now : undefined);
    const isWorse = toChanges(sent).length > 0;
    sent.worseSince = isWorse ? (sent.worseSince ?? this.#savedAt) : undefined;
  }

  /** Takes an event as it comes. Gives the events that say what is worse since it, and what is so no more. */
  take(event: DevEvent, at: number): readonly DevEvent[] {
    // The time of the save itself: new code may answer before the tool says that it does.
    if (event.kind === 'ready' && event.cause.kind === 'change' && event.isLate !== true)
      this.save(at - event.durationMs);
    if (event.kind !== 'requests') return [];
    for (const request of event.requests) if (request.closed === undefined) this.add(request);
    const before = this.#reported;
    const now = this.toEffects();
    this.#reported = now;
    const known = new Set(before.map(toEffectKey));
    const worse = now.filter((effect) => !known.has(toEffectKey(effect)));
    const titles = new Set(now.map(({ title }) => title));
    const mended = before.filter(({ title }) => !titles.has(title));
    return [...worse, ...mended.map((effect) => ({ ...effect, changes: [] }))].map((effect) => ({
      kind: 'save-effect',
      effect,
    }));
  }

  /** Each once, the newest first. */
  toEffects(): readonly SaveEffect[] {
    const effects = [...this.#requests.values()].flatMap((sent): readonly SaveEffect[] => {
      const { title, worseSince: since } = sent;
      return since === undefined ? [] : [{ title, changes: toChanges(sent), since }];
    });
    const unique = new Map(effects.map((effect) => [toEffectText(effect), effect]));
    return [...unique.values()].toSorted((one, other) => other.since - one.since);
  }

  #find(key: string, request: RoutedRequest): SentRequest {
    const known = this.#requests.get(key);
    if (known !== undefined) {
      // The order of a map is that of its last uses.
      this.#requests.delete(key);
      this.#requests.set(key, known);
      return known;
    }
    const [oldest] = this.#requests.keys();
    if (this.#requests.size >= MAX_REQUESTS && oldest !== undefined) this.#requests.delete(oldest);
    const { method, operation } = request;
    const title = operation
      ? `${operation.kind} ${operation.title}`
      : `${method} ${toShownUrl(request)}`;
    const made = { title, before: undefined, now: undefined, worseSince: undefined };
    this.#requests.set(key, made);
    return made;
  }
}

function toCost({ details, bytes = 0, durationMs }: RoutedRequest, last: Cost | undefined): Cost {
  const { db = 0, http = 0 } = details?.marks?.counts ?? {};
  const tookMs = [...(last?.tookMs ?? []), durationMs].slice(-KEPT_TIMES);
  return { queries: db, calls: http, bytes, tookMs };
}

function toChanges({ before, now }: Pick<SentRequest, 'before' | 'now'>): readonly CostChange[] {
  if (before === undefined || now === undefined) return [];
  const isMore = now.queries - before.queries >= FEW_QUERIES;
  const isLonger = now.bytes - before.bytes >= FEW_BYTES;
  // The fastest of now is slower than the slowest of before.
  const slowest = Math.max(...before.tookMs);
  const fastest = Math.min(...now.tookMs);
  const hasTimes = Math.min(before.tookMs.length, now.tookMs.length) >= MIN_TIMES;
  const isSlower = fastest > 1.5 * slowest && fastest - slowest > NOISE_MS;
  const worse: Readonly<Record<CostChange['of'], boolean>> = {
    queries: isMore && now.queries >= 1.5 * before.queries,
    calls: now.calls > before.calls,
    bytes: isLonger && now.bytes >= 2 * before.bytes,
    durationMs: hasTimes && isSlower,
  };
  const changes: readonly CostChange[] = [
    { of: 'queries', before: before.queries, after: now.queries },
    { of: 'calls', before: before.calls, after: now.calls },
    { of: 'bytes', before: before.bytes, after: now.bytes },
    { of: 'durationMs', before: slowest, after: fastest },
  ];
  return changes.filter(({ of }) => worse[of]);
}

/** Two effects of one key are one: their figures may differ from request to request. */
function toEffectKey({ title, changes, since }: SaveEffect): string {
  return `${title} ${since} ${changes.map(({ of }) => of).join(' ')}`;
}

/** `GET /orders: queries 2 → 41 since 14:03:09` */
export function toEffectText({ title, changes, since }: SaveEffect): string {
  if (changes.length === 0) return `${title} costs no more than before ${toClock(since)}.`;
  const texts = changes.map(({ of, before, after }) => {
    const { name, toText } = words[of];
    return `${name} ${toText(before)} ${signs.arrow} ${toText(after)}`;
  });
  return `${title}: ${texts.join(', ')} since ${toClock(since)}`;
}

interface Words {
  readonly name: string;
  readonly toText: (figure: number) => string;
}

const words: Readonly<Record<CostChange['of'], Words>> = {
  queries: { name: 'queries', toText: String },
  calls: { name: 'outgoing calls', toText: String },
  bytes: { name: 'bytes', toText: toSize },
  durationMs: { name: 'time, beyond noise,', toText: toDuration },
};

import { type Line, lineWidth } from '../../kit/line.ts';
import { signs } from '../../kit/theme.ts';
import { type RoutedRequest, toShownUrl } from '../../record/replace-url-secrets.ts';
import { toSize } from '../../values/count.ts';
import { toClock, toDuration } from '../../values/duration.ts';

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

  /** Newer code answers from now on, milliseconds since 1970. */
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
    const isWorse = toWorse(sent).length > 0;
    sent.worseSince = isWorse ? (sent.worseSince ?? this.#savedAt) : undefined;
  }

  /** `GET /orders: queries 2 → 41 since 14:03:09`, the newest first. */
  toTexts(): readonly string[] {
    const texts = new Map<string, number>();
    for (const sent of this.#requests.values()) {
      const { title, worseSince } = sent;
      if (worseSince === undefined) continue;
      const text = `${title}: ${toWorse(sent).join(', ')} since ${toClock(worseSince)}`;
      texts.set(text, worseSince);
    }
    return [...texts].toSorted((one, other) => other[1] - one[1]).map(([text]) => text);
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

function toWorse({ before, now }: Pick<SentRequest, 'before' | 'now'>): readonly string[] {
  if (before === undefined || now === undefined) return [];
  const worse: string[] = [];
  const add = (name: string, one: string | number, other: string | number): void =>
    void worse.push(`${name} ${one} ${signs.arrow} ${other}`);
  const more = now.queries - before.queries;
  if (more >= FEW_QUERIES && now.queries >= 1.5 * before.queries)
    add('queries', before.queries, now.queries);
  if (now.calls > before.calls) add('outgoing calls', before.calls, now.calls);
  if (now.bytes >= 2 * before.bytes && now.bytes - before.bytes >= FEW_BYTES)
    add('bytes', toSize(before.bytes), toSize(now.bytes));
  // The fastest of now is slower than the slowest of before.
  const [slowest, fastest] = [Math.max(...before.tookMs), Math.min(...now.tookMs)];
  const hasTimes = Math.min(before.tookMs.length, now.tookMs.length) >= MIN_TIMES;
  if (hasTimes && fastest > 1.5 * slowest && fastest - slowest > NOISE_MS)
    add('time, beyond noise,', toDuration(slowest), toDuration(fastest));
  return worse;
}

/** One line below that of the server: what saves made worse, as much as has room. */
export function toEffectLines(texts: readonly string[], columns: number): readonly Line[] {
  if (texts.length === 0) return [];
  for (let shown = texts.length; shown > 0; shown -= 1) {
    const rest = texts.length - shown;
    const more = rest === 0 ? '' : ` · ${rest} more`;
    const line: Line = [
      { text: ` ${signs.warning} `, token: 'warning' },
      { text: texts.slice(0, shown).join(' · ') + more, token: 'warning' },
    ];
    if (shown === 1 || lineWidth(line) <= columns) return [line];
  }
  return [];
}

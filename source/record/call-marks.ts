import type { Observer } from '../../server-runtime/capability/run-capability.ts';
import type { CallMarks, TraceKind } from '../../server-runtime/capability/trace.ts';
import { isPromise } from '../../server-runtime/errors/maybe-promise.ts';
import type { EndMark, WaitMarks } from '../../server-runtime/observe/waits.ts';
import { callerStack } from '../../server-runtime/patches/caller-stack.ts';
import { findErrorPlace, type SourcePlace } from '../manifest/find-source-place.ts';
import { toShownName } from './replace-url-secrets.ts';

/** The steps of capix itself, in their order. */
const steps = [
  'context',
  'guard',
  'reading',
  'validation',
  'middleware',
  'handler',
  'output',
  'sending',
  'release',
] as const;

/** A step, or what code of the project waits for meanwhile. */
export type MarkKind = (typeof steps)[number] | 'job' | 'log' | TraceKind;

/** A part of a call with its time, or a moment of it. */
export interface Mark {
  readonly kind: MarkKind;
  /** The name of a guard or a middleware, a statement without its values, a method and a URL without its secrets. */
  readonly name: string;
  /** From the beginning of the call, milliseconds. */
  readonly atMs: number;
  /** Missing for a moment. */
  readonly tookMs?: number | undefined;
  /** The place in the list of the step in which it began. */
  readonly inside?: number | undefined;
  /** What came of it: a status, or that it failed. */
  readonly result?: string | undefined;
  /** The line of the project that it came from; only the first of a name has one. */
  readonly place?: SourcePlace | undefined;
}

/** The marks of a call in the order in which they began. */
export interface Marks {
  readonly list: readonly Mark[];
  /** How many there were of each kind, also of those that the list has no room for. */
  readonly counts: Readonly<Partial<Record<MarkKind, number>>>;
  /** The waits of one name of which there were more than `MANY`, the longest first. */
  readonly repeated: readonly Repeated[];
}

interface Repeated extends Pick<Mark, 'kind' | 'name'> {
  readonly times: number;
  /** All of them together. */
  readonly tookMs: number;
}

const MAX_MARKS = 200;
/** What is left to the steps of a call whose handler waits for a thousand things. */
const MAX_WAITS = 180;
const MAX_NAMES = 100;
const MAX_REPEATED = 10;
/** The most often that a call may ask the same before it counts as a loop. */
export const MANY = 5;
const MAX_STACKS = 20;
const FRAMES = 40;
const MAX_PLACES = 1_000;

/** The line of each mark, by its step, kind and name. */
export type KnownPlaces = Map<string, SourcePlace | undefined>;

type Placed = Omit<Mark, 'place'>;
/** What is needed to find the line that a mark came from. */
type FoundPlace = { readonly [Key in 'caller' | 'key' | 'isWrapped']: OpenMark[Key] | undefined };
type OpenMark = { -readonly [Key in keyof Placed]: Placed[Key] } & {
  caller?: { readonly stack?: string };
  /** What it is called among the places that are known. */
  key?: string;
  /** Whether the innermost line is that of a wrapper, and the one around it the place to look at. */
  isWrapped?: boolean;
};

interface LoneWait {
  readonly isSpan: boolean;
  readonly end: EndMark;
}

export function isStep({ kind }: Pick<Mark, 'kind'>): boolean {
  return (steps as readonly MarkKind[]).includes(kind);
}

/** The times of one call while it runs. */
export class MarkedTimes implements CallMarks, WaitMarks {
  readonly #startedAt = performance.now();
  readonly #list: OpenMark[] = [];
  readonly #counts: Partial<Record<MarkKind, number>> = {};
  /** By kind and name, how often and how long. */
  readonly #byName = new Map<string, { -readonly [Key in keyof Repeated]: Repeated[Key] }>();
  /** The places of the steps that have begun and not ended. */
  readonly #open: number[] = [];
  /** By kind and name, the waits under way that a package has published, or a span was made of, and not both. */
  readonly #lone = new Map<string, LoneWait[]>();
  readonly #statements = new Map<string, string>();
  readonly #places: KnownPlaces;
  #stackCount = 0;

  /** `places`: those that earlier calls of the same code have found. */
  constructor(places: KnownPlaces = new Map()) {
    this.#places = places;
  }

  run<T>(kind: MarkKind, name: string, part: () => T): T {
    const end = this.begin(kind, name, true);
    try {
      const made = part();
      if (!isPromise(made)) {
        end();
        return made;
      }
      made.then(
        () => end(),
        () => end(FAILED),
      );
      return made;
    } catch (thrown) {
      end(FAILED);
      throw thrown;
    }
  }

  /** `isWrapped`: by code of the project that stands around a client, as `trace('db', …)` does. */
  begin(kind: MarkKind, name = '', isWrapped = false): EndMark {
    if (isStep({ kind })) return this.#begin(kind, name, isWrapped);
    return this.#beginOnce(kind, name, { isSpan: false, isWrapped });
  }

  /** Of a span: its package may publish the same on a channel, before or after, which is one mark. */
  beginSpan(kind: TraceKind, name: string): EndMark {
    return this.#beginOnce(kind, name, { isSpan: true, isWrapped: false });
  }

  #beginOnce(
    kind: MarkKind,
    name: string,
    { isSpan, isWrapped }: { readonly isSpan: boolean; readonly isWrapped: boolean },
  ): EndMark {
    const key = `${kind} ${this.#toShownName(kind, name)}`;
    const lone = this.#lone.get(key) ?? [];
    const same = lone.find((one) => one.isSpan !== isSpan);
    if (same !== undefined) {
      this.#setPaired(key, same);
      return same.end;
    }
    const end = this.#begin(kind, name, isWrapped);
    const wait: LoneWait = {
      isSpan,
      end: (result) => {
        this.#setPaired(key, wait);
        end(result);
      },
    };
    this.#lone.set(key, [...lone, wait]);
    return wait.end;
  }

  #setPaired(key: string, wait: LoneWait): void {
    const left = this.#lone.get(key)?.filter((one) => one !== wait) ?? [];
    if (left.length === 0) this.#lone.delete(key);
    else this.#lone.set(key, left);
  }

  #begin(kind: MarkKind, name: string, isWrapped: boolean): EndMark {
    const mark = this.#add(kind, name);
    mark.isWrapped = isWrapped && kind !== 'trace';
    const key = this.#count(kind, mark.name);
    const isOpenStep = isStep(mark);
    const at = this.#list.at(-1) === mark ? this.#list.length - 1 : -1;
    if (isOpenStep && at >= 0) this.#open.push(at);
    return (result) => {
      if (mark.tookMs !== undefined) return;
      mark.tookMs = this.#now() - mark.atMs;
      if (result !== undefined) mark.result = result;
      if (key !== undefined) key.tookMs += mark.tookMs;
      const openAt = this.#open.lastIndexOf(at);
      if (isOpenStep && openAt >= 0) this.#open.splice(openAt, 1);
    };
  }

  /** Notes a moment. */
  note(kind: MarkKind, name: string): void {
    this.#count(kind, this.#add(kind, name).name);
  }

  /** Notes what has ended in this moment. */
  addEnded(kind: MarkKind, name: string, tookMs: number): void {
    const mark = this.#add(kind, name);
    mark.atMs = Math.max(0, mark.atMs - tookMs);
    mark.tookMs = tookMs;
    const seen = this.#count(kind, mark.name);
    if (seen !== undefined) seen.tookMs += tookMs;
  }

  toMarks(): Marks {
    const repeated = [...this.#byName.values()]
      .filter(({ times }) => times > MANY)
      .toSorted((one, other) => other.tookMs - one.tookMs)
      .slice(0, MAX_REPEATED);
    return {
      list: this.#list.map(({ caller, key, isWrapped, ...mark }) => ({
        ...mark,
        atMs: toMicros(mark.atMs),
        ...(mark.tookMs !== undefined && { tookMs: toMicros(mark.tookMs) }),
        ...(key !== undefined && { place: this.#toPlace({ caller, key, isWrapped }) }),
      })),
      counts: this.#counts,
      repeated: repeated.map((one) => ({ ...one, tookMs: toMicros(one.tookMs) })),
    };
  }

  #add(kind: MarkKind, name: string): OpenMark {
    const mark: OpenMark = {
      kind,
      name: this.#toShownName(kind, name),
      atMs: this.#now(),
      inside: this.#open.at(-1),
    };
    if (this.#list.length < (isStep(mark) ? MAX_MARKS : MAX_WAITS)) this.#list.push(mark);
    return mark;
  }

  /** A statement in a loop is the same text each time. */
  #toShownName(kind: MarkKind, name: string): string {
    if (kind !== 'db') return toShownName(kind, name);
    const known = this.#statements.get(name);
    if (known !== undefined) return known;
    const shown = toShownName(kind, name);
    if (this.#statements.size < MAX_NAMES) this.#statements.set(name, shown);
    return shown;
  }

  #count(kind: MarkKind, name: string) {
    this.#counts[kind] = (this.#counts[kind] ?? 0) + 1;
    if (isStep({ kind }) || kind === 'log') return undefined;
    const known = this.#byName.get(`${kind} ${name}`);
    if (known !== undefined) {
      known.times += 1;
      return known;
    }
    if (this.#byName.size >= MAX_NAMES) return undefined;
    const first = { kind, name, times: 1, tookMs: 0 };
    this.#byName.set(`${kind} ${name}`, first);
    this.#takeStack(this.#list.at(-1), name);
    return first;
  }

  /** The stack of the first of a name, unless an earlier call has found its place. */
  #takeStack(mark: OpenMark | undefined, name: string): void {
    if (mark?.name !== name) return;
    const step = mark.inside === undefined ? undefined : this.#list[mark.inside];
    mark.key = `${step?.name} ${mark.kind} ${name}`;
    if (this.#places.has(mark.key) || this.#stackCount >= MAX_STACKS) return;
    this.#stackCount += 1;
    mark.caller = callerStack(this.#takeStack, FRAMES);
  }

  /** Node formats a stack, and maps it to the source, when somebody reads it: once for each place in the code. */
  #toPlace({ caller, key = '', isWrapped = false }: FoundPlace): SourcePlace | undefined {
    if (caller !== undefined && !this.#places.has(key)) {
      if (this.#places.size >= MAX_PLACES) this.#places.clear();
      this.#places.set(key, toPlace(caller.stack, isWrapped));
    }
    return this.#places.get(key);
  }

  #now(): number {
    return performance.now() - this.#startedAt;
  }
}

/** The middleware of a call and its handler, which are inside of one another, as no step of a recorded call is. */
export function toStepObserver(find: (request: object) => MarkedTimes | undefined): Observer {
  return ({ kind, name }) => {
    if (kind !== 'enhancer' && kind !== 'handler') return undefined;
    const step = kind === 'enhancer' ? 'middleware' : 'handler';
    return (run, request) => {
      const marks = request && find(request);
      return marks === undefined ? run() : marks.run(step, name, run);
    };
  };
}

const FAILED = 'failed';

/** The innermost line of the project in a stack, or the one around it. */
function toPlace(stack: string | undefined, isWrapped: boolean): SourcePlace | undefined {
  const places = (stack ?? '').split('\n').flatMap((line) => findErrorPlace(line, '/') ?? []);
  return (isWrapped ? places[1] : undefined) ?? places[0];
}

/** A thousandth of a millisecond is what a clock can tell. */
function toMicros(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

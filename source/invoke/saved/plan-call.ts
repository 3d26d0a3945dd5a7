import { createSecretCheck, type IsSecret } from '../../../server-runtime/schema/secret-names.ts';
import { toRepeatedHeaders } from '../../record/curl.ts';
import { isCutPreview, MASK } from '../../record/preview.ts';
import type { RequestRecord } from '../../record/request-record.ts';
import { findValueAt, isJsonObject, type JsonPath, mapLeaves } from '../../values/json.ts';
import type { RequestHeaders } from '../perform-call.ts';
import { toSavedFileText } from './read-saved-calls.ts';

/** A call with its answer, as it was made or recorded. */
export interface MadeCall {
  readonly key: string;
  readonly input: unknown;
  readonly headers: RequestHeaders;
  readonly status: number;
  /** The answer that a caller over HTTP gets; undefined where nobody knows it. */
  readonly body: unknown;
  readonly isSecret: IsSecret;
  /** Whether it may have made what it answers with. */
  readonly changes: boolean;
}

/** A value that is looked up when the call is made again: in the answer of another call, or in its own. */
export class AnswerPart {
  /** The name of the other call; none for its own answer, in which the value is another one each time. */
  readonly name: string | undefined;
  readonly path: JsonPath;

  constructor(path: JsonPath, name?: string) {
    this.path = path;
    this.name = name;
  }

  /** As a saved call has it: `{{createItem.id}}`. */
  toJSON(): string | undefined {
    return this.name && `{{${this.name}${toPathText(this.path)}}}`;
  }
}

/** A call to be made again, after those whose answers it needs. */
export interface PlannedCall {
  readonly call: MadeCall;
  readonly name: string;
  /** With an `AnswerPart` in place of what comes from the answer of another call. */
  readonly input: unknown;
  /** With an `AnswerPart` in place of what differs from time to time. */
  readonly body: unknown;
  readonly needs: readonly PlannedCall[];
}

export interface PlanOptions {
  /** All calls that are known, in their order. */
  readonly made: readonly MadeCall[];
  /** Gives each call a name of its own. */
  readonly toName: (call: MadeCall) => string;
  /** Whether values of a call are to come from the answer of an earlier one. */
  readonly isWanted: (values: readonly FoundValue[], from: MadeCall) => Promise<boolean>;
}

/** A value of an input that was made by an earlier call: `field` in the input, `path` in the data of its answer. */
export interface FoundValue {
  readonly field: JsonPath;
  readonly from: MadeCall;
  readonly path: JsonPath;
}

/** Finds out how a call is made again. `isWanted` hears of each call that it may need once, the earliest first. */
export async function planCall(call: MadeCall, options: PlanOptions): Promise<PlannedCall> {
  const plans = new Map<MadeCall, PlannedCall>();
  const plan = async (planned: MadeCall): Promise<PlannedCall> => {
    const before = options.made.slice(0, options.made.indexOf(planned));
    const found = findValues(planned, before);
    const parts: (FoundValue & { readonly part: AnswerPart })[] = [];
    const needs: PlannedCall[] = [];
    for (const from of new Set(found.map((value) => value.from))) {
      const values = found.filter((value) => value.from === from);
      const known = plans.get(from);
      if (known === undefined && !(await options.isWanted(values, from))) continue;
      const needed = known ?? (await plan(from));
      plans.set(from, needed);
      needs.push(needed);
      for (const value of values)
        parts.push({ ...value, part: new AnswerPart(value.path, needed.name) });
    }
    const name = options.toName(planned);
    const input = mapLeaves(planned.input, (value, path) => {
      const same = parts.find(({ field }) => toPathText(field) === toPathText(path));
      return same?.part ?? value;
    });
    const toPart = (value: unknown, path: JsonPath): AnswerPart | undefined =>
      parts.find(
        ({ field, part }) =>
          findValueAt(planned.input, field) === value && isLike(value, path, part.path),
      )?.part;
    const body = toLasting(planned, findOthers(planned, options.made), toPart);
    return { call: planned, name, input, body, needs };
  };
  return plan(call);
}

/** The text of the file of a saved call, which expects the status and what lasts of the body. */
export function toPlannedText(
  { call, input, body }: Pick<PlannedCall, 'call' | 'input' | 'body'>,
  environment?: string,
): string {
  const { key, headers, status, isSecret } = call;
  const expect = { status, body: withoutOwnParts(body) };
  return toSavedFileText({ call: key, input, headers, environment, expect }, isSecret);
}

/** The same of a call of which no other is known. */
export function toAloneText(call: MadeCall & { readonly environment: string | undefined }): string {
  const body = toLasting(call, [], () => undefined);
  return toPlannedText({ call, input: call.input, body }, call.environment);
}

/** All calls that come before another one, each once and after what it needs itself. */
export function listNeeds({ needs }: Pick<PlannedCall, 'needs'>): readonly PlannedCall[] {
  return [...new Set(needs.flatMap((needed) => [...listNeeds(needed), needed]))];
}

/** A name that is free, with a number behind it where need be. */
export function toFreeName(
  name: string,
  isTaken: (name: string) => boolean,
  between = '-',
): string {
  let free = name;
  for (let count = 2; isTaken(free); count += 1) free = name + between + count;
  return free;
}

/** Why a recorded request cannot be made again as a call; undefined where it can. */
export function findKeepProblem(request: RequestRecord): string | undefined {
  const { capability, method, status, details } = request;
  if (capability === undefined) return 'No capability answered this request';
  if (method === 'JOB') return 'This is a job: saved calls are of capabilities';
  if (details === undefined) return 'Its input and its answer were not kept';
  if (status < 200) return 'It has no answer';
  if (details.input === undefined && details.guards.some(({ rejection }) => rejection))
    return 'A guard refused it before its input was read';
  const isCut = toLeaves(toSentInput(details)).some(
    ({ value }) => isCutPreview(value) && value !== MASK,
  );
  return isCut ? 'A part of its input was not kept: a file, or a long text or list' : undefined;
}

/** A recorded request as a call. */
export function toMadeCall(request: RequestRecord): MadeCall {
  const { capability = '', method, status, details } = request;
  const { answer, error, secretNames = [] } = details ?? {};
  const failed = status < 500 && error !== undefined ? { error: error.name } : undefined;
  const data = answer === undefined || answer === null ? undefined : { data: answer };
  return {
    key: capability,
    input: (details && toSentInput(details)) ?? {},
    headers: toSavedHeaders(request),
    status,
    body: status < 400 ? data : failed,
    isSecret: createSecretCheck(secretNames),
    changes: method !== 'GET',
  };
}

function toSentInput({ sent, input }: NonNullable<RequestRecord['details']>): unknown {
  return sent ?? input;
}

/** Headers of a body that the call writes anew, and those by which browsers, caches and proxies speak. */
const passingHeaders = new RegExp(
  '^(content-.*|accept.*|sec-.*|if-.*|origin|referer|cache-control|pragma|priority|dnt|upgrade-insecure-requests|' +
    'trace(parent|state)|forwarded|x-forwarded-.*|via)$',
  'i',
);

function toSavedHeaders(request: RequestRecord): RequestHeaders {
  const pairs = toRepeatedHeaders(request).filter(([name]) => !passingHeaders.test(name));
  return Object.fromEntries(new Headers(pairs.map(([name, value]) => [name, value])));
}

interface Leaf {
  readonly path: JsonPath;
  readonly value: unknown;
}

function toLeaves(value: unknown, path: JsonPath = []): readonly Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([name, inner]) =>
    toLeaves(inner, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

/** The values of an input that an earlier call has made: they are in its answer, and were not in its own input. */
function findValues({ input }: MadeCall, before: readonly MadeCall[]): readonly FoundValue[] {
  return toLeaves(input).flatMap(({ path: field, value }) => {
    const isText = typeof value === 'string' && value !== '' && !isCutPreview(value);
    if (!isText && typeof value !== 'number') return [];
    for (const from of before) {
      if (from.status >= 400 || toLeaves(from.input).some((leaf) => leaf.value === value)) continue;
      const found = toLeaves(findValueAt(from.body, ['data'])).find(
        (leaf) => leaf.value === value && isLike(value, field, leaf.path) && isPlain(leaf.path),
      );
      if (found !== undefined) return [{ field, from, path: found.path }];
    }
    return [];
  });
}

/** The length from which on two equal texts are taken to be the same one, whatever they are called. */
const LONG = 8;

/** Whether equal values at two places mean the same: `id` and `orderId` do, of a short one. */
function isLike(value: unknown, path: JsonPath, other: JsonPath): boolean {
  if (typeof value === 'string' && value.length >= LONG) return true;
  const [name, end] = [toFieldName(path), toFieldName(other)].map((each) => each.toLowerCase());
  return end !== '' && (name?.endsWith(end ?? '') ?? false);
}

/** Whether a template can name it. */
function isPlain(path: JsonPath): boolean {
  return path.every((step) => typeof step === 'number' || /^[\w-]+$/.test(step));
}

/** The field that a value is of; of an item of a list, the field of the list. */
function toFieldName(path: JsonPath): string {
  return path.findLast((step) => typeof step === 'string') ?? '';
}

/** `.items[0].id` */
function toPathText(path: JsonPath): string {
  return path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
}

/** The answers of the same call at other times. */
function findOthers(call: MadeCall, made: readonly MadeCall[]): readonly unknown[] {
  const toText = ({ key, input, status }: MadeCall) => JSON.stringify([key, input, status]);
  const text = toText(call);
  return made.filter((other) => other !== call && toText(other) === text).map(({ body }) => body);
}

/** The body of an answer with parts of itself in place of what is secret, was cut, or differs from time to time. */
function toLasting(
  { body, input, isSecret, changes }: MadeCall,
  others: readonly unknown[],
  toPart: (value: unknown, path: JsonPath) => AnswerPart | undefined,
): unknown {
  const sent = new Set(toLeaves(input).map(({ value }) => value));
  const differs = (value: unknown, path: JsonPath): boolean =>
    others.some((other) => findValueAt(other, path) !== value);
  const isOwn = (value: unknown, path: JsonPath): boolean => {
    const name = toFieldName(path);
    if (isSecret(name) || isCutPreview(value) || differs(value, path)) return true;
    return !sent.has(value) && (looksMade(value) || (changes && /^id$|Id$/.test(name)));
  };
  const isCutList = (value: readonly unknown[], path: JsonPath): boolean =>
    value.some(isCutPreview) || differs(value.length, [...path, 'length']);
  const toPlace = (value: unknown, path: JsonPath): unknown => {
    if (Array.isArray(value) && !isCutList(value, path))
      return value.map((item, index) => toPlace(item, [...path, index]));
    if (!isJsonObject(value)) {
      const part = toPart(value, path);
      return part ?? (Array.isArray(value) || isOwn(value, path) ? new AnswerPart(path) : value);
    }
    // A preview counts the fields that it has cut under this name.
    const fields = Object.entries(value).filter(([name]) => name !== '…');
    return Object.fromEntries(
      fields.map(([name, inner]) => [name, toPlace(inner, [...path, name])]),
    );
  };
  return toPlace(body, []);
}

/** Whether a value is one that servers make anew: a time, or a random id. */
function looksMade(value: unknown): boolean {
  if (typeof value === 'number') return value > 1.5e12 && value < 2.5e12;
  if (typeof value !== 'string') return false;
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) ||
    /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i.test(value) ||
    /^(?=.*\d)(?=.*[A-Za-z])[\w-]{20,}$/.test(value)
  );
}

/** A body without what differs from time to time. A list must have all of its items, or is left out. */
function withoutOwnParts(value: unknown): unknown {
  if (value instanceof AnswerPart) return value.name === undefined ? undefined : value;
  if (Array.isArray(value)) {
    const items = value.map(withoutOwnParts);
    return items.includes(undefined) ? undefined : items;
  }
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(
    ([name, inner]) => [name, withoutOwnParts(inner)] as const,
  );
  return Object.fromEntries(fields.filter((field) => field[1] !== undefined));
}

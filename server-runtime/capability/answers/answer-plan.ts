import { andThen, type MaybePromise } from '../../errors/outcome.ts';
import { isAsyncIterable, isResponse } from '../../resources/item-source.ts';
import { type AnswerMaker, createAnswerMaker } from '../../schema/sent/create-answer-maker.ts';
import { isReply, type Reply, reply } from '../reply.ts';
import { isSse, sse } from '../sse.ts';
import { type AnswerFault, createAnswerCheck, createItemCheck, createSafetyCheck } from './answer-check.ts';
import type { Content } from './content.ts';
import { createSteppedItems } from './create-stepped-items.ts';

/** The plan for the value of a handler whose answers are declared. */
export interface AnswerPlan {
  /** Gives what is sent: without undeclared fields, with defaults, and the status and content type that are declared. */
  readonly finish: (value: unknown) => MaybePromise<unknown>;
  /** Says what was not declared; undefined where all was. */
  readonly findFault: (value: unknown) => MaybePromise<AnswerFault | undefined>;
  /** Says what must not be sent, where the rest is not checked. */
  readonly findLeak: (value: unknown) => AnswerFault | undefined;
}

/** The plan of a capability that declares an answer at least. */
export function createAnswerPlan({ key, answers, checksItems }: AnswerPlanOptions): AnswerPlan {
  const createFinisher = (content: Content): Finisher => toFinisher(content, { key, checksItems });
  const finishers = new Map<number, Finisher>(answers.map((content) => [content.status, createFinisher(content)]));
  const [finishFirst = KEEP] = finishers.values();
  const finish = (value: unknown): MaybePromise<unknown> => {
    if (!isReply(value)) return finishFirst(value, undefined);
    const finisher = value.status === undefined ? finishFirst : finishers.get(value.status);
    return finisher === undefined ? value : finisher(value.data, value);
  };
  return { finish, findFault: createAnswerCheck(key, answers), findLeak: createSafetyCheck(key, answers) };
}

export interface AnswerPlanOptions {
  readonly key: string;
  /** The first is that of a plain value. */
  readonly answers: readonly Content[];
  /** Whether the items of a stream are checked while they are sent. */
  readonly checksItems: boolean;
}

/** Makes what is sent of the data, which `from` replied with. */
type Finisher = (data: unknown, from: Reply | undefined) => MaybePromise<unknown>;

const KEEP: Finisher = (data, from) => from ?? data;

function toFinisher(content: Content, options: ItemOptions): Finisher {
  const { kind, status } = content;
  switch (kind) {
    case 'data':
      return createDataFinisher(content);
    case 'none':
      return (_data, from) => reply(null, { status, headers: from?.headers ?? {} });
    case 'redirect':
      return (data, from) => reply(data, { status, headers: { location: toLocation(String(data)), ...from?.headers } });
    case 'text':
    case 'bytes': {
      const type = toContentType(content);
      return (data, from) =>
        isWebResponse(data)
          ? data
          : reply(data, { status, headers: { 'content-type': type, ...toLowerNames(from?.headers) } });
    }
    case 'stream':
      return createStreamFinisher(content, options);
  }
}

function createDataFinisher({ schema, status, contentTypes: [type] }: Content): Finisher {
  const make = toLateMaker(schema);
  const isPlain = status === 200 && type === undefined;
  const typed = type === undefined ? {} : { 'content-type': type };
  return (data, from) => {
    if (isWebResponse(data)) return data;
    if (from === undefined && isPlain) return make(data);
    const headers = from === undefined ? typed : { ...typed, ...toLowerNames(from.headers) };
    return andThen(make(data), (made) => reply(made, { status, headers }));
  };
}

type ItemOptions = Omit<AnswerPlanOptions, 'answers'>;

function createStreamFinisher({ schema, status }: Content, { key, checksItems }: ItemOptions): Finisher {
  const make = toLateMaker(schema);
  const check = checksItems && schema !== undefined ? createItemCheck(key, schema) : undefined;
  const step = async (item: unknown): Promise<unknown> => {
    const data = isSse(item) ? item.data : item;
    await check?.(data);
    const made = await make(data);
    return isSse(item) ? sse(made, item) : made;
  };
  return (data, from) => {
    const items = isAsyncIterable(data as object) ? createSteppedItems(data as AsyncIterable<unknown>, step) : data;
    return status === 200 && from === undefined ? items : reply(items, { status, headers: from?.headers ?? {} });
  };
}

/** Schemas may refer to what is declared after them, so they are read at the first call. */
function toLateMaker(schema: Content['schema']): AnswerMaker {
  let make: AnswerMaker | undefined;
  return (value) => {
    make ??= schema === undefined ? (same) => same : createAnswerMaker(schema);
    return make(value);
  };
}

/** A header holds visible ASCII only. */
function toLocation(url: string): string {
  return /^[\x21-\x7E]*$/.test(url) ? url : encodeURI(url);
}

function toContentType({ kind, contentTypes: [type = 'application/octet-stream'] }: Content): string {
  if (kind === 'bytes' && type.includes('*')) return 'application/octet-stream';
  return kind === 'text' && !type.includes('charset=') ? `${type}; charset=utf-8` : type;
}

function toLowerNames(headers: Reply['headers'] = {}): Reply['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function isWebResponse(data: unknown): data is Response {
  return typeof data === 'object' && data !== null && isResponse(data);
}

import { andThen, type MaybePromise } from '../../errors/outcome.ts';
import { isAsyncIterable, isNodeStream, isResponse, isWebStream } from '../../resources/item-source.ts';
import { matchesMimeType } from '../../schema/matches-mime-type.ts';
import type { Schema } from '../../schema/schema.ts';
import { createValidator, toIssueText, toToldMeta } from '../../schema/validator.ts';
import { isReply, type Reply } from '../reply.ts';
import type { Content } from './content.ts';

/** A breach of the declared answers, and how to mend it, in sentences for the log. */
export type AnswerFault = string;

type Check = (data: unknown, from: Reply | undefined) => MaybePromise<AnswerFault | undefined>;

/** Says what of a handler's value does not fit the declared answers; undefined where it fits. */
export function createAnswerCheck(
  key: string,
  answers: readonly Content[],
): (value: unknown) => MaybePromise<AnswerFault | undefined> {
  const checks = new Map(answers.map((content) => [content.status, createContentCheck(key, content)]));
  const [first] = checks.values();
  return (value) => {
    const { data, status, from } = toParts(value);
    const check = status === undefined ? first : checks.get(status);
    return check === undefined ? toUndeclared(key, status ?? 200, answers) : check(data, from);
  };
}

/** Says of a value what must not be sent even unchecked, because no schema picks its fields: an undeclared status, or another kind than is declared. */
export function createSafetyCheck(
  key: string,
  answers: readonly Content[],
): (value: unknown) => AnswerFault | undefined {
  const kinds = new Map(answers.map(({ status, kind }) => [status, kind]));
  const [first] = answers;
  return (value) => {
    const { data, status = first?.status ?? 200 } = toParts(value);
    const kind = kinds.get(status);
    if (kind === undefined) return toUndeclared(key, status, answers);
    return isOfKind(kind, data) ? undefined : `${key} gave another kind of value than its answer ${status} declares.`;
  };
}

/** Data is picked, and of no content and of a redirect no field is sent. */
function isOfKind(kind: Content['kind'], data: unknown): boolean {
  switch (kind) {
    case 'data':
    case 'none':
    case 'redirect':
      return true;
    case 'text':
      return typeof data === 'string' || isOfClass(data, isResponse);
    case 'bytes':
      return isByteSource(data);
    case 'stream':
      return isOfClass(data, isAsyncIterable);
  }
}

/** Throws at an item that does not fit. */
export function createItemCheck(key: string, schema: Schema): (item: unknown) => Promise<void> {
  const findFault = createDataCheck(`${key} gave an item that does not fit its schema`, schema);
  return async (item) => {
    const fault = await findFault(item, undefined);
    if (fault !== undefined) throw new TypeError(fault);
  };
}

interface Parts {
  readonly data: unknown;
  readonly status: number | undefined;
  readonly from: Reply | undefined;
}

function toParts(value: unknown): Parts {
  if (isReply(value)) return { data: value.data, status: value.status, from: value };
  return { data: value, status: isObject(value) && isResponse(value) ? value.status : undefined, from: undefined };
}

function toUndeclared(key: string, status: number, answers: readonly Content[]): AnswerFault {
  const declared = answers.map((content) => `${content.status}: …`);
  const all = [...declared, `${status}: …`].join(', ');
  return `${key} answered with the status ${status}, which it does not declare. Declare it: .answers({ ${all} })`;
}

function createContentCheck(key: string, content: Content): Check {
  const checkContent = createKindCheck(key, content);
  const names = Object.entries(content.headers);
  if (names.length === 0) return checkContent;
  const headers = names.map(([name, schema]) =>
    createHeaderCheck(`${key}, status ${content.status}`, { name, schema }),
  );
  return (data, from) =>
    andThen(checkContent(data, from), async (fault) => {
      let found = fault;
      for (const check of headers) found ??= await check(data, from);
      return found;
    });
}

function createKindCheck(key: string, { kind, schema, status, contentTypes }: Content): Check {
  const says = (what: string, fix: string): AnswerFault => `${key} gave ${what} for its answer ${status}. ${fix}`;
  switch (kind) {
    case 'data':
      return createDataCheck(`${key} returned a value that does not fit its output schema`, schema);
    case 'none':
      return (data) =>
        data === null || data === undefined
          ? undefined
          : says('a value', 'It is declared to have no content; declare a schema: .output(schema)');
    case 'redirect':
      return (data) => (typeof data === 'string' ? undefined : says('no text', 'A redirect is the URL to go to'));
    case 'text':
      return (data) =>
        typeof data === 'string' || isOfClass(data, isResponse)
          ? undefined
          : says('no text', 'Declare what it gives: .output(schema)');
    case 'bytes':
      return (data, from) => {
        if (!isByteSource(data)) return says('no bytes', 'Declare what it gives: .output(schema), .output(text())');
        const type = findHeader(from, 'content-type');
        if (type === undefined || matchesMimeType(toEssence(type), contentTypes.map(toEssence))) return undefined;
        return says(`bytes of ${type}`, `Declare that: .output(bytes('${toEssence(type)}'))`);
      };
    case 'stream':
      return (data) =>
        isOfClass(data, isAsyncIterable)
          ? undefined
          : says('no async iterable', 'Give one, as an `async function*` does');
  }
}

function createDataCheck(sentence: string, schema: Schema | undefined): Check {
  const validate = createValidator(schema);
  return (data) =>
    andThen(validate(data), (checked) => {
      if (checked.ok) return undefined;
      const { fields, omitted } = toToldMeta(checked.failure.meta);
      const issues = [...fields.map(toIssueText), ...(omitted === 0 ? [] : [`and ${omitted} more`])];
      return `${sentence}: ${issues.join('; ')}`;
    });
}

interface HeaderDeclaration {
  readonly name: string;
  readonly schema: Schema;
}

/** A header is a text; what reads as a number may be one too. */
function createHeaderCheck(place: string, { name, schema }: HeaderDeclaration): Check {
  const check = createDataCheck(`${place}: the header ${name} does not fit`, schema);
  return (data, from) => {
    const value = isOfClass(data, isResponse) ? (data.headers.get(name) ?? undefined) : findHeader(from, name);
    return andThen(check(value, undefined), (fault) =>
      fault === undefined || value === undefined || !/^-?\d+(\.\d+)?$/.test(value)
        ? fault
        : check(Number(value), undefined),
    );
  };
}

function findHeader(from: Reply | undefined, name: string): string | undefined {
  const found = Object.entries(from?.headers ?? {}).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
  return typeof found === 'object' ? found.join(', ') : found;
}

/** `text/csv` of `text/csv; charset=utf-8`. */
function toEssence(type: string): string {
  return type.split(';')[0]?.trim().toLowerCase() ?? type;
}

function isByteSource(data: unknown): boolean {
  if (data instanceof Uint8Array) return true;
  return isObject(data) && (isResponse(data) || isNodeStream(data) || isWebStream(data));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isOfClass<T>(value: unknown, is: (value: object) => value is T & object): value is T & object {
  return isObject(value) && is(value);
}

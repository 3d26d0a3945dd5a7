import type { GraphQLResolveInfo } from 'graphql';
import type { BuilderRequest } from '../../capability/context.ts';
import { isPlainData, toReplyData } from '../../capability/reply.ts';
import { defaultErrors } from '../../errors/define-error.ts';
import type { Outcome } from '../../errors/failure.ts';
import { discardValue } from '../../execution/execute.ts';
import { type AnswerBody, toHttpAnswer } from '../../http/http-answer.ts';
import { toInputPlan } from '../../input/input-fields.ts';
import { refuseLongInput } from '../../input/refuse-long-input.ts';
import { toSafeInput } from '../../input/safe-input.ts';
import { addSentFields } from '../../input/sent-fields.ts';
import type { Operation } from '../../registry/compile-registry.ts';
import { IS_BYTES, type ItemSource } from '../../resources/item-source.ts';
import { toRoot } from '../schema/answer-shape.ts';
import type { FieldToRun } from '../schema/to-schema.ts';

/** The path of a field in the answer, by which its idempotency key differs from those of others. */
export function toFieldPlace({ path }: GraphQLResolveInfo): string {
  const names: (string | number)[] = [];
  for (let at: typeof path | undefined = path; at !== undefined; at = at.prev)
    names.unshift(at.key);
  return names.join('.');
}

/** The arguments, and the fields that headers and cookies carry, where no argument has them. */
export function readFieldInput(
  { operation, toInput }: Pick<FieldToRun, 'operation' | 'toInput'>,
  headers: BuilderRequest['headers'],
): Outcome {
  const read = toInput();
  const input = refuseLongInput(operation.definition, read.ok ? toSafeInput(read.value) : read);
  const { sent, schema } = operation.definition;
  if (!input.ok || sent.length === 0) return input;
  const value = { ...(input.value as Record<string, unknown>) };
  addSentFields(value, headers, { sent, plan: toInputPlan(schema) });
  return { ok: true, value };
}

interface FieldPort {
  readonly operation: Operation;
  readonly addCookie: (cookie: string) => void;
  /** The items of a subscription, bound to its call. */
  readonly toItems: (source: ItemSource) => unknown;
}

/** What a field has for the value of its handler. @throws UnsupportedMediaType for what no field can carry */
export function toFieldAnswer(handled: unknown, port: FieldPort): unknown {
  if (isPlainData(handled)) return handled;
  const { headers, body, location } = toHttpAnswer(handled);
  for (let at = 0; at + 1 < headers.length; at += 2)
    if (headers[at] === 'set-cookie') port.addCookie(headers[at + 1] ?? '');
  return location ?? toData(body, handled, port);
}

function toData(body: AnswerBody, handled: unknown, { operation, toItems }: FieldPort): unknown {
  if (body.kind === 'empty') return null;
  if (body.kind === 'text') return body.text;
  if (body.kind === 'data') return body.value;
  if (body.kind === 'bytes') throw toUnsayable('bytes', 'ask for them over REST');
  if (!body.items[IS_BYTES] && toRoot(operation) === 'Subscription') return toItems(body.items);
  discardValue(toReplyData(handled));
  void body.items.end();
  if (body.items[IS_BYTES]) throw toUnsayable('bytes', 'ask for them over REST');
  throw toUnsayable('a stream', 'declare it by .output(stream(…)), and it is a subscription');
}

function toUnsayable(what: string, advice: string): Error {
  return defaultErrors.UnsupportedMediaType(`The answer is ${what}: ${advice}`);
}

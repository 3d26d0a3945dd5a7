import type { Answer } from '../../capability/enhancer.ts';
import { defineError } from '../../errors/define-error.ts';
import { type ErrorMeta, type FrameworkError, isFrameworkError } from '../../errors/framework-error.ts';
import type { AnswerCodec } from '../state/load-answer-codec.ts';

/**
 * A call with a key, as it is kept. `print` is that of what was sent. `running` has an owner, who alone may end it; of
 * an answer that no text can hold, only that it was given is known.
 */
export type OnceRecord = { readonly state: 'running'; readonly print: string; readonly owner: string } | EndedRecord;

/** A call that has ended, with its answer or the parts of its error as a text. */
export type EndedRecord =
  | { readonly state: 'done' | 'refused'; readonly print: string; readonly text: string }
  | { readonly state: 'unkept'; readonly print: string };

/** The end of a call with a key: its answer, or what it threw. */
export type KeyedResult =
  | { readonly ok: true; readonly value: Answer }
  | { readonly ok: false; readonly thrown: unknown };

/** The record of a call that has ended; undefined for one that may be made again: it failed with 5xx or 429. */
export function toEndedRecord(result: KeyedResult, print: string, codec: AnswerCodec): EndedRecord | undefined {
  if (result.ok) {
    const text = codec.write(result.value);
    return text === undefined ? { state: 'unkept', print } : { state: 'done', print, text };
  }
  const { thrown } = result;
  if (!isFrameworkError(thrown) || thrown.status >= 500 || thrown.status === 429) return undefined;
  const text = toErrorText(thrown, codec);
  return text === undefined ? undefined : { state: 'refused', print, text };
}

/** The parts of an error that its caller was told: the very values where a text can hold them, else those of JSON. */
function toErrorText({ status, name, message, meta }: FrameworkError, codec: AnswerCodec): string | undefined {
  return codec.write({ status, name, message, meta }) ?? codec.write({ status, name, message, meta: toWritten(meta) });
}

/** Undefined for what JSON cannot hold, as its caller was told. */
function toWritten(meta: ErrorMeta | undefined): unknown {
  try {
    return JSON.parse(JSON.stringify(meta, (_name, each: unknown) => (typeof each === 'bigint' ? String(each) : each)));
  } catch {
    return undefined;
  }
}

/** The same error again. */
export function toSameError(told: unknown): Error {
  const { status, name, message, meta } = told as Pick<FrameworkError, 'status' | 'name' | 'message' | 'meta'>;
  return defineError(status, message, name)(message, meta);
}

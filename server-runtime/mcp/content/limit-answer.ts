import { toJsonText } from '../../http/to-json-text.ts';
import type { Operation } from '../../registry/operation.ts';
import { describe } from '../../schema/describe.ts';
import { limitData } from './limit-data.ts';

/** The start of a value that is too large for one answer, and what an agent is told of the rest. */
export interface LimitedAnswer {
  /** Undefined where no part of it is small enough. */
  readonly data: unknown;
  readonly note: string;
}

/** As much of a value of so many bytes of JSON as one answer may have, with a note of what is left and how to get it. */
export function limitAnswer(data: unknown, operation: Operation, { bytes, maxBytes }: Sizes): LimitedAnswer {
  // The parts are those that are sent: dates are texts.
  const limited = limitData(JSON.parse(toJsonText(data) ?? 'null') as unknown, maxBytes);
  const size = `The whole answer has ${toSize(bytes)}, and one answer at most ${toSize(maxBytes)}.`;
  const words = `${size} ${toAdvice(operation)}`;
  return limited === undefined
    ? { data: undefined, note: words }
    : { data: limited.data, note: `Note: this is the start of the answer, ${limited.part}. ${words}` };
}

/** Bytes of JSON. */
export interface Sizes {
  /** The size of the answer. */
  readonly bytes: number;
  /** The size that one answer may have. */
  readonly maxBytes: number;
}

/** Names of fields by which callers page. */
const paging = /^(page|offset|skip|start|from|after|before|cursor|limit|count|size|per|max|first|last|take)/i;
const MAX_NAMES = 20;

function toAdvice({ definition }: Operation): string {
  if (definition.schema === undefined) return noInput;
  const { properties = {} } = describe(definition.schema).input as { readonly properties?: object };
  const names = Object.keys(properties);
  const pages = names.filter((name) => paging.test(name));
  if (pages.length > 0) return `For the rest, call again with other values of ${pages.join(', ')}.`;
  if (names.length === 0) return noInput;
  return `For the rest, ask for less at a time: call again with other values of ${names.slice(0, MAX_NAMES).join(', ')}.`;
}

const noInput = 'No field of the input makes it smaller: tell the user that the rest cannot be had by this tool.';

function toSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

import { defaultErrors } from '../errors/default-errors.ts';
import type { Operation } from '../registry/operation.ts';
import { describe } from '../schema/describe.ts';
import { isReadOnly } from './tool-annotations.ts';

/** The text in a result of the protocol: of a tool, a resource or a prompt. */
interface ResultTexts {
  readonly content?: readonly TextPart[];
  readonly contents?: readonly TextPart[];
  readonly messages?: readonly { readonly content: TextPart }[];
}

interface TextPart {
  readonly text?: unknown;
  readonly resource?: { readonly text?: unknown };
}

/**
 * Gives a result back whose text may be sent: a model reads all of it. Images, audio and files are no text.
 *
 * @throws PayloadTooLarge, as {@link toTooLarge} says it
 */
export function expectFits<Result extends object>(result: Result, operation: Operation, maxBytes: number): Result {
  const { content = [], contents = [], messages = [] } = result as ResultTexts;
  const parts = [...content, ...contents, ...messages.map((message) => message.content)];
  const texts = parts.flatMap(({ text, resource }) => [text, resource?.text]);
  const bytes = texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? Buffer.byteLength(text) : 0), 0);
  if (bytes > maxBytes) throw toTooLarge(operation, bytes, maxBytes);
  return result;
}

/**
 * The error for a result that is too large: how large it may be, and which fields of the input ask for less. The size
 * of one that is not read to its end is not known.
 */
export function toTooLarge(operation: Operation, bytes: number | undefined, maxBytes: number): Error {
  const made = isReadOnly(operation) ? '' : 'The call has been made. ';
  const size = bytes === undefined ? `${toSize(maxBytes)} of text and more` : `${toSize(bytes)} of text`;
  return defaultErrors.PayloadTooLarge(
    `${made}The result has ${size}, and may have ${toSize(maxBytes)}. ${toAdvice(operation)}`,
  );
}

/** Names of fields by which callers page. */
const paging = /^(page|offset|skip|start|from|after|before|cursor|limit|count|size|per|max|first|last|take)/i;
const MAX_NAMES = 20;

function toAdvice({ definition }: Operation): string {
  const { properties = {} } =
    definition.schema === undefined ? {} : (describe(definition.schema).input as { readonly properties?: object });
  const names = Object.keys(properties);
  if (names.length === 0) return 'No field of the input makes it smaller: tell the user that this tool cannot give it.';
  const pages = names.filter((name) => paging.test(name));
  const fields = pages.length > 0 ? pages : names.slice(0, MAX_NAMES);
  return `Ask for less at a time: call again with other values of ${fields.join(', ')}.`;
}

function toSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

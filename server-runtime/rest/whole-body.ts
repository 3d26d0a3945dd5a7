import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { defaultErrors } from '../errors/define-error.ts';
import { failure, type Outcome, toError } from '../errors/failure.ts';
import type { MaybePromise } from '../errors/maybe-promise.ts';
import { isJsonType, type WholeBodyPlan } from '../http/body-plan.ts';
import type { Exchange } from '../http/exchange.ts';
import { toFieldValue } from '../input/input-fields.ts';
import { createLimitedStream } from '../input/limited-stream.ts';
import { parseJson } from '../input/safe-input.ts';
import type { StreamedFile, UploadedFile } from '../input/uploaded-file.ts';
import type { Lens } from '../schema/lens.ts';

const { BadRequest, PayloadTooLarge } = defaultErrors;

/**
 * The value of a body that is one field, by its media type: JSON as it is, a list of lines of JSON, and any other text
 * as the text of a query is read, so that JSON of the type `text/plain` is an object where the field takes only that.
 */
export function readWholeText(
  bytes: Buffer,
  contentType: string,
  field: Lens | undefined,
): Outcome {
  const type = toEssence(contentType);
  if (isJsonType(type)) return parseJson(bytes, 'The request body');
  if (!isUtf8(bytes)) return { ok: false, failure: notUtf8 };
  if (lineTypes.includes(type)) return parseLines(bytes.toString());
  return { ok: true, value: toFieldValue(field, [bytes.toString()]) };
}

/** Whether an empty body leaves its field out: a field that must be there is an empty text, or a list without lines. */
export function isNoValue(bytes: Buffer, contentType: string, isRequired: boolean): boolean {
  return bytes.length === 0 && (!isRequired || isJsonType(toEssence(contentType)));
}

/** The names under which lines of JSON are sent. None is registered. */
const lineTypes = [
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
];

/** A list of the values of the lines; empty lines are left out. */
function parseLines(text: string): Outcome {
  const values: unknown[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = parseJson(Buffer.from(line), `Line ${at + 1} of the request body`);
    if (!parsed.ok) return parsed;
    values.push(parsed.value);
  }
  return { ok: true, value: values };
}

/** A body of bytes as the file of its field: all of it, or as it arrives, no faster than the handler reads it. */
export function readWholeFile(
  exchange: Pick<Exchange, 'body' | 'readBytes'>,
  contentType: string,
  { file, maxBytes }: WholeBodyPlan,
): MaybePromise<Outcome> {
  const mimeType = toEssence(contentType);
  const tooLarge = failure(PayloadTooLarge, `The request body is larger than ${maxBytes} bytes`);
  if (file?.stream === true) {
    const stream = openBody(exchange, maxBytes, () => toError(tooLarge));
    return { ok: true, value: { stream, mimeType, filename: '' } satisfies StreamedFile };
  }
  return new Promise((resolve) => {
    exchange.readBytes(maxBytes, (bytes) => {
      if (bytes === 'too long') resolve({ ok: false, failure: tooLarge });
      else if (bytes === 'broken off') resolve({ ok: false, failure: brokenOff });
      else {
        const value = { buffer: bytes, mimeType, filename: '', size: bytes.byteLength };
        resolve({ ok: true, value: value satisfies UploadedFile });
      }
    });
  });
}

export const notUtf8 = failure(BadRequest, 'The request body is not valid UTF-8');
export const brokenOff = failure(BadRequest, 'The request body broke off before its end');

/** A media type without its parameters, in lower case. */
function toEssence(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

/** A body as it arrives, which fails where it is too long or breaks off. */
export function openBody(
  { body }: Pick<Exchange, 'body'>,
  maxBytes: number,
  toTooLarge: () => Error,
): Readable {
  const stream = createLimitedStream(body, maxBytes, toTooLarge);
  const breakOff = (): void => {
    if (!body.readableEnded) stream.destroy(toError(brokenOff));
  };
  body.once('error', breakOff).once('close', breakOff);
  return stream;
}

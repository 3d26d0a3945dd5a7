import { isUtf8 } from 'node:buffer';
import { pipeline, type Readable, Transform } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { defaultErrors } from '../errors/default-errors.ts';
import { type Outcome, toFailure } from '../errors/failure.ts';
import { matchesMimeType } from '../schema/find-file-rules.ts';
import type { Lens, Reading } from '../schema/lens.ts';
import { type InputFields, toInputFields } from './input-fields.ts';
import type { MultipartLimits } from './multipart-limits.ts';
import { toSafeInput } from './safe-input.ts';
import type { StreamedFile, UploadedFile } from './uploaded-file.ts';

export interface MultipartSource {
  readonly body: Readable;
  /** The header, which carries the boundary. */
  readonly contentType: string;
  readonly limits: MultipartLimits;
  readonly plan: Lens;
}

const { BadRequest, PayloadTooLarge, UnsupportedMediaType } = defaultErrors;

/**
 * Reads a form: texts coerced by the plan, files as {@link UploadedFile}. Ends early, handing on nothing, at the first
 * limit (413, 415), at bad syntax (400) and when the sender leaves. At a field that is streamed the input is handed on,
 * with its file as it arrives; what follows that file is not read.
 */
export function readMultipartBody({ body, contentType, limits, plan }: MultipartSource): Promise<Outcome<InputFields>> {
  const { promise, resolve } = withResolver<Outcome<InputFields>>();
  const sent: Record<string, unknown[]> = Object.create(null);
  let form: BusboyInstance | undefined;
  let isDone = false;
  let textBytes = 0;
  let streamed: Transform | undefined;

  function end(outcome: Outcome<InputFields>): void {
    isDone = true;
    resolve(outcome);
  }
  function refuse(error: Error): void {
    if (form !== undefined) body.unpipe(form);
    end({ ok: false, failure: { ...toFailure(error), cause: undefined } });
  }
  function handOn(): void {
    if (!isDone) end({ ok: true, value: toInputFields(sent, plan) });
  }
  function breakOff(): void {
    if (!isDone) refuse(BadRequest('The form ended early or is not valid multipart/form-data'));
    if (streamed?.writableEnded === false) streamed.destroy(BadRequest('The form ended before the file did'));
  }
  function add(field: string, value: unknown): void {
    (sent[field] ??= []).push(value);
  }
  function fieldOf(name: string): Reading | undefined {
    return plan.inside(plan.has(name) ? name : name.replace(/\[\]$/, ''))?.reading;
  }
  /** Whether a part holds an object or a list as JSON. */
  function isJson(name: string, mimeType: string): boolean {
    const field = mimeType === 'application/json' ? fieldOf(name) : undefined;
    return field?.takesParts === true && field.file === undefined;
  }

  function takeText(field: string, bytes: Buffer, mimeType: string): void {
    if (!isUtf8(bytes)) return refuse(BadRequest(`The field ${quote(field)} is not valid UTF-8`, { field }));
    if (!isJson(field, mimeType)) return add(field, bytes.toString());
    try {
      const parsed = toSafeInput(JSON.parse(bytes.toString()));
      if (parsed.ok) return add(field, parsed.value);
    } catch {
      // As one that is nested too deep.
    }
    refuse(BadRequest(`The field ${quote(field)} is not valid JSON, or is nested too deep`, { field }));
  }

  function takeFile(field: string, file: BusboyFileStream, { filename, mimeType }: Omit<StreamedFile, 'stream'>): void {
    // A browser gives a part of JSON the name of a file.
    const isText = isJson(field, mimeType);
    const rules = fieldOf(field)?.file;
    const accept = isText ? undefined : (rules?.accept ?? limits.allowedMimeTypes);
    // A form in a browser sends a nameless empty file for a field where none was chosen; its type means nothing.
    if (accept !== undefined && filename !== '' && !matchesMimeType(mimeType, accept)) {
      const about = `of type ${mimeType.slice(0, 100)}; allowed are ${accept.join(', ')}`;
      return refuse(UnsupportedMediaType(`The file ${quote(field)} is ${about}`, { field, limit: accept }));
    }
    const limit = isText ? limits.maxFieldsSize : (rules?.maxSize ?? limits.maxFileSize);
    if (rules?.stream === true) {
      streamed = createLimitedStream(field, limit);
      pipeline(file, streamed, () => {});
      add(field, { stream: streamed, mimeType, filename } satisfies StreamedFile);
      return handOn();
    }
    const chunks: Buffer[] = [];
    let size = 0;
    file.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else refuse(tooLarge(field, limit));
    });
    file.on('end', () => {
      if (isDone || (filename === '' && size === 0)) return;
      const buffer = Buffer.concat(chunks, size);
      if (isText) takeText(field, buffer, mimeType);
      else add(field, { buffer, mimeType, filename, size } satisfies UploadedFile);
    });
  }

  try {
    form = openForm(contentType, limits);
  } catch {
    refuse(BadRequest('The content type multipart/form-data needs a boundary'));
    return promise;
  }
  form.on('field', (...[field, text, , isCut, , mimeType]) => {
    if (field === undefined || isDone) return;
    const limit = limits.maxFieldsSize;
    textBytes += text.length;
    if (isCut || textBytes > limit)
      refuse(PayloadTooLarge(`The text fields are larger than ${limit} bytes, at ${quote(field)}`, { field, limit }));
    else takeText(field, Buffer.from(text, 'latin1'), mimeType);
  });
  form.on('file', (...[field, file, filename = '', , mimeType]) => {
    file.on('error', breakOff);
    if (field === undefined || isDone) file.resume();
    else takeFile(field, file, { filename, mimeType });
  });
  const refuseMore = (limit: number, what: string) => (): void =>
    refuse(PayloadTooLarge(`More than ${limit} ${what}`, { limit }));
  form.on('filesLimit', refuseMore(limits.maxFiles, 'files'));
  form.on('partsLimit', refuseMore(limits.maxParts, 'parts'));
  form.on('error', breakOff);
  form.on('finish', handOn);
  body.on('error', breakOff);
  // A body that was sent in full closes before the form has ended, and long before a slow handler has read a file of
  // it. Whether it is whole, the form and the file then say themselves.
  body.on('close', () => {
    if (!body.readableEnded) breakOff();
  });
  body.pipe(form);
  return promise;
}

function withResolver<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** Texts come as their bytes, one a character, so that bad UTF-8 is seen. */
function openForm(contentType: string, { maxFiles, maxParts, maxFieldsSize }: MultipartLimits): BusboyInstance {
  return new Busboy({
    headers: { 'content-type': contentType },
    defCharset: 'latin1',
    limits: { files: maxFiles, parts: maxParts, fieldSize: maxFieldsSize, headerPairs: 100 },
  });
}

/** Passes a file on up to a size, and fails with 413 beyond it. */
function createLimitedStream(field: string, limit: number): Transform {
  let size = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length;
      if (size > limit) next(tooLarge(field, limit));
      else next(null, chunk);
    },
  });
  // A handler that does not read the stream does not hear of its end either.
  return stream.on('error', () => {});
}

function tooLarge(field: string, limit: number): Error {
  return PayloadTooLarge(`The file ${quote(field)} is larger than ${limit} bytes`, { field, limit });
}

/** A name from the outside, in a message. */
function quote(name: string): string {
  return `'${name.slice(0, 100)}'`;
}

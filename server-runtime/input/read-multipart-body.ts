import { isUtf8 } from 'node:buffer';
import { pipeline, type Readable, Transform } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { defaultErrors } from '../errors/default-errors.ts';
import { type Failure, failure, type Outcome } from '../errors/failure.ts';
import { type FileRules, matchesMimeType } from '../schema/find-file-rules.ts';
import type { Lens } from '../schema/lens.ts';
import { type InputFields, type SentFields, toInputFields } from './input-fields.ts';
import type { MultipartLimits } from './multipart-limits.ts';
import { parseJson } from './safe-input.ts';
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
 * Reads a form. Ends early, handing on nothing, at the first limit (413, 415), at bad syntax (400) and when the sender
 * leaves. At a field that is streamed the input is handed on, with its file as it arrives; what follows is not read.
 */
export async function readMultipartBody(source: MultipartSource): Promise<Outcome<InputFields>> {
  const sent = await new Promise<Outcome<SentFields>>((done) => readForm(source, done));
  return sent.ok ? { ok: true, value: toInputFields(sent.value, source.plan) } : sent;
}

function readForm(
  { body, contentType, limits, plan }: MultipartSource,
  done: (sent: Outcome<SentFields>) => void,
): void {
  const { maxFiles: files, maxParts: parts, maxFieldsSize } = limits;
  const sent: Record<string, unknown[]> = Object.create(null);
  let isDone = false;
  let textBytes = 0;
  let streamed: Transform | undefined;
  let form: BusboyInstance;
  try {
    const atMost = { files, parts, fieldSize: maxFieldsSize + 1, headerPairs: 100 };
    // Texts come as their bytes, one a character, so that bad UTF-8 is seen.
    form = new Busboy({ headers: { 'content-type': contentType }, defCharset: 'latin1', limits: atMost });
  } catch {
    const reason = failure(BadRequest, 'The content type multipart/form-data needs a boundary');
    return done({ ok: false, failure: reason });
  }
  form.on('field', (...[name, text, , , , mimeType]) => {
    if (name !== undefined && !isDone) takeText(name, Buffer.from(text, 'latin1'), mimeType);
  });
  form.on('file', (...[name, file, filename, , mimeType]) => {
    file.on('error', breakOff);
    if (name === undefined || isDone) file.resume();
    else takeFile(name, file, { filename: (filename as string | undefined) ?? '', mimeType });
  });
  form.on('filesLimit', () => refuse(failure(PayloadTooLarge, `More than ${files} files`, { limit: files })));
  form.on('partsLimit', () => refuse(failure(PayloadTooLarge, `More than ${parts} parts`, { limit: parts })));
  form.on('error', breakOff);
  form.on('finish', handOn);
  body.on('error', breakOff);
  // A body that was sent in full closes before the form has ended, and long before a slow handler has read a file of
  // it. Whether it is whole, the form and the file then say themselves.
  body.on('close', () => {
    if (!body.readableEnded) breakOff();
  });
  body.pipe(form);

  function handOn(): void {
    isDone = true;
    done({ ok: true, value: sent });
  }

  function refuse(reason: Failure): void {
    isDone = true;
    body.unpipe(form);
    done({ ok: false, failure: reason });
  }

  function breakOff(): void {
    if (!isDone) refuse(failure(BadRequest, 'The form ended early or is not valid multipart/form-data'));
    if (streamed?.writableEnded === false) streamed.destroy(BadRequest('The form ended before the file did'));
  }

  function add(field: string, value: unknown): void {
    (sent[field] ??= []).push(value);
  }

  function takeText(field: string, bytes: Buffer, mimeType: string): void {
    textBytes += bytes.length;
    if (textBytes > maxFieldsSize) {
      const message = `The text fields are larger than ${maxFieldsSize} bytes, at ${quote(field)}`;
      return refuse(failure(PayloadTooLarge, message, { field, limit: maxFieldsSize }));
    }
    const subject = `The field ${quote(field)}`;
    if (isJson(field, mimeType)) {
      const parsed = parseJson(bytes, subject);
      return parsed.ok ? add(field, parsed.value) : refuse({ ...parsed.failure, meta: { field } });
    }
    if (isUtf8(bytes)) add(field, bytes.toString());
    else refuse(failure(BadRequest, `${subject} is not valid UTF-8`, { field }));
  }

  function takeFile(field: string, file: BusboyFileStream, about: Omit<StreamedFile, 'stream'>): void {
    const { filename, mimeType } = about;
    // A browser gives a part of JSON the name of a file.
    const ofJson = isJson(field, mimeType);
    const rules = ofJson ? { maxSize: maxFieldsSize, accept: ['*/*'] } : readingOf(field)?.file;
    const { accept = limits.allowedMimeTypes, maxSize = limits.maxFileSize, stream }: FileRules = rules ?? {};
    // A form in a browser sends a nameless empty file for a field where none was chosen; its type means nothing.
    if (accept !== undefined && filename !== '' && !matchesMimeType(mimeType, accept)) {
      const kind = `of type ${mimeType.slice(0, 100)}; allowed are ${accept.join(', ')}`;
      const message = `The file ${quote(field)} is ${kind}`;
      return refuse(failure(UnsupportedMediaType, message, { field, limit: accept }));
    }
    const tooLarge = [`The file ${quote(field)} is larger than ${maxSize} bytes`, { field, limit: maxSize }] as const;
    if (stream === true) {
      streamed = createLimitedStream(maxSize, () => PayloadTooLarge(...tooLarge));
      pipeline(file, streamed, () => {});
      add(field, { stream: streamed, ...about } satisfies StreamedFile);
      return handOn();
    }
    const chunks: Buffer[] = [];
    let size = 0;
    file.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxSize) chunks.push(chunk);
      else refuse(failure(PayloadTooLarge, ...tooLarge));
    });
    file.on('end', () => {
      if (isDone || (filename === '' && size === 0)) return;
      const buffer = Buffer.concat(chunks, size);
      if (ofJson) takeText(field, buffer, mimeType);
      else add(field, { buffer, mimeType, filename, size } satisfies UploadedFile);
    });
  }

  /** Whether a part holds an object or a list as JSON. */
  function isJson(name: string, mimeType: string): boolean {
    const reading = mimeType === 'application/json' ? readingOf(name) : undefined;
    return reading?.takesParts === true && reading.file === undefined;
  }

  function readingOf(name: string): Lens['reading'] | undefined {
    return plan.inside(plan.has(name) ? name : name.replace(/\[\]$/, ''))?.reading;
  }
}

function createLimitedStream(limit: number, tooLarge: () => Error): Transform {
  let size = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length;
      if (size > limit) next(tooLarge());
      else next(null, chunk);
    },
  });
  // A handler that does not read the stream does not hear of its end either.
  return stream.on('error', () => {});
}

function quote(name: string): string {
  return `'${name.slice(0, 100)}'`;
}

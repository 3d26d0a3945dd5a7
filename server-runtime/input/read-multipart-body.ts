import { isUtf8 } from 'node:buffer';
import { pipeline, type Readable, Transform } from 'node:stream';
import { Busboy, type BusboyConfig, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { defaultErrors } from '../errors/default-errors.ts';
import { type Outcome, toFailure } from '../errors/failure.ts';
import { matchesMimeType } from '../schema/find-file-rules.ts';
import type { Lens } from '../schema/lens.ts';
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
 * Reads a form. Ends early, handing on nothing, at the first limit (413, 415), at bad syntax (400) and when the sender
 * leaves. At a field that is streamed the input is handed on, with its file as it arrives; what follows is not read.
 */
export async function readMultipartBody(source: MultipartSource): Promise<Outcome<InputFields>> {
  try {
    return { ok: true, value: toInputFields(await new FormReader(source).fields, source.plan) };
  } catch (refused) {
    return { ok: false, failure: { ...toFailure(refused), cause: undefined } };
  }
}

class FormReader {
  readonly fields: Promise<Record<string, unknown[]>>;
  readonly #limits: MultipartLimits;
  readonly #plan: Lens;
  readonly #sent: Record<string, unknown[]> = Object.create(null);
  #isDone = false;
  #textBytes = 0;
  #streamed: Transform | undefined;
  #handOn!: () => void;
  #refuse!: (error: Error) => void;

  constructor({ body, contentType, limits, plan }: MultipartSource) {
    const { maxFiles: files, maxParts: parts, maxFieldsSize } = limits;
    this.#limits = limits;
    this.#plan = plan;
    const atMost = { files, parts, fieldSize: maxFieldsSize + 1, headerPairs: 100 };
    // Texts come as their bytes, one a character, so that bad UTF-8 is seen.
    const form = toBusboy({ headers: { 'content-type': contentType }, defCharset: 'latin1', limits: atMost });
    this.fields = new Promise((resolve, reject) => {
      this.#handOn = () => {
        this.#isDone = true;
        resolve(this.#sent);
      };
      this.#refuse = (error) => {
        this.#isDone = true;
        body.unpipe(form);
        reject(error);
      };
    });
    form.on('field', (...[name, text, , , , mimeType]) => {
      if (name !== undefined && !this.#isDone) this.#takeText(name, Buffer.from(text, 'latin1'), mimeType);
    });
    form.on('file', (...[name, file, filename, , mimeType]) => {
      file.on('error', this.#breakOff);
      if (name === undefined || this.#isDone) file.resume();
      else this.#takeFile(name, file, { filename: (filename as string | undefined) ?? '', mimeType });
    });
    const refuseMore = (limit: number, what: string) => (): void =>
      this.#refuse(PayloadTooLarge(`More than ${limit} ${what}`, { limit }));
    form.on('filesLimit', refuseMore(files, 'files'));
    form.on('partsLimit', refuseMore(parts, 'parts'));
    form.on('error', this.#breakOff);
    form.on('finish', this.#handOn);
    body.on('error', this.#breakOff);
    // A body that was sent in full closes before the form has ended, and long before a slow handler has read a file of
    // it. Whether it is whole, the form and the file then say themselves.
    body.on('close', () => {
      if (!body.readableEnded) this.#breakOff();
    });
    body.pipe(form);
  }

  #takeText(field: string, bytes: Buffer, mimeType: string): void {
    const limit = this.#limits.maxFieldsSize;
    this.#textBytes += bytes.length;
    if (this.#textBytes > limit) {
      const message = `The text fields are larger than ${limit} bytes, at ${quote(field)}`;
      return this.#refuse(PayloadTooLarge(message, { field, limit }));
    }
    if (!isUtf8(bytes)) return this.#refuse(BadRequest(`The field ${quote(field)} is not valid UTF-8`, { field }));
    if (!this.#isJson(field, mimeType)) return this.#add(field, bytes.toString());
    try {
      const parsed = toSafeInput(JSON.parse(bytes.toString()));
      if (parsed.ok) return this.#add(field, parsed.value);
    } catch {
      // As one that is nested too deep.
    }
    this.#refuse(BadRequest(`The field ${quote(field)} is not valid JSON, or is nested too deep`, { field }));
  }

  #takeFile(field: string, file: BusboyFileStream, about: Omit<StreamedFile, 'stream'>): void {
    const { filename, mimeType } = about;
    const limits = this.#limits;
    // A browser gives a part of JSON the name of a file.
    const isJson = this.#isJson(field, mimeType);
    const rules = isJson ? { maxSize: limits.maxFieldsSize } : this.#readingOf(field)?.file;
    const { accept = isJson ? undefined : limits.allowedMimeTypes, maxSize = limits.maxFileSize, stream } = rules ?? {};
    // A form in a browser sends a nameless empty file for a field where none was chosen; its type means nothing.
    if (accept !== undefined && filename !== '' && !matchesMimeType(mimeType, accept)) {
      const kind = `of type ${mimeType.slice(0, 100)}; allowed are ${accept.join(', ')}`;
      return this.#refuse(UnsupportedMediaType(`The file ${quote(field)} is ${kind}`, { field, limit: accept }));
    }
    if (stream === true) {
      this.#streamed = createLimitedStream(field, maxSize);
      pipeline(file, this.#streamed, () => {});
      this.#add(field, { stream: this.#streamed, ...about } satisfies StreamedFile);
      return this.#handOn();
    }
    const chunks: Buffer[] = [];
    let size = 0;
    file.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxSize) chunks.push(chunk);
      else this.#refuse(tooLarge(field, maxSize));
    });
    file.on('end', () => {
      if (this.#isDone || (filename === '' && size === 0)) return;
      const buffer = Buffer.concat(chunks, size);
      if (isJson) this.#takeText(field, buffer, mimeType);
      else this.#add(field, { buffer, mimeType, filename, size } satisfies UploadedFile);
    });
  }

  /** Whether a part holds an object or a list as JSON. */
  #isJson(name: string, mimeType: string): boolean {
    const reading = mimeType === 'application/json' ? this.#readingOf(name) : undefined;
    return reading?.takesParts === true && reading.file === undefined;
  }

  #readingOf(name: string): Lens['reading'] | undefined {
    return this.#plan.inside(this.#plan.has(name) ? name : name.replace(/\[\]$/, ''))?.reading;
  }

  #add(field: string, value: unknown): void {
    (this.#sent[field] ??= []).push(value);
  }

  readonly #breakOff = (): void => {
    if (!this.#isDone) this.#refuse(BadRequest('The form ended early or is not valid multipart/form-data'));
    if (this.#streamed?.writableEnded === false)
      this.#streamed.destroy(BadRequest('The form ended before the file did'));
  };
}

function toBusboy(options: BusboyConfig): BusboyInstance {
  try {
    return new Busboy(options);
  } catch {
    throw BadRequest('The content type multipart/form-data needs a boundary');
  }
}

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

function quote(name: string): string {
  return `'${name.slice(0, 100)}'`;
}

import { isUtf8 } from 'node:buffer';
import { pipeline, type Readable, Transform } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { defaultErrors } from '../errors/default-errors.ts';
import type { ErrorFactory } from '../errors/define-error.ts';
import { failure, type Outcome } from '../errors/failure.ts';
import type { FileRules } from '../schema/find-file-rules.ts';
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

/**
 * Reads a form: texts coerced by the plan, files as {@link UploadedFile}. Ends early, handing on nothing, at the first
 * limit (413, 415), at bad syntax (400) and when the sender leaves. At a field that is streamed the input is handed on,
 * with its file as it arrives; what follows that file is not read.
 */
export function readMultipartBody(source: MultipartSource): Promise<Outcome<InputFields>> {
  return new Promise((resolve) => new FormReader(source, resolve).start());
}

class FormReader {
  readonly #source: MultipartSource;
  readonly #resolve: (outcome: Outcome<InputFields>) => void;
  readonly #sent: Record<string, unknown[]> = Object.create(null);
  #form: BusboyInstance | undefined;
  #done = false;
  #textBytes = 0;
  #streamed: Transform | undefined;

  constructor(source: MultipartSource, resolve: (outcome: Outcome<InputFields>) => void) {
    this.#source = source;
    this.#resolve = resolve;
  }

  start(): void {
    const { body, contentType, limits } = this.#source;
    let form: BusboyInstance;
    try {
      form = new Busboy({
        headers: { 'content-type': contentType },
        // Texts come as their bytes, one a character, so that bad UTF-8 is seen.
        defCharset: 'latin1',
        limits: { files: limits.maxFiles, parts: limits.maxParts, fieldSize: limits.maxFieldsSize, headerPairs: 100 },
      });
    } catch {
      this.#refuse(defaultErrors.BadRequest, 'The content type multipart/form-data needs a boundary');
      return;
    }
    this.#form = form;
    form.on('field', (...[name, text, , isCut, , mimeType]) => this.#takeText(name, text, { isCut, mimeType }));
    form.on('file', (...[name, file, filename, , mimeType]) =>
      this.#takeFile(name, file, { filename: filename ?? '', mimeType }),
    );
    form.on('filesLimit', () =>
      this.#refuse(defaultErrors.PayloadTooLarge, `More than ${limits.maxFiles} files`, { limit: limits.maxFiles }),
    );
    form.on('partsLimit', () =>
      this.#refuse(defaultErrors.PayloadTooLarge, `More than ${limits.maxParts} parts`, { limit: limits.maxParts }),
    );
    form.on('error', this.#refuseBroken);
    form.on('finish', () => this.#settle({ ok: true, value: toInputFields(this.#sent, this.#source.plan) }));
    body.on('error', this.#breakOff);
    // A body that was sent in full closes before the form has ended, and long before a slow handler has read a file of
    // it. Whether it is whole, the form and the file then say themselves.
    body.on('close', () => {
      if (!body.readableEnded) this.#breakOff();
    });
    body.pipe(form);
  }

  #takeText(
    name: string | undefined,
    text: string,
    { isCut, mimeType }: { readonly isCut: boolean; readonly mimeType: string },
  ): void {
    if (name === undefined || this.#done) return;
    const limit = this.#source.limits.maxFieldsSize;
    this.#textBytes += text.length;
    if (isCut || this.#textBytes > limit) {
      this.#refuse(
        defaultErrors.PayloadTooLarge,
        `The text fields are larger than ${limit} bytes, at ${quoteName(name)}`,
        {
          field: name,
          limit,
        },
      );
      return;
    }
    const bytes = Buffer.from(text, 'latin1');
    if (isUtf8(bytes)) this.#addText(name, bytes.toString('utf8'), mimeType);
    else this.#refuse(defaultErrors.BadRequest, `The field ${quoteName(name)} is not valid UTF-8`, { field: name });
  }

  #takeFile(
    name: string | undefined,
    file: BusboyFileStream,
    about: { readonly filename: string; readonly mimeType: string },
  ): void {
    file.on('error', this.#refuseBroken);
    if (this.#done || name === undefined) {
      file.resume();
      return;
    }
    const { limits } = this.#source;
    // A browser gives a part of JSON the name of a file.
    if (this.#isJson(name, about.mimeType)) return this.#collect(name, file, { ...about, limit: limits.maxFieldsSize });
    const rules = this.#fieldOf(name)?.file;
    const accept = rules?.accept ?? limits.allowedMimeTypes;
    // A form in a browser sends a nameless empty file for a field where none was chosen; its type means nothing.
    if (accept !== undefined && about.filename !== '' && !matchesMimeType(about.mimeType, accept)) {
      const type = about.mimeType.slice(0, 100);
      const message = `The file ${quoteName(name)} is of type ${type}; allowed are ${accept.join(', ')}`;
      this.#refuse(defaultErrors.UnsupportedMediaType, message, { field: name, limit: accept });
      return;
    }
    const limit = rules?.maxSize ?? limits.maxFileSize;
    if (rules?.stream === true) this.#handOn(name, file, { ...about, limit, rules });
    else this.#collect(name, file, { ...about, limit });
  }

  #collect(
    name: string,
    file: BusboyFileStream,
    { filename, mimeType, limit }: { readonly filename: string; readonly mimeType: string; readonly limit: number },
  ): void {
    const chunks: Buffer[] = [];
    let size = 0;
    file.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else this.#refuse(defaultErrors.PayloadTooLarge, ...tooLarge(name, limit));
    });
    file.on('end', () => {
      if (this.#done || (filename === '' && size === 0)) return;
      if (this.#isJson(name, mimeType)) {
        return this.#takeText(name, Buffer.concat(chunks, size).toString('latin1'), { isCut: false, mimeType });
      }
      const uploaded: UploadedFile = { buffer: Buffer.concat(chunks, size), mimeType, filename, size };
      this.#add(name, uploaded);
    });
  }

  /** The form is answered for with what came before; the rest of it goes through the stream. */
  #handOn(
    name: string,
    file: BusboyFileStream,
    about: { readonly filename: string; readonly mimeType: string; readonly limit: number; readonly rules: FileRules },
  ): void {
    const stream = createLimitedStream(name, about.limit);
    this.#streamed = stream;
    // A handler that does not read the stream does not hear of its end either.
    stream.on('error', () => {});
    file.on('error', () => stream.destroy(endedEarly()));
    pipeline(file, stream, () => {});
    const streamed: StreamedFile = { stream, mimeType: about.mimeType, filename: about.filename };
    this.#add(name, streamed);
    this.#settle({ ok: true, value: toInputFields(this.#sent, this.#source.plan) });
  }

  #addText(name: string, text: string, mimeType: string): void {
    if (!this.#isJson(name, mimeType)) return this.#add(name, text);
    const parsed = parseJsonPart(text);
    if (parsed.ok) return this.#add(name, parsed.value);
    this.#refuse(defaultErrors.BadRequest, `The field ${quoteName(name)} is not valid JSON, or is nested too deep`, {
      field: name,
    });
  }

  /** Whether a part holds an object or a list as JSON. */
  #isJson(name: string, mimeType: string): boolean {
    if (mimeType !== 'application/json') return false;
    const field = this.#fieldOf(name);
    return field?.takesParts === true && field.file === undefined;
  }

  #fieldOf(name: string): Reading | undefined {
    const { plan } = this.#source;
    return plan.inside(plan.has(name) ? name : name.replace(/\[\]$/, ''))?.reading;
  }

  #add(name: string, value: unknown): void {
    (this.#sent[name] ??= []).push(value);
  }

  #refuse(kind: ErrorFactory, message: string, meta?: Readonly<Record<string, unknown>>): void {
    if (this.#form !== undefined) this.#source.body.unpipe(this.#form);
    this.#settle({ ok: false, failure: failure(kind, message, meta) });
  }

  readonly #refuseBroken = (): void => {
    if (!this.#done) this.#refuse(defaultErrors.BadRequest, 'The form ended early or is not valid multipart/form-data');
  };

  readonly #breakOff = (): void => {
    this.#refuseBroken();
    if (this.#streamed?.writableEnded === false) this.#streamed.destroy(endedEarly());
  };

  #settle(outcome: Outcome<InputFields>): void {
    if (this.#done) return;
    this.#done = true;
    this.#resolve(outcome);
  }
}

function parseJsonPart(text: string): { readonly ok: false } | { readonly ok: true; readonly value: unknown } {
  try {
    return toSafeInput(JSON.parse(text));
  } catch {
    return { ok: false };
  }
}

function endedEarly(): Error {
  return defaultErrors.BadRequest('The form ended before the file did');
}

/** Passes a file on up to a size, and fails with 413 beyond it. */
function createLimitedStream(name: string, limit: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length;
      if (size > limit) next(defaultErrors.PayloadTooLarge(...tooLarge(name, limit)));
      else next(null, chunk);
    },
  });
}

/** Message and meta of a file that is too large. */
function tooLarge(
  name: string,
  limit: number,
): [message: string, meta: { readonly field: string; readonly limit: number }] {
  return [`The file ${quoteName(name)} is larger than ${limit} bytes`, { field: name, limit }];
}

/** A name from the outside, in a message. */
function quoteName(name: string): string {
  return `'${name.slice(0, 100)}'`;
}

import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import {
  Busboy,
  type BusboyConfig,
  type BusboyFileStream,
  type BusboyInstance,
} from '@fastify/busboy';
import { defaultErrors, type ErrorFactory, type ErrorMeta } from '../errors/define-error.ts';
import { type Failure, failure, type Outcome, toError } from '../errors/failure.ts';
import { type FileRules, matchesMimeType } from '../schema/find-file-rules.ts';
import type { Lens } from '../schema/lens.ts';
import type { FileFields } from './file-fields.ts';
import { type InputFields, type SentFields, toInputFields } from './input-fields.ts';
import { createLimitedStream } from './limited-stream.ts';
import type { MultipartLimits } from './multipart-limits.ts';
import { parseJson } from './safe-input.ts';
import type { StreamedFile, UploadedFile } from './uploaded-file.ts';

export interface MultipartSource {
  readonly body: Readable;
  /** The header, which carries the boundary. */
  readonly contentType: string;
  readonly limits: MultipartLimits;
  /** The length that the sender declares, bytes; NaN where it declares none. */
  readonly declaredBytes: number;
  /** The longest form, bytes, and the option that limits it. Only `maxBodySize` counts a file that is streamed, too. */
  readonly total: {
    readonly bytes: number;
    readonly name: 'multipart.maxTotalSize' | 'maxBodySize';
  };
  readonly plan: Lens;
  readonly files: FileFields;
}

const { BadRequest, PayloadTooLarge, UnsupportedMediaType } = defaultErrors;

/**
 * Reads a form. It ends early, without a result, at the first limit (413, 415), at bad syntax and at a file for a field
 * that takes none (400), and when the sender leaves. At a streamed field it returns the input, with the file as it
 * arrives; later parts are not read.
 */
export async function readMultipartBody(source: MultipartSource): Promise<Outcome<InputFields>> {
  const sent = await new Promise<Outcome<SentFields>>((resolve) =>
    new FormReader(source, resolve).read(),
  );
  return toInput(sent, source);
}

function toInput(sent: Outcome<SentFields>, { plan }: MultipartSource): Outcome<InputFields> {
  return sent.ok ? { ok: true, value: toInputFields(sent.value, plan) } : sent;
}

/** A form that is read as far as its first file, of which nothing is read before `readRest`. */
interface OpenForm {
  /** The fields before the first file; of a form without files all of them. */
  readonly texts: Promise<Outcome<InputFields>>;
  readRest(): Promise<Outcome<InputFields>>;
}

/** Opens a form whose texts are needed before it is known whether its files are taken. */
export function openMultipartBody(source: MultipartSource): OpenForm {
  let readOn = (): void => {};
  const admitted = new Promise<void>((resolve) => {
    readOn = resolve;
  });
  let rest: Promise<Outcome<InputFields>> | undefined;
  const texts = new Promise<Outcome<InputFields>>((resolve) => {
    const onTexts = (sent: Outcome<SentFields>): void => resolve(toInput(sent, source));
    rest = new Promise<Outcome<SentFields>>((resolveAll) =>
      new FormReader(source, resolveAll, { admitted, onTexts }).read(),
    ).then((sent) => toInput(sent, source));
  });
  return {
    texts,
    readRest: async () => {
      readOn();
      return (await rest) ?? texts;
    },
  };
}

/** Holds the files of a form back. */
interface FileGate {
  /** Fulfils once files are read. */
  readonly admitted: Promise<void>;
  /** Called with the texts so far, where a file begins and at the end. Only the first time counts. */
  readonly onTexts: (sent: Outcome<SentFields>) => void;
}

class FormReader {
  readonly #source: MultipartSource;
  readonly #resolve: (sent: Outcome<SentFields>) => void;
  readonly #gate: FileGate | undefined;
  readonly #sent: Record<string, unknown[]> = Object.create(null);
  #isDone = false;
  #textBytes = 0;
  #streamed: { readonly file: Readable; readonly stream: Readable } | undefined;

  constructor(
    source: MultipartSource,
    resolve: (sent: Outcome<SentFields>) => void,
    gate?: FileGate,
  ) {
    this.#source = source;
    this.#resolve = resolve;
    this.#gate = gate;
  }

  read(): void {
    const { body, contentType, limits, declaredBytes, total } = this.#source;
    if (total.name === 'maxBodySize' && declaredBytes > total.bytes)
      return this.#end({ ok: false, failure: this.#tooLong() });
    const { maxFiles: files, maxParts: parts, maxFieldsSize } = limits;
    const atMost = { files, parts, fieldSize: maxFieldsSize + 1, headerPairs: 100 };
    // The parser gives a text as its bytes, one a character, so that bad UTF-8 is seen.
    const form = toBusboy({
      headers: { 'content-type': contentType },
      defCharset: 'latin1',
      limits: atMost,
    });
    if (form === undefined)
      return this.#refuse(BadRequest, 'The content type multipart/form-data needs a boundary');
    form.on('field', (...event) => {
      const [name, text, _isNameCut, _isTextCut, _encoding, mimeType] = event;
      if (name !== undefined && !this.#isDone)
        this.#takeText(name, Buffer.from(text, 'latin1'), mimeType);
    });
    form.on('file', (...event) => {
      const [name, file, escapedName, _encoding, mimeType] = event;
      file.on('error', this.#breakOff);
      const about = { filename: toFileName(escapedName), mimeType };
      if (name === undefined || this.#isDone) file.resume();
      else if (this.#gate === undefined || this.#isJson(name, mimeType))
        this.#takeFile(name, file, about);
      else void this.#takeLater(this.#gate, () => this.#takeFile(name, file, about));
    });
    form.on('filesLimit', () =>
      this.#refuse(PayloadTooLarge, `More than ${files} files`, { limit: files }),
    );
    form.on('partsLimit', () =>
      this.#refuse(PayloadTooLarge, `More than ${parts} parts`, { limit: parts }),
    );
    form.on('error', this.#breakOff);
    form.on('finish', () => this.#end({ ok: true, value: this.#sent }));
    body.on('error', this.#breakOff);
    // A body that was sent in full closes before the form has ended, and long before a slow handler has read a file of
    // it. Whether it is whole, the form and the file then say themselves.
    body.on('close', () => {
      if (!body.readableEnded) this.#breakOff();
    });
    body.pipe(form);
    this.#limitTotal();
  }

  /** Bytes beyond the total are not read, be it in files, in texts or around them. The parser sees a chunk first. */
  #limitTotal(): void {
    const { body, total } = this.#source;
    let size = 0;
    const count = (chunk: Buffer): void => {
      size += chunk.length;
      const streamed = total.name === 'maxBodySize' ? this.#streamed : undefined;
      if (this.#isDone && streamed === undefined) body.off('data', count);
      else if (size > total.bytes) {
        body.off('data', count);
        body.unpipe();
        if (streamed === undefined) this.#end({ ok: false, failure: this.#tooLong() });
        else streamed.stream.destroy(toError(this.#tooLong()));
      }
    };
    body.on('data', count);
  }

  #tooLong(): Failure {
    const { bytes: limit, name } = this.#source.total;
    return failure(PayloadTooLarge, `The form is larger than ${limit} bytes (${name})`, { limit });
  }

  /** A file that nobody reads holds up the form behind it. */
  async #takeLater({ admitted, onTexts }: FileGate, take: () => void): Promise<void> {
    onTexts({ ok: true, value: this.#sent });
    await admitted;
    take();
  }

  #end(sent: Outcome<SentFields>): void {
    this.#isDone = true;
    this.#gate?.onTexts(sent);
    this.#resolve(sent);
  }

  #refuse(kind: ErrorFactory, message: string, meta?: ErrorMeta): void {
    this.#source.body.unpipe();
    this.#end({ ok: false, failure: failure(kind, message, meta) });
  }

  readonly #breakOff = (): void => {
    if (!this.#isDone)
      this.#refuse(BadRequest, 'The form ended early or is not valid multipart/form-data');
    if (this.#streamed?.file.readableEnded === false)
      this.#streamed.stream.destroy(BadRequest('The form ended before the file did'));
  };

  #add(field: string, value: unknown): void {
    const values = this.#sent[field] ?? [];
    this.#sent[field] = values;
    values.push(value);
  }

  #takeText(field: string, bytes: Buffer, mimeType: string): void {
    const limit = this.#source.limits.maxFieldsSize;
    const subject = `The field ${quote(field)}`;
    this.#textBytes += bytes.length;
    if (this.#textBytes > limit) {
      const message = `The text fields are larger than ${limit} bytes, at ${quote(field)}`;
      this.#refuse(PayloadTooLarge, message, { field, limit });
    } else if (this.#isJson(field, mimeType)) {
      const parsed = parseJson(bytes, subject);
      if (parsed.ok) this.#add(field, parsed.value);
      else this.#refuse(BadRequest, parsed.failure.message, { field });
    } else if (isUtf8(bytes)) this.#add(field, bytes.toString());
    else this.#refuse(BadRequest, `${subject} is not valid UTF-8`, { field });
  }

  #takeFile(field: string, file: BusboyFileStream, about: Omit<StreamedFile, 'stream'>): void {
    const { filename, mimeType } = about;
    const { limits } = this.#source;
    // A browser gives a part of JSON the name of a file.
    const isJson = this.#isJson(field, mimeType);
    if (!isJson && !this.#source.files.takes(field)) return this.#skipFile(field, file, filename);
    const rules = isJson
      ? { maxSize: limits.maxFieldsSize, accept: ['*/*'] }
      : this.#readingOf(field)?.file;
    const {
      accept = limits.allowedMimeTypes,
      maxSize = limits.maxFileSize,
      stream,
    }: FileRules = rules ?? {};
    // A form in a browser sends a nameless empty file for a field where none was chosen; its type means nothing.
    if (accept !== undefined && filename !== '' && !matchesMimeType(mimeType, accept)) {
      const kind = `of type ${mimeType.slice(0, 100)}; allowed are ${accept.join(', ')}`;
      return this.#refuse(UnsupportedMediaType, `The file ${quote(field)} is ${kind}`, {
        field,
        limit: accept,
      });
    }
    const tooLarge = [
      `The file ${quote(field)} is larger than ${maxSize} bytes`,
      { field, limit: maxSize },
    ] as const;
    if (stream === true) {
      const limited = createLimitedStream(file, maxSize, () => PayloadTooLarge(...tooLarge));
      this.#streamed = { file, stream: limited };
      this.#add(field, { stream: limited, ...about } satisfies StreamedFile);
      return this.#end({ ok: true, value: this.#sent });
    }
    const chunks: Buffer[] = [];
    let size = 0;
    file.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxSize) chunks.push(chunk);
      else this.#refuse(PayloadTooLarge, ...tooLarge);
    });
    file.on('end', () => {
      if (this.#isDone || (filename === '' && size === 0)) return;
      const buffer = Buffer.concat(chunks, size);
      if (isJson) this.#takeText(field, buffer, mimeType);
      else this.#add(field, { buffer, mimeType, filename, size } satisfies UploadedFile);
    });
  }

  /** Names a file for a field that takes none, but for the nameless empty one of a browser where none was chosen. */
  #skipFile(field: string, file: BusboyFileStream, filename: string): void {
    const refuse = (): void => {
      if (!this.#isDone)
        this.#refuse(BadRequest, `The field ${quote(field)} takes no file`, { field });
    };
    if (filename === '') file.once('data', refuse);
    else refuse();
  }

  /** Whether a part holds an object or a list as JSON. */
  #isJson(name: string, mimeType: string): boolean {
    const reading = mimeType === 'application/json' ? this.#readingOf(name) : undefined;
    return reading?.takesParts === true && reading.file === undefined;
  }

  #readingOf(name: string): Lens['reading'] | undefined {
    const { plan } = this.#source;
    return plan.inside(plan.has(name) ? name : name.replace(/\[\]$/, ''))?.reading;
  }
}

/** Browsers escape a quote and the ends of lines in a name, and nothing else: `%22`, `%0D`, `%0A`. */
function toFileName(escaped: string | undefined): string {
  const characters: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };
  return (escaped ?? '').replace(/%22|%0D|%0A/gi, (text) => characters[text.toUpperCase()] ?? text);
}

function toBusboy(options: BusboyConfig): BusboyInstance | undefined {
  try {
    return new Busboy(options);
  } catch {
    return undefined;
  }
}

function quote(name: string): string {
  return `'${name.slice(0, 100)}'`;
}

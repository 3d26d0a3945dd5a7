import { type ReadText, readAnyText, toInvalid } from './read-any-text.ts';

/** The longest that a server may say nothing. A large document takes its time on a slow line. */
const MAX_SILENCE_SECONDS = 20;
const BYTES_IN_MIB = 1024 * 1024;
const DEFAULT_MAX_MIB = 64;

export interface AddressOptions {
  /** MiB that all answers together may have. @default 64 */
  readonly maxSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadAnswer {
  /** The address that answered, behind all redirects. */
  readonly url: string;
  readonly text: ReadText;
}

/** Reads the documents at URLs, all together up to a size. */
export class AddressReader {
  readonly #maxSize: number;
  readonly #signal: AbortSignal | undefined;
  #leftBytes: number;

  constructor({ maxSize = DEFAULT_MAX_MIB, signal }: AddressOptions) {
    this.#maxSize = maxSize;
    this.#leftBytes = maxSize * BYTES_IN_MIB;
    this.#signal = signal;
  }

  /** Never rejects for what a server does. `follows`: whether a redirect may lead elsewhere. */
  async read(url: string, follows: boolean): Promise<ReadAnswer> {
    const silence = new AbortController();
    const timer = setTimeout(() => {
      silence.abort(new Error(`the server said nothing for ${MAX_SILENCE_SECONDS} seconds`));
    }, MAX_SILENCE_SECONDS * 1000);
    try {
      const response = await fetch(url, {
        headers: { accept: 'application/json, application/yaml' },
        redirect: follows ? 'follow' : 'manual',
        signal: AbortSignal.any([silence.signal, ...(this.#signal ? [this.#signal] : [])]),
      });
      if (response.ok)
        return { url: response.url, text: await this.#readText(response, () => timer.refresh()) };
      await response.body?.cancel();
      return { url, text: toInvalid(`the answer is ${response.status}`) };
    } catch (error) {
      this.#signal?.throwIfAborted();
      const { message, cause } = error as Error;
      const hasMessage = cause instanceof Error && cause.message !== '';
      return { url, text: toInvalid(hasMessage ? cause.message : message) };
    } finally {
      clearTimeout(timer);
    }
  }

  /** The text of an answer; of one that is too large, the rest is not read. `onPart` hears of each part of it. */
  async #readText(response: Response, onPart: () => void): Promise<ReadText> {
    const chunks: Uint8Array[] = [];
    // Leaving the loop cancels the answer.
    for await (const chunk of response.body ?? []) {
      onPart();
      this.#leftBytes -= chunk.length;
      if (this.#leftBytes < 0)
        return toInvalid(`the answer is larger than ${this.#maxSize} MiB, which --max-size allows`);
      chunks.push(chunk);
    }
    const text = await readAnyText(Buffer.concat(chunks));
    if (text.kind === 'document') return text;
    return toInvalid(
      `the answer is not an OpenAPI document (${`${text.place} ${text.reason}`.replace(/^[: ]+/, '')})`,
    );
  }
}

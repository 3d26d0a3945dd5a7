const BLOCKS: unique symbol = Symbol.for('capix.blocks') as never;

/** A part of an answer as agents get it; bytes are in base64. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: EmbeddedResource }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly mimeType?: string;
      readonly description?: string;
    };

/** The content of a resource: a text, or bytes in base64. */
export type EmbeddedResource =
  | { readonly uri: string; readonly mimeType?: string; readonly text: string }
  | { readonly uri: string; readonly mimeType?: string; readonly blob: string };

/** An answer of several parts. Over HTTP it is JSON: `{"blocks": [{"type": "text", "text": "…"}]}`. */
export interface Blocks {
  readonly [BLOCKS]: true;
  /** The parts, in order. */
  readonly blocks: readonly Block[];
}

/** The source of one part: a text, bytes, a file, the body of a `Response`, an embedded resource or a link to one. */
export type BlockSource =
  | string
  | Response
  | { readonly bytes: Uint8Array; readonly mimeType: string; readonly uri?: string }
  | { readonly file: string | URL; readonly mimeType: string; readonly uri?: string }
  | { readonly text: string; readonly uri: string; readonly mimeType?: string }
  | { readonly link: string; readonly name: string; readonly mimeType?: string; readonly description?: string };

/**
 * An answer for agents in several parts. Bytes of `image/*` and `audio/*` are an image and audio, those with a `uri`
 * and those of other types an embedded resource. Rejects where a file cannot be read.
 *
 * @example
 * ```ts
 * const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
 *
 * export const getChart = capability(() =>
 *   blocks('Sales of this week:', { bytes: png, mimeType: 'image/png' }, { link: 'shop://orders', name: 'Orders' }),
 * 'query');
 * ```
 */
export async function blocks(...sources: readonly BlockSource[]): Promise<Blocks> {
  return { [BLOCKS]: true, blocks: await Promise.all(sources.map(loadBlock)) };
}

/** Whether `value` was made by `blocks`, of this copy of the package or another. */
export function isBlocks(value: unknown): value is Blocks {
  return typeof value === 'object' && value !== null && BLOCKS in value;
}

async function loadBlock(source: BlockSource): Promise<Block> {
  if (typeof source === 'string') return { type: 'text', text: source };
  if (source instanceof Response) return loadResponse(source);
  if ('link' in source) {
    const { link, ...rest } = source;
    return { type: 'resource_link', uri: link, ...rest };
  }
  if ('text' in source) return { type: 'resource', resource: source };
  if ('bytes' in source) return toBytesBlock(source.bytes, source);
  const { readFile } = await import('node:fs/promises');
  const uri = source.uri ?? String(source.file);
  return toBytesBlock(await readFile(source.file), isMedia(source.mimeType) ? source : { ...source, uri });
}

async function loadResponse(response: Response): Promise<Block> {
  const mimeType = response.headers.get('content-type')?.split(';')[0] ?? 'application/octet-stream';
  if (mimeType.startsWith('text/')) return { type: 'text', text: await response.text() };
  const bytes = new Uint8Array(await response.arrayBuffer());
  return toBytesBlock(bytes, isMedia(mimeType) || response.url === '' ? { mimeType } : { mimeType, uri: response.url });
}

/** The facts about the bytes of a part. */
export interface BytesFacts {
  readonly mimeType: string;
  /** Makes them an embedded resource. */
  readonly uri?: string | undefined;
}

/**
 * Bytes as a part. Those that are neither image nor audio are an embedded resource, with a URI of no place where there
 * is none.
 */
export function toBytesBlock(bytes: Uint8Array, { mimeType, uri }: BytesFacts): Block {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  if (uri === undefined && mimeType.startsWith('image/')) return { type: 'image', data, mimeType };
  if (uri === undefined && mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType };
  return { type: 'resource', resource: { uri: uri ?? 'about:blank', mimeType, blob: data } };
}

function isMedia(mimeType: string): boolean {
  return /^(image|audio)\//.test(mimeType);
}

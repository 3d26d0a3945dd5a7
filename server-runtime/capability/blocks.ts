const BLOCKS: unique symbol = Symbol.for('capix.blocks') as never;

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

export type EmbeddedResource =
  | { readonly uri: string; readonly mimeType?: string; readonly text: string }
  | { readonly uri: string; readonly mimeType?: string; readonly blob: string };

/** An answer of several parts. Over HTTP it is JSON: `{"blocks": [{"type": "text", "text": "…"}]}`. */
export interface Blocks {
  readonly [BLOCKS]: true;
  /** The parts, in order. */
  readonly blocks: readonly Block[];
}

/** A part of an answer in short: a text, bytes, or a text that stands at an address; or a block as MCP has it. */
export type BlockSource =
  | string
  | ({ readonly bytes: Uint8Array } & BytesFacts)
  | Extract<EmbeddedResource, { readonly text: string }>
  | Block;

export interface BytesFacts {
  readonly mimeType: string;
  /** Makes them an embedded resource. */
  readonly uri?: string | undefined;
}

/**
 * An answer for agents in several parts. Bytes of `image/*` and `audio/*` are an image and audio, those with a `uri`
 * and those of other types an embedded resource.
 */
export function blocks(...sources: readonly BlockSource[]): Blocks {
  const toBlock = (source: BlockSource): Block => {
    if (typeof source === 'string') return { type: 'text', text: source };
    if ('bytes' in source) return toBytesBlock(source.bytes, source);
    return 'type' in source ? source : { type: 'resource', resource: source };
  };
  return { [BLOCKS]: true, blocks: sources.map(toBlock) };
}

export function isBlocks(value: unknown): value is Blocks {
  return typeof value === 'object' && value !== null && BLOCKS in value;
}

/** Bytes that are neither image nor audio are an embedded resource, with a URI of no place where there is none. */
export function toBytesBlock(bytes: Uint8Array, { mimeType, uri }: BytesFacts): Block {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const media = uri === undefined && (['image', 'audio'] as const).find((type) => mimeType.startsWith(`${type}/`));
  if (media) return { type: media, data, mimeType };
  return { type: 'resource', resource: { uri: uri ?? 'about:blank', mimeType, blob: data } };
}

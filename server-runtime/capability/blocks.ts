const BLOCKS: unique symbol = Symbol.for('capix.blocks');

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: TextAt | (Place & { readonly blob: string }) }
  | ({
      readonly type: 'resource_link';
      readonly name: string;
      readonly description?: string;
    } & Place);

type Place = { readonly uri: string; readonly mimeType?: string };
type TextAt = Place & { readonly text: string };

/** An answer of several parts. Over HTTP it is JSON: `{"blocks": [{"type": "text", "text": "…"}]}`. */
export interface Blocks {
  readonly [BLOCKS]: true;
  /** The parts, in order. */
  readonly blocks: readonly Block[];
}

/** Bytes of another type than `image/*` and `audio/*`, or with a `uri`, are an embedded resource. */
interface BytesBlock {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
  readonly uri?: string | undefined;
}

/** An answer for agents in several parts: texts, bytes, texts that stand at an address, or blocks as MCP has them. */
export function blocks(...sources: readonly (string | BytesBlock | TextAt | Block)[]): Blocks {
  const toBlock = (source: (typeof sources)[number]): Block => {
    if (typeof source === 'string') return { type: 'text', text: source };
    if ('bytes' in source) return toBytesBlock(source);
    return 'type' in source ? source : { type: 'resource', resource: source };
  };
  return { [BLOCKS]: true, blocks: sources.map(toBlock) };
}

export function isBlocks(value: unknown): value is Blocks {
  return typeof value === 'object' && value !== null && BLOCKS in value;
}

function toBytesBlock({ bytes, mimeType, uri }: BytesBlock): Block {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const media =
    uri === undefined &&
    (['image', 'audio'] as const).find((type) => mimeType.startsWith(`${type}/`));
  if (media) return { type: media, data, mimeType };
  return { type: 'resource', resource: { uri: uri ?? 'about:blank', mimeType, blob: data } };
}

import { definitionOf, type Schema } from './schema.ts';

export interface FileRules {
  readonly maxSize?: number | undefined;
  readonly accept?: readonly string[] | undefined;
  readonly stream?: boolean;
}

/** The rules stand in the definition of a schema, where they survive `.optional()` and `.refine()`. */
export const FILE_RULES: unique symbol = Symbol.for('capix.uploadedFile');

/** The rules of `uploadedFile()`, `z.file()`, and of a custom type that takes a file or looks at one. */
export function findFileRules(schema: Schema): FileRules | undefined {
  const { type, [FILE_RULES]: rules } = definitionOf(schema) as {
    readonly type: string;
    [FILE_RULES]?: FileRules;
  };
  return (
    rules ??
    (type === 'file' || (type === 'custom' && looksAtFile(schema as never)) ? {} : undefined)
  );
}

/** A custom type has no description. This function shows it a file, and watches what the type reads. */
function looksAtFile(schema: {
  readonly safeParse: (value: unknown) => { readonly success: boolean };
}): boolean {
  let looked = false;
  const file = {
    buffer: new Uint8Array(1),
    mimeType: 'application/octet-stream',
    filename: 'file',
    size: 1,
  };
  const get = (target: object, name: string): unknown => {
    looked ||= Object.hasOwn(target, name);
    return Reflect.get(target, name);
  };
  try {
    return schema.safeParse(new Proxy(file, { get } as object)).success || looked;
  } catch {
    return looked;
  }
}

/** Whether a media type is one of `patterns`: `image/png`, `image/*`, `*\/*`. Letter case does not count. */
export function matchesMimeType(mimeType: string, patterns: readonly string[]): boolean {
  const type = mimeType.toLowerCase();
  const fitting = [type, type.replace(/\/.*/s, '/*'), '*/*'];
  return patterns.some((pattern) => fitting.includes(pattern.toLowerCase()));
}

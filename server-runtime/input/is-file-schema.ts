import { innerSchema } from '../schema/object-fields.ts';
import { definitionOf, type Schema } from '../schema/schema.ts';
import { findFileRules } from './uploaded-file.ts';

/**
 * Whether a field takes an uploaded file: `uploadedFile()`, `z.file()`, or a custom type that takes a file or looks at one
 * (`z.custom<UploadedFile>()`, `z.custom<UploadedFile>((file) => file.size < 1000)`). Looks through wrappers, not into arrays.
 */
export function isFileSchema(schema: Schema): boolean {
  const definition = definitionOf(schema);
  if (definition.type === 'array') return false;
  if (definition.type === 'file' || findFileRules(schema) !== undefined) return true;
  if (definition.type === 'custom') return takesFile(schema);
  const inner = innerSchema(schema);
  return inner !== undefined && isFileSchema(inner);
}

/** A custom type says nothing of itself but what it does with a value: it is shown a file, and watched. */
function takesFile(schema: Schema): boolean {
  let looked = false;
  const file: object = { buffer: new Uint8Array(1), mimeType: 'application/octet-stream', filename: 'file', size: 1 };
  const watched = new Proxy(file, {
    get: (target, property) => {
      if (Object.hasOwn(target, property)) looked = true;
      return Reflect.get(target, property) as unknown;
    },
  });
  try {
    const result = (schema as unknown as { safeParse(value: unknown): { success: boolean } }).safeParse(watched);
    return result.success || looked;
  } catch {
    return looked;
  }
}

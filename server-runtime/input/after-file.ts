import { z } from 'zod';
import { toError } from '../errors/failure.ts';
import { innerSchema } from '../schema/object-fields.ts';
import { definitionOf, isZodSchema, type Schema } from '../schema/schema.ts';
import { toWireSchema } from '../schema/to-wire-schema.ts';
import { createValidator } from '../schema/validator.ts';
import { isFileSchema } from './is-file-schema.ts';

/** Stands in the definition of the schema, where it survives wrappers. */
const AFTER_FILE: unique symbol = Symbol.for('capix.afterFile') as never;

/** A field that may still come. `read` gives it as it was sent, and undefined where it never came. */
export class LateValue {
  readonly name: string;
  readonly read: () => Promise<unknown>;

  constructor(name: string, read: () => Promise<unknown>) {
    this.name = name;
    this.read = read;
  }
}

/**
 * The schema of a field that may follow a file which is read as it arrives, `uploadedFile({ stream: true })`. The handler gets a function that gives the field,
 * valid, once the file is through; a file that nobody reads is passed over then. It rejects with `BadRequest` where the field is missing or wrong, and where the form
 * breaks off. A field that comes before the file, or not in a form, is validated with the others. Callers, clients and documents see a field like any other.
 *
 * @throws TypeError for what is not a schema, and for the schema of a file
 *
 * @example
 * ```ts
 * const Video = z.object({ file: uploadedFile({ stream: true }), checksum: afterFile(z.string().length(64)) });
 *
 * export const uploadVideo = capability(Video, async ({ file, checksum }) => {
 *   let bytes = 0;
 *   for await (const chunk of file.stream) bytes += (chunk as Buffer).length;
 *   return { bytes, checksum: await checksum() };
 * });
 * ```
 */
export function afterFile<S extends z.ZodType>(schema: S): z.ZodType<() => Promise<z.output<S>>, z.input<S>> {
  if (!isZodSchema(schema) || isFileSchema(schema))
    throw new TypeError('afterFile: expected the schema of a text, a number or another value, and not that of a file.');
  const { $schema: _version, id: _id, ...json } = toWireSchema(schema, { io: 'input' });
  return z
    .custom<z.input<S>>(() => true, { innerType: schema, [AFTER_FILE]: true } as object)
    .meta(json)
    .transform((sent, { issues }) => {
      if (sent instanceof LateValue) return () => toValid(schema, sent);
      const parsed = schema.safeParse(sent);
      if (!parsed.success) issues.push(...parsed.error.issues.map((issue) => ({ ...issue, input: sent }) as never));
      return async () => parsed.data as z.output<S>;
    });
}

/** Whether a field was made with `afterFile`, through wrappers. */
export function isAfterFile(schema: Schema): boolean {
  if (AFTER_FILE in definitionOf(schema)) return true;
  const inner = innerSchema(schema);
  return inner !== undefined && isAfterFile(inner);
}

async function toValid<S extends z.ZodType>(schema: S, { name, read }: LateValue): Promise<z.output<S>> {
  const outcome = await createValidator(z.object({ [name]: schema }))({ [name]: await read() });
  if (!outcome.ok) throw toError(outcome.failure);
  return (outcome.value as Readonly<Record<string, z.output<S>>>)[name] as z.output<S>;
}

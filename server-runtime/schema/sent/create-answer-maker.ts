import { andThen, type MaybePromise } from '../../errors/outcome.ts';
import { isZodSchema, type Schema } from '../schema.ts';
import { createSchemaParser } from '../schema-parser.ts';
import { toStandardJson } from '../standard/to-zod-schema.ts';
import { toZodShape } from '../standard/to-zod-shape.ts';
import { createPicker, type Picker } from './create-picker.ts';
import { toMaking } from './has-output-form.ts';

/** Makes what is sent of what a handler gives. */
export type AnswerMaker = (value: unknown) => MaybePromise<unknown>;

/**
 * The maker for the values of a schema, worked out once. Undeclared fields are dropped and defaults filled in; a schema with transforms, coercion
 * and the like runs. A value that does not fit one, which production lets pass, is sent as it was given, without undeclared fields.
 */
export function createAnswerMaker(schema: Schema): AnswerMaker {
  const pick = createPicker(schema) ?? same;
  if (toMaking(schema) !== 'parse') return pick;
  const parse = createSchemaParser(schema);
  const pickMade = createMadePicker(schema);
  return (value) => andThen(parse(value), (result) => (result.success ? pickMade(result.data) : pick(value)));
}

/** Not every library drops what is not declared. */
function createMadePicker(schema: Schema): Picker {
  return isZodSchema(schema) ? same : (createPicker(toZodShape(toStandardJson(schema, 'output'))) ?? same);
}

function same(value: unknown): unknown {
  return value;
}

import { innerSchema } from '../../../server-runtime/schema/find-field-names.ts';
import { definitionOf, type Schema } from '../../../server-runtime/schema/schema.ts';
import { rememberByObject } from '../remember-by-object.ts';
import { type SchemaPart, toInnerParts } from './inner-parts.ts';

/** A part of an input that no JSON value fits, so that nobody can send it. */
export interface UnsendableField {
  /** Names from the outside in, `[]` for items and `*` for the values of a record: `order.lines[].at`. */
  readonly path: string;
  readonly kind: UnsendableKind;
}

/** zod's name of a kind of value that JSON cannot say. */
export type UnsendableKind = keyof typeof instead;

/** The schema that takes the same from JSON, by kind. */
export const instead = {
  date:
    '`z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() ' +
    '})` makes a date of a date-time text; `z.iso.datetime()` keeps the text',
  bigint: '`z.string().regex(/^-?\\d+$/).pipe(z.coerce.bigint())` makes one of digits; `z.int()` takes safe integers',
  map: '`z.record(z.string(), …)` takes an object; make a map of it in the handler',
  set: '`z.array(…)` takes a list; make a set of it in the handler',
  symbol: '`z.enum([…])` takes one of several texts',
  nan: '`z.number().nullable()` takes `null` for what is not a number',
  function: 'take what the function would give, or the name of one',
  undefined: 'remove the field, or say what may be sent: `z.string().optional()`',
  void: 'remove the field, or say what may be sent: `z.string().optional()`',
} as const;

/** The parts of an input schema that no JSON value fits, in order. Files, and custom types, are none. */
export const findUnsendableFields = rememberByObject((schema: Schema): readonly UnsendableField[] =>
  findIn({ schema, path: '', above: [] }),
);

function findIn(part: SchemaPart): readonly UnsendableField[] {
  const { schema, path } = part;
  const kind = toUnsendableKind(schema);
  if (kind !== undefined) return [{ path, kind }];
  if (takesAnything(schema)) return [];
  const found = toInnerParts(part, innerSchema(schema)).map(findIn);
  return definitionOf(schema).type === 'union' ? findInBranches(found, path) : found.flat();
}

/** A union is sent as any of its branches: unsendable where all are, but for `undefined`. */
function findInBranches(branches: readonly (readonly UnsendableField[])[], path: string): readonly UnsendableField[] {
  const found = branches.flat().filter(({ kind }) => kind !== 'undefined' && kind !== 'void');
  const itself = found.find((field) => field.path === path);
  const canBeSent = branches.some((fields) => fields.every((field) => field.path !== path));
  const parts = found.filter((field) => field.path !== path);
  return itself === undefined || canBeSent ? parts : [itself, ...parts];
}

function toUnsendableKind(schema: Schema): UnsendableKind | undefined {
  const { type, coerce } = definitionOf(schema);
  return coerce !== true && Object.hasOwn(instead, type) ? (type as UnsendableKind) : undefined;
}

/** `z.preprocess` makes of what was sent whatever it likes, and `.catch()` refuses nothing. */
function takesAnything(schema: Schema): boolean {
  const definition = definitionOf(schema);
  return (
    definition.type === 'catch' || (definition.in !== undefined && definitionOf(definition.in).type === 'transform')
  );
}

import type { CapabilityDefinition } from '../../server-runtime/capability/definition.ts';
import { innerSchema } from '../../server-runtime/schema/find-field-names.ts';
import { definitionOf, type Schema } from '../../server-runtime/schema/schema.ts';
import type { Listed } from '../manifest/listed.ts';
import { type Problem, toMistake } from '../manifest/problem.ts';

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

/** A schema of zod inside another one. */
export interface SchemaPart {
  readonly schema: Schema;
  /** Names from the outside in, `[]` for items and `*` for the values of a record: `order.lines[].at`. */
  readonly path: string;
  /** The schemas that it is inside of: one that contains itself ends there. */
  readonly above: readonly Schema[];
}

/** A schema that makes itself anew at every level is given up at this depth. */
const MAX_DEPTH = 50;

/** The parts of a schema in order. `inner`: the schema that it wraps, on the side that is looked at. */
export function toInnerParts({ schema, path, above }: SchemaPart, inner: Schema | undefined): readonly SchemaPart[] {
  if (above.includes(schema) || above.length > MAX_DEPTH) return [];
  const { shape = {}, element, items = [], rest, options = [], left, right, ...definition } = definitionOf(schema);
  const { valueType } = definition as { readonly valueType?: Schema };
  const parts: readonly (readonly [step: string, part: Schema | null | undefined])[] = [
    ...Object.entries(shape),
    ...[element, ...items, rest].map((part) => ['[]', part] as const),
    ['*', valueType],
    ...[left, right, ...options, inner].map((part) => ['', part] as const),
  ];
  return parts.flatMap(([step, part]) => {
    const isPlain = step === '' || step === '[]' || path === '';
    return part ? [{ schema: part, path: isPlain ? path + step : `${path}.${step}`, above: [...above, schema] }] : [];
  });
}

/** A function that makes something of an object once, and gives the same again as long as the object lives. */
export function rememberByObject<From extends object, Made>(make: (from: From) => Made): (from: From) => Made {
  const made = new WeakMap<From, { readonly value: Made }>();
  return (from) => {
    const before = made.get(from);
    if (before !== undefined) return before.value;
    const value = make(from);
    made.set(from, { value });
    return value;
  };
}

/** Finds values in answers that JSON cannot carry. */
export function findOutputMistakes(
  capability: Listed,
  declared: Pick<CapabilityDefinition, 'output' | 'answers'> | undefined,
): readonly Problem[] {
  const schemas = new Set([declared?.output, ...(declared?.answers ?? []).map(({ schema }) => schema)]);
  const found = [...schemas].flatMap((schema) => (schema === undefined ? [] : findLossyParts(schema)));
  return found.map(({ path, type }) => {
    const place = path === '' ? 'as its answer' : `in \`${path}\` of its answer`;
    const message = `\`${capability.key}\` gives a \`${type}\` ${place}: it is sent as \`{}\`.`;
    return toMistake('lossy-output', capability, { message, hint: insteadInAnswers[type] });
  });
}

const insteadInAnswers = {
  map: 'Give an object: Object.fromEntries(map), declared as z.record(z.string(), …).',
  set: 'Give a list: [...set], declared as z.array(…).',
} as const;

interface Lossy {
  readonly path: string;
  readonly type: keyof typeof insteadInAnswers;
}

const findLossyParts = rememberByObject((schema: Schema): readonly Lossy[] =>
  findLossy({ schema, path: '', above: [] }),
);

function findLossy(part: SchemaPart): readonly Lossy[] {
  const { type, innerType, out } = definitionOf(part.schema);
  if (Object.hasOwn(insteadInAnswers, type)) return [{ path: part.path, type: type as keyof typeof insteadInAnswers }];
  return toInnerParts(part, innerType ?? out).flatMap(findLossy);
}

import type { CapabilityDefinition } from '../../server-runtime/capability/definition.ts';
import { definitionOf, type Schema } from '../../server-runtime/schema/schema.ts';
import type { Listed } from '../manifest/listed.ts';
import { type Problem, toMistake } from '../manifest/problem.ts';

/** The schemas that take the same from JSON, by zod's name of a kind of value that JSON cannot say. */
const instead: Readonly<Record<string, string>> = {
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
};

/** Finds the parts of an input that no JSON value fits. Files, and custom types, are none. */
export function findUnsendableFields(capability: Listed, schema: Schema | undefined): readonly Problem[] {
  const who = capability.job === undefined ? 'nobody can send it' : 'no queue can keep it';
  const found = schema === undefined ? [] : findKinds({ schema, path: '', above: [] }, instead, toInput);
  return found.map(({ path, kind }) => {
    const place = path === '' ? 'as its input' : `in \`${path}\``;
    const message = `\`${capability.key}\` takes the type \`${kind}\` ${place}, which JSON cannot say: ${who}.`;
    return toMistake('unsendable-field', capability, { message, hint: `Instead: ${instead[kind] ?? ''}.` });
  });
}

function toInput(schema: Schema): Schema | undefined {
  const { getter, innerType, in: from } = definitionOf(schema);
  return getter?.() ?? innerType ?? from;
}

/** The kinds of value that are sent as `{}`. */
const lossy: Readonly<Record<string, string>> = {
  map: 'Give an object: Object.fromEntries(map), declared as z.record(z.string(), …).',
  set: 'Give a list: [...set], declared as z.array(…).',
};

/** Finds values in answers that JSON cannot carry. */
export function findOutputMistakes(
  capability: Listed,
  declared: Pick<CapabilityDefinition, 'output' | 'answers'> | undefined,
): readonly Problem[] {
  const schemas = new Set([declared?.output, ...(declared?.answers ?? []).map(({ schema }) => schema)]);
  const toOutput = (schema: Schema) => definitionOf(schema).innerType ?? definitionOf(schema).out;
  const found = [...schemas].flatMap((schema) =>
    schema === undefined ? [] : findKinds({ schema, path: '', above: [] }, lossy, toOutput),
  );
  return found.map(({ path, kind }) => {
    const place = path === '' ? 'as its answer' : `in \`${path}\` of its answer`;
    const message = `\`${capability.key}\` gives a \`${kind}\` ${place}: it is sent as \`{}\`.`;
    return toMistake('lossy-output', capability, { message, hint: lossy[kind] });
  });
}

/** A schema of zod inside another one. */
interface SchemaPart {
  readonly schema: Schema;
  /** Names from the outside in, `[]` for items and `*` for the values of a record: `order.lines[].at`. */
  readonly path: string;
  /** The schemas that it is inside of: one that contains itself ends there. */
  readonly above: readonly Schema[];
}

interface FoundKind {
  readonly path: string;
  readonly kind: string;
}

/** A schema that makes itself anew at every level is given up at this depth. */
const MAX_DEPTH = 50;

/** The parts of some kinds, in order. `toInner`: the schema that one wraps, on the side that is looked at. */
function findKinds(
  { schema, path, above }: SchemaPart,
  kinds: object,
  toInner: (schema: Schema) => Schema | undefined,
): readonly FoundKind[] {
  const { type, coerce, in: first, shape = {}, ...others } = definitionOf(schema);
  if (coerce !== true && Object.hasOwn(kinds, type)) return [{ path, kind: type }];
  // `z.preprocess` makes of what was sent whatever it likes, and `.catch()` refuses nothing.
  if (type === 'catch' || (first !== undefined && definitionOf(first).type === 'transform')) return [];
  if (above.includes(schema) || above.length > MAX_DEPTH) return [];
  const {
    element,
    items = [],
    rest,
    options = [],
    left,
    right,
    valueType,
  } = others as typeof others & { valueType?: Schema };
  const steps: readonly (readonly [step: string, part: Schema | null | undefined])[] = [
    ...Object.entries(shape),
    ...[element, ...items, rest].map((part) => ['[]', part] as const),
    ['*', valueType],
    ...[left, right, ...options, toInner(schema)].map((part) => ['', part] as const),
  ];
  const found = steps.flatMap(([step, part]) => {
    const isPlain = step === '' || step === '[]' || path === '';
    const inner = { path: isPlain ? path + step : `${path}.${step}`, above: [...above, schema] };
    return part ? [findKinds({ ...inner, schema: part }, kinds, toInner)] : [];
  });
  return type === 'union' ? findInBranches(found, path) : found.flat();
}

/** A union is sent as any of its branches: unsendable where all are, but for `undefined`. */
function findInBranches(branches: readonly (readonly FoundKind[])[], path: string): readonly FoundKind[] {
  const found = branches.flat().filter(({ kind }) => kind !== 'undefined' && kind !== 'void');
  const itself = found.find((field) => field.path === path);
  const canBeSent = branches.some((fields) => fields.every((field) => field.path !== path));
  const parts = found.filter((field) => field.path !== path);
  return itself === undefined || canBeSent ? parts : [itself, ...parts];
}

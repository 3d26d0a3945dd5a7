import { type JsonSchema, type MarkedSchema, textsOf } from '../../schema/json-schema.ts';
import { type JsonBranch, toChoices } from '../../schema/lens.ts';
import { isName, toName } from './field-names.ts';

export type ScalarName =
  | 'String'
  | 'ID'
  | 'Int'
  | 'Float'
  | 'Boolean'
  | 'DateTime'
  | 'BigInt'
  | 'JSON';

/** The one scalar of all branches. */
export function findOneScalar(branches: readonly JsonBranch[]): ScalarName | undefined {
  const names = new Set(branches.map(findScalar));
  const [name] = names;
  if (names.size < 2) return name;
  const areNumbers = [...names].every((each) => each === 'Int' || each === 'Float');
  return areNumbers ? 'Float' : undefined;
}

const { pattern: DIGITS } = textsOf['bigint'] as { readonly pattern: string };

/** Marks and formats count before the type: what is coerced has several types. */
export function findScalar(json: MarkedSchema): ScalarName | undefined {
  const { 'x-capix-kind': kind, format, pattern } = json;
  if (kind === 'date' || format === 'date-time') return 'DateTime';
  return kind === 'bigint' || pattern === DIGITS ? 'BigInt' : findPlain(json);
}

function findPlain(json: MarkedSchema): ScalarName | undefined {
  const choices = toListed(json);
  const [ofChoices, ...others] = new Set(choices.map((choice) => typeof choice));
  if (others.length > 0) return undefined;
  const type = json['x-capix-texts']?.['type'] ?? json['type'] ?? ofChoices;
  if (choices.length > 0 && choices.every(isInt32)) return 'Int';
  return type === 'integer' && isBound(json) ? 'Int' : ofTypes[type as string];
}

const ofTypes: Readonly<Record<string, ScalarName>> = {
  string: 'String',
  boolean: 'Boolean',
  number: 'Float',
  integer: 'Float',
};

/** The values that a schema lists, without null. */
function toListed(json: JsonSchema): readonly unknown[] {
  return toChoices(json).filter((choice) => choice !== null);
}

function isBound({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): boolean {
  return isInt32(minimum ?? exclusiveMinimum) && isInt32(maximum ?? exclusiveMaximum);
}

function isInt32(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= -(2 ** 31) && (value as number) < 2 ** 31;
}

/**
 * Several texts by their names in GraphQL, where all have one. One text alone is a `String`: two branches of a union
 * have different ones.
 */
export function findNamedTexts(
  branches: readonly JsonBranch[],
): ReadonlyMap<string, string> | undefined {
  const lists = branches.map(toListed);
  const texts = [...new Set(lists.flat())];
  const isWhole = lists.every((list) => list.length > 0) && texts.length > 1;
  if (!isWhole || !texts.every((text) => typeof text === 'string')) return undefined;
  const values = new Map(texts.map((text) => [toName(text), text]));
  const names = [...values.keys()];
  const areNames = names.every((name) => isName(name) && !/^(true|false|null)$/.test(name));
  return areNames && names.length === texts.length ? values : undefined;
}

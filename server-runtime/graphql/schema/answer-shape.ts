import type { Operation } from '../../registry/compile-registry.ts';
import { describe } from '../../schema/describe.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { isFilePlace, type Place, type Shape, ShapeReader, toJson } from './shapes.ts';

export type RootName = 'Query' | 'Mutation' | 'Subscription';

export function toRoot({ intent, definition: { answers } }: Operation): RootName {
  if (answers.some(({ kind }) => kind === 'stream')) return 'Subscription';
  return intent === 'query' ? 'Query' : 'Mutation';
}

/** What a capability answers with: its data, and where it has none, whether it is done, or a text. */
export function toAnswerShape(operation: Operation): Shape {
  const { answers } = operation.definition;
  const [first] = answers;
  if (first === undefined) return toJson('it declares no `.output(…)`');
  const [one, ...others] = answers.filter(({ kind }) => kind === 'data' || kind === 'stream');
  if (others.length > 0) return toJson('it declares several answers with data');
  if (one?.schema !== undefined)
    return new ShapeReader(describe(one.schema).output, 'output').read().shape;
  return { kind: 'scalar', name: saysDone(operation) ? 'Boolean' : 'String' };
}

/** Whether it is what `pageOf(…)` declares: its name is not that of its items. */
export function isPage(shape: Shape): boolean {
  const names = shape.kind === 'object' ? shape.fields.map(({ source }) => source) : [];
  return names.toSorted().join(' ') === 'items nextCursor';
}

/** Whether the answer has no content, which stands for `true`. */
export function saysDone({ definition: { answers } }: Operation): boolean {
  return answers.length > 0 && answers.every(({ kind }) => kind === 'none');
}

/** The input of a capability, unless it is always `{}`; its fields that headers carry, too, may be left out. */
export function toInputPlace({ definition: { schema, sent } }: Operation): Place | undefined {
  const json = schema && describe(schema).input;
  if (json === undefined || hasNoFields(json)) return undefined;
  const place = new ShapeReader(json, 'input').read();
  if (place.shape.kind !== 'object' || sent.length === 0) return place;
  const carried = new Set(sent.map(({ field }) => field));
  const fields = place.shape.fields.map((field) =>
    carried.has(field.source) ? { ...field, isRequired: false } : field,
  );
  return { ...place, shape: { ...place.shape, fields } };
}

/** Whether it declares an object, and no field of it: a record and an open object take some all the same. */
function hasNoFields({ type, properties, additionalProperties = false, ...others }: JsonSchema) {
  const isBare = Object.keys(others).every((key) => ['$schema', 'required'].includes(key));
  const isEmpty = properties !== undefined && Object.keys(Object(properties)).length === 0;
  return type === 'object' && isEmpty && additionalProperties === false && isBare;
}

/** Why a capability has no field. */
export function findReason(
  { definition: { answers } }: Operation,
  input: Place | undefined,
): string | undefined {
  const kinds = new Set(answers.map(({ kind }) => kind));
  if (kinds.has('bytes')) return 'it answers with bytes: ask for them over REST';
  if (kinds.has('stream') && kinds.size > 1) return 'it answers with a stream, or without one';
  if (input?.shape.kind !== 'object') return undefined;
  const file = input.shape.fields.find((field) => isFilePlace(field) && field.isRequired);
  return file && `it needs the file \`${file.source}\`: send it over REST`;
}

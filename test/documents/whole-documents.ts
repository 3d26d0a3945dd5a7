import type { OpenApi, Operation, Schema } from './document-types.ts';
import {
  atSteps,
  findOperation,
  findSchemaPlace,
  isSimpleObject,
  toOperationPlaces,
} from './places.ts';
import { createRandom, type Random } from './random.ts';

/** The same document with the keys of each object in another order, and all descriptions changed. */
export function toShuffled(document: OpenApi, seed: number): OpenApi {
  return shuffle(document, createRandom(seed), '') as OpenApi;
}

/** Objects whose keys are names, of which one may be `description`. */
const maps: ReadonlySet<string> = new Set(
  'properties patternProperties schemas responses parameters headers paths definitions'.split(' '),
);
/** What an application gave is left as it is. */
const values: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

function shuffle(value: unknown, random: Random, name: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => shuffle(inner, random, ''));
  if (typeof value !== 'object' || value === null) return value;
  const isMap = maps.has(name);
  const entries = Object.entries(value).map(([key, inner]) => {
    if (!isMap && key === 'description' && typeof inner === 'string')
      return [key, `${inner} (in other words)`] as const;
    if (!isMap && values.has(key)) return [key, inner] as const;
    return [key, shuffle(inner, random, isMap ? '' : key)] as const;
  });
  return Object.fromEntries(random.shuffle(entries));
}

export interface WithoutField {
  readonly before: OpenApi;
  readonly after: OpenApi;
  /** The place that the one change must name. */
  readonly field: string;
}

/** A document and itself without one field of an answer; undefined where no answer has one that can be removed. */
export function toWithoutField(document: OpenApi, seed: number): WithoutField | undefined {
  // Where references lead into operations, a field of one is a field of others.
  if (JSON.stringify(document).includes('"$ref":"#/paths/')) return undefined;
  const before = structuredClone(document);
  const random = createRandom(seed);
  const toNames = (schema: Schema): readonly string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      field['writeOnly'] === true || field.$ref !== undefined ? [] : [name],
    );
  const fits = (schema: Schema): boolean => isSimpleObject(schema) && toNames(schema).length > 0;
  const place = findSchemaPlace(before, random, { direction: 'output', fits });
  if (place === undefined) return undefined;
  const after = structuredClone(before);
  const schema = atSteps(findOperation(after, place.operation), place.steps) as Schema;
  const name = random.pick(toNames(schema));
  if (name === undefined) return undefined;
  delete schema.properties![name];
  if (schema.required !== undefined)
    schema.required = schema.required.filter((each) => each !== name);
  return { before, after, field: name };
}

/** The document with the id of its first operation given to the second one, too; undefined of fewer than two. */
export function toRepeatedId(document: OpenApi): OpenApi | undefined {
  const twice = structuredClone(document);
  const [first, second] = toOperationPlaces(twice)
    .map((place) => findOperation(twice, place))
    .filter((each): each is Operation => each !== undefined);
  if (first === undefined || second === undefined) return undefined;
  first.operationId = 'zzTwice';
  second.operationId = 'zzTwice';
  return twice;
}

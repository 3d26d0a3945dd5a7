import type {
  Content,
  OpenApi,
  Operation,
  Parameter,
  PathItem,
  Response,
  Schema,
} from './document-types.ts';
import type { Random } from './random.ts';

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** An operation of a document, alone at its place: what it refers to is written into it. */
export interface OperationPlace {
  readonly template: string;
  readonly method: string;
}

export type Direction = 'input' | 'output';

/** Finds what a pointer leads to; undefined for nothing, or elsewhere. */
export function findTarget(document: OpenApi, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let target: unknown = document;
  for (const part of reference.slice(2).split('/')) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof target !== 'object' || target === null) return undefined;
    target = (target as Record<string, unknown>)[name];
  }
  return target;
}

/** What stands there, behind any references; undefined where one leads nowhere. */
export function resolve<Value>(document: OpenApi, value: unknown): Value | undefined {
  let target = value;
  for (let steps = 0; steps < 10; steps++) {
    const reference = (target as { $ref?: unknown } | undefined)?.$ref;
    if (typeof reference !== 'string') return target as Value | undefined;
    target = findTarget(document, reference);
  }
  return undefined;
}

export function findOperation(
  document: OpenApi,
  { template, method }: OperationPlace,
): Operation | undefined {
  return document.paths?.[template]?.[method];
}

/** All operations; those behind a reference are left out, since they are not alone. */
export function toOperationPlaces(document: OpenApi): readonly OperationPlace[] {
  return Object.entries(document.paths ?? {}).flatMap(([template, item]) =>
    methods.flatMap((method) => (item[method] === undefined ? [] : [{ template, method }])),
  );
}

/** Writes into an operation what it refers to, and what its path says of parameters: nothing of it is shared now. */
export function isolateOperation(document: OpenApi, place: OperationPlace): Operation | undefined {
  const operation = findOperation(document, place);
  if (operation === undefined) return undefined;
  const item = document.paths?.[place.template] as PathItem & { parameters?: unknown[] };
  const byPlace = new Map<string, Parameter>();
  for (const each of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = resolve<Parameter>(document, each);
    if (parameter !== undefined)
      byPlace.set(`${parameter.in} ${parameter.name}`, structuredClone(parameter));
  }
  // A path's parameters stay with the other operations of the path.
  if (byPlace.size > 0) operation.parameters = [...byPlace.values()];
  const body = resolve<Operation['requestBody']>(document, operation.requestBody);
  if (body !== undefined) operation.requestBody = structuredClone(body);
  const responses = Object.entries(operation.responses ?? {});
  operation.responses = Object.fromEntries(
    responses.map(([status, response]) => [
      status,
      structuredClone(resolve<Response>(document, response) ?? {}),
    ]),
  );
  return operation;
}

/** A schema at its place, alone: the steps that lead to it from the holder of the whole schema. */
export interface SchemaPlace {
  readonly operation: OperationPlace;
  readonly direction: Direction;
  /** From the operation: `requestBody`, `content`, `application/json`, `schema`, `properties`, `name`. */
  readonly steps: readonly string[];
}

const JSON_TYPE = /^application\/json$/i;

/** The names of the media type of JSON. */
export function findJsonType(content: Record<string, Content> | undefined): string | undefined {
  return Object.keys(content ?? {}).find((type) => JSON_TYPE.test(type));
}

interface Candidate {
  readonly steps: readonly string[];
  readonly schema: Schema;
}

const MAX_DEPTH = 4;
const MAX_CANDIDATES = 300;

/** Words beside which the edit of another part of a schema may mean something else. */
const entangling = [
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'discriminator',
  'patternProperties',
  'enum',
  'const',
  '$ref',
  'dependentRequired',
  'unevaluatedProperties',
  'propertyNames',
];

/** A schema that says what it says without choices and parts. */
export function isSimple(schema: Schema): boolean {
  return entangling.every((keyword) => schema[keyword] === undefined);
}

export function isSimpleObject(schema: Schema): boolean {
  return (
    isSimple(schema) && schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0
  );
}

/** The schemas inside of one, behind references, by the steps to each; none of those that do not count there. */
function toCandidates(document: OpenApi, whole: Schema, direction: Direction): Candidate[] {
  const found: Candidate[] = [];
  const skipped = direction === 'input' ? 'readOnly' : 'writeOnly';
  const visit = (given: Schema, steps: readonly string[], depth: number): void => {
    const schema = resolve<Schema>(document, given);
    if (schema === undefined || typeof schema !== 'object' || schema === null) return;
    if (found.length >= MAX_CANDIDATES || schema[skipped] === true) return;
    if (given.$ref !== undefined && Object.keys(given).length > 1) return;
    found.push({ steps, schema });
    if (depth >= MAX_DEPTH || !isSimple(schema)) {
      if (depth < MAX_DEPTH && isPlainIntersection(document, schema))
        for (const [at, part] of (schema.allOf ?? []).entries())
          visit(part, [...steps, 'allOf', String(at)], depth + 1);
      return;
    }
    if (schema.type === 'object')
      for (const [name, field] of Object.entries(schema.properties ?? {}))
        visit(field, [...steps, 'properties', name], depth + 1);
    if (schema.type === 'array' && schema.items !== undefined && !Array.isArray(schema.items))
      visit(schema.items, [...steps, 'items'], depth + 1);
  };
  visit(whole, [], 0);
  return found;
}

/** Parts that are simple objects of different fields, each of which says itself what it requires. */
function isPlainIntersection(document: OpenApi, schema: Schema): boolean {
  const { allOf, ...own } = schema;
  if (!Array.isArray(allOf) || !isSimple(own) || own.properties !== undefined) return false;
  if (own.required !== undefined || own['additionalProperties'] !== undefined) return false;
  const parts = allOf.map((part) => resolve<Schema>(document, part));
  const names = new Set<string>();
  return parts.every((part) => {
    if (part === undefined || !isSimpleObject(part)) return false;
    if (part['additionalProperties'] !== undefined) return false;
    const own = Object.keys(part.properties ?? {});
    const isApart = own.every((name) => !names.has(name));
    for (const name of own) names.add(name);
    return isApart && (part.required ?? []).every((name) => own.includes(name));
  });
}

/** The steps to the schema of JSON of a request or a good answer; undefined where there is none. */
function toRootSteps(operation: Operation, direction: Direction): readonly string[] | undefined {
  if (direction === 'input') {
    const type = findJsonType(operation.requestBody?.content);
    return type === undefined ? undefined : ['requestBody', 'content', type, 'schema'];
  }
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    const type = status.startsWith('2') ? findJsonType(response.content) : undefined;
    if (type !== undefined) return ['responses', status, 'content', type, 'schema'];
  }
  return undefined;
}

export function atSteps(holder: unknown, steps: readonly string[]): unknown {
  let value = holder;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

export function setAt(holder: object, steps: readonly string[], value: unknown): void {
  const last = steps.at(-1);
  const inner = atSteps(holder, steps.slice(0, -1)) as Record<string, unknown>;
  if (last !== undefined) inner[last] = value;
}

/** Writes the schemas on the way to a place into the operation, so that no other one shares them. */
function isolateSteps(document: OpenApi, operation: Operation, steps: readonly string[]): void {
  for (let count = 1; count <= steps.length; count++) {
    const way = steps.slice(0, count);
    const value = atSteps(operation, way);
    const target = resolve<object>(document, value);
    if (target !== value) setAt(operation, way, structuredClone(target));
  }
}

/** Finds a schema that fits somewhere in the document, and makes it alone. Tries operations in any order. */
export function findSchemaPlace(
  document: OpenApi,
  random: Random,
  { direction, fits }: { direction: Direction; fits: (schema: Schema, isRoot: boolean) => boolean },
): SchemaPlace | undefined {
  for (const place of random.shuffle(toOperationPlaces(document)).slice(0, 60)) {
    const operation = isolateOperation(document, place);
    const root = operation && toRootSteps(operation, direction);
    if (operation === undefined || root === undefined) continue;
    const whole = atSteps(operation, root) as Schema | undefined;
    if (whole === undefined) continue;
    const fitting = toCandidates(document, whole, direction).filter(({ steps, schema }) =>
      // A part of an intersection is no value of its own.
      fits(schema, steps.length === 0 || steps.at(-2) === 'allOf'),
    );
    const candidate = random.pick(fitting);
    if (candidate === undefined) continue;
    const steps = [...root, ...candidate.steps];
    isolateSteps(document, operation, steps);
    return { operation: place, direction, steps };
  }
  return undefined;
}

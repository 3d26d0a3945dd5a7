import { findTarget } from '../../shape/read/find-target.ts';
import { isSchemaObject, type SchemaJson, toTexts } from '../../shape/read/schema-json.ts';
import { CHECKS_KEYWORD } from '../../shape/read/to-typed-shape.ts';
import type { ContractChange } from '../contract-change.ts';
import { toChange } from '../rules/to-change.ts';
import { toFieldName } from './contract-place.ts';

/** The checks of an input that are code: nobody can tell what they let pass, but whether one came, went, or reads otherwise. */
export function diffChecks(before: unknown, after: unknown): readonly ContractChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [olds, news] = [findChecks(before), findChecks(after)];
  return [...news].flatMap(([at, now]) => {
    const old = olds.get(at);
    return old === undefined ? [] : diffPlace(at, old, now);
  });
}

function diffPlace(at: string, old: readonly string[], now: readonly string[]): readonly ContractChange[] {
  const gone = old.filter((mark) => !now.includes(mark)).length + Math.max(0, old.length - now.length);
  const come = now.filter((mark) => !old.includes(mark)).length + Math.max(0, now.length - old.length);
  if (gone + come === 0) return [];
  const name = `\`${toFieldName({ at, direction: 'input' })}\``;
  if (gone > 0 && come > 0) return [toChange('input-check-changed', { at, message: `a check of ${name} changed` })];
  return come > 0
    ? [toChange('input-check-added', { at, message: `${name} got a check` })]
    : [toChange('input-check-removed', { at, message: `${name} lost a check` })];
}

/**
 * The marks at each place of a schema, those without any too: a field that only one side has is told by itself. What is referred to is looked into once,
 * where it stands nearest to the top.
 */
function findChecks(root: unknown): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const followed = new Set<string>(['#']);
  let level: readonly Place[] = [{ at: 'input', schema: root }];
  while (level.length > 0) {
    const inner: Place[] = [];
    for (const place of level) addPlace(place, inner);
    level = inner.toSorted((a, b) => (a.at < b.at ? -1 : 1));
  }
  return found;

  function addPlace({ at, schema }: Place, inner: Place[]): void {
    if (!isSchemaObject(schema)) return;
    found.set(at, [...(found.get(at) ?? []), ...toTexts(schema[CHECKS_KEYWORD])]);
    inner.push(...toFields(at, schema));
    for (const part of toParts(schema)) addPlace({ at, schema: part }, inner);
    const { $ref } = schema;
    if (typeof $ref !== 'string' || followed.has($ref)) return;
    followed.add($ref);
    addPlace({ at, schema: findTarget($ref, root) }, inner);
  }
}

interface Place {
  readonly at: string;
  readonly schema: unknown;
}

/** Keywords that say more of the same value. */
function toParts({ anyOf, oneOf, allOf }: SchemaJson): readonly unknown[] {
  return [anyOf, oneOf, allOf].flatMap((parts) => (Array.isArray(parts) ? parts : []));
}

function toFields(at: string, { properties, items, prefixItems, additionalProperties }: SchemaJson): readonly Place[] {
  const fields = isSchemaObject(properties) ? Object.entries(properties) : [];
  const positions = Array.isArray(prefixItems) ? prefixItems : [];
  return [
    ...fields.map(([name, schema]) => ({ at: `${at}.${name}`, schema })),
    ...positions.map((schema, index) => ({ at: `${at}[${index}]`, schema })),
    { at: `${at}[]`, schema: items },
    { at: `${at}.*`, schema: additionalProperties },
  ];
}

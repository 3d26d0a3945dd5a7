import type { InnerKinds, Kinds } from '../../server-runtime/client/revive.ts';
import { resolveShape } from '../shape/resolve-shape.ts';
import type { Shape, ShapeField } from '../shape/shape.ts';
import { isPlainText, isText, type TypeNames } from './to-type-script.ts';

/** Finds where the dates and big integers of shapes are, which JSON has as texts. */
export interface KindFinder {
  /** Undefined where there is none. */
  readonly find: (shape: Shape | undefined) => Kinds | undefined;
  /** The places in the components that those refer to, by the names of their types. */
  readonly shared: () => Readonly<Record<string, Kinds>>;
}

export function createKindFinder(names: TypeNames): KindFinder {
  const components = new Map<string, Kinds | undefined>();
  const findShared = (name: string, target: Shape): Kinds | undefined => {
    const reference = `#${name}` as const;
    if (components.has(name)) return components.get(name) && reference;
    // It may hold itself.
    components.set(name, reference);
    const kinds = find(target);
    const others = JSON.stringify(kinds ?? {}).replaceAll(`"${reference}"`, '');
    const hasAny = /"(date|bigint|#\w+)"(?!:)/.test(others);
    components.set(name, hasAny ? kinds : undefined);
    return hasAny ? reference : undefined;
  };
  const find = (shape: Shape | undefined): Kinds | undefined =>
    shape?.kind === 'reference'
      ? findShared(names.get(shape.reference) ?? 'unknown', shape.target())
      : shape && findKinds(shape, find);
  return {
    find,
    shared: () => Object.fromEntries([...components].flatMap(([name, kinds]) => (kinds ? [[name, kinds]] : []))),
  };
}

type Find = KindFinder['find'];

function findKinds(shape: Shape, find: Find): Kinds | undefined {
  switch (shape.kind) {
    case 'string':
      return shape.standsFor;
    case 'list': {
      const first = shape.first.map((item) => find(item()) ?? null);
      return toInner({ first: first.every((each) => each === null) ? undefined : first, items: find(shape.rest()) });
    }
    case 'object':
      return findInFields(shape.isRecord ? [] : shape.fields, find(shape.rest?.()), find);
    case 'union':
      return findInUnion(shape.variants, find);
    case 'intersection':
      return toAll(shape.parts.map(find));
    case 'unclear':
      return find(shape.base);
    case 'reference':
    case 'any':
    case 'boolean':
    case 'number':
    case 'literal':
      return undefined;
  }
}

function findInFields(fields: readonly ShapeField[], others: Kinds | undefined, find: Find): Kinds | undefined {
  const own = fields.flatMap(({ name, shape }) => {
    const kinds = find(shape()) ?? (others === undefined ? undefined : null);
    return kinds === undefined ? [] : [[name, kinds] as const];
  });
  return toInner({ fields: own.length === 0 ? undefined : Object.fromEntries(own), others });
}

/** Beside a plain text nobody can tell a date from one, so that both stay texts. */
function findInUnion(variants: readonly Shape[], find: Find): Kinds | undefined {
  const hasText = variants.some((variant) => isPlainText(variant));
  const revived = variants.filter((variant) => !(hasText && isText(variant)));
  const objects = revived.filter(isObject);
  const others = revived.filter((variant) => !isObject(variant)).map(find);
  return toAll([...others, objects.length < 2 ? find(objects[0]) : findInChoices(objects, find)]);
}

function findInChoices(variants: readonly Shape[], find: Find): Kinds | undefined {
  const found = variants.map((variant) => [toSigns(variant), find(variant) ?? null] as const);
  return found.every(([, kinds]) => kinds === null) ? undefined : { choices: found };
}

/** Without what is undefined, and undefined where nothing is left. */
function toInner(kinds: InnerKinds): Kinds | undefined {
  const present = Object.entries(kinds).filter(([, each]) => each !== undefined);
  return present.length === 0 ? undefined : (Object.fromEntries(present) as Kinds);
}

function toAll(found: readonly (Kinds | undefined)[]): Kinds | undefined {
  const all = found.filter((kinds) => kinds !== undefined);
  return all.length < 2 ? all[0] : { all };
}

function isObject(shape: Shape): boolean {
  return ['object', 'intersection', 'union'].includes(resolveShape(shape).kind);
}

/** The fields that a variant must have; where it takes certain values alone, with those. */
function toSigns(variant: Shape): Readonly<Record<string, readonly unknown[] | null>> {
  const whole = resolveShape(variant);
  const required = whole.kind === 'object' ? whole.fields.filter(({ isRequired }) => isRequired) : [];
  return Object.fromEntries(
    required.map(({ name, shape }) => {
      const value = resolveShape(shape());
      return [name, value.kind === 'literal' ? value.values : null];
    }),
  );
}

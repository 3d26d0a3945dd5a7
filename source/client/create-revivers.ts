import { resolveShape } from '../shape/resolve-shape.ts';
import type { ObjectShape, RecordShape, Shape, TupleShape, UnionShape } from '../shape/shape.ts';
import { isPlainText, type TypeNames, toPropertyName } from './to-type-script.ts';

/** Writes the functions that make dates and big integers of the texts of an answer. */
export interface Revivers {
  /** The function for a shape, as TypeScript; undefined where there is nothing to make. */
  readonly toReviver: (shape: Shape) => string | undefined;
  /** The functions of the components that those need, as TypeScript. */
  readonly declarations: () => readonly string[];
}

/** The files of `templates/client/parts` with the functions that such a text names, and with those that they need. */
export function findReviverParts(text: string): readonly string[] {
  const named = Object.keys(parts).filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  if (named.length === 0) return [];
  return [...new Set(['revive/revive', 'revive/revived', ...named.flatMap((name) => parts[name] ?? [])])];
}

const parts: Readonly<Record<string, readonly string[]>> = {
  same: ['revive/same'],
  toDate: ['revive/to-date'],
  toBigInt: ['revive/to-big-int'],
  inFields: ['revive/in-fields', 'revive/is-fields', 'revive/same'],
  inItems: ['revive/in-items'],
  inFirst: ['revive/in-first', 'revive/is-fields', 'revive/same'],
  inTurn: ['revive/in-turn'],
};

export function createRevivers(names: TypeNames): Revivers {
  const declared = new Map<string, string>();
  const toComponentReviver = (reference: string, target: Shape): string | undefined => {
    const type = names.get(reference);
    if (type === undefined || !holdsRevived(target, new Set())) return undefined;
    const name = `revive${type}`;
    if (!declared.has(name)) {
      declared.set(name, '');
      declared.set(name, `const ${name}: Revive = (value) => ${toReviver(target) ?? 'same'}(value);`);
    }
    return name;
  };
  const toReviver = (shape: Shape): string | undefined => {
    switch (shape.kind) {
      case 'string':
        return shape.standsFor && (shape.standsFor === 'date' ? 'toDate' : 'toBigInt');
      case 'array': {
        const items = toReviver(shape.items());
        return items && `inItems([], ${items})`;
      }
      case 'tuple':
        return toTupleReviver(shape, toReviver);
      case 'object':
      case 'record':
        return toFieldsReviver(shape, toReviver);
      case 'union':
        return toUnionReviver(shape, toReviver);
      case 'tagged union':
        return toChoice(
          shape.variants.map((variant) => variant.shape),
          toReviver,
        );
      case 'intersection':
        return toAll(shape.parts.map(toReviver));
      case 'reference':
        return toComponentReviver(shape.reference, shape.target());
      case 'other':
        return toReviver(shape.base);
      case 'any':
      case 'never':
      case 'null':
      case 'boolean':
      case 'number':
      case 'file':
      case 'literal':
      case 'foreign':
        return undefined;
    }
  };
  return { toReviver, declarations: () => [...declared.values()] };
}

type ToReviver = (shape: Shape) => string | undefined;

function toTupleReviver({ items, rest }: TupleShape, toReviver: ToReviver): string | undefined {
  const first = items.map((item) => toReviver(item()));
  const others = toReviver(rest());
  if (others === undefined && first.every((item) => item === undefined)) return undefined;
  return `inItems([${first.map((item) => item ?? 'same').join(', ')}], ${others ?? 'same'})`;
}

function toFieldsReviver(shape: ObjectShape | RecordShape, toReviver: ToReviver): string | undefined {
  const fields = shape.kind === 'record' ? [] : shape.fields;
  const named = fields.map(({ name, shape: toField }) => [name, toReviver(toField())] as const);
  const others = shape.kind === 'record' ? shape.values() : shape.additional?.();
  const rest = others && toReviver(others);
  const texts = named.flatMap(([name, reviver]) => {
    const own = reviver ?? (rest === undefined ? undefined : 'same');
    return own === undefined ? [] : [`${toPropertyName(name)}: ${own}`];
  });
  if (texts.length === 0 && rest === undefined) return undefined;
  const inner = texts.length === 0 ? '{}' : `{ ${texts.join(', ')} }`;
  return `inFields(${rest === undefined ? inner : `${inner}, ${rest}`})`;
}

/** Beside a plain text nobody can tell a date from one, so that both stay texts. */
function toUnionReviver({ variants }: UnionShape, toReviver: ToReviver): string | undefined {
  const hasText = variants.some((variant) => isPlainText(variant));
  const revived = variants.filter((variant) => !(hasText && resolveShape(variant).kind === 'string'));
  const objects = revived.filter((variant) => isObject(variant));
  const others = revived.filter((variant) => !isObject(variant)).map(toReviver);
  return toAll([...others, objects.length < 2 ? objects[0] && toReviver(objects[0]) : toChoice(objects, toReviver)]);
}

function isObject(shape: Shape): boolean {
  return ['object', 'record', 'tagged union', 'intersection', 'union'].includes(resolveShape(shape).kind);
}

/** The first of several objects whose required fields are there, with their literals. */
function toChoice(variants: readonly Shape[], toReviver: ToReviver): string | undefined {
  const revivers = variants.map(toReviver);
  if (revivers.every((reviver) => reviver === undefined)) return undefined;
  const choices = variants.map((variant, index) => `[${toSigns(variant)}, ${revivers[index] ?? 'same'}]`);
  return `inFirst(${choices.join(', ')})`;
}

/** The fields that a variant must have; where it takes certain values alone, with those. */
function toSigns(variant: Shape): string {
  const whole = resolveShape(variant);
  if (whole.kind !== 'object') return '{}';
  const signs = whole.fields
    .filter(({ isRequired }) => isRequired)
    .map(({ name, shape }) => {
      const value = resolveShape(shape());
      return `${toPropertyName(name)}: ${value.kind === 'literal' ? JSON.stringify(value.values) : 'null'}`;
    });
  return signs.length === 0 ? '{}' : `{ ${signs.join(', ')} }`;
}

function toAll(revivers: readonly (string | undefined)[]): string | undefined {
  const all = [...new Set(revivers.filter((reviver) => reviver !== undefined))];
  return all.length < 2 ? all[0] : `inTurn(${all.join(', ')})`;
}

/** Whether there is a text that stands for something else, however deep. */
function holdsRevived(shape: Shape, seen: Set<Shape>): boolean {
  if (seen.has(shape)) return false;
  seen.add(shape);
  return (
    toInner(shape).some((inner) => holdsRevived(inner, seen)) ||
    (shape.kind === 'string' && shape.standsFor !== undefined)
  );
}

function toInner(shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case 'array':
      return [shape.items()];
    case 'tuple':
      return [...shape.items.map((item) => item()), shape.rest()];
    case 'object':
      return [
        ...shape.fields.map((field) => field.shape()),
        ...(shape.additional === undefined ? [] : [shape.additional()]),
      ];
    case 'record':
      return [shape.values()];
    case 'union':
      return shape.variants;
    case 'tagged union':
      return shape.variants.map((variant) => variant.shape);
    case 'intersection':
      return shape.parts;
    case 'reference':
      return [shape.target()];
    case 'other':
      return [shape.base];
    case 'any':
    case 'never':
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
    case 'file':
    case 'literal':
    case 'foreign':
      return [];
  }
}

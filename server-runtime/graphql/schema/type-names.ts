import type { SchemaSide } from '../../schema/schema.ts';
import { toName } from './field-names.ts';
import { type EnumShape, type ObjectShape, toIdentity, type UnionShape } from './shapes.ts';

type NamedShape = EnumShape | ObjectShape | UnionShape;

const builtIn = ['Query', 'Mutation', 'Subscription', 'String', 'ID', 'Int', 'Float', 'Boolean'];

/** Gives types their names: equal shapes have one, and another shape of a name has a number behind it. */
export class TypeNames {
  readonly #identities = new Map<NamedShape, string>();
  readonly #names = new Map<string, string>();
  readonly #owners = new Map<string, string>(
    [...builtIn, 'DateTime', 'BigInt', 'JSON'].map((name) => [name, '']),
  );
  readonly #onRename: (wanted: string, name: string) => void;

  /** `onRename` hears of a type whose name was taken. */
  constructor(onRename: (wanted: string, name: string) => void) {
    this.#onRename = onRename;
  }

  /** `hint` is the name by its place, for a shape without one of its author. */
  find(shape: NamedShape, hint: string, side: SchemaSide): string {
    const identity = this.#identify(shape, side);
    const known = this.#names.get(identity);
    if (known !== undefined) return known;
    const isInput = side === 'input' && shape.kind !== 'enum';
    const wanted = toTypeName(shape.authored ?? hint, isInput);
    let name = wanted;
    for (let count = 2; this.#owners.has(name); count++) name = `${wanted}${count}`;
    if (name !== wanted) this.#onRename(wanted, name);
    this.#owners.set(name, identity);
    this.#names.set(identity, name);
    return name;
  }

  /** Enums are the same for both sides. */
  #identify(shape: NamedShape, side: SchemaSide): string {
    const known = this.#identities.get(shape);
    if (known !== undefined) return known;
    const written = toIdentity({ shape, takesNull: false });
    const identity = shape.kind === 'enum' ? written : `${side} ${written}`;
    this.#identities.set(shape, identity);
    return identity;
  }
}

function toTypeName(text: string, isInput: boolean): string {
  const name = toName(text).replace(/^__+/, '_');
  return isInput && !name.endsWith('Input') ? `${name}Input` : name;
}

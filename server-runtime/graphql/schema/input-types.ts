import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
} from 'graphql';
import { defaultErrors } from '../../errors/define-error.ts';
import { type Outcome, toFailure } from '../../errors/failure.ts';
import { toPascal } from '../../routing/infer-route.ts';
import { isName, toLowerFirst, toName } from './field-names.ts';
import { scalars, type TypeParts } from './output-types.ts';
import {
  type FieldShape,
  isFilePlace,
  type ObjectShape,
  type Place,
  type Shape,
  toJson,
  type UnionMember,
  type UnionShape,
} from './shapes.ts';

type Values = Readonly<Record<string, unknown>>;

/** Makes what the capability gets of what GraphQL gives; undefined where it is the same. */
type ToSent = (value: never) => unknown;

interface Input {
  readonly type: GraphQLInputType;
  readonly toSent: ToSent | undefined;
}

/** The fields of an object, and the way back to it. */
interface Fields {
  readonly configs: GraphQLInputFieldConfigMap;
  readonly toSent: (values: Values) => unknown;
}

/** The arguments of a field, and the way from them to the input. */
export interface Arguments {
  readonly args: GraphQLFieldConfigArgumentMap;
  readonly toInput: (args: Values) => Outcome;
}

export const noArguments: Arguments = { args: {}, toInput: () => ({ ok: true, value: {} }) };

/** Makes the types of inputs. */
export class InputTypes {
  readonly #parts: TypeParts;
  readonly #objects = new Map<string, Input>();
  /** The fields of further types, which have their names from the places where they occur first. */
  readonly #waiting: (() => void)[] = [];

  constructor(parts: TypeParts) {
    this.#parts = parts;
  }

  /** The fields of an input as arguments, or one argument `input` for a mutation, a choice and other values. */
  write({ shape }: Place, hint: string, isMutation: boolean): Arguments {
    const isFlat = shape.kind === 'object' && (!isMutation || shape.fields.every(isFilePlace));
    const written = isFlat ? this.#writeFields(shape, hint) : this.#writeOne(shape, hint);
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) next();
    return written;
  }

  #writeFields(shape: ObjectShape, hint: string): Arguments {
    const { configs, toSent } = this.#fields(shape, hint);
    return { args: configs, toInput: (args) => toOutcome(() => toSent(args)) };
  }

  #writeOne(shape: Shape, hint: string): Arguments {
    const { type, toSent } = this.#input(shape, hint);
    const isOptional = shape.kind === 'object' && shape.fields.every(mayBeLeftOut);
    return {
      args: { input: { type: isOptional ? type : new GraphQLNonNull(type) } },
      toInput: ({ input }) =>
        toOutcome(() => (toSent === undefined ? input : toSent((input ?? {}) as never))),
    };
  }

  #input(shape: Shape, hint: string): Input {
    switch (shape.kind) {
      case 'scalar':
        if (shape.reason !== undefined) this.#parts.note(hint, `JSON: ${shape.reason}`);
        return { type: scalars[shape.name], toSent: undefined };
      case 'enum':
        return { type: this.#parts.enums.of(shape, hint), toSent: undefined };
      case 'list':
        return this.#list(shape.item, hint);
      case 'object':
        return this.#object(shape, hint, (base) => this.#fields(shape, base));
      case 'union':
        return this.#choice(shape, hint);
    }
  }

  #list({ shape, takesNull }: Place, hint: string): Input {
    const { type, toSent } = this.#input(shape, hint);
    const toItem = (item: unknown): unknown => (item === null ? item : toSent?.(item as never));
    return {
      type: new GraphQLList(takesNull ? type : new GraphQLNonNull(type)),
      toSent: toSent && ((items: readonly unknown[]) => items.map(toItem)),
    };
  }

  /** A type whose fields `make` makes later: it may hold itself. */
  #object(shape: ObjectShape | UnionShape, hint: string, make: (base: string) => Fields): Input {
    const name = this.#parts.names.find(shape, hint, 'input');
    const known = this.#objects.get(name);
    if (known !== undefined) return known;
    let made: Fields = { configs: {}, toSent: (values) => values };
    const type = new GraphQLInputObjectType({
      name,
      description: shape.kind === 'object' ? shape.description : undefined,
      fields: () => made.configs,
      isOneOf: shape.kind === 'union',
    });
    const input: Input = { type, toSent: (values: Values) => made.toSent(values) };
    this.#objects.set(name, input);
    this.#waiting.push(() => {
      made = make(name.replace(/Input$/, ''));
    });
    return input;
  }

  #fields(shape: ObjectShape, base: string): Fields {
    const configs: GraphQLInputFieldConfigMap = {};
    const readers: (readonly [FieldShape, ToSent | undefined])[] = [];
    for (const field of shape.fields) {
      const hint = base + toPascal(field.name);
      if (isFilePlace(field)) {
        this.#parts.note(hint, 'left out: a file, which is sent over REST');
        continue;
      }
      const { type, toSent } = this.#input(field.shape, hint);
      const standard = findDefault(field);
      const mayBeNull = field.takesNull || mayBeLeftOut(field) || holds(field.shape, shape);
      configs[field.name] = {
        type: mayBeNull ? type : new GraphQLNonNull(type),
        description: field.description,
        ...(standard !== undefined && { defaultValue: standard }),
        // The schema would be invalid where an argument must be there that is deprecated.
        ...(field.isDeprecated && mayBeNull && { deprecationReason: 'No longer supported' }),
      };
      readers.push([field, toSent]);
    }
    return { configs, toSent: (values) => toObject(values, readers) };
  }

  #choice(shape: UnionShape, hint: string): Input {
    const keys = shape.members.map((member, at) => this.#toKey(member, `${hint}${at + 1}`));
    const isSayable = keys.every(isName) && new Set(keys).size === keys.length;
    if (!isSayable) return this.#input(toJson('a choice whose tags have no names'), hint);
    return this.#object(shape, hint, (base) => {
      const members = shape.members.map((member, at) => {
        const key = keys[at] ?? '';
        return [key, this.#member(member, shape.tag, base + toPascal(key))] as const;
      });
      const inputs = Object.fromEntries(members);
      return {
        configs: Object.fromEntries(members.map(([key, { type }]) => [key, { type }])),
        toSent: (values) => {
          const [key = ''] = Object.keys(values);
          return inputs[key]?.toSent?.(values[key] as never);
        },
      };
    });
  }

  /** The tag of a member, or the name of its type. */
  #toKey({ value, object }: UnionMember, hint: string): string {
    if (value !== undefined) return toName(`${value}`);
    return toLowerFirst(this.#parts.names.find(object, hint, 'input').replace(/Input$/, ''));
  }

  /** A member without its tag, which its key says. */
  #member({ object, value }: UnionMember, tag: string | undefined, hint: string): Input {
    if (tag === undefined) return this.#input(object, hint);
    const others = object.fields.filter(({ source }) => source !== tag);
    if (others.length === 0)
      return {
        type: GraphQLBoolean,
        toSent: (isChosen: boolean) => {
          if (isChosen) return { [tag]: value };
          throw defaultErrors.BadRequest(`${value} can only be true`);
        },
      };
    const rest: ObjectShape = { ...object, fields: others };
    const { type, toSent } = this.#input(rest, hint);
    return { type, toSent: (values: never) => ({ [tag]: value, ...Object(toSent?.(values)) }) };
  }
}

function toOutcome(make: () => unknown): Outcome {
  try {
    return { ok: true, value: make() };
  } catch (thrown) {
    return { ok: false, failure: toFailure(thrown) };
  }
}

/** Null for a field that may only be left out means that it is left out. */
function toObject(
  values: Values,
  readers: readonly (readonly [FieldShape, ToSent | undefined])[],
): object {
  const sent: Record<string, unknown> = {};
  for (const [{ name, source, takesNull }, toSent] of readers) {
    const value = values[name];
    if (value === undefined || (value === null && !takesNull)) continue;
    sent[source] = value === null || toSent === undefined ? value : toSent(value as never);
  }
  return sent;
}

function mayBeLeftOut({ isRequired, default: standard }: FieldShape): boolean {
  return !isRequired || standard !== undefined;
}

/** Whether a value cannot be without another value of `target`: no input could be written down to its end. */
function holds(shape: Shape, target: ObjectShape, above: readonly Shape[] = []): boolean {
  if (shape === target) return true;
  if (shape.kind !== 'object' || above.includes(shape)) return false;
  return shape.fields.some(
    (field) =>
      !field.takesNull && !mayBeLeftOut(field) && holds(field.shape, target, [...above, shape]),
  );
}

/** A default that the schema can say: a plain value, or a list of some. */
function findDefault({ shape, default: standard }: FieldShape): unknown {
  const isPlain = (value: unknown, of: Shape): boolean => {
    if (of.kind === 'enum') return [...of.values.values()].includes(value as string);
    if (of.kind === 'list')
      return Array.isArray(value) && value.every((item) => isPlain(item, of.item.shape));
    return of.kind === 'scalar' && typeof value === typeOf[of.name];
  };
  return isPlain(standard, shape) ? standard : undefined;
}

const typeOf: Readonly<Record<string, string>> = {
  String: 'string',
  ID: 'string',
  DateTime: 'string',
  BigInt: 'string',
  Int: 'number',
  Float: 'number',
  Boolean: 'boolean',
};

import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
  GraphQLString,
  GraphQLUnionType,
} from 'graphql';
import { toPascal } from '../../routing/infer-route.ts';
import { toName } from './field-names.ts';
import { BigIntText, DateTime, Json } from './scalars.ts';
import type {
  EnumShape,
  FieldShape,
  ObjectShape,
  Place,
  ScalarShape,
  Shape,
  UnionShape,
} from './shapes.ts';
import type { TypeNames } from './type-names.ts';

export const scalars: Readonly<Record<ScalarShape['name'], GraphQLScalarType>> = {
  String: GraphQLString,
  ID: GraphQLID,
  Int: GraphQLInt,
  Float: GraphQLFloat,
  Boolean: GraphQLBoolean,
  DateTime,
  BigInt: BigIntText,
  JSON: Json,
};

/** The notes of a schema: what it cannot say, and why. `place` is a type with its field. */
export type Note = (place: string, text: string) => void;

/** The enums of both sides of a schema, by their names. */
export class EnumTypes {
  readonly #types = new Map<string, GraphQLEnumType>();
  readonly #names: TypeNames;

  constructor(names: TypeNames) {
    this.#names = names;
  }

  of(shape: EnumShape, hint: string): GraphQLEnumType {
    const name = this.#names.find(shape, hint, 'output');
    const values = Object.fromEntries([...shape.values].map(([text, value]) => [text, { value }]));
    const type = this.#types.get(name) ?? new GraphQLEnumType({ name, values });
    this.#types.set(name, type);
    return type;
  }
}

export interface TypeParts {
  readonly names: TypeNames;
  readonly enums: EnumTypes;
  readonly note: Note;
}

interface OutputParts extends TypeParts {
  /** The fields that links add to a type. They are read once every capability has its types. */
  readonly linksOf: (type: string) => Fields;
}

export type Fields = GraphQLFieldConfigMap<unknown, unknown>;

/** Makes the types of answers. */
export class OutputTypes {
  readonly #parts: OutputParts;
  readonly #types = new Map<string, GraphQLObjectType | GraphQLUnionType>();
  /** The fields of further types, which have their names from the places where they occur first. */
  readonly #waiting: (() => void)[] = [];

  constructor(parts: OutputParts) {
    this.#parts = parts;
  }

  /** The objects of all answers, by the names of their types. */
  get objects(): ReadonlyMap<string, GraphQLObjectType> {
    const isObject = (entry: readonly [string, unknown]): entry is [string, GraphQLObjectType] =>
      entry[1] instanceof GraphQLObjectType;
    return new Map([...this.#types].filter(isObject));
  }

  /** The type of the answer of a capability. `hint` is its name, unless it has one of its author. */
  write(shape: Shape, hint: string, key: string): GraphQLOutputType {
    const isJson = shape.kind === 'scalar' && shape.reason !== undefined;
    const type = this.#type(shape, isJson ? key : hint);
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) next();
    return type;
  }

  #place({ shape, takesNull }: Place, hint: string): GraphQLOutputType {
    const type = this.#type(shape, hint);
    return takesNull ? type : new GraphQLNonNull(type);
  }

  #type(shape: Shape, hint: string): GraphQLOutputType {
    switch (shape.kind) {
      case 'scalar':
        if (shape.reason !== undefined) this.#parts.note(hint, `JSON: ${shape.reason}`);
        return scalars[shape.name];
      case 'enum':
        return this.#parts.enums.of(shape, hint);
      case 'list':
        return new GraphQLList(this.#place(shape.item, hint));
      case 'object':
        return this.#object(shape, hint);
      case 'union':
        return this.#union(shape, hint);
    }
  }

  #object(shape: ObjectShape, hint: string): GraphQLObjectType {
    const name = this.#parts.names.find(shape, hint, 'output');
    const known = this.#types.get(name);
    if (known !== undefined) return known as GraphQLObjectType;
    let fields: Fields = {};
    const { description } = shape;
    const type = new GraphQLObjectType({
      name,
      description,
      fields: () => ({ ...this.#parts.linksOf(name), ...fields }),
    });
    this.#types.set(name, type);
    this.#waiting.push(() => {
      const own = shape.fields.map((field) => [field.name, this.#field(field, name)] as const);
      fields = Object.fromEntries(own);
    });
    return type;
  }

  #field({ source, isRequired, ...field }: FieldShape, parent: string): Fields[string] {
    const hint = parent + toPascal(field.name);
    const takesNull = field.takesNull || !isRequired;
    return {
      type: this.#place({ shape: field.shape, takesNull }, hint),
      description: field.description,
      deprecationReason: field.isDeprecated ? 'No longer supported' : undefined,
      // The resolver of GraphQL itself would call a value that is a function.
      resolve: (parentValue) => (parentValue as Readonly<Record<string, unknown>>)[source],
    };
  }

  #union(shape: UnionShape, hint: string): GraphQLUnionType {
    const name = this.#parts.names.find(shape, hint, 'output');
    const known = this.#types.get(name);
    if (known !== undefined) return known as GraphQLUnionType;
    const types = shape.members.map(({ object, value }, at) =>
      this.#object(object, name + toPascal(toName(`${value ?? at + 1}`))),
    );
    noteConflicts(shape, (text) => this.#parts.note(name, text));
    const type = new GraphQLUnionType({
      name,
      types: [...new Set(types)],
      resolveType: (value) => {
        const found = types[shape.members.findIndex((member) => isMember(value, member, shape))];
        if (found !== undefined) return found.name;
        throw new TypeError(`A value of the union ${name} is none of its members.`);
      },
    });
    this.#types.set(name, type);
    return type;
  }
}

/** Whether a value is this member: by its tag, else by its fields. */
function isMember(
  value: unknown,
  { value: tagValue, object }: UnionShape['members'][number],
  { tag }: UnionShape,
): boolean {
  const fields = Object(value) as Readonly<Record<string, unknown>>;
  if (tag !== undefined) return fields[tag] === tagValue;
  const own = new Map(object.fields.map((field) => [field.source, field]));
  const isWhole = [...own.values()].every(
    ({ source, isRequired }) => !isRequired || fields[source] !== undefined,
  );
  return isWhole && Object.keys(fields).every((name) => own.has(name));
}

/** Fields of one name that are null in one member only cannot be selected under that name in both. */
function noteConflicts({ members }: UnionShape, note: (text: string) => void): void {
  const seen = new Map<string, boolean>();
  for (const { object } of members)
    for (const { name, takesNull, isRequired } of object.fields) {
      const mayBeNull = takesNull || !isRequired;
      if ((seen.get(name) ?? mayBeNull) !== mayBeNull)
        note(
          `its members differ in whether \`${name}\` may be null: clients select it under an alias`,
        );
      seen.set(name, mayBeNull);
    }
}

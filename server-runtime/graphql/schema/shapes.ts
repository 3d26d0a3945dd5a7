import type { JsonSchema, MarkedSchema } from '../../schema/json-schema.ts';
import {
  findReferred,
  isObject,
  isRaw,
  type JsonBranch,
  takesNull,
  toChoices,
  toJsonBranches,
  toReferredName,
} from '../../schema/lens.ts';
import type { SchemaSide } from '../../schema/schema.ts';
import { isName, toName } from './field-names.ts';
import { findNamedTexts, findOneScalar, findScalar, type ScalarName } from './scalar-shapes.ts';

/** A value of a schema as GraphQL can say it, before it has a name there. */
export type Shape = ScalarShape | EnumShape | ListShape | ObjectShape | UnionShape;

export interface ScalarShape {
  readonly kind: 'scalar';
  readonly name: ScalarName;
  /** Why it is `JSON`. */
  readonly reason?: string;
  /** Whether it is a file, or a list of them, which GraphQL does not carry. */
  readonly isFile?: boolean;
}

export interface EnumShape {
  readonly kind: 'enum';
  readonly authored: string | undefined;
  /** The texts by their names in GraphQL. */
  readonly values: ReadonlyMap<string, string>;
}

interface ListShape {
  readonly kind: 'list';
  readonly item: Place;
}

export interface ObjectShape {
  readonly kind: 'object';
  /** The name that its author gave. */
  readonly authored: string | undefined;
  readonly description: string | undefined;
  /** Made when they are first read: an object may hold itself. */
  readonly fields: readonly FieldShape[];
}

export interface UnionShape {
  readonly kind: 'union';
  readonly authored: string | undefined;
  /** The field whose value says which member it is; undefined where the fields that are there say it. */
  readonly tag: string | undefined;
  readonly members: readonly UnionMember[];
}

export interface UnionMember {
  /** The value of the tag. */
  readonly value: string | number | boolean | undefined;
  readonly object: ObjectShape;
}

export interface Place {
  readonly shape: Shape;
  readonly takesNull: boolean;
}

export interface FieldShape extends Place {
  readonly name: string;
  /** The name that the application knows. */
  readonly source: string;
  readonly isRequired: boolean;
  readonly default: unknown;
  readonly description: string | undefined;
  readonly isDeprecated: boolean;
}

/** A schema behind its references. */
interface Followed {
  /** The schema as it stands in the document: one object for one schema. */
  readonly node: JsonSchema;
  /** The name that its author gave. */
  readonly authored: string | undefined;
}

interface Alternative extends Followed {
  readonly branch: JsonBranch;
  /** Whether it is all of its schema: branches of one, as an intersection with a union has, are several objects. */
  readonly isWhole: boolean;
}

/** Reads the schemas of one side of a description. */
export class ShapeReader {
  readonly #root: JsonSchema;
  readonly #side: SchemaSide;
  readonly #objects = new Map<JsonSchema, ObjectShape>();

  constructor(root: JsonSchema, side: SchemaSide) {
    this.#root = root;
    this.#side = side;
  }

  read(): Place {
    return this.#place(this.#root);
  }

  #place(json: MarkedSchema, name?: string): Place {
    // What is coerced takes null for 0 or false; nobody means that.
    const isCoerced = json['x-capix-texts'] !== undefined;
    return { shape: this.#shape(json, name), takesNull: !isCoerced && takesNull(json, this.#root) };
  }

  #shape(json: MarkedSchema, name?: string): Shape {
    const { authored, node } = this.#follow(json);
    const alternatives = this.#alternatives(node, authored);
    const branches = alternatives.map(({ branch }) => branch);
    const special = this.#findSpecial(branches);
    if (special !== undefined) return special;
    const scalar = findScalar(node) ?? findOneScalar(branches);
    if (scalar === undefined) return this.#composite(alternatives, { node, authored });
    const values = findNamedTexts(branches);
    if (values !== undefined)
      return { kind: 'enum', authored: authored ?? alternatives[0]?.authored, values };
    return { kind: 'scalar', name: scalar === 'String' && name === 'id' ? 'ID' : scalar };
  }

  #findSpecial(branches: readonly JsonBranch[]): Shape | undefined {
    if (branches.length === 0) return toJson('null alone');
    if (branches.some((branch) => branch['x-capix-file'] !== undefined))
      return { ...toJson('a file'), isFile: true };
    const isRead = this.#side === 'input' && branches.some(isRaw);
    return isRead ? toJson('a value that a function reads') : undefined;
  }

  #composite(alternatives: readonly Alternative[], whole: Followed): Shape {
    const branches = alternatives.map(({ branch }) => branch);
    if (branches.every(isObject)) return this.#objectOrUnion(alternatives, whole);
    const [list, ...others] = branches;
    if (list?.type === 'array' && others.length === 0) return this.#list(list);
    return toJson(others.length > 0 ? 'a choice of other values than objects' : 'any value');
  }

  /** Follows a reference, whose name is that of the author where it is not a number. */
  #follow(json: JsonSchema): Followed {
    let node = json;
    let authored: string | undefined;
    const seen = new Set<unknown>();
    while (typeof node['$ref'] === 'string' && !seen.has(node['$ref'])) {
      const ref = node['$ref'];
      seen.add(ref);
      authored = ref === '#' || /\/__schema\d+$/.test(ref) ? undefined : toReferredName(ref);
      node = findReferred(this.#root, ref);
    }
    return { authored, node };
  }

  #alternatives(node: JsonSchema, authored: string | undefined): readonly Alternative[] {
    const { anyOf, oneOf, allOf, properties } = node;
    const choices = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
    if (choices !== undefined && allOf === undefined && properties === undefined)
      return choices.flatMap((choice) => {
        const followed = this.#follow(choice);
        return this.#alternatives(followed.node, followed.authored);
      });
    const branches = toJsonBranches(node, this.#root);
    const isWhole = branches.length === 1;
    return branches.map((branch) => ({ branch, node, authored, isWhole }));
  }

  #list({ prefixItems = [], items }: JsonBranch): Shape {
    const parts = [...(prefixItems as readonly JsonSchema[])];
    if (typeof items === 'object' && items !== null) parts.push(items as JsonSchema);
    const places = parts.map((part) => this.#place(part));
    const [item = { shape: toJson('any value'), takesNull: true }, ...others] = places;
    const isMixed = others.some((other) => toIdentity(other) !== toIdentity(item));
    if (isMixed) return toJson('a list of several kinds');
    return isFilePlace(item) ? item.shape : { kind: 'list', item };
  }

  #objectOrUnion(alternatives: readonly Alternative[], { node, authored }: Followed): Shape {
    const objects = alternatives.map((each) => this.#object(each));
    const bad = objects.find((each) => typeof each === 'string');
    if (bad !== undefined) return toJson(bad);
    const shapes = [...new Set(objects as readonly ObjectShape[])];
    const [first, ...others] = shapes;
    if (first !== undefined && others.length === 0) return first;
    const branches = alternatives.map(({ branch }) => branch);
    const tag = (node as MarkedSchema)['x-capix-tag'] ?? findTag(branches);
    const values = branches.map(({ properties }) => toChoices(properties[tag ?? ''] ?? {}));
    const isTagged = tag !== undefined && values.every(({ length }) => length === 1);
    return {
      kind: 'union',
      authored,
      tag: isTagged ? tag : undefined,
      members: shapes.map((object) => ({
        object,
        value: isTagged
          ? (values[objects.indexOf(object)]?.[0] as UnionMember['value'])
          : undefined,
      })),
    };
  }

  /** The object, or why it is none of GraphQL. */
  #object({ branch, node, authored, isWhole }: Alternative): ObjectShape | string {
    const names = Object.keys(branch.properties);
    if (names.length === 0) return 'an object without declared fields';
    const cleaned = names.map(toName);
    const isSayable = cleaned.every(isName) && new Set(cleaned).size === names.length;
    if (!isSayable) return 'an object whose fields have no names in GraphQL, or one name';
    const known = this.#objects.get(node);
    if (known !== undefined) return known;
    const readFields = (): readonly FieldShape[] =>
      Object.entries(branch.properties).map(([source, json]) =>
        this.#field(source, json, branch.required?.includes(source) === true),
      );
    let fields: readonly FieldShape[] | undefined;
    const shape: ObjectShape = {
      kind: 'object',
      authored,
      description: toWords(branch['description']),
      get fields() {
        fields ??= readFields();
        return fields;
      },
    };
    if (isWhole) this.#objects.set(node, shape);
    return shape;
  }

  #field(source: string, json: MarkedSchema, isRequired: boolean): FieldShape {
    const { default: standard, description, deprecated } = json;
    return {
      ...this.#place(json, source),
      name: toName(source),
      source,
      // An answer has every field with a default.
      isRequired: isRequired || (this.#side === 'output' && standard !== undefined),
      default: standard,
      description: toWords(description),
      isDeprecated: deprecated === true,
    };
  }
}

function toWords(description: unknown): string | undefined {
  return typeof description === 'string' ? description : undefined;
}

export function isFilePlace({ shape }: Place): boolean {
  return shape.kind === 'scalar' && shape.isFile === true;
}

export function toJson(reason: string): ScalarShape {
  return { kind: 'scalar', name: 'JSON', reason };
}

/** The field that has another constant in each branch. */
function findTag(branches: readonly JsonBranch[]): string | undefined {
  const [first] = branches;
  return Object.keys(first?.properties ?? {}).find((name) => {
    const values = branches.map(({ properties, required }) => {
      const choices = toChoices(properties[name] ?? {});
      return choices.length === 1 && required?.includes(name) === true ? choices[0] : undefined;
    });
    return !values.includes(undefined) && new Set(values).size === branches.length;
  });
}

/** A text that is equal for values that GraphQL says alike. */
export function toIdentity(place: Place): string {
  const objects: ObjectShape[] = [];
  const write = ({ shape, takesNull }: Place): string => writeShape(shape) + (takesNull ? '?' : '');
  const writeObject = (object: ObjectShape): string => {
    if (!objects.includes(object)) objects.push(object);
    return `#${objects.indexOf(object)}`;
  };
  const writeShape = (shape: Shape): string => {
    switch (shape.kind) {
      case 'scalar':
        return shape.name;
      case 'list':
        return `[${write(shape.item)}]`;
      case 'enum':
        return `${shape.authored}<${JSON.stringify([...shape.values])}>`;
      case 'object':
        return writeObject(shape);
      case 'union': {
        const members = shape.members.map(({ value, object }) => [value, writeObject(object)]);
        return `${shape.authored}|${shape.tag}${JSON.stringify(members)}`;
      }
    }
  };
  let text = write(place);
  for (const { authored, fields } of objects) {
    const parts = fields.map((each) => [each.name, each.source, each.isRequired, write(each)]);
    text += `${authored ?? ''}${JSON.stringify(parts)}`;
  }
  return text;
}

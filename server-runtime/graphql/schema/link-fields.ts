import type { GraphQLObjectType, GraphQLOutputType, GraphQLResolveInfo } from 'graphql';
import { findNearest } from '../../errors/expect-options.ts';
import { andThen, type MaybePromise } from '../../errors/maybe-promise.ts';
import type { Operation } from '../../registry/compile-registry.ts';
import { saysDone } from './answer-shape.ts';
import { toLinkError } from './errors.ts';
import type { PlacedLink } from './link.ts';
import type { Fields } from './output-types.ts';
import type { FieldToRun } from './to-schema.ts';

interface LinkParts {
  readonly operations: readonly Operation[];
  /** The types of their answers. An operation without one has no field. */
  readonly types: ReadonlyMap<Operation, GraphQLOutputType>;
  readonly run: (field: FieldToRun) => MaybePromise<unknown>;
  /** The most links that one execution follows. */
  readonly max: number;
}

/** Makes the fields that lead from one answer to another: each is a call of its own. */
export class LinkFields {
  readonly #parts: LinkParts;
  readonly #byType = new Map<string, PlacedLink[]>();
  /** The links that executions have followed, by an object that each has for itself. */
  readonly #counts = new WeakMap<object, number>();

  constructor(links: readonly PlacedLink[], parts: LinkParts) {
    this.#parts = parts;
    for (const link of links)
      this.#byType.set(link.type, [...(this.#byType.get(link.type) ?? []), link]);
  }

  of(type: string): Fields {
    const links = this.#byType.get(type) ?? [];
    return Object.fromEntries(links.map((link) => [link.field, this.#field(link)]));
  }

  /** @throws Error for links from types that are not there, over fields that are, and to what has no field */
  expect(objects: ReadonlyMap<string, GraphQLObjectType>): void {
    for (const [type, links] of this.#byType) {
      const object = objects.get(type);
      const nearest = findNearest(type, objects.keys());
      const hint = nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`;
      if (object === undefined)
        throw new Error(`links name the type \`${type}\`, and no answer has it.${hint}`);
      const fields = object.getFields();
      for (const { field, key } of links) {
        const place = `The link \`${type}.${field}\``;
        if (fields[field]?.extensions[LINK] !== true)
          throw new Error(
            `${place} has the name of a field that \`${type}\` has: rename the link.`,
          );
        if (!this.#parts.types.has(this.#find(key)))
          throw new Error(`${place} calls \`${key}\`, which has no field in GraphQL.`);
      }
    }
  }

  /** Begins to count anew: each result of a subscription is an execution. */
  forget({ variableValues }: GraphQLResolveInfo): void {
    this.#counts.delete(variableValues);
  }

  #find(key: string): Operation {
    return this.#parts.operations.find((operation) => operation.key === key) as Operation;
  }

  #field({ key, toInput }: PlacedLink): Fields[string] {
    const { types, run } = this.#parts;
    const operation = this.#find(key);
    return {
      type: types.get(operation) as GraphQLOutputType,
      description: operation.definition.description,
      extensions: { [LINK]: true },
      // oxlint-disable-next-line max-params -- a resolver of GraphQL has four
      resolve: (source, _args, context, info) => {
        const input = toInput(source);
        if (input === undefined || input === null) return null;
        this.#count(info);
        const sent = { ok: true, value: input } as const;
        const value = run({ operation, toInput: () => sent, context, info });
        return saysDone(operation) ? andThen(value, () => true) : value;
      },
    };
  }

  /** @throws CallError for a link that is one too many */
  #count({ variableValues }: GraphQLResolveInfo): void {
    const count = (this.#counts.get(variableValues) ?? 0) + 1;
    if (count > this.#parts.max) throw toLinkError(this.#parts.max);
    this.#counts.set(variableValues, count);
  }
}

/** On the field of a link. */
const LINK = 'capix.link';

import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  GraphQLSchema,
} from 'graphql';
import type { Outcome } from '../../errors/failure.ts';
import { andThen, type MaybePromise } from '../../errors/maybe-promise.ts';
import type { Operation } from '../../registry/compile-registry.ts';
import { toPascal } from '../../routing/infer-route.ts';
import {
  findReason,
  isPage,
  type RootName,
  saysDone,
  toAnswerShape,
  toInputPlace,
  toRoot,
} from './answer-shape.ts';
import {
  expectFaultless,
  type FieldNames,
  findFieldFaults,
  toFieldName,
  toNamingRank,
  toTypeHint,
} from './field-names.ts';
import { InputTypes, noArguments } from './input-types.ts';
import { findLinkFaults, type GraphqlLinks, toPlacedLinks } from './link.ts';
import { LinkFields } from './link-fields.ts';
import { EnumTypes, OutputTypes } from './output-types.ts';
import { TypeNames } from './type-names.ts';

/** A call that a field of an operation asks for. */
export interface FieldToRun {
  readonly operation: Operation;
  /** Gives the input, or why the values of the arguments can be none. */
  readonly toInput: () => Outcome;
  readonly context: unknown;
  readonly info: GraphQLResolveInfo;
}

interface SchemaParts {
  readonly operations: readonly Operation[];
  readonly names: FieldNames;
  readonly links: GraphqlLinks;
  /** The most links that one execution follows. */
  readonly maxLinks: number;
  readonly run: (field: FieldToRun) => MaybePromise<unknown>;
}

/** A place of a schema, and what GraphQL cannot say there: a type, one of its fields, or the key of a capability. */
export interface SchemaNote {
  readonly place: string;
  readonly text: string;
}

export interface WrittenSchema {
  readonly schema: GraphQLSchema;
  readonly notes: readonly SchemaNote[];
}

type Field = GraphQLFieldConfig<unknown, unknown>;

/**
 * Writes the schema of capabilities.
 * @throws Error for two capabilities of one field, with the line that solves it, and for links that lead nowhere
 */
export function toSchema(parts: SchemaParts): WrittenSchema {
  const { operations, names, links, run } = parts;
  expectFaultless([...findFieldFaults(operations, names), ...findLinkFaults(operations, links)]);
  const notes: SchemaNote[] = [];
  const note = (place: string, text: string): void => void notes.push({ place, text });
  const typeNames = new TypeNames((wanted, name) =>
    note(name, `there is another \`${wanted}\`: name one of them with \`.meta({ id })\``),
  );
  const types = new Map<Operation, GraphQLOutputType>();
  const linkParts = { operations, types, run, max: parts.maxLinks };
  const linked = new LinkFields(toPlacedLinks(links), linkParts);
  const typeParts = { names: typeNames, enums: new EnumTypes(typeNames), note };
  const outputs = new OutputTypes({ ...typeParts, linksOf: (type) => linked.of(type) });
  const inputs = new InputTypes(typeParts);
  // oxlint-disable-next-line max-params -- a resolver of GraphQL has four
  const toResult: Field['resolve'] = (item, _values, _context, info) => {
    linked.forget(info);
    return item;
  };
  const nameOf = (operation: Operation): string => names[operation.key] ?? toFieldName(operation);
  const served = operations.flatMap((operation) => {
    const input = toInputPlace(operation);
    const reason = findReason(operation, input);
    if (reason === undefined) return { operation, input };
    note(operation.key, `left out: ${reason}`);
    return [];
  });
  // The types of answers have their names first: an input has the enums that they have.
  const ranked = served.toSorted((a, b) => toNamingRank(a.operation) - toNamingRank(b.operation));
  for (const { operation } of ranked) {
    const shape = toAnswerShape(operation);
    const hint = toTypeHint(operation) + (isPage(shape) ? 'Page' : '');
    types.set(operation, outputs.write(shape, hint, operation.key));
  }
  const roots: Record<RootName, Record<string, Field>> = {
    Query: {},
    Mutation: {},
    Subscription: {},
  };
  for (const { operation, input } of served) {
    const { description, deprecation } = operation.definition;
    const field = nameOf(operation);
    const root = toRoot(operation);
    const { args, toInput } =
      input === undefined ? noArguments : inputs.write(input, toPascal(field), root === 'Mutation');
    // oxlint-disable-next-line max-params -- a resolver of GraphQL has four
    const resolve: Field['resolve'] = (_, values, context, info) => {
      const value = run({ operation, toInput: () => toInput(values), context, info });
      return saysDone(operation) ? andThen(value, () => true) : value;
    };
    const used = operations.find(({ key }) => key === deprecation?.use);
    roots[root][field] = {
      type: types.get(operation) as GraphQLOutputType,
      args,
      description,
      deprecationReason: deprecation && toDeprecation(deprecation.since, used && nameOf(used)),
      ...(root === 'Subscription' ? { subscribe: resolve, resolve: toResult } : { resolve }),
    };
  }
  // There is no schema without a query.
  if (Object.keys(roots.Query).length === 0)
    roots.Query['noQueries'] = { type: GraphQLBoolean, description: 'There are no queries here.' };
  linked.expect(outputs.objects);
  return { schema: toWhole(roots), notes };
}

function toWhole(roots: Readonly<Record<RootName, Record<string, Field>>>): GraphQLSchema {
  const toType = (name: RootName): GraphQLObjectType | undefined => {
    const fields = roots[name];
    return Object.keys(fields).length === 0 ? undefined : new GraphQLObjectType({ name, fields });
  };
  return new GraphQLSchema({
    query: toType('Query'),
    mutation: toType('Mutation'),
    subscription: toType('Subscription'),
  });
}

function toDeprecation(since: string | undefined, field: string | undefined): string {
  const parts = [since && `Deprecated since ${since}.`, field && `Use \`${field}\`.`];
  return parts.filter(Boolean).join(' ') || 'No longer supported';
}

import { GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { toDataText } from '../../server/to-json-text.ts';

/** A point in time. The capability says which texts it takes, as over REST. */
export const DateTime: GraphQLScalarType = new GraphQLScalarType({
  name: 'DateTime',
  description: 'A point in time, as `2027-01-31T12:00:00Z`.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (value) => expectText(value instanceof Date ? value.toISOString() : value),
  parseValue: expectText,
  parseLiteral: (node) => expectText(node.kind === Kind.STRING ? node.value : undefined),
});

export const BigIntText: GraphQLScalarType = new GraphQLScalarType({
  name: 'BigInt',
  description: 'An integer of any size, as a text of digits.',
  specifiedByURL: 'https://tc39.es/ecma262/#prod-StringIntegerLiteral',
  serialize: toDigits,
  parseValue: toDigits,
  parseLiteral: (node) =>
    toDigits(node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : undefined),
});

export const Json: GraphQLScalarType = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any value of JSON.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => JSON.parse(toDataText(value)) as unknown,
  parseValue: (value) => value,
  parseLiteral: (node: ValueNode, variables) => valueFromASTUntyped(node, variables),
});

function expectText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError('DateTime: expected a text such as "2027-01-31T12:00:00Z".');
}

function toDigits(value: unknown): string {
  const text = typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === 'string' && /^-?\d+$/.test(text)) return text;
  throw new TypeError('BigInt: expected a text of digits such as "12".');
}

import { CHECKS } from '../../server-runtime/openapi/schema-converter.ts';
import type { Operation } from '../../server-runtime/registry/operation.ts';
import type { JsonSchema } from '../../server-runtime/schema/json-schema.ts';
import { marksOf, withoutMarks } from '../../server-runtime/schema/json-schema.ts';
import type { Schema, SchemaSide } from '../../server-runtime/schema/schema.ts';
import { toSchemaJson } from '../document/to-schema-json.ts';
import type { Listed } from '../manifest/listed.ts';
import { type Problem, toMistake } from '../manifest/problem.ts';

/** A schema with an `id` somewhere in what a capability takes or gives. */
interface NamedSchema {
  readonly capability: Listed;
  readonly side: SchemaSide;
  readonly id: string;
  readonly text: string;
}

/** Schemas of one `id` that differ. In a document, inputs and answers have one set of names. */
export function findDuplicateIds(
  capabilities: readonly Listed[],
  operations: readonly Operation[],
): readonly Problem[] {
  const firsts = new Map<string, NamedSchema>();
  const told = new Set<string>();
  const all = capabilities.flatMap((capability, index) => findNamed(capability, operations[index]));
  return all.flatMap((named) => {
    const { id, text, capability } = named;
    const first = firsts.get(id) ?? named;
    firsts.set(id, first);
    if (first.text === text || told.has(id)) return [];
    told.add(id);
    const [one, other] = [toPlace(first), toPlace(named)];
    const both = one === other ? `Two parts of ${one}` : `${one.replace('t', 'T')} and ${other}`;
    const message = `${both} have different schemas with the id \`${id}\`: a document calls one of them otherwise.`;
    return [toMistake('duplicate-schema-id', capability, { message, hint: 'Give one of them another id.' })];
  });
}

function toPlace({ capability, side }: NamedSchema): string {
  return `the ${side} of \`${capability.key}\``;
}

/** Answers are looked at as what they take, since the two forms of a schema may differ. */
function findNamed(capability: Listed, operation: Operation | undefined): readonly NamedSchema[] {
  const { schema: taken, answers = [] } = operation?.definition ?? {};
  const toNamed = (schema: Schema | undefined, side: SchemaSide): readonly NamedSchema[] =>
    findIn(schema).map((named) => ({ ...named, capability, side }));
  return [...toNamed(taken, 'input'), ...answers.flatMap(({ schema }) => toNamed(schema, 'output'))];
}

function findIn(schema: Schema | undefined): readonly Pick<NamedSchema, 'id' | 'text'>[] {
  const { $defs = {} } = schema === undefined ? {} : toSchemaJson(schema, 'input');
  return Object.entries($defs as Readonly<Record<string, JsonSchema>>).flatMap(([name, json]) => {
    const { id = name } = marksOf(json);
    // JSON Schema cannot express checks that are code.
    const isSaid = (keyword: string, value: unknown): unknown => (keyword === CHECKS ? undefined : value);
    return name.startsWith('__schema') ? [] : [{ id, text: JSON.stringify(withoutMarks(json), isSaid) }];
  });
}

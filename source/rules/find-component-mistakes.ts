import { CHECKS } from '../../server-runtime/openapi/schema-converter.ts';
import type { Operation } from '../../server-runtime/registry/operation.ts';
import { type JsonSchema, mapSubschemas, marksOf, withoutMarks } from '../../server-runtime/schema/json-schema.ts';
import type { Schema, SchemaSide } from '../../server-runtime/schema/schema.ts';
import { toSchemaJson } from '../document/to-schema-json.ts';
import type { Listed } from '../manifest/listed.ts';
import { type Problem, toMistake } from '../manifest/problem.ts';

/** Schemas that a document cannot name: two of one `id` that differ, and large ones without one that it repeats. */
export function findComponentMistakes(
  capabilities: readonly Listed[],
  operations: readonly Operation[],
): readonly Problem[] {
  const parts = capabilities.flatMap((capability, index) => findParts(capability, operations[index]));
  return [...findDuplicateIds(parts), ...findRepeated(parts)];
}

/** An object somewhere in what a capability takes or gives, or another schema with an `id`. */
interface Part {
  readonly capability: Listed;
  readonly side: 'input' | 'output';
  /** Names from the outside in: `order.lines[]`. */
  readonly path: string;
  readonly id: string | undefined;
  readonly text: string;
}

/** In a document, inputs and answers have one set of names. */
function findDuplicateIds(parts: readonly Part[]): readonly Problem[] {
  const firsts = new Map<string, Part>();
  const told = new Set<string>();
  return parts.flatMap((part) => {
    const { id, text, capability, side } = part;
    if (id === undefined) return [];
    const first = firsts.get(id) ?? part;
    firsts.set(id, first);
    if (first.text === text || told.has(id)) return [];
    told.add(id);
    const isOneSide = first.capability === capability && first.side === side;
    const both = isOneSide
      ? `\`${first.path}\` and \`${part.path}\` in ${toPlace(part)}`
      : `${toPlace(first).replace('t', 'T')} and ${toPlace(part)}`;
    const said = `have different schemas with the id \`${id}\``;
    const message = `${both} ${said}: a document calls one of them otherwise.`;
    return [toMistake('duplicate-schema-id', capability, { message, hint: 'Give one of them another id.' })];
  });
}

function toPlace({ capability, side }: Part): string {
  return `the ${side} of \`${capability.key}\``;
}

/** As long as a page, and often enough to fill several. */
const [MIN_LENGTH, MIN_PLACES] = [1000, 4];

function findRepeated(parts: readonly Part[]): readonly Problem[] {
  const byText = new Map<string, Part[]>();
  for (const part of parts)
    if (part.id === undefined && part.text.length >= MIN_LENGTH)
      byText.set(part.text, [...(byText.get(part.text) ?? []), part]);
  const often = [...byText].filter(([, same]) => same.length >= MIN_PLACES);
  // A schema inside one that is told needs no name of its own.
  const outermost = often.filter(([text]) => !often.some(([other]) => other !== text && other.includes(text)));
  return outermost.flatMap(([, [first, ...others]]) => {
    if (first === undefined) return [];
    const where = first.path === '' ? toPlace(first).replace('t', 'T') : `\`${first.path}\` in ${toPlace(first)}`;
    const times = `which the document repeats at ${others.length} more places`;
    const message = `${where} is a large schema without an \`id\`, ${times}.`;
    const hint = "Name it, so that the document has it once: `.meta({ id: '…' })`.";
    return [toMistake('unnamed-schema', first.capability, { message, hint })];
  });
}

/** An output with names is looked at as what it takes, since its two forms may differ. */
function findParts(capability: Listed, operation: Operation | undefined): readonly Part[] {
  const { schema: taken, answers = [] } = operation?.definition ?? {};
  const inputs = findIn(taken, 'input').map((part) => ({ ...part, capability, side: 'input' as const }));
  const outputs = answers.flatMap(({ schema }) => {
    const given = findIn(schema, 'output');
    return given.every(({ id }) => id === undefined) ? given : findIn(schema, 'input');
  });
  return [...inputs, ...outputs.map((part) => ({ ...part, capability, side: 'output' as const }))];
}

function findIn(schema: Schema | undefined, io: SchemaSide): readonly Pick<Part, 'path' | 'id' | 'text'>[] {
  const { $defs = {}, ...root } = schema === undefined ? {} : toSchemaJson(schema, io);
  const parts: Pick<Part, 'path' | 'id' | 'text'>[] = [];
  const seen = new Set<string>();
  const look = (part: JsonSchema, path: string, name?: string): void => {
    const { $ref: ref } = part;
    const referred = typeof ref === 'string' ? ref.replace('#/$defs/', '') : '';
    const target = ($defs as Readonly<Record<string, JsonSchema>>)[referred];
    if (name !== undefined || 'properties' in part)
      parts.push({ path, id: name, text: JSON.stringify(withoutMarks(part), isSaid) });
    if (target !== undefined && !seen.has(referred)) {
      seen.add(referred);
      look(target, path, referred.startsWith('__schema') ? undefined : (marksOf(target).id ?? referred));
    }
    mapSubschemas(part, (inner, step) => {
      look(inner, joinStep(path, step));
      return inner;
    });
  };
  look(root, '');
  return parts;
}

function joinStep(path: string, step: string | undefined): string {
  return step === undefined || step === '[]' || path === '' ? `${path}${step ?? ''}` : `${path}.${step}`;
}

/** JSON Schema cannot express checks that are code. */
function isSaid(keyword: string, value: unknown): unknown {
  return keyword === CHECKS ? undefined : value;
}

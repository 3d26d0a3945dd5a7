import type { Operation } from '../../../server-runtime/registry/operation.ts';
import { isSchemaObject } from '../../shape/read/schema-json.ts';
import { CHECKS_KEYWORD } from '../../shape/read/to-typed-shape.ts';
import { toSchemaView } from '../../shape/schema-view.ts';
import type { ManifestCapability } from '../manifest.ts';
import type { Problem } from '../problem.ts';
import { toMistake } from './to-mistake.ts';

/** Two schemas of one `id` that say different things. In a document, inputs and answers have one set of names. */
export function findDuplicateIds(
  capabilities: readonly ManifestCapability[],
  operations: readonly Operation[],
): readonly Problem[] {
  const firsts = new Map<string, { readonly text: string; readonly place: string }>();
  const told = new Set<string>();
  return capabilities.flatMap((capability, index) =>
    findNamedParts(capability, operations[index]).flatMap(({ id, text, side }): readonly Problem[] => {
      const place = `the ${side} of \`${capability.key}\``;
      const first = firsts.get(id) ?? { text, place };
      firsts.set(id, first);
      if (first.text === text || told.has(id)) return [];
      told.add(id);
      const both = first.place === place ? `Two parts of ${place}` : `T${first.place.slice(1)} and ${place}`;
      const message = `${both} have different schemas with the id \`${id}\`: a document calls one of them otherwise.`;
      return [toMistake('duplicate-schema-id', capability, { message, hint: 'Give one of them another id.' })];
    }),
  );
}

interface NamedPart {
  readonly id: string;
  readonly text: string;
  readonly side: 'input' | 'output';
}

/** The view of an output is of what it gives: where it has names, it is looked at as what it takes, since those two forms may differ. */
function findNamedParts(
  { input, answers }: ManifestCapability,
  operation: Operation | undefined,
): readonly NamedPart[] {
  const outputs = answers.flatMap(({ schema }, at) =>
    findNamed(schema?.json).length === 0
      ? []
      : findNamed(toSchemaView(operation?.definition.answers[at]?.schema, 'input')?.json),
  );
  return [
    ...findNamed(input?.json).map((named) => ({ ...named, side: 'input' as const })),
    ...outputs.map((named) => ({ ...named, side: 'output' as const })),
  ];
}

/** JSON Schema cannot express checks that are code. */
function isSaid(keyword: string, value: unknown): unknown {
  return keyword === CHECKS_KEYWORD ? undefined : value;
}

/** Zod puts schemas that have an id here. */
function findNamed(json: unknown): readonly { readonly id: string; readonly text: string }[] {
  const definitions = isSchemaObject(json) && isSchemaObject(json['$defs']) ? json['$defs'] : {};
  return Object.entries(definitions)
    .filter(([id]) => !id.startsWith('__schema'))
    .map(([id, schema]) => ({ id, text: JSON.stringify(schema, isSaid) }));
}

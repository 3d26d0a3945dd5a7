import { CHECKS_KEYWORD } from '../../shape/check-marks.ts';
import { isSchemaObject } from '../../shape/read/schema-json.ts';
import type { ManifestCapability } from '../manifest.ts';
import type { Problem } from '../problem.ts';
import { toMistake } from './to-mistake.ts';

/** Two schemas of one `id` that say different things, in inputs or in outputs. */
export function findDuplicateIds(capabilities: readonly ManifestCapability[]): readonly Problem[] {
  const firsts = new Map<string, { readonly text: string; readonly key: string }>();
  const told = new Set<string>();
  return capabilities.flatMap((capability) =>
    (['input', 'output'] as const).flatMap((side) =>
      findNamed(capability[side]?.json).flatMap(({ id, text }): readonly Problem[] => {
        const name = `${side} ${id}`;
        const first = firsts.get(name) ?? { text, key: capability.key };
        firsts.set(name, first);
        if (first.text === text || told.has(name)) return [];
        told.add(name);
        const message = `The ${side}s of \`${first.key}\` and \`${capability.key}\` have two different schemas with the id \`${id}\`: a document calls one of them otherwise.`;
        return [toMistake('duplicate-schema-id', capability, { message, hint: 'Give one of them another id.' })];
      }),
    ),
  );
}

/** A document has no word for checks that are code. */
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

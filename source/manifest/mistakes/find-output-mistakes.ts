import type { CapabilityDefinition } from '../../../server-runtime/capability/definition.ts';
import { definitionOf, type Schema } from '../../../server-runtime/schema/schema.ts';
import type { Listed } from '../listed.ts';
import type { Problem } from '../problem.ts';
import { rememberByObject } from '../remember-by-object.ts';
import { type SchemaPart, toInnerParts } from './inner-parts.ts';
import { toMistake } from './to-mistake.ts';

/** Finds values in answers that JSON cannot carry. */
export function findOutputMistakes(
  capability: Listed,
  declared: Pick<CapabilityDefinition, 'output' | 'answers'> | undefined,
): readonly Problem[] {
  const schemas = new Set([declared?.output, ...(declared?.answers ?? []).map(({ schema }) => schema)]);
  const found = [...schemas].flatMap((schema) => (schema === undefined ? [] : findLossyParts(schema)));
  return found.map(({ path, type }) => {
    const place = path === '' ? 'as its answer' : `in \`${path}\` of its answer`;
    const message = `\`${capability.key}\` gives a \`${type}\` ${place}: it is sent as \`{}\`.`;
    return toMistake('lossy-output', capability, { message, hint: instead[type] });
  });
}

const instead = {
  map: 'Give an object: Object.fromEntries(map), declared as z.record(z.string(), …).',
  set: 'Give a list: [...set], declared as z.array(…).',
} as const;

interface Lossy {
  readonly path: string;
  readonly type: keyof typeof instead;
}

const findLossyParts = rememberByObject((schema: Schema): readonly Lossy[] =>
  findLossy({ schema, path: '', above: [] }),
);

function findLossy(part: SchemaPart): readonly Lossy[] {
  const { type, innerType, out } = definitionOf(part.schema);
  if (Object.hasOwn(instead, type)) return [{ path: part.path, type: type as keyof typeof instead }];
  return toInnerParts(part, innerType ?? out).flatMap(findLossy);
}

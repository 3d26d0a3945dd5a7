import type { CapabilityDefinition } from '../../../server-runtime/capability/capability-definition.ts';
import { definitionOf, type Schema } from '../../../server-runtime/schema/schema.ts';
import type { ManifestCapability } from '../manifest.ts';
import type { Problem } from '../problem.ts';
import { rememberByObject } from '../remember-by-object.ts';
import { toMistake } from './to-mistake.ts';

/** Finds values in answers that JSON cannot carry. */
export function findOutputMistakes(
  capability: ManifestCapability,
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

interface Place {
  readonly path: string;
  readonly above: readonly Schema[];
}

type Parts = ReturnType<typeof definitionOf> & {
  readonly items?: readonly Schema[];
  readonly valueType?: Schema;
  readonly innerType?: Schema;
  readonly out?: Schema;
};

const MAX_DEPTH = 50;

const findLossyParts = rememberByObject((schema: Schema): readonly Lossy[] =>
  findLossy(schema, { path: '', above: [] }),
);

function findLossy(schema: Schema, { path, above }: Place): readonly Lossy[] {
  if (above.includes(schema) || above.length > MAX_DEPTH) return [];
  const { type, shape, element, items, valueType, options, left, right, innerType, out } = definitionOf(
    schema,
  ) as Parts;
  if (Object.hasOwn(instead, type)) return [{ path, type: type as keyof typeof instead }];
  const inside = (part: Schema | undefined, step = ''): readonly Lossy[] =>
    part === undefined
      ? []
      : findLossy(part, {
          path: `${path}${path === '' || step === '[]' ? '' : '.'}${step}`,
          above: [...above, schema],
        });
  if (type === 'object') return Object.entries(shape ?? {}).flatMap(([name, field]) => inside(field, name));
  const parts = [...(options ?? []), left, right, innerType, out].flatMap((part) => (part === undefined ? [] : [part]));
  return [
    ...inside(element, '[]'),
    ...(items ?? []).flatMap((item) => inside(item, '[]')),
    ...inside(valueType, '*'),
    ...parts.flatMap((part) => findLossy(part, { path, above: [...above, schema] })),
  ];
}

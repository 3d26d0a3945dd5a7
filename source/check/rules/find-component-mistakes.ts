import type { JsonSchema } from '../../../server-runtime/schema/json-schema.ts';
import type { ApiSchema } from '../../document/branch.ts';
import { textOf } from '../../document/schema-json.ts';
import { type Problem, toMistake } from '../../manifest/check-rules.ts';
import { type Listed, type Manifest, toListed } from '../../manifest/manifest.ts';
import { groupBy } from '../../values/once.ts';
import { lookInside } from './find-schema-mistakes.ts';

/** A schema somewhere in what a capability takes or gives. */
interface Part {
  readonly capability: Listed;
  readonly side: 'input' | 'output';
  /** Names from the outside in: `order.lines[]`. */
  readonly path: string;
  readonly json: JsonSchema;
  /** The name of the component that it refers to. */
  readonly component: string | undefined;
}

type Components = Readonly<Record<string, JsonSchema>>;

/** Finds schemas that a document cannot name: two of one `id` that differ, and large ones that it repeats. */
export function findComponentMistakes(manifest: Manifest): readonly Problem[] {
  const components = manifest.document.components.schemas as Components;
  const parts: Part[] = [];
  // A document has each component once, however many operations refer to it.
  const seen = new Set<string>();
  const add = (capability: Listed, side: Part['side'], schema: ApiSchema | undefined): void => {
    const look = (json: JsonSchema, path: string): void => {
      const name = textOf(json['$ref'])?.replace('#/components/schemas/', '');
      const target = name === undefined ? undefined : components[name];
      parts.push({ capability, side, path, json, component: target && name });
      if (name !== undefined && target !== undefined && !seen.has(name)) {
        seen.add(name);
        lookInside(target, path, look);
      }
      lookInside(json, path, look);
    };
    if (typeof schema?.json === 'object') look(schema.json as JsonSchema, '');
  };
  for (const capability of toListed(manifest)) {
    add(capability, 'input', capability.input());
    for (const { data } of capability.responses) add(capability, 'output', data());
  }
  return [...findDuplicateIds(components, parts), ...findRepeated(parts)];
}

function findDuplicateIds(components: Components, parts: readonly Part[]): readonly Problem[] {
  return Object.entries(components).flatMap(([name, { 'x-capix-id': id }]) => {
    const part = parts.find(({ component }) => component === name);
    if (typeof id !== 'string' || part === undefined) return [];
    const first = parts.find(({ component }) => component === id) ?? part;
    const isOneSide = first.capability === part.capability && first.side === part.side;
    const both = isOneSide
      ? `\`${first.path}\` and \`${part.path}\` in ${toPlace(part)}`
      : `${toPlace(first).replace('t', 'T')} and ${toPlace(part)}`;
    const message = `${both} have different schemas with the id \`${id}\`: the document calls one of them \`${name}\`.`;
    return [
      toMistake('duplicate-schema-id', part.capability, {
        message,
        hint: 'Give one of them another id.',
      }),
    ];
  });
}

function toPlace({ capability, side }: Part): string {
  return `the ${side} of \`${capability.key}\``;
}

/** As long as a page, and often enough to fill several. */
const MIN_LENGTH = 1000;
const MIN_PLACES = 4;

function findRepeated(parts: readonly Part[]): readonly Problem[] {
  const toText = ({ json }: Part): string => ('properties' in json ? JSON.stringify(json) : '');
  const often = [...groupBy(parts, toText)].flatMap(([text, places]) =>
    text.length < MIN_LENGTH || places.length < MIN_PLACES ? [] : [{ text, places }],
  );
  // A schema inside one that is reported needs no name of its own.
  const outermost = often.filter(
    ({ text }) => !often.some((other) => other.text !== text && other.text.includes(text)),
  );
  return outermost.flatMap(({ places: [first, ...others] }) => {
    if (first === undefined) return [];
    const where =
      first.path === ''
        ? toPlace(first).replace('t', 'T')
        : `\`${first.path}\` in ${toPlace(first)}`;
    const times = `which the document repeats at ${others.length} more places`;
    const hint = "Name it, so that the document has it once: `.meta({ id: '…' })`.";
    const message = `${where} is a large schema without an \`id\`, ${times}.`;
    return [toMistake('unnamed-schema', first.capability, { message, hint })];
  });
}

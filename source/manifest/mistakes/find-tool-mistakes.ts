import { toToolName } from '../../../server-runtime/mcp/to-tool-name.ts';
import { isSchemaObject } from '../../shape/read/schema-json.ts';
import { toShape } from '../../shape/read/to-shape.ts';
import { resolveShape } from '../../shape/resolve-shape.ts';
import type { ManifestCapability } from '../manifest.ts';
import type { Problem } from '../problem.ts';
import { toMistake } from './to-mistake.ts';

/** Finds what keeps AI agents from using a capability as a tool, or from using it well. */
export function findToolMistakes(capability: ManifestCapability): readonly Problem[] {
  const { key, tool, description, input, output, answers } = capability;
  if (tool === false) return [];
  const name = tool?.name ?? key.replaceAll('.', '_');
  const offered = toToolName(tool?.name ?? key);
  const found: Problem[] = [];
  const add = (code: Parameters<typeof toMistake>[0], message: string, hint: string): void =>
    void found.push(toMistake(code, capability, { message, hint }));
  if (input !== undefined && isUnion(input.json))
    add(
      'tool-union-input',
      `The input of the tool \`${name}\` is a union, which some models refuse: agents are offered one object with the fields of all its branches.`,
      'Take one object with a field that tells the cases apart, or hide it: .tool(false).',
    );
  for (const { path, types } of findTypeLists(input?.json))
    add(
      'tool-null-type',
      `The tool \`${name}\` takes \`${path}\` as ${types.join(' or ')}: some models refuse a list of types, so agents are offered a choice.`,
      types.includes('null')
        ? 'Take a field that may be left out: z.string().optional() in the place of .nullable().'
        : 'Take one type, or a field for each.',
    );
  if (name.length > MAX_NAME)
    add(
      'tool-name-length',
      `The tool \`${name}\` has a name of ${name.length} characters: agents are offered \`${offered}\`.`,
      `.tool({ name: '${name.slice(0, MAX_NAME)}' })`,
    );
  if (!/^[\w-]+$/.test(name))
    add(
      'tool-name-letters',
      `The name of the tool \`${name}\` has others than letters, digits, _ and -: agents are offered \`${offered}\`.`,
      `.tool({ name: '${name.replaceAll(/[^\w-]/g, '_')}' })`,
    );
  if (description === undefined && tool?.description === undefined)
    add(
      'tool-without-description',
      `The tool \`${name}\` has no description: its name is all that an agent sees.`,
      ".describe('What it does, and when to use it.')",
    );
  if (output === undefined && answers.length === 0)
    add('tool-without-output', `The tool \`${name}\` does not say what it answers with.`, '.output(z.object({ … }))');
  return found;
}

/** The least of what clients take, with the name of a server before it. */
const MAX_NAME = 60;

function isUnion(json: unknown): boolean {
  const { kind } = resolveShape(toShape(json));
  return kind === 'union' || kind === 'tagged union';
}

interface TypeList {
  /** Names from the outside in. */
  readonly path: string;
  readonly types: readonly string[];
}

/** The parts of a schema whose `type` is a list. Definitions are looked into once, under their names. */
function findTypeLists(json: unknown, path = ''): readonly TypeList[] {
  if (!isSchemaObject(json)) return [];
  const { type, properties, items, $defs } = json;
  const named = Object.entries({ ...Object($defs), ...Object(properties) } as Readonly<Record<string, unknown>>);
  const branches = [json['anyOf'], json['oneOf'], json['allOf'], json['prefixItems']].flatMap((each) =>
    Array.isArray(each) ? (each as readonly unknown[]) : [],
  );
  return [
    ...(Array.isArray(type) ? [{ path: path || 'its input', types: type.map(String) }] : []),
    ...named.flatMap(([name, part]) => findTypeLists(part, path === '' ? name : `${path}.${name}`)),
    ...branches.flatMap((part) => findTypeLists(part, path)),
    ...findTypeLists(items, `${path}[]`),
    ...findTypeLists(json['additionalProperties'], `${path}.*`),
  ];
}

import { createHash } from 'node:crypto';
import type { Tool as McpTool } from '@modelcontextprotocol/server';
import type { Content } from '../capability/content.ts';
import type { Intent, ToolOptions } from '../capability/definition.ts';
import type { Operation } from '../registry/operation.ts';
import { findFurtherVerb, matchNameRule } from '../routing/name-rules.ts';
import { describe } from '../schema/describe.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { toInputObject, toNamed } from './offers.ts';
import { toPlainSchema, toToolSchema } from './to-tool-schema.ts';

export interface Tool {
  readonly operation: Operation;
  readonly description: McpTool;
}

/** The tools by name, without those that cannot be called without a file. @throws TypeError for a name that two have */
export function toTools(operations: readonly Operation[]): ReadonlyMap<string, Tool> {
  const offered = operations.filter((operation) => {
    const { fields, required } = toInputObject(operation);
    const needsFile = [...fields].some(([name, json]) => required.has(name) && json['x-capix-file'] !== undefined);
    return operation.definition.tool !== false && !needsFile;
  });
  const names = new Map(offered.map((operation) => [operation.key, toToolName(operation)]));
  const tools = offered.map((operation) => ({ operation, description: toEntry(operation, names) }));
  return toNamed('tool', tools);
}

function toEntry(operation: Operation, names: ReadonlyMap<string, string>): McpTool {
  const { key, definition } = operation;
  const { guards, inputGuards, enhancers, deprecation, answers } = definition;
  const { title, icons, description = definition.description } = optionsOf(operation);
  const { schema, words } = toToolSchema(definition.schema);
  const declaring = [...guards, ...inputGuards, ...enhancers, definition];
  const errors = new Set(declaring.flatMap((each) => each.errors.map(({ errorName }) => errorName)));
  const replacement = names.get(deprecation?.use ?? '');
  const lines = [
    description,
    words,
    deprecation && `Deprecated${replacement === undefined ? '' : `: use ${replacement}`}.`,
    guards.length > 0 && `Guarded by ${guards.map((guard) => guard.name).join(', ')}.`,
    errors.size > 0 && `May answer with the errors ${[...errors].join(', ')}.`,
  ];
  return {
    name: names.get(key) as string,
    ...(title !== undefined && { title }),
    ...(icons !== undefined && { icons: icons as McpTool['icons'] }),
    description: lines.filter((line) => line).join('\n') || undefined,
    inputSchema: schema,
    ...toOutputSchema(answers),
    annotations: toAnnotations(operation),
  };
}

function optionsOf({ definition: { tool } }: Operation): ToolOptions {
  return tool || {};
}

/** Nothing is said of several answers, nor of bytes, which are text for agents and may be anything. */
function toOutputSchema([answer, ...others]: readonly Content[]): Pick<McpTool, 'outputSchema'> {
  if (answer === undefined || others.length > 0 || answer.kind === 'bytes') return {};
  const { $defs, ...data } = toAnswerSchema(answer);
  return {
    outputSchema: { type: 'object', properties: { data }, required: ['data'], ...($defs !== undefined && { $defs }) },
  };
}

function toAnswerSchema({ kind, schema }: Content): JsonSchema {
  if (kind === 'none') return { type: 'null' };
  if (schema === undefined || (kind !== 'data' && kind !== 'stream')) return { type: 'string' };
  const place = kind === 'stream' ? '#/properties/data/items' : '#/properties/data';
  const { $defs, ...json } = toPlainSchema(describe(schema).output, (ref) => (ref === '#' ? place : ref));
  return { ...(kind === 'stream' ? { type: 'array', items: json } : json), $defs };
}

/** The longest name that clients take, with the name of a server before it. */
const MAX_LENGTH = 60;

/** `users_getUser` for `users.getUser`; a longer name ends in a fingerprint, so that two with one start stay two. */
function toToolName(operation: Operation): string {
  const { name: wanted = operation.key } = optionsOf(operation);
  const name = wanted.replaceAll(/[^\w-]/g, '_');
  if (name.length <= MAX_LENGTH) return name;
  const hash = createHash('sha1').update(wanted).digest('hex').slice(0, 6);
  return `${name.slice(0, MAX_LENGTH - hash.length - 1)}_${hash}`;
}

export function isReadOnly(operation: Operation): boolean {
  return optionsOf(operation).readOnly ?? toSureIntent(operation) === 'query';
}

/** A call that changes something may destroy something, unless it only adds. The protocol assumes the rest. */
function toAnnotations(operation: Operation): NonNullable<McpTool['annotations']> {
  const { name, declaredIntent } = operation;
  const { destructive, idempotent, openWorld } = optionsOf(operation);
  const world = openWorld === undefined ? {} : { openWorldHint: openWorld };
  if (isReadOnly(operation)) return { readOnlyHint: true, ...world };
  const addsOnly = matchNameRule(name, declaredIntent)?.id === 'create' && findFurtherVerb(name) === undefined;
  const isIdempotent = idempotent ?? ['query', 'replace', 'delete'].includes(toSureIntent(operation));
  return { destructiveHint: destructive ?? !addsOnly, ...(isIdempotent && { idempotentHint: true }), ...world };
}

/** A name with a further verb (`findAndDelete`) says nothing certain: agents should ask before it. */
function toSureIntent({ name, intent }: Operation): Intent {
  return findFurtherVerb(name) === undefined ? intent : 'mutation';
}

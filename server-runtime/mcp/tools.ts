import { createHash } from 'node:crypto';
import type { Tool as McpTool } from '@modelcontextprotocol/server';
import type { Content } from '../capability/content.ts';
import type { Intent, ToolOptions } from '../capability/definition.ts';
import type { Operation } from '../registry/operation.ts';
import { findFurtherVerb, matchNameRule } from '../routing/name-rules.ts';
import { describe } from '../schema/describe.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { toOneObject } from '../schema/lens.ts';
import { toNamed } from './offers.ts';
import { toPlainSchema, toToolSchema } from './to-tool-schema.ts';

/** A capability as agents see it. */
export interface Tool {
  readonly operation: Operation;
  readonly description: McpTool;
}

/**
 * The tools of an application by name, in the order of declaration. Left out are those with `.tool(false)` and those
 * that cannot be called without a file.
 *
 * @throws TypeError for a name that MCP does not admit, and for one that two capabilities have
 */
export function toTools(operations: readonly Operation[]): ReadonlyMap<string, Tool> {
  const offered = operations.filter((operation) => operation.definition.tool !== false && !needsFile(operation));
  const names = new Map(offered.map((operation) => [operation.key, toToolName(operation)]));
  return toNamed(
    'tool',
    offered.map((operation) => ({ operation, description: toEntry(operation, names) })),
  );
}

function needsFile({ definition: { schema } }: Operation): boolean {
  if (schema === undefined) return false;
  const { fields, required } = toOneObject(describe(schema).lens.branches);
  return [...fields].some(([name, json]) => required.has(name) && json['x-capix-file'] !== undefined);
}

/** `names` are those of all tools by the keys of their capabilities. */
function toEntry(operation: Operation, names: ReadonlyMap<string, string>): McpTool {
  const { key, definition } = operation;
  const { title, icons } = optionsOf(operation);
  const { schema, words } = toToolSchema(definition.schema);
  return {
    name: names.get(key) as string,
    ...(title !== undefined && { title }),
    ...(icons !== undefined && { icons: icons as McpTool['icons'] }),
    description: toDescription(operation, words, names),
    inputSchema: schema,
    ...toOutputSchema(definition.answers),
    annotations: toAnnotations(operation),
  };
}

function optionsOf({ definition: { tool } }: Operation): ToolOptions {
  return tool || {};
}

/** Undefined where there is nothing to say. */
function toDescription(
  operation: Operation,
  words: string | undefined,
  names: ReadonlyMap<string, string>,
): string | undefined {
  const { definition } = operation;
  const { guards, inputGuards, enhancers, deprecation } = definition;
  const declaring = [...guards, ...inputGuards, ...enhancers, definition];
  const errors = new Set(declaring.flatMap((each) => each.errors.map(({ errorName }) => errorName)));
  const replacement = names.get(deprecation?.use ?? '');
  const lines = [
    optionsOf(operation).description ?? definition.description,
    words,
    deprecation && `Deprecated${replacement === undefined ? '' : `: use ${replacement}`}.`,
    guards.length > 0 && `Guarded by ${guards.map((guard) => guard.name).join(', ')}.`,
    errors.size > 0 && `May answer with the errors ${[...errors].join(', ')}.`,
  ];
  return lines.filter((line) => line).join('\n') || undefined;
}

/**
 * A tool's structured answer is an object, so the value stands in `data`, as over HTTP. Nothing is said of several
 * answers, nor of bytes, which are text for agents and may be anything.
 */
function toOutputSchema([answer, ...others]: readonly Content[]): Pick<McpTool, 'outputSchema'> {
  if (answer === undefined || others.length > 0 || answer.kind === 'bytes') return {};
  const { $defs, ...data } = toAnswerSchema(answer);
  return {
    outputSchema: {
      type: 'object',
      properties: { data },
      required: ['data'],
      ...($defs === undefined ? {} : { $defs }),
    },
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
const HASH_LENGTH = 6;

/**
 * The name of a tool as all clients take it: letters, digits, `_` and `-`, at most 60 of them. `users.getUser` is
 * `users_getUser`; of a longer one the end is a fingerprint of the whole, so that two with the same beginning stay two.
 */
function toToolName(operation: Operation): string {
  const { name: own, name: wanted = operation.key } = optionsOf(operation);
  if (own !== undefined && !/^[\w.-]{1,128}$/.test(own))
    throw new TypeError(
      `\`${operation.key}\` has the tool name '${own}'. Use 1 to 128 letters, digits, '_', '-' and '.'.`,
    );
  const name = wanted.replaceAll(/[^\w-]/g, '_');
  if (name.length <= MAX_LENGTH) return name;
  const hash = createHash('sha1').update(wanted).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}

/** Whether a call changes nothing. */
export function isReadOnly(operation: Operation): boolean {
  return optionsOf(operation).readOnly ?? toSureIntent(operation) === 'query';
}

/**
 * The assumptions that an agent may make of a call: from the intent, unless `.tool({…})` says otherwise. What the
 * protocol assumes anyway is left out. One that changes something may destroy something, unless it only adds.
 */
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

import { createHash } from 'node:crypto';
import type { Tool as McpTool } from '@modelcontextprotocol/server';
import type { Content } from '../capability/content.ts';
import type { ToolOptions } from '../capability/definition.ts';
import type { Operation } from '../registry/operation.ts';
import { describe } from '../schema/describe.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { marksOf } from '../schema/json-schema.ts';
import { toOneObject } from '../schema/lens.ts';
import { toPlainSchema, toToolSchema } from './to-tool-schema.ts';
import { toToolAnnotations } from './tool-annotations.ts';

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
  const tools = new Map<string, Tool>();
  const offered = operations.flatMap((operation) => {
    const options = findToolOptions(operation);
    return options === undefined ? [] : [{ operation, options }];
  });
  const names = new Map(offered.map(({ operation: { key }, options }) => [key, toToolName(options.name ?? key)]));
  for (const { operation, options } of offered) {
    const tool = toTool(operation, options, names);
    const { name } = tool.description;
    const other = tools.get(name)?.operation.key;
    if (other !== undefined)
      throw new TypeError(
        `\`${other}\` and \`${operation.key}\` are both the tool '${name}'. Give one another name: .tool({name: '…'}).`,
      );
    tools.set(name, tool);
  }
  return tools;
}

/** Undefined for what is not a tool. */
function findToolOptions({ definition: { schema, tool = {} } }: Operation): ToolOptions | undefined {
  if (tool === false || schema === undefined) return tool === false ? undefined : tool;
  const { fields, required } = toOneObject(describe(schema).lens.branches);
  const needsFile = [...fields].some(([name, json]) => required.has(name) && marksOf(json).file !== undefined);
  return needsFile ? undefined : tool;
}

/** `names` are those of all tools by the keys of their capabilities. */
function toTool(operation: Operation, options: ToolOptions, names: ReadonlyMap<string, string>): Tool {
  const { key, definition } = operation;
  if (options.name !== undefined && !/^[\w.-]{1,128}$/.test(options.name)) {
    throw new TypeError(
      `\`${key}\` has the tool name '${options.name}'. Use 1 to 128 letters, digits, '_', '-' and '.'.`,
    );
  }
  const { schema, words } = toToolSchema(definition.schema);
  const replacement = names.get(definition.deprecation?.use ?? '');
  const deprecation = definition.deprecation && `Deprecated${replacement === undefined ? '' : `: use ${replacement}`}.`;
  const description = toDescription(operation, options, [words, deprecation]);
  return {
    operation,
    description: {
      name: toToolName(options.name ?? key),
      ...(options.title !== undefined && { title: options.title }),
      ...(options.icons !== undefined && { icons: options.icons as McpTool['icons'] }),
      ...(description !== '' && { description }),
      inputSchema: schema,
      ...toOutputSchema(definition.answers),
      annotations: toToolAnnotations(operation, options),
    },
  };
}

function toDescription(
  { definition }: Operation,
  options: ToolOptions,
  words: readonly (string | undefined)[],
): string {
  const { guards, inputGuards, enhancers } = definition;
  const errors = new Set(
    [...guards, ...inputGuards, ...enhancers, definition].flatMap((each) =>
      each.errors.map(({ errorName }) => errorName),
    ),
  );
  const lines = [
    options.description ?? definition.description,
    ...words,
    guards.length === 0 ? undefined : `Guarded by ${guards.map((guard) => guard.name).join(', ')}.`,
    errors.size === 0 ? undefined : `May answer with the errors ${[...errors].join(', ')}.`,
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}

/**
 * A tool's structured answer is an object, so the value stands in `data`, as over HTTP. Nothing is said of bytes, which
 * are text for agents and may be anything.
 */
function toOutputSchema(answers: readonly Content[]): Pick<McpTool, 'outputSchema'> {
  if (answers.length === 0 || answers.some(({ kind }) => kind === 'bytes')) return {};
  const $defs: Record<string, JsonSchema> = {};
  const schemas = answers.map((answer, index) =>
    answers.length === 1
      ? toAnswerSchema(answer, { root: '', prefix: '', $defs })
      : toAnswerSchema(answer, { root: `/anyOf/${index}`, prefix: `${index}_`, $defs }),
  );
  return {
    outputSchema: {
      type: 'object',
      properties: { data: schemas.length === 1 ? (schemas[0] as JsonSchema) : { anyOf: schemas } },
      required: ['data'],
      ...(Object.keys($defs).length === 0 ? {} : { $defs }),
    },
  };
}

/** The place of the schema of an answer. */
interface AnswerPlace {
  /** Below the data: `/anyOf/1`. */
  readonly root: string;
  /** Keeps the definitions of several answers apart. */
  readonly prefix: string;
  readonly $defs: Record<string, JsonSchema>;
}

function toAnswerSchema({ kind, schema }: Content, { root, prefix, $defs }: AnswerPlace): JsonSchema {
  if (kind === 'none') return { type: 'null' };
  const isStream = kind === 'stream';
  if (schema === undefined || (kind !== 'data' && !isStream)) return { type: 'string' };
  const place = `#/properties/data${root}${isStream ? '/items' : ''}`;
  const toRef = (ref: string): string => (ref === '#' ? place : ref.replace(/^#\/\$defs\//, (start) => start + prefix));
  const { $defs: own = {}, ...json } = toPlainSchema(describe(schema).output, toRef);
  for (const [name, each] of Object.entries(own as Record<string, JsonSchema>)) $defs[prefix + name] = each;
  return isStream ? { type: 'array', items: json } : json;
}

/** The longest name that clients take, with the name of a server before it. */
const MAX_LENGTH = 60;
const HASH_LENGTH = 6;

/**
 * The name of a tool as all clients take it: letters, digits, `_` and `-`, at most 60 of them. `users.getUser` is
 * `users_getUser`; of a longer one the end is a fingerprint of the whole, so that two with the same beginning stay two.
 */
function toToolName(wanted: string): string {
  const name = wanted.replaceAll(/[^\w-]/g, '_');
  if (name.length <= MAX_LENGTH) return name;
  const hash = createHash('sha1').update(wanted).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}

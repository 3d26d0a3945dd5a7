import type { Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import type { ToolOptions } from '../capability/capability-definition.ts';
import { isFileSchema } from '../input/is-file-schema.ts';
import type { Operation } from '../registry/operation.ts';
import { mapSubschemas } from '../schema/map-subschemas.ts';
import type { Schema } from '../schema/schema.ts';
import type { JsonSchema } from '../schema/to-json-schema.ts';
import { toWireSchema } from '../schema/to-wire-schema.ts';
import { toToolAnnotations } from './tool-annotations.ts';

/** A capability as agents see it. */
export interface Tool {
  readonly operation: Operation;
  readonly description: McpTool;
}

/**
 * The tools of an application by name, in the order of declaration. Left out are those with `.tool(false)` and those that
 * cannot be called without a file.
 *
 * @throws TypeError for a name that MCP does not admit, and for one that two capabilities have
 */
export function toTools(operations: readonly Operation[]): ReadonlyMap<string, Tool> {
  const tools = new Map<string, Tool>();
  for (const operation of operations) {
    const { tool: options = {} } = operation.definition;
    if (options === false || needsFile(operation)) continue;
    const tool = toTool(operation, options);
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

function needsFile({ fields }: Operation): boolean {
  return [...(fields?.values() ?? [])].some((field) => isFileSchema(field) && !isOptional(field));
}

function isOptional(schema: Schema): boolean {
  return (schema._zod as { readonly optin?: string }).optin === 'optional';
}

function toTool(operation: Operation, options: ToolOptions): Tool {
  const { key, definition } = operation;
  const name = options.name ?? key.replaceAll('.', '_');
  if (!/^[\w.-]{1,128}$/.test(name)) {
    throw new TypeError(`\`${key}\` has the tool name '${name}'. Use 1 to 128 letters, digits, '_', '-' and '.'.`);
  }
  return {
    operation,
    description: {
      name,
      ...(options.title === undefined ? {} : { title: options.title }),
      description: toDescription(operation, options),
      inputSchema: toInputSchema(definition.schema),
      ...(definition.output === undefined ? {} : { outputSchema: toOutputSchema(definition.output) }),
      annotations: toToolAnnotations(operation, options),
    },
  };
}

function toDescription({ key, definition }: Operation, options: ToolOptions): string {
  const { deprecation, guards, inputGuards, enhancers } = definition;
  const errors = new Set(
    [...guards, ...inputGuards, ...enhancers, definition].flatMap((each) =>
      each.errors.map(({ errorName }) => errorName),
    ),
  );
  const lines = [
    options.description ?? definition.description ?? `Runs ${key}.`,
    deprecation === undefined
      ? undefined
      : `Deprecated${deprecation.use === undefined ? '' : `: use ${deprecation.use.replaceAll('.', '_')}`}.`,
    guards.length === 0 ? undefined : `Guarded by ${guards.map((guard) => guard.name).join(', ')}.`,
    errors.size === 0 ? undefined : `May answer with the errors ${[...errors].join(', ')}.`,
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}

/** The root is always an object; a reference or a choice stands beside that. */
function toInputSchema(schema: Schema | undefined): McpTool['inputSchema'] {
  return { ...(schema === undefined ? {} : toWireSchema(schema)), type: 'object' };
}

/** A tool's structured answer is an object, so the value stands in `data`, as over HTTP. */
function toOutputSchema(schema: Schema): NonNullable<McpTool['outputSchema']> {
  const { $defs, ...json } = toWireSchema(schema);
  const data = redirectRoot(json);
  const defs = Object.entries(($defs ?? {}) as Record<string, JsonSchema>).map(([name, each]) => [
    name,
    redirectRoot(each),
  ]);
  return {
    type: 'object',
    properties: { data },
    required: ['data'],
    ...(defs.length === 0 ? {} : { $defs: Object.fromEntries(defs) as Record<string, JsonSchema> }),
  };
}

/** The former root is one level down now. */
function redirectRoot(json: JsonSchema): JsonSchema {
  const mapped = mapSubschemas(json, redirectRoot);
  return mapped['$ref'] === '#' ? { ...mapped, $ref: '#/properties/data' } : mapped;
}

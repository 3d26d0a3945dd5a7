import { type Tool, toTools } from '../../../server-runtime/mcp/tools.ts';
import type { Operation } from '../../../server-runtime/registry/operation.ts';
import { findAtPointer } from '../../shape/read/find-target.ts';
import { type Selection, selectOperations } from './select-operations.ts';

/** A tool, and the room that it takes in the window of a model. Tokens are estimates: one for four characters of JSON. */
export interface MeteredTool {
  readonly name: string;
  /** Key of the capability. */
  readonly capability: string;
  /** The tokens of its entry in the list of tools. */
  readonly tokens: number;
  /** The tokens of each part of the entry; the rest are the names of the parts. */
  readonly parts: PartTokens;
  /** The largest fields of its input and its output, the largest first. */
  readonly fields: readonly MeteredField[];
  /** Whether an agent is told what it does. */
  readonly isDescribed: boolean;
}

export type PartTokens = Readonly<Record<'name' | 'description' | 'input' | 'output' | 'annotations', number>>;

/** A field of an input or of an output. */
export interface MeteredField {
  readonly part: 'input' | 'output';
  readonly name: string;
  readonly tokens: number;
}

/** The tools, the largest first, and what they take together. */
export interface ToolMeter {
  readonly tools: readonly MeteredTool[];
  readonly tokens: number;
}

/**
 * Meters the tools of a project.
 *
 * @throws CliError `Usage` for a key or a group that fits none; TypeError for tools that a server would not start with
 */
export function toToolMeter(operations: readonly Operation[], selection: Selection): ToolMeter {
  const tools = toTools(selectOperations(operations, selection));
  const metered = [...tools.values()].map(toMeteredTool);
  const tokens = metered.reduce((sum, tool) => sum + tool.tokens, 0);
  return {
    tools: metered.toSorted((one, other) => other.tokens - one.tokens),
    tokens,
  };
}

function toMeteredTool({ operation, description: entry }: Tool): MeteredTool {
  const { definition, key } = operation;
  const { tool } = definition;
  const own = tool === false ? undefined : tool?.description;
  const { name, title, description, inputSchema, outputSchema, annotations } = entry;
  const isDescribed = (own ?? definition.description) !== undefined;
  return {
    name,
    capability: key,
    tokens: toTokens(entry),
    parts: {
      name: toTokens([name, title]),
      description: toTokens(description),
      input: toTokens(inputSchema),
      output: toTokens(outputSchema),
      annotations: toTokens(annotations),
    },
    fields: [...toFields('input', inputSchema), ...toFields('output', findData(outputSchema))]
      .toSorted((one, other) => other.tokens - one.tokens)
      .slice(0, MAX_FIELDS),
    isDescribed,
  };
}

const MAX_FIELDS = 8;

interface DataSchema {
  readonly type?: unknown;
  readonly items?: unknown;
  readonly $ref?: string;
}

/** The schema of the data, of an item where it is a list, wherever it is defined. */
function findData(outputSchema: unknown): unknown {
  const { properties } = Object(outputSchema) as { readonly properties?: { readonly data?: DataSchema } };
  const find = (schema: DataSchema = {}): unknown =>
    schema.$ref === undefined ? schema : findAtPointer(outputSchema, schema.$ref);
  const data = Object(find(properties?.data)) as DataSchema;
  return data.type === 'array' ? find(data.items as DataSchema) : data;
}

function toFields(part: MeteredField['part'], schema: unknown): readonly MeteredField[] {
  const { properties = {} } = Object(schema) as { readonly properties?: Readonly<Record<string, unknown>> };
  return Object.entries(properties).map(([name, field]) => ({ part, name, tokens: toTokens({ [name]: field }) }));
}

const CHARACTERS_OF_TOKEN = 4;

/** An estimate of the tokens of a value in the window of a model: one for four characters of its JSON. */
function toTokens(value: unknown): number {
  return Math.ceil((JSON.stringify(value) ?? '').length / CHARACTERS_OF_TOKEN);
}

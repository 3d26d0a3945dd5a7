import { type Tool, toTools } from '../../server-runtime/mcp/tools.ts';
import type { Operation } from '../../server-runtime/registry/operation.ts';
import { findAtPointer } from '../document/schema-json.ts';
import { type Selection, selectOperations } from './select-operations.ts';

/** A tool, and its room in the window of a model. Tokens are estimates: one for four characters of JSON. */
export interface MeteredTool {
  readonly name: string;
  /** Key of the capability. */
  readonly capability: string;
  /** The tokens of its entry in the list of tools. */
  readonly tokens: number;
  /** The tokens of each part of the entry; the rest are the names of the parts. */
  readonly parts: Readonly<Record<'name' | 'description' | 'input' | 'output' | 'annotations', number>>;
  /** The largest fields of its input and its output, the largest first. */
  readonly fields: readonly { readonly part: 'input' | 'output'; readonly name: string; readonly tokens: number }[];
  /** Whether an agent is told what it does. */
  readonly isDescribed: boolean;
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
  const tools = [...toTools(selectOperations(operations, selection)).values()].map(toMeteredTool);
  return { tools: toLargest(tools), tokens: tools.reduce((sum, tool) => sum + tool.tokens, 0) };
}

function toMeteredTool({ operation: { definition, key }, description: entry }: Tool): MeteredTool {
  const { tool, description: own } = definition;
  const { name, title, description, inputSchema, outputSchema, annotations } = entry;
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
    fields: toLargest([
      ...toFields('input', inputSchema as DataSchema),
      ...toFields('output', findData(outputSchema as DataSchema)),
    ]).slice(0, 8),
    isDescribed: ((tool !== false && tool?.description) || own) !== undefined,
  };
}

function toLargest<Metered extends { readonly tokens: number }>(all: readonly Metered[]): readonly Metered[] {
  return all.toSorted((one, other) => other.tokens - one.tokens);
}

interface DataSchema {
  readonly type?: unknown;
  readonly items?: DataSchema;
  readonly properties?: Readonly<Record<string, DataSchema>>;
  readonly $ref?: string;
}

/** The schema of the data, of an item where it is a list, wherever it is defined. */
function findData(outputSchema: DataSchema = {}): DataSchema {
  const find = (schema: DataSchema = {}): DataSchema =>
    schema.$ref === undefined ? schema : ((findAtPointer(outputSchema, schema.$ref) as DataSchema | undefined) ?? {});
  const { properties: envelope = {} } = outputSchema;
  const data = find(envelope['data']);
  return data.type === 'array' ? find(data.items) : data;
}

function toFields(part: 'input' | 'output', { properties = {} }: DataSchema): MeteredTool['fields'] {
  return Object.entries(properties).map(([name, field]) => ({ part, name, tokens: toTokens({ [name]: field }) }));
}

const CHARACTERS_OF_TOKEN = 4;

function toTokens(value: unknown): number {
  return Math.ceil((JSON.stringify(value) ?? '').length / CHARACTERS_OF_TOKEN);
}

/**
 * The meter as text, with a line feed at its end:
 *
 *     Tools (2), about 210 tokens
 *
 *       items_createItem  120  items.createItem
 *       items_getItem      90  items.getItem     no description
 */
export function toMeterText(
  { tools, tokens }: ToolMeter,
  { budget, hasCapabilities = true }: { readonly budget?: number | undefined; readonly hasCapabilities?: boolean } = {},
): string {
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));
  const widths = {
    name: widest(tools.map(({ name }) => name)),
    tokens: widest(tools.map((tool) => String(tool.tokens))),
    capability: widest(tools.map(({ capability }) => capability)),
  };
  const lines = tools.map((tool) =>
    [
      '',
      tool.name.padEnd(widths.name),
      String(tool.tokens).padStart(widths.tokens),
      tool.capability.padEnd(widths.capability),
      tool.isDescribed ? '' : 'no description',
    ]
      .join('  ')
      .trimEnd(),
  );
  const limit = budget === undefined ? [] : [toBudgetText(tokens, budget)];
  const head = [`Tools (${tools.length}), about ${toCount(tokens)} tokens`, ...limit];
  const why = hasCapabilities
    ? 'Every capability is hidden from agents, or takes a file.'
    : 'The project has no capability yet.';
  return `${[...head, '', ...(tools.length === 0 ? [`  ${why}`] : lines)].join('\n')}\n`;
}

function toBudgetText(tokens: number, budget: number): string {
  const left = budget - tokens;
  return left < 0
    ? `The budget of ${toCount(budget)} tokens is exceeded by ${toCount(-left)}.`
    : `The budget of ${toCount(budget)} tokens leaves ${toCount(left)}.`;
}

/** `6500` is `6,500`. */
function toCount(count: number): string {
  return count.toLocaleString('en');
}

import { type Offered, toTools } from '../../server-runtime/mcp/offers.ts';
import type { Operation } from '../../server-runtime/registry/compile-registry.ts';
import { selectOperations, type ToolSelection } from './select-operations.ts';

interface MeteredTool {
  readonly name: string;
  readonly capability: string;
  /** The tokens of its entry in the list of tools, an estimate: one for four characters of JSON. */
  readonly tokens: number;
  /** Whether it has a description, from which an agent learns what it does. */
  readonly isDescribed: boolean;
}

/** The tools, the largest first, and what they take together. */
export interface ToolMeter {
  readonly tools: readonly MeteredTool[];
  readonly tokens: number;
}

/** @throws CliError `Usage` for a key that fits none; TypeError for tools that a server would not start with */
export function toToolMeter(operations: readonly Operation[], selection: ToolSelection): ToolMeter {
  const tools = [...toTools(selectOperations(operations, selection)).values()].map(toMeteredTool);
  return {
    tools: tools.toSorted((one, other) => other.tokens - one.tokens),
    tokens: tools.reduce((sum, tool) => sum + tool.tokens, 0),
  };
}

const CHARACTERS_OF_TOKEN = 4;

function toMeteredTool({
  operation: { definition, key },
  description: entry,
}: Offered): MeteredTool {
  const { tool, description: own } = definition;
  return {
    name: entry.name,
    capability: key,
    tokens: Math.ceil(JSON.stringify(entry).length / CHARACTERS_OF_TOKEN),
    isDescribed: ((tool !== false && tool?.description) || own) !== undefined,
  };
}

/** The meter as text: a tool a line, `  items_getItem  90  items.getItem  no description`, below the sum. */
export function toMeterText(
  { tools, tokens }: ToolMeter,
  budget: number | undefined,
  none: string,
): string {
  const toWidth = (field: 'name' | 'capability' | 'tokens'): number =>
    Math.max(0, ...tools.map((tool) => String(tool[field]).length));
  const name = toWidth('name');
  const capability = toWidth('capability');
  const count = toWidth('tokens');
  const lines = tools.map((tool) => {
    const end = tool.isDescribed ? '' : '  no description';
    const cells = [
      tool.name.padEnd(name),
      String(tool.tokens).padStart(count),
      tool.capability.padEnd(capability),
    ];
    return `  ${cells.join('  ')}${end}`.trimEnd();
  });
  const left = (budget ?? 0) - tokens;
  const state = left < 0 ? `is exceeded by ${toAmount(-left)}` : `leaves ${toAmount(left)}`;
  const head = [
    `Tools (${tools.length}), about ${toAmount(tokens)} tokens`,
    ...(budget === undefined ? [] : [`The budget of ${toAmount(budget)} tokens ${state}.`]),
  ];
  return `${[...head, '', ...lines, ...(tools.length === 0 ? [`  ${none}`] : [])].join('\n')}\n`;
}

/** `6500` is `6,500`. */
function toAmount(count: number): string {
  return count.toLocaleString('en');
}

import type { Tool } from '../../server-runtime/mcp/tools.ts';

/** A tool, and the room that it takes in the window of a model. */
export interface MeteredTool {
  readonly name: string;
  /** Key of the capability. */
  readonly capability: string;
  /** An estimate: a token for four characters of its entry in the list of tools. */
  readonly tokens: number;
  /** Whether an agent is told what it does. */
  readonly isDescribed: boolean;
}

/** The tools with the dearest first, and what they take together. */
export interface ToolMeter {
  readonly tools: readonly MeteredTool[];
  readonly tokens: number;
}

export function toToolMeter(tools: Iterable<Tool>): ToolMeter {
  const metered = [...tools].map(({ operation, description }): MeteredTool => {
    const { definition, key } = operation;
    const { tool } = definition;
    const own = tool === false ? undefined : tool?.description;
    return {
      name: description.name,
      capability: key,
      tokens: Math.ceil(JSON.stringify(description).length / CHARACTERS_OF_TOKEN),
      isDescribed: (own ?? definition.description) !== undefined,
    };
  });
  const dearest = metered.toSorted((one, other) => other.tokens - one.tokens);
  return { tools: dearest, tokens: metered.reduce((sum, { tokens }) => sum + tokens, 0) };
}

const CHARACTERS_OF_TOKEN = 4;

/**
 * The meter as text, with a line feed at its end:
 *
 *     Tools (2), about 210 tokens
 *
 *       items_createItem  120  items.createItem
 *       items_getItem      90  items.getItem     no description
 */
export function toMeterText({ tools, tokens }: ToolMeter): string {
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
  return `${[`Tools (${tools.length}), about ${tokens.toLocaleString('en')} tokens`, '', ...lines].join('\n')}\n`;
}

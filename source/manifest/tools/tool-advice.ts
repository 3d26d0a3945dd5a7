import type { Tool as McpTool } from '@modelcontextprotocol/server';
import type { MeteredTool } from './tool-meter.ts';

/** The tokens from which on a part is worth a thought. */
const MANY = 100;
const LONG_DESCRIPTION = 120;
/** A field that takes more than this share of a tool stands out. */
const LARGE_SHARE = 0.3;
const LONG_ENUM = 20;

interface Advice {
  readonly text: string;
  /** The tokens that it may save; infinite for what a model cannot do without. */
  readonly saves: number;
}

/** The ways to make a tool smaller or clearer, the one that saves most first. */
export function toToolAdvice(
  tool: Omit<MeteredTool, 'advice'>,
  { inputSchema, outputSchema }: Pick<McpTool, 'inputSchema' | 'outputSchema'>,
): readonly string[] {
  const { parts, isDescribed } = tool;
  const advice: readonly Advice[] = [
    ...(isDescribed
      ? []
      : [{ text: "Say what it does: .describe('...'). An agent has only its name to go by.", saves: Infinity }]),
    ...toDescriptionAdvice(parts.description),
    ...toOutputAdvice(tool),
    ...toLargeFields(tool),
    ...findLongEnums('input', inputSchema),
    ...findLongEnums('output', outputSchema),
  ];
  return advice.toSorted((one, other) => (one.saves < other.saves ? 1 : -1)).map(({ text }) => text);
}

function toDescriptionAdvice(tokens: number): readonly Advice[] {
  if (tokens <= LONG_DESCRIPTION) return [];
  const text = `Its description takes ${tokens} tokens. A shorter one for agents: .tool({ description: '…' }).`;
  return [{ text, saves: tokens - LONG_DESCRIPTION }];
}

/** The answer itself tells most of what its schema does. */
function toOutputAdvice({ parts: { output, input } }: Pick<MeteredTool, 'parts'>): readonly Advice[] {
  if (output < MANY || output <= input) return [];
  const text = `Its output schema takes ${output} tokens, more than its input. Declare fewer fields in .output(), or leave .output() out.`;
  return [{ text, saves: output }];
}

function toLargeFields({ fields, tokens }: Pick<MeteredTool, 'fields' | 'tokens'>): readonly Advice[] {
  const [largest] = fields;
  if (largest === undefined || largest.tokens < MANY || largest.tokens < tokens * LARGE_SHARE) return [];
  const { part, name } = largest;
  const text = `The field ${name} of its ${part} takes ${largest.tokens} tokens. Nest less in it, or give it a capability of its own.`;
  return [{ text, saves: largest.tokens }];
}

function findLongEnums(part: 'input' | 'output', schema: unknown): readonly Advice[] {
  const found: Advice[] = [];
  const walk = (value: unknown, name: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { enum: choices } = value as { readonly enum?: unknown };
    if (Array.isArray(choices) && choices.length > LONG_ENUM) {
      const text = `The field ${name} of its ${part} names ${choices.length} choices. Take a text, and tell the choices in a query of their own.`;
      found.push({ text, saves: Math.ceil(JSON.stringify(choices).length / 4) });
    }
    for (const [key, inner] of Object.entries(value)) walk(inner, isStructural(key) ? name : key);
  };
  walk(schema, 'itself');
  return found;
}

/** Keys of a JSON Schema that are not names of fields. */
function isStructural(key: string): boolean {
  return /^\d+$/.test(key) || ['properties', 'items', 'anyOf', 'oneOf', 'allOf', '$defs', 'data'].includes(key);
}

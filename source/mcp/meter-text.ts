import type { ToolMeter } from './tool-meter.ts';

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

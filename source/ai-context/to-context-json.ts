/** JSON with so many levels unfolded, each value below them on one line: short to read for a model, and a line for each change in git. */
export function toContextJson(value: unknown, levels: number, indent = ''): string {
  if (levels === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const toLines = (lines: readonly string[]): string => `\n${lines.map((line) => inner + line).join(',\n')}\n${indent}`;
  if (Array.isArray(value)) {
    return value.length === 0 ? '[]' : `[${toLines(value.map((item) => toContextJson(item, levels - 1, inner)))}]`;
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const lines = fields.map(([name, field]) => `${JSON.stringify(name)}: ${toContextJson(field, levels - 1, inner)}`);
  return lines.length === 0 ? '{}' : `{${toLines(lines)}}`;
}

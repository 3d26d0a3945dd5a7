import type { SchemaField } from '../document/schema-fields.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { type CapabilityDescription, type SchemaDescription, toFieldNote } from './describe-capability.ts';
import { type Fact, noInput, toFacts, toMissingOutput } from './facts.ts';

/**
 * A capability as text, with a line feed at its end and free of escape sequences:
 *
 *     items.getItem
 *
 *       Route      GET /items/:id
 *       Because    `getItem` starts with `get` and the input has `id`.
 *       …
 *
 *     Input
 *       id  string  required
 */
export function toShowText(description: CapabilityDescription): string {
  const { key, description: text, input, output } = description;
  const sections = [
    key,
    ...(text === undefined ? [] : [indent(text.split('\n'))]),
    indent(toFactLines(toFacts(description))),
    `Input\n${indent(toSchemaLines(input, noInput))}`,
    `Output\n${indent(toSchemaLines(output, toMissingOutput(description)))}`,
  ];
  return `${stripControl(sections.join('\n\n'))}\n`;
}

function toFactLines(facts: readonly Fact[]): readonly string[] {
  const width = Math.max(LABEL_WIDTH, ...facts.map(({ label }) => label.length + 1));
  return facts.flatMap(({ label, values }) =>
    values.map((value, index) => `${(index === 0 ? label : '').padEnd(width)}${value}`),
  );
}

/** The width of the labels of the facts that nearly every capability has. */
const LABEL_WIDTH = 11;

function toSchemaLines(schema: SchemaDescription | undefined, missing: string): readonly string[] {
  if (schema === undefined) return [missing];
  if (schema.fields.length === 0) return [schema.type === 'object' ? 'object without fields' : schema.type];
  return toFieldLines(schema.fields);
}

/** One line a field, the fields inside it indented below. Columns line up among siblings. */
function toFieldLines(fields: readonly SchemaField[]): readonly string[] {
  const nameWidth = Math.max(...fields.map(({ name }) => name.length));
  const typeWidth = Math.max(...fields.map(({ type }) => type.length));
  return fields.flatMap((field) => [
    `${field.name.padEnd(nameWidth)}  ${field.type.padEnd(typeWidth)}  ${toFieldNote(field)}`.trimEnd(),
    ...(field.fields.length === 0 ? [] : toFieldLines(field.fields).map((line) => `  ${line}`)),
  ]);
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}

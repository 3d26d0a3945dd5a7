import type { ApiSchema } from '../document/branch.ts';
import { findOutput } from '../document/operations/to-response.ts';
import { type SchemaField, toSchemaFields } from '../document/schema-fields.ts';
import { toTypeText } from '../document/type-text.ts';
import { type Line, toLineText, toOneLine } from '../kit/line.ts';
import { toRowLines } from '../kit/row.ts';
import { textWidth, wrapText } from '../kit/text.ts';
import { type Token, toMethodToken } from '../kit/theme.ts';
import type { Listed, Manifest } from '../manifest/manifest.ts';
import type { ActionRow } from '../screens/use-row-actions.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { type Fact, toFacts, toFieldNote } from './capability-facts.ts';

export interface ShowRowsOptions {
  readonly manifest: Pick<Manifest, 'document'>;
  /** The server, and the command that calls the capability there. Without them, only what is declared is shown. */
  readonly server?: readonly Fact[];
  readonly width: number;
}

/** All about a capability in `width` columns. What is longer than its line goes on below: nothing is cut. */
export function toShowRows(
  capability: Listed,
  { manifest, server, width }: ShowRowsOptions,
): readonly ActionRow[] {
  const { method, facts } = capability;
  const tokens: Readonly<Record<string, Token>> = {
    Route: toMethodToken(method),
    Deprecated: 'warning',
  };
  const rows = [
    ...toTextRows(facts.description ?? '', { id: 'description', width, depth: 0 }),
    ...toFacts(capability, manifest).map((fact) => toFactRow(fact, width, tokens[fact.label])),
    ...toSchemas(capability)
      .filter(({ schema }) => server !== undefined || schema !== undefined)
      .map((each) => toSchemaRow(each, width)),
    ...(server ?? []).map((fact) => toFactRow(fact, width)),
  ];
  return rows.map((row) => ({ capability, ...row }));
}

/** The schemas, and the words for one that is not there: an answer may be declared and have none. */
function toSchemas(capability: Listed) {
  const noInput = 'none declared: the handler gets the fields as they arrive';
  const noOutput = capability.facts.answers.length === 0 ? 'none declared' : 'no data';
  return [
    { label: 'Input', schema: capability.declaredInput(), missing: noInput },
    { label: 'Output', schema: findOutput(capability), missing: noOutput },
  ];
}

const INDENT = 2;
const LABEL_WIDTH = 11;

interface TextStyle {
  readonly id: string;
  readonly width: number;
  readonly depth: number;
  readonly token?: Token | undefined;
}

/** A text on as many lines as it takes; none where it is empty. */
function toTextRows(text: string, { id, width, token, depth }: TextStyle): readonly ActionRow[] {
  if (text === '') return [];
  return wrapText(stripControl(text), roomAt(depth, width)).map((line, index) => ({
    id: `${id} ${index}`,
    line: [{ text: line, token }],
    copied: text,
  }));
}

function roomAt(depth: number, width: number): number {
  return width - depth * INDENT;
}

/** `Intent     query, from the name`; what is too long, or more than one, stands below. */
function toFactRow({ label, values }: Fact, width: number, token?: Token): ActionRow {
  const [first = '', ...others] = values;
  const row = { id: label, copied: values.join('\n') };
  const title = { text: label.padEnd(LABEL_WIDTH), token: 'accent' } as const;
  const fits = LABEL_WIDTH + textWidth(first) <= roomAt(0, width) && !first.includes('\n');
  if (others.length === 0 && fits) return { ...row, line: [title, { text: first, token }] };
  return {
    ...row,
    line: others.length === 0 ? [title] : [title, { text: String(values.length) }],
    children: values.flatMap((value, index) =>
      toTextRows(value, { id: `${label} ${index}`, width, token, depth: 1 }),
    ),
  };
}

/** `Input      object`, its fields below it. */
function toSchemaRow(
  { label, schema, missing }: ReturnType<typeof toSchemas>[number],
  width: number,
): ActionRow {
  if (schema === undefined) return toFactRow({ label, values: [missing] }, width, 'muted');
  const row = toFactRow({ label, values: [toTypeText(schema)] }, width, 'keyword');
  const fields = toFieldRows(toSchemaFields(schema), { path: label, width, depth: 1 });
  return { ...row, children: [...(row.children ?? []), ...fields] };
}

interface FieldPlace {
  readonly path: string;
  readonly width: number;
  readonly depth: number;
}

/** A line a field: name, type and note, in columns among siblings. Without room, all but the name is below. */
function toFieldRows(
  fields: readonly SchemaField[],
  { path, width, depth }: FieldPlace,
): readonly ActionRow[] {
  const nameWidth = Math.max(0, ...fields.map(({ name }) => textWidth(name))) + 2;
  const longestType = Math.max(0, ...fields.map(({ type }) => textWidth(type)));
  const typeWidth = longestType === 0 ? 0 : longestType + 2;
  return fields.map((field): ActionRow => {
    const { name, type } = field;
    const id = `${path}.${name}`;
    const note = toFieldNote(field);
    const toLine = (room: number): Line => [
      { text: name + ' '.repeat(nameWidth - textWidth(name)) },
      {
        text: type + ' '.repeat(Math.max(type === '' ? 0 : 2, room - textWidth(type))),
        token: 'keyword',
      },
      { text: note, token: 'muted' },
    ];
    const line = [typeWidth, 0]
      .map(toLine)
      .find((each) => textWidth(toLineText(each)) <= roomAt(depth, width));
    const below = (text: string, token: Token): readonly ActionRow[] =>
      toTextRows(text, { id: `${id} ${token}`, width, token, depth: depth + 1 });
    return {
      id,
      line: line ?? [{ text: name }],
      copied: `${name}: ${type}`,
      children: [
        ...(line === undefined ? [...below(type, 'keyword'), ...below(note, 'muted')] : []),
        ...toFieldRows(field.fields, { path: id, width, depth: depth + 1 }),
      ],
    };
  });
}

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
export function toShowText(capability: Listed, manifest: Pick<Manifest, 'document'>): string {
  const { key, facts } = capability;
  const factLines = toFacts(capability, manifest).flatMap(({ label, values }) =>
    values.map(
      (value, index) => `${(index === 0 ? label : '').padEnd(LABEL_WIDTH)}${toOneLine(value)}`,
    ),
  );
  const sections = [
    toOneLine(key),
    ...(facts.description ? [indent(facts.description.split('\n'))] : []),
    indent(factLines),
    ...toSchemas(capability).map(({ label, schema, missing }) => {
      return `${label}\n${indent(schema === undefined ? [missing] : toSchemaLines(schema))}`;
    }),
  ];
  return `${stripControl(sections.join('\n\n'))}\n`;
}

function toSchemaLines(schema: ApiSchema): readonly string[] {
  const fields = toSchemaFields(schema);
  const rows = toFieldRows(fields, { path: '', width: Number.POSITIVE_INFINITY, depth: 0 });
  if (rows.length > 0) return toRowLines(rows).map((line) => toOneLine(toLineText(line)).trimEnd());
  const type = toTypeText(schema);
  return [type === 'object' ? 'object without fields' : toOneLine(type)];
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}

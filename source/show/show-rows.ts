import type { SchemaField } from '../document/schema-fields.ts';
import { type Segment, toLineText } from '../kit/line.ts';
import { textWidth, wrapText } from '../kit/text.ts';
import { type Token, toMethodToken } from '../kit/theme.ts';
import { hasRoute, type Listed } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { toSampleCurl } from '../screens/sample-curl.ts';
import type { ActionRow } from '../screens/use-row-actions.ts';
import type { ServerAddress } from '../screens/use-server-address.ts';
import { stripControl } from '../terminal/strip-control.ts';
import {
  describeCapability,
  type Fact,
  noInput,
  type SchemaDescription,
  toFacts,
  toFieldNote,
  toMissingOutput,
} from './describe-capability.ts';

export interface ShowRowsOptions {
  readonly manifest: Manifest;
  /** The server that the curl command calls. */
  readonly address: ServerAddress;
  /** Columns of the view. */
  readonly width: number;
}

/** All about a capability in `width` columns. What is longer than its line goes on below: nothing is cut. */
export function toShowRows(capability: Listed, { manifest, address, width }: ShowRowsOptions): readonly ActionRow[] {
  const described = describeCapability(capability, manifest);
  const toRow = ({ label, values }: Fact): ActionRow => {
    const token = label === 'Route' ? toMethodToken(capability.method) : factTokens[label];
    const row = toFactRow(label, values, { width, token });
    return label.startsWith('Same ') ? withLinks(row, values) : row;
  };
  const rows = [
    ...toTextRows(described.description ?? '', { id: 'description', width, depth: 0 }),
    ...toFacts(described).map(toRow),
    toSchemaRow('Input', described.input, { width, missing: noInput }),
    toSchemaRow('Output', described.output, { width, missing: toMissingOutput(described) }),
  ];
  if (!hasRoute(capability)) return rows;
  return [
    ...rows,
    ...toServerFact(address).map((values) => toFactRow('Server', [values], { width })),
    toFactRow('curl', [toSampleCurl(capability, address)], { width }),
  ].map((row) => ({ capability, ...row }));
}

const factTokens: Readonly<Record<string, Token | undefined>> = {
  Deprecated: 'warning',
  Nearest: 'muted',
  'To change': 'muted',
};

function toServerFact({ url, isRunning }: ServerAddress): readonly string[] {
  if (isRunning === undefined) return [];
  return [isRunning ? `${url}, capix dev` : `not running; it would be at ${url}`];
}

/** Columns of a line that are not its text: the pointer, the sign of a fold, the scroll mark. */
const MARGIN = 6;
const INDENT = 2;
const LABEL_WIDTH = 12;

interface RowStyle {
  readonly width: number;
  readonly token?: Token | undefined;
}

function roomAt(depth: number, width: number): number {
  return width - MARGIN - depth * INDENT;
}

/** A text on as many lines as it takes; none where it is empty. */
function toTextRows(
  text: string,
  { id, width, token, depth }: RowStyle & { readonly id: string; readonly depth: number },
): readonly ActionRow[] {
  if (text === '') return [];
  return wrapText(stripControl(text), roomAt(depth, width)).map((line, index) => ({
    id: `${id} ${index}`,
    line: [{ text: line, token }],
    copied: text,
  }));
}

/** `Intent      query, from the name`; what is too long, or more than one, stands below. */
function toFactRow(label: string, values: readonly string[], style: RowStyle): ActionRow {
  const [first = '', ...others] = values;
  const row = { id: label, copied: values.join('\n') };
  const title: Segment = { text: label.padEnd(LABEL_WIDTH), token: 'accent' };
  const fits = LABEL_WIDTH + textWidth(first) <= roomAt(0, style.width) && !first.includes('\n');
  if (others.length === 0 && fits) return { ...row, line: [title, { text: first, token: style.token }] };
  return {
    ...row,
    line: others.length === 0 ? [title] : [title, { text: String(values.length) }],
    children: values.flatMap((value, index) => toTextRows(value, { ...style, id: `${label} ${index}`, depth: 1 })),
  };
}

/** Each value is the key of a capability, to which Enter leads. */
function withLinks(row: ActionRow, keys: readonly string[]): ActionRow {
  const toRoute = (key = '') => ({ screen: 'show', key }) as const;
  if (keys.length === 1) return { ...row, route: toRoute(keys[0]) };
  return { ...row, children: row.children?.map((child) => ({ ...child, route: toRoute(child.copied) })) ?? [] };
}

/** `Input       object`, its fields below it. */
function toSchemaRow(
  label: string,
  schema: SchemaDescription | undefined,
  { width, missing }: { readonly width: number; readonly missing: string },
): ActionRow {
  if (schema === undefined) return toFactRow(label, [missing], { width, token: 'muted' });
  const row = toFactRow(label, [schema.type], { width, token: 'keyword' });
  const fields = toFieldRows(schema.fields, { path: label, width, depth: 1 });
  return { ...row, children: [...(row.children ?? []), ...fields] };
}

/** The width to which the column of the types grows before a longer one pushes its note away. */
const WIDEST_TYPE = 30;

interface FieldPlace {
  readonly path: string;
  readonly width: number;
  readonly depth: number;
}

/** A line a field: name, type and note, in columns among siblings. What has no room stands below it. */
function toFieldRows(fields: readonly SchemaField[], { path, width, depth }: FieldPlace): readonly ActionRow[] {
  const nameWidth = Math.max(0, ...fields.map(({ name }) => textWidth(name))) + 2;
  const typeWidth = Math.min(WIDEST_TYPE, Math.max(0, ...fields.map(({ type }) => textWidth(type)))) + 2;
  return fields.map((field) => {
    const { name, type } = field;
    const id = `${path}.${name}`;
    const note = toFieldNote(field);
    const cells: readonly Segment[] = [
      { text: name + ' '.repeat(nameWidth - textWidth(name)) },
      { text: type + ' '.repeat(Math.max(2, typeWidth - textWidth(type))), token: 'keyword' },
      { text: note, token: 'muted' },
    ];
    const shown =
      [3, 2, 1].find((count) => textWidth(toLineText(cells.slice(0, count)).trimEnd()) <= roomAt(depth, width)) ?? 1;
    const below = (text: string, cell: number, token: Token): readonly ActionRow[] =>
      shown > cell ? [] : toTextRows(text, { id: `${id} ${token}`, width, token, depth: depth + 1 });
    return {
      id,
      line: cells.slice(0, shown),
      copied: `${name}: ${type}`,
      children: [
        ...below(type, 1, 'keyword'),
        ...below(note, 2, 'muted'),
        ...toFieldRows(field.fields, { path: id, width, depth: depth + 1 }),
      ],
    };
  });
}

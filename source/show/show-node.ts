import { type Line, type Segment, toLineText } from '../kit/line/line.ts';
import { textWidth, wrapText } from '../kit/text/text-width.ts';
import type { Token } from '../kit/theme/tokens.ts';
import type { TreeNode } from '../kit/tree/tree-state.ts';
import type { SchemaField } from '../shape/schema-fields.ts';
import { type SchemaDescription, toFieldNote } from './describe-capability.ts';

/** A line about a capability, and what belongs to it. */
export interface ShowNode extends TreeNode {
  readonly children?: readonly ShowNode[];
  /** Key of the capability that it names. */
  readonly leadsTo?: string | undefined;
}

interface NodeStyle {
  /** Columns of the whole tree. */
  readonly width: number;
  readonly token?: Token | undefined;
}

/** The columns before and after a line of the tree: the pointer, the sign of a fold, the scroll mark. */
const MARGIN = 6;
const INDENT = 2;
const LABEL_WIDTH = 12;
const REASON_WIDTH = 11;
/** Columns of the tree from which on a reason has its label beside it. */
const BESIDE_FROM = 60;

/** A text on as many lines as it takes. */
export function toTextNodes(
  text: string,
  { id, width, token, depth = 0 }: NodeStyle & { readonly id: string; readonly depth?: number },
): readonly ShowNode[] {
  return wrapText(text, roomAt(depth, width)).map((line, index) => ({
    id: `${id} ${index}`,
    line: [{ text: line, token }],
    copied: text,
  }));
}

/** `Intent      query, from the name` */
export function toFact(label: string, value: string, { width, token }: NodeStyle): ShowNode {
  const node = { id: label, copied: value };
  if (LABEL_WIDTH + textWidth(value) <= roomAt(0, width))
    return { ...node, line: [toLabel(label), { text: value, token }] };
  return { ...node, line: [toLabel(label)], children: toTextNodes(value, { id: label, width, token, depth: 1 }) };
}

/** A node with more below what it has there already. */
export function withMore(node: ShowNode, more: readonly ShowNode[]): ShowNode {
  return { ...node, children: [...(node.children ?? []), ...more] };
}

/** A fact of several values; undefined where there are none. */
export function toFactList(
  label: string,
  values: readonly string[],
  { isLink = false, ...style }: NodeStyle & { readonly isLink?: boolean },
): ShowNode | undefined {
  const [first, ...others] = values;
  if (first === undefined) return undefined;
  if (others.length === 0) return { ...toFact(label, first, style), leadsTo: isLink ? first : undefined };
  return {
    id: label,
    line: [toLabel(label), { text: `${values.length}` }],
    copied: values.join('\n'),
    children: values.flatMap((value, index) =>
      toTextNodes(value, { ...style, id: `${label} ${index}`, depth: 1 }).map((node) => ({
        ...node,
        leadsTo: isLink ? value : undefined,
      })),
    ),
  };
}

/** A sentence about the route, below it: `because    `getUser` starts with `get`.` */
export function toReason(label: string, text: string, { width, token }: NodeStyle): readonly ShowNode[] {
  const isBeside = width >= BESIDE_FROM;
  const room = roomAt(1, width) - (isBeside ? REASON_WIDTH : 0);
  const lines = wrapText(isBeside ? text : `${label}: ${text}`, room);
  return lines.map((line, index) => ({
    id: `${label} ${index}`,
    line: isBeside
      ? [
          { text: (index === 0 ? label : '').padEnd(REASON_WIDTH), token: 'muted' },
          { text: line, token },
        ]
      : [{ text: line, token }],
    copied: text,
  }));
}

/** `Input       object`, its fields below it. */
export function toSchemaNode(
  label: string,
  schema: SchemaDescription | undefined,
  { width, missing }: { readonly width: number; readonly missing: string },
): ShowNode {
  if (schema === undefined) return toFact(label, missing, { width, token: 'muted' });
  return withMore(
    toFact(label, schema.type, { width, token: 'keyword' }),
    toFieldNodes(schema.fields, { path: label, width, depth: 1 }),
  );
}

interface FieldPlace {
  readonly path: string;
  readonly width: number;
  readonly depth: number;
}

/** The width to which the column of the types grows before a longer one pushes its note away. */
const WIDEST_TYPE = 30;

/** A line a field: name, type and note, in columns among siblings. A field that is longer has its note, then its type below it. */
function toFieldNodes(fields: readonly SchemaField[], { path, width, depth }: FieldPlace): readonly ShowNode[] {
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
    const room = roomAt(depth, width);
    const shown = [3, 2, 1].find((count) => shownWidth(cells.slice(0, count)) <= room) ?? 1;
    const below = (text: string, from: number, token: Token): readonly ShowNode[] =>
      shown > from ? [] : toTextNodes(text, { id: `${id} ${token}`, width, token, depth: depth + 1 });
    return {
      id,
      line: cells.slice(0, shown),
      copied: `${name}: ${type}`,
      children: [
        ...below(type, 1, 'keyword'),
        ...below(note, 2, 'muted'),
        ...toFieldNodes(field.fields, { path: id, width, depth: depth + 1 }),
      ],
    };
  });
}

function shownWidth(line: Line): number {
  return textWidth(toLineText(line).trimEnd());
}

function roomAt(depth: number, width: number): number {
  return width - MARGIN - depth * INDENT;
}

function toLabel(text: string): Segment {
  return { text: text.padEnd(LABEL_WIDTH), token: 'accent' };
}

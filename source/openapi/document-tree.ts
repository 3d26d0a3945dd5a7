import type {
  OpenApiDocument,
  OperationObject,
} from '../../server-runtime/openapi/openapi-document.ts';
import {
  isSchemaObject,
  parsePointer,
  recordOf,
  type SchemaJson,
  textOf,
} from '../document/schema-json.ts';
import { toTypeText } from '../document/type-text.ts';
import { toScalar, toShortText } from '../kit/json-rows.ts';
import type { Line, Segment } from '../kit/line.ts';
import type { Row } from '../kit/row.ts';
import { signs, toMethodToken } from '../kit/theme.ts';
import { once } from '../values/once.ts';

interface DocumentStyle {
  /** Ids of the operations that are marked: the last load brought or changed them. */
  readonly changedIds: ReadonlySet<string>;
}

/**
 * The document as a tree whose ids are JSON Pointers: an operation is one row, all else is as it is written. What is in
 * a row is made when it is opened for the first time, because a document can be large.
 */
export function toDocumentTree(document: OpenApiDocument, style: DocumentStyle): readonly Row[] {
  return toRows(document, '#', { ...style, document });
}

/** The document, which references in a row point into, and how its rows look. */
interface Tree extends DocumentStyle {
  readonly document: OpenApiDocument;
}

function toRows(value: object, id: string, tree: Tree): readonly Row[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = `${id}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    // The lines of the operations have the paths.
    return id === '#/paths'
      ? toRows(inner as object, at, tree)
      : [toRow(inner, { name, id: at, tree })];
  });
}

interface Place {
  readonly name: string;
  readonly id: string;
  readonly tree: Tree;
}

function toRow(value: unknown, { name, id, tree }: Place): Row {
  const isOperation = /^#\/paths\/[^/]+\/[^/]+$/.test(id);
  const isOne =
    typeof value !== 'object' ||
    value === null ||
    isShortList(value) ||
    findPointer(value) !== undefined;
  const count = isOne ? 0 : Object.keys(value).length;
  const children = once(() => (isOne ? [] : toRows(value, id, tree)));
  const allText = once(() => (JSON.stringify(value) ?? '').toLowerCase());
  // The rows that lead straight to a match stand open.
  const leadsOn = count === 1 || /^(parameters|responses|schemas)$/.test(name);
  const isTop = /^#\/[^/]+$/.test(id);
  return {
    id,
    line: isOperation
      ? toOperationLine(value as OperationObject, id, tree)
      : [{ text: `${name}: ` }, toPreview(value, id, tree.document)],
    isOpen: isTop ? id === '#/paths' : leadsOn && !isOperation,
    hasChildren: count > 0,
    // Most operations and components have nothing of what is searched.
    get allText() {
      return isOperation || /^#\/components\/[^/]+\/[^/]+$/.test(id) ? allText() : undefined;
    },
    get children() {
      return children();
    },
    get copied() {
      return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
    },
  };
}

function toOperationLine(
  operation: OperationObject,
  id: string,
  { changedIds }: DocumentStyle,
): Line {
  const pointer = parsePointer(id);
  const path = pointer[1] ?? '';
  const method = (pointer[2] ?? '').toUpperCase();
  const isChanged = changedIds.has(operation.operationId);
  return [
    { text: method.padEnd(7), token: isChanged ? 'changed' : toMethodToken(method) },
    { text: path, token: isChanged ? 'changed' : undefined },
    ...(operation.deprecated ? [{ text: '  deprecated', token: 'warning' } as const] : []),
    { text: operation.summary === undefined ? '' : `  ${operation.summary}`, token: 'muted' },
  ];
}

/** A value in a few words. */
function toPreview(value: unknown, id: string, root: OpenApiDocument): Segment {
  if (typeof value !== 'object' || value === null) return toScalar(value);
  const reference = findPointer(value);
  if (reference !== undefined)
    return { text: `${signs.arrow} ${parsePointer(reference).at(-1) ?? ''}`, token: 'accent' };
  if (isShortList(value)) return { text: JSON.stringify(value), token: 'string' };
  const [keyword = '', name = ''] = parsePointer(id).slice(-2);
  const isSchema = /^(schemas|(pattern)?[pP]roperties|(any|one|all)Of|prefixItems)$/.test(keyword);
  if (isSchema || /^(schema|items|additionalProperties|propertyNames)$/.test(name))
    return { text: toShortText(toTypeText({ json: value, root })), token: 'muted' };
  return { text: toSummaryText(value as SchemaJson), token: 'muted' };
}

function isShortList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((item) => typeof item !== 'object') &&
    JSON.stringify(value).length <= 60
  );
}

/** The words that tell an object from its neighbours: a parameter's name, a scheme's type, a description. */
function toSummaryText(value: SchemaJson): string {
  const { name, in: place, title, version, type, description, url } = value;
  if (typeof name === 'string') return typeof place === 'string' ? `${name}, in ${place}` : name;
  if (typeof title === 'string') return `${title} ${String(version)}`;
  const count = Object.keys(value).length;
  const text = [url, type, description].map(textOf).find((each) => each !== undefined);
  return text ?? (isSchemaObject(value) ? `{${count}}` : `[${count}]`);
}

/** The pointer of a value that refers to another one. */
export function findPointer(value: unknown): string | undefined {
  const { $ref } = recordOf(value);
  return typeof $ref === 'string' && $ref.startsWith('#/') ? $ref : undefined;
}

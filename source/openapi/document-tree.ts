import type { OpenApiDocument, OperationObject } from '../../server-runtime/http/openapi-document.ts';
import { toApiSchema } from '../document/branch.ts';
import { once, parsePointer, recordOf, type SchemaJson, textOf } from '../document/schema-json.ts';
import { toTypeText } from '../document/type-text.ts';
import type { Line, Segment } from '../kit/line.ts';
import type { Row } from '../kit/row.ts';
import { signs, toMethodToken } from '../kit/theme.ts';

/** A longer text is cut in its line; copying gives all of it. */
const MAX_TEXT = 300;

/**
 * The document as a tree whose ids are JSON Pointers: an operation is one node, all else is as it is written. What is
 * in a node is made when it is opened for the first time, because a document can be large.
 */
export function toDocumentTree(document: OpenApiDocument, style: DocumentStyle): readonly Row[] {
  return Object.entries(document).map(([key, value]) =>
    key === 'paths'
      ? toPathsNode(document, style)
      : toNode(value, { label: key, id: `#/${toPointerPart(key)}`, document }),
  );
}

export interface DocumentStyle {
  /** Ids of the operations that are marked: the last load brought or changed them. */
  readonly changedIds: ReadonlySet<string>;
}

function toPathsNode(document: OpenApiDocument, style: DocumentStyle): Row {
  const { paths } = document;
  return toLazyNode({
    id: '#/paths',
    line: [{ text: 'paths: ' }, { text: `{${Object.keys(paths).length}}`, token: 'muted' }],
    isOpen: true,
    value: paths,
    makeChildren: () =>
      Object.entries(paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) =>
          toOperationNode(operation, {
            method: method.toUpperCase(),
            path,
            id: `#/paths/${toPointerPart(path)}/${method}`,
            document,
            ...style,
          }),
        ),
      ),
  });
}

interface OperationPlace extends DocumentStyle {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly document: OpenApiDocument;
}

function toOperationNode(operation: OperationObject, place: OperationPlace): Row {
  const { method, path, id, changedIds } = place;
  const isChanged = changedIds.has(operation.operationId);
  return toLazyNode({
    id,
    line: [
      { text: method.padEnd(7), token: isChanged ? 'changed' : toMethodToken(method) },
      { text: path, token: isChanged ? 'changed' : undefined },
      ...(operation.deprecated ? [{ text: '  deprecated', token: 'warning' } as const] : []),
      { text: operation.summary === undefined ? '' : `  ${operation.summary}`, token: 'muted' },
    ],
    isOpen: false,
    value: operation,
    makeChildren: () => toMembers(operation, place),
  });
}

interface Place {
  readonly label: string;
  readonly id: string;
  /** The parts that references point into. */
  readonly document: OpenApiDocument;
}

function toNode(value: unknown, place: Place): Row {
  const { label, id } = place;
  const count = countMembers(value);
  const line: Line = [{ text: `${label}: ` }, toPreview(value, place)];
  const isOne = count === undefined || findReference(value) !== undefined || isShortList(value);
  if (isOne) return toLazyNode({ id, line, value });
  return toLazyNode({ id, line, isOpen: isOpenAtFirst(id, count), value, makeChildren: () => toMembers(value, place) });
}

function toMembers(value: unknown, { id, document }: Omit<Place, 'label'>): readonly Row[] {
  return Object.entries(value as object).map(([label, child]) =>
    toNode(child, { label, id: `${id}/${toPointerPart(label)}`, document }),
  );
}

/** The nodes that lead straight to a match stand open. */
function isOpenAtFirst(id: string, count: number): boolean {
  const names = parsePointer(id);
  return names.length > 1 && (count === 1 || ['parameters', 'responses', 'schemas'].includes(names.at(-1) ?? ''));
}

interface LazyNode {
  readonly id: string;
  readonly line: Line;
  readonly isOpen?: boolean;
  readonly value: unknown;
  readonly makeChildren?: () => readonly Row[];
}

function toLazyNode({ id, line, isOpen = true, value, makeChildren }: LazyNode): Row {
  const children = once(makeChildren ?? (() => []));
  const allText = once(() => (JSON.stringify(value) ?? '').toLowerCase());
  // Most operations and components have nothing of what is searched.
  const isEntry = /^#\/(paths|components)\/[^/]+\/[^/]+$/.test(id);
  return {
    id,
    line,
    isOpen,
    hasChildren: makeChildren !== undefined && countMembers(value) !== 0,
    get allText() {
      return isEntry ? allText() : undefined;
    },
    get children() {
      return children();
    },
    get copied() {
      return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
    },
  };
}

function countMembers(value: unknown): number | undefined {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

/** A value in a few words. */
function toPreview(value: unknown, { id, document }: Place): Segment {
  const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);
  if (typeof value === 'string') return { text: cut(JSON.stringify(value)), token: 'string' };
  if (typeof value !== 'object' || value === null)
    return { text: String(value), token: typeof value === 'number' ? 'number' : 'keyword' };
  const reference = findReference(value);
  if (reference !== undefined)
    return { text: `${signs.arrow} ${parsePointer(reference).at(-1) ?? ''}`, token: 'accent' };
  if (isShortList(value)) return { text: JSON.stringify(value), token: 'string' };
  const [keyword = '', name = ''] = parsePointer(id).slice(-2);
  const isSchema = /^(schemas|(pattern)?[pP]roperties|(any|one|all)Of|prefixItems)$/.test(keyword);
  if (isSchema || /^(schema|items|additionalProperties|propertyNames)$/.test(name))
    return { text: cut(toTypeText(toApiSchema(value, document))), token: 'muted' };
  return { text: toSummary(value as SchemaJson), token: 'muted' };
}

function isShortList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item !== 'object') && JSON.stringify(value).length <= 60;
}

/** The words that tell an object from its neighbours: a parameter's name, a scheme's type, a description. */
function toSummary(value: SchemaJson): string {
  const { name, in: place, title, version, type, required, description, url } = value;
  if (typeof name === 'string')
    return [name, textOf(place) && `in ${String(place)}`, required === true && 'required'].filter(Boolean).join(', ');
  if (typeof title === 'string' && typeof version === 'string') return `${title} ${version}`;
  const count = Object.keys(value).length;
  const text = [url, type, description].map(textOf).find((each) => each !== undefined);
  return text ?? (Array.isArray(value) ? `[${count}]` : `{${count}}`);
}

/** The name of a member in a JSON Pointer: `/users` is `~1users`. */
function toPointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The pointer of a value that refers to another one. */
export function findReference(value: unknown): string | undefined {
  const { $ref } = recordOf(value);
  return typeof $ref === 'string' && $ref.startsWith('#/') ? $ref : undefined;
}

import { looksSecret } from '../../../../server-runtime/schema/looks-secret.ts';
import { type FormNode, type TypedNode, toTypedNode, unset } from '../form-node.ts';

/** The contents of a form, to be kept in a file: without values whose names say that they are secrets. */
export function toDraft(node: FormNode): FormNode {
  switch (node.kind) {
    case 'object':
      return {
        ...node,
        fields: node.fields
          .filter(({ name }) => !looksSecret(name))
          .map(({ name, node: inner }) => ({ name, node: toDraft(inner) })),
        extras: node.extras
          .filter(({ name }) => !looksSecret(name.text))
          .map(({ name, node: inner }) => ({ name, node: toDraft(inner) })),
      };
    case 'list':
      return { ...node, items: node.items.map(toDraft) };
    case 'variant':
      return {
        ...node,
        nodes: Object.fromEntries(Object.entries(node.nodes).map(([index, inner]) => [index, toDraft(inner)])),
      };
    case 'text':
    case 'json':
      // JSON that is half typed has no names that could be told from the rest.
      return /^\s*[[{]/.test(node.text) && looksSecret(node.text) ? unset : node;
    case 'unset':
    case 'null':
    case 'pick':
      return node;
  }
}

/** Reads what a file has kept; undefined for anything else. */
export function parseDraft(draft: unknown): FormNode | undefined {
  if (!isRecord(draft)) return undefined;
  switch (draft['kind']) {
    case 'unset':
    case 'null':
      return { kind: draft['kind'] };
    case 'text':
    case 'json':
      return parseTyped(draft);
    case 'pick':
      return isIndex(draft['index']) ? { kind: 'pick', index: draft['index'] } : undefined;
    case 'object':
      return {
        kind: 'object',
        isExplicit: draft['isExplicit'] === true,
        fields: toList(draft['fields'], ({ name, node }) => typeof name === 'string' && withNode({ name }, node)),
        extras: toList(draft['extras'], ({ name, node }) => {
          const typed = isRecord(name) ? parseTyped(name) : undefined;
          return typed !== undefined && withNode({ name: typed }, node);
        }),
      };
    case 'list':
      return { kind: 'list', items: toList(draft['items'], parseDraft) };
    case 'variant': {
      const nodes = isRecord(draft['nodes']) ? Object.entries(draft['nodes']) : [];
      const read = nodes.map(([index, node]) => [index, parseDraft(node)]).filter(([, node]) => node !== undefined);
      return isIndex(draft['index'])
        ? {
            kind: 'variant',
            index: draft['index'],
            nodes: Object.fromEntries(read) as Readonly<Record<number, FormNode>>,
          }
        : undefined;
    }
    default:
      return undefined;
  }
}

type JsonRecord = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isIndex(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

function parseTyped({ kind, text }: JsonRecord): TypedNode | undefined {
  return typeof text === 'string' ? toTypedNode(text, kind === 'json' ? 'json' : 'text') : undefined;
}

function withNode<Named>(named: Named, draft: unknown): (Named & { readonly node: FormNode }) | undefined {
  const node = parseDraft(draft);
  return node && { ...named, node };
}

function toList<Item>(draft: unknown, read: (item: JsonRecord) => Item | false | undefined): readonly Item[] {
  const items = Array.isArray(draft) ? (draft as readonly unknown[]).filter(isRecord) : [];
  return items.map(read).filter((item) => item !== undefined && item !== false) as readonly Item[];
}

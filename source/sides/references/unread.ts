import { findDocumentFacts } from '../../document/facts.ts';
import { readOperations } from '../../document/operations/read-operations.ts';
import type { SchemaJson } from '../../document/schema-json.ts';
import { type OpenObject, toPointer, walkDocument } from './walk-document.ts';

/** A part of a document that no comparison looks at. */
export interface Unread {
  /** The first place, as a JSON Pointer: `/paths/~1pets/get`. In another file, the file stands before it. */
  readonly place: string;
  /** ``"`$ref: ../common.yaml`"`` or `callbacks`: what stands there. */
  readonly keyword: string;
  /** How often it stands in the document. */
  readonly count: number;
  /** Why it is not read, to follow a colon. */
  readonly reason: string;
}

/** Counts what is not read, by keyword and reason, in the order of the document. */
export class UnreadList {
  readonly #found = new Map<string, Unread>();

  add({ keyword, reason, place, count }: Unread): void {
    const key = `${keyword}\n${reason}`;
    const known = this.#found.get(key) ?? { place, keyword, count: 0, reason };
    this.#found.set(key, { ...known, count: known.count + count });
  }

  list(): readonly Unread[] {
    return [...this.#found.values()];
  }
}

/** Finds the parts of a document that no rule compares. @throws TooDeep */
export function findUnread(document: SchemaJson): readonly Unread[] {
  const unread = new UnreadList();
  walkDocument(document, ({ object, path }) => {
    for (const { keyword, reason } of uncompared)
      if (isCarried(object, keyword))
        unread.add({ keyword, reason, place: `${toPointer(path)}/${keyword}`, count: 1 });
  });
  if (findDocumentFacts(document) === undefined) findRepeatedIds(document, unread);
  return unread.list();
}

/** Whether something stands at a keyword, and not only an empty list or map. */
function isCarried(object: OpenObject, keyword: string): boolean {
  const value = object[keyword];
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** What a document may have, callers may rely on, and no rule looks at. `docs/gate.md` has the same list. */
export const uncompared: readonly Pick<Unread, 'keyword' | 'reason'>[] = [
  { keyword: 'variables', reason: 'variables of servers are not compared' },
];

/** OpenAPI wants an id for each operation: where two have one, it says nothing of either. */
function findRepeatedIds(document: SchemaJson, unread: UnreadList): void {
  const met = new Set<string>();
  for (const { operationId, template, method } of readOperations(document)) {
    if (operationId === undefined) continue;
    const path = ['paths', template, method.toLowerCase(), 'operationId'];
    const reason = `several operations are called ${operationId}: they are told apart by their routes`;
    if (met.has(operationId))
      unread.add({ keyword: 'operationId', reason, place: toPointer(path), count: 1 });
    met.add(operationId);
  }
}

import type { SchemaJson } from '../../document/schema-json.ts';
import { type Unread, UnreadList } from './unread.ts';
import { type OpenObject, toPointer, walkDocument } from './walk-document.ts';

/** Finds the parts of a document that nobody compares. @throws TooDeep */
export function findUnread(document: SchemaJson): readonly Unread[] {
  const unread = new UnreadList();
  walkDocument(document, ({ object, path }) => {
    for (const { keyword, reason } of uncompared)
      if (isCarried(object, keyword))
        unread.add({ keyword, reason, place: `${toPointer(path)}/${keyword}`, count: 1 });
  });
  return unread.list();
}

/** Whether something stands at a keyword, and not only an empty list or map. */
function isCarried(object: OpenObject, keyword: string): boolean {
  const value = object[keyword];
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** What a document may have, callers may rely on, and no rule looks at. `docs/gate.md` has the same list. */
export const uncompared: readonly Pick<Unread, 'keyword' | 'reason'>[] = [
  { keyword: 'callbacks', reason: 'requests to the caller are not compared' },
  { keyword: 'links', reason: 'links between operations are not compared' },
  { keyword: 'webhooks', reason: 'requests to the caller are not compared' },
  { keyword: 'additionalOperations', reason: 'methods of OpenAPI 3.2 are not compared' },
];

import type { ApiHeader, ApiLink, ApiResponse } from '../document/operations/api-operation.ts';
import { toSortedText } from '../document/schema-json.ts';
import {
  type ContractChange,
  compareFacts,
  compareMembers,
  type Fact,
} from './changes/contract-change.ts';
import { overHttp } from './changes/rule.ts';
import { compareAsField, compareParts, pairBy } from './schemas/compare-schemas.ts';

/** What a response sends, whatever its status. */
export type Sent = Pick<ApiResponse, 'status' | 'contents' | 'headers'>;

interface SentPlace {
  readonly at: string;
  /** The newer document. */
  readonly root: object;
}

/** Compares headers like the fields of an object. `hidden` are those that are compared elsewhere. */
export function compareHeaders(
  old: Sent,
  now: Sent,
  { at, hidden, root }: SentPlace & { readonly hidden: RegExp },
): readonly ContractChange[] {
  const names = new Set([...old.headers, ...now.headers].map(({ name }) => name));
  return [...names].flatMap((name) => {
    if (hidden.test(name)) return [];
    const before = findHeader(old, name);
    const after = findHeader(now, name);
    if (before === undefined || after === undefined) return compareHeader(before, after, at);
    // At this place a header has its bare name in messages.
    return compareParts({ before, after, root }, (component) =>
      compareHeader(before, after, component === undefined ? at : 'output'),
    );
  });
}

function findHeader({ headers }: Sent, wanted: string): ApiHeader | undefined {
  return headers.find(({ name }) => name === wanted);
}

function compareHeader(
  before: ApiHeader | undefined,
  after: ApiHeader | undefined,
  at: string,
): readonly ContractChange[] {
  const changes = compareAsField(before, after, { at, direction: 'output' });
  return changes.map((change) => ({ ...change, audience: overHttp }));
}

/** OpenAPI says it of the content: as a header it is ignored. */
export const ofContent = /^content-type$/;

/** Headers on responses of every server of capix. They are reported where they are declared. */
export const standing =
  /^(x-request-id|ratelimit.*|retry-after|etag|cache-control|vary|deprecation|sunset|link|idempoten.*)$/;

/** Compares what clients may follow from a response. */
export function compareLinks(
  old: ApiResponse,
  now: ApiResponse,
  { at, root, component }: SentPlace & { readonly component: string | undefined },
): readonly ContractChange[] {
  const owner = component === undefined ? '' : ` of \`${component}\``;
  const toNames = ({ links }: ApiResponse) => links.map(({ name }) => `link \`${name}\`${owner}`);
  const toFact = ({ name, target }: ApiLink): Fact => ({
    id: name,
    rule: 'link-removed',
    at,
    label: `target of link \`${name}\`${owner}`,
    value: toSortedText(target),
    classes: { other: 'risky' },
  });
  const targets = pairBy(old.links, now.links, ({ name }) => name).flatMap((pair) =>
    compareParts({ ...pair, root }, () =>
      compareFacts([toFact(pair.before)], [toFact(pair.after)]),
    ),
  );
  const members = compareMembers(toNames(old), toNames(now), {
    at,
    added: 'link-added',
    removed: 'link-removed',
  });
  return [...members, ...targets].map((change) => ({ ...change, audience: overHttp }));
}

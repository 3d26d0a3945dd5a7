import type { JsonSchema } from '../../../server-runtime/schema/to-json-schema.ts';
import type { WireFormat } from '../../manifest/manifest.ts';
import type { ContractChange } from '../contract-change.ts';
import type { RuleId } from '../rules/contract-rules.ts';
import { toChange } from '../rules/to-change.ts';
import { diffSchemas } from '../schemas/diff-schemas.ts';
import { diffCacheControl } from './diff-cache-control.ts';

/** Compares what stands around every call; nothing where one of the two does not say. */
export function diffWire(before: WireFormat | undefined, after: WireFormat | undefined): readonly ContractChange[] {
  if (before === undefined || after === undefined) return [];
  const facts = [
    ['prefix-changed', 'prefix', 'the prefix of every path', before.prefix || 'none', after.prefix || 'none'],
    ['envelope-data-changed', 'data', 'the field of the data', toField(before), toField(after)],
    ['failure-type-changed', 'failureType', 'the media type of a refusal', before.failureType, after.failureType],
    [
      'validation-status-changed',
      'validationStatus',
      'the status of an input that does not fit',
      `${before.validationStatus}`,
      `${after.validationStatus}`,
    ],
  ] as const satisfies readonly (readonly [RuleId, ...string[]])[];
  return [
    ...facts
      .filter(([, , , old, now]) => old !== now)
      .map(([rule, place, name, old, now]) =>
        toChange(rule, { at: `server.${place}`, message: `${name} is ${now}, it was ${old}`, before: old, after: now }),
      ),
    ...diffSuccesses(before, after),
    ...diffFailures(before, after),
    ...diffEtag(before, after),
    ...diffCacheControl(before, after, 'server.cacheControl'),
  ];
}

function diffEtag({ etag: old }: WireFormat, { etag: now }: WireFormat): readonly ContractChange[] {
  if (old === now) return [];
  const change = { at: 'server.etag' } as const;
  return now === undefined
    ? [toChange('etag-removed', { ...change, message: 'answers to GET have no `ETag` any more' })]
    : [toChange('etag-added', { ...change, message: 'answers to GET have an `ETag`' })];
}

function toField({ dataField }: WireFormat): string {
  return dataField === null ? 'none' : `\`${dataField}\``;
}

/** Compares the fields beside the data. Data in another place is a change of its own. */
function diffSuccesses(before: WireFormat, after: WireFormat): readonly ContractChange[] {
  if (before.dataField !== after.dataField || before.success === undefined || after.success === undefined) return [];
  return diffBodies(before.success, after.success, ['success', 'the body of an answer']);
}

function diffFailures(before: WireFormat, after: WireFormat): readonly ContractChange[] {
  return diffBodies(before.failure, after.failure, ['failure', 'the body of a refusal']);
}

/** Agents are told of both in another way. */
function diffBodies(
  before: JsonSchema,
  after: JsonSchema,
  [place, name]: readonly [string, string],
): readonly ContractChange[] {
  return diffSchemas({ before, after, direction: 'output' }).map((change) => ({
    ...change,
    at: change.at.replace(/^output/, `server.${place}`),
    message: `${name}: ${change.message}`,
    audience: change.audience.filter((who) => who !== 'agents'),
  }));
}

import { findMarkedKeyRule, KEY_HEADER, type KeyRule } from '../../../server-runtime/enhancers/once/find-key-rule.ts';
import type { ManifestCapability } from '../../manifest/manifest.ts';
import { isSchemaObject } from '../../shape/read/schema-json.ts';
import type { ContractChange } from '../contract-change.ts';
import { toChange } from '../rules/to-change.ts';

/** The part of a request that carries each field, whether a form may be its body, and whether it has a key. */
export function diffRequest(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  const sent = [...(before.sent ?? []), ...(after.sent ?? [])].map(({ field }) => field);
  return [
    ...[...new Set(sent)].flatMap((field) => diffSentField(field, before, after)),
    ...diffForm(before, after),
    ...diffKey(before, after),
  ];
}

function diffKey(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  const [old, now] = [toKeyText(before), toKeyText(after)];
  if (old === now) return [];
  const rules = { ignored: 'idempotency-key-ignored', required: 'idempotency-key-required' } as const;
  const taken = old === 'ignored' ? 'idempotency-key-taken' : 'idempotency-key-optional';
  const message = `\`${KEY_HEADER}\` is ${now}, it was ${old}`;
  return [
    toChange(now === 'optional' ? taken : rules[now], { at: 'idempotency key', message, before: old, after: now }),
  ];
}

function toKeyText({ intent, enhancers }: ManifestCapability): KeyRule | 'ignored' {
  return findMarkedKeyRule({ intent, enhancers }) ?? 'ignored';
}

/** A field that only one of the two has is told with the schemas. */
function diffSentField(
  field: string,
  before: ManifestCapability,
  after: ManifestCapability,
): readonly ContractChange[] {
  const [old, now] = [toCarrier(before, field), toCarrier(after, field)];
  if (old === now || !hasField(before, field) || !hasField(after, field)) return [];
  const message = `\`${field}\` is taken from ${now}, it was from ${old}`;
  const rule = isRequired(after, field) ? 'sent-field-moved' : 'sent-field-moved-optional';
  return [toChange(rule, { at: `input.${field}`, message, before: old, after: now })];
}

function hasField({ inputFields }: ManifestCapability, field: string): boolean {
  return inputFields === undefined || inputFields.includes(field);
}

function toCarrier({ sent, params, method }: ManifestCapability, field: string): string {
  const place = sent?.find((each) => each.field === field);
  if (place !== undefined) return `the ${place.in} \`${place.name}\``;
  if (params.includes(field)) return 'the path';
  return method === 'GET' || method === 'DELETE' ? 'the query' : 'the body';
}

function isRequired({ input }: ManifestCapability, field: string): boolean {
  const required = isSchemaObject(input?.json) ? input.json['required'] : undefined;
  return Array.isArray(required) && required.includes(field);
}

function diffForm(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  if (before.takesForm === after.takesForm) return [];
  const verb = after.takesForm ? 'accepted' : 'no longer accepted';
  const message = `a body of application/x-www-form-urlencoded is ${verb}`;
  return [toChange(after.takesForm ? 'form-body-taken' : 'form-body-refused', { at: 'form', message })];
}

import type { ManifestCapability } from '../../manifest/manifest.ts';
import { findField } from '../../shape/find-field.ts';
import { isSchemaObject, type SchemaJson } from '../../shape/read/schema-json.ts';
import { toShape } from '../../shape/read/to-shape.ts';
import { withoutNull } from '../../shape/resolve-shape.ts';
import type { Shape } from '../../shape/shape.ts';
import type { ContractChange } from '../contract-change.ts';
import { toRouteShape } from '../facts/route-shape.ts';
import type { RuleId } from '../rules/contract-rules.ts';
import { toChange } from '../rules/to-change.ts';
import { diffChecks } from './diff-checks.ts';
import { diffSchemas } from './diff-schemas.ts';

/** The differences between two inputs, with where each of their fields is sent: a name in the path is nothing to HTTP, and a number in the query is text. */
export function diffInputs(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  const renamed = [...findRenamedParameters(before, after), ...findRenamedSent(before, after)];
  const old = withNames(before.input?.json, renamed);
  const now = after.input?.json;
  const changes = diffSchemas({ before: old, after: now, direction: 'input' });
  const isText = (name: string): boolean => !hasBody(after) || isCarried(name, after);
  return [
    ...renamed.map(({ from, to, place, rule }) =>
      toChange(rule, {
        at: `input.${from}`,
        message: `\`${from}\` in the ${place} is called \`${to}\` now`,
        before: from,
        after: to,
      }),
    ),
    ...changes.map((change) => toTextChange(change, { old, now, isText })),
    ...diffChecks(old, now),
  ];
}

function hasBody({ method }: ManifestCapability): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

/** Whether the path, a header or a cookie carries a field. */
function isCarried(name: string, { params, sent = [] }: ManifestCapability): boolean {
  return params.includes(name) || sent.some(({ field }) => field === name);
}

interface RenamedField {
  readonly from: string;
  readonly to: string;
  readonly place: string;
  readonly rule: RuleId;
}

/** The parameters of the same requests, by position. */
function findRenamedParameters(before: ManifestCapability, after: ManifestCapability): readonly RenamedField[] {
  if (toRouteShape(before) !== toRouteShape(after)) return [];
  return before.params.flatMap((from, index) => {
    const to = after.params[index];
    if (to === undefined || !isRenamed(before, after, [from, to])) return [];
    return [{ from, to, place: 'path', rule: 'path-parameter-field-renamed' }];
  });
}

/** The fields of the same header or cookie. */
function findRenamedSent(before: ManifestCapability, after: ManifestCapability): readonly RenamedField[] {
  return (before.sent ?? []).flatMap(({ field: from, in: place, name }) => {
    const to = after.sent?.find((each) => each.in === place && each.name === name)?.field;
    if (to === undefined || !isRenamed(before, after, [from, to])) return [];
    return [{ from, to, place: `${place} \`${name}\``, rule: 'sent-field-renamed' }];
  });
}

function isRenamed(
  before: ManifestCapability,
  after: ManifestCapability,
  [from, to]: readonly [from: string, to: string],
): boolean {
  const [old, now] = [findFields(before.input?.json), findFields(after.input?.json)];
  return to !== from && from in old && !(from in now) && to in now && !(to in old);
}

function findFields(json: unknown): SchemaJson {
  return isSchemaObject(json) && isSchemaObject(json['properties']) ? json['properties'] : {};
}

function withNames(json: unknown, names: readonly RenamedField[]): unknown {
  if (names.length === 0 || !isSchemaObject(json)) return json;
  const rename = (name: string): string => names.find(({ from }) => from === name)?.to ?? name;
  const { required } = json;
  return {
    ...json,
    properties: Object.fromEntries(Object.entries(findFields(json)).map(([name, field]) => [rename(name), field])),
    ...(Array.isArray(required) ? { required: required.map(rename) } : {}),
  };
}

interface TextFields {
  readonly old: unknown;
  readonly now: unknown;
  /** Whether a field is sent as text: in the path, the query, a header or a cookie. */
  readonly isText: (name: string) => boolean;
}

/** A field of another type whose text still fits is the same request. */
function toTextChange(change: ContractChange, { old, now, isText }: TextFields): ContractChange {
  const name = change.at.slice('input.'.length);
  if (change.rule !== 'input-type-narrowed' || !(name in findFields(now)) || !isText(name)) return change;
  const [from, to] = [old, now].map((json) => findField(toShape(json), name));
  return from && to && takesText(withoutNull(from), withoutNull(to))
    ? toChange('input-text-type-changed', change)
    : change;
}

/** Whether the text of every value of the first is one that the second takes. */
function takesText(from: Shape, to: Shape): boolean {
  if (!['number', 'boolean', 'string'].includes(from.kind)) return false;
  if (to.kind === 'array') return (to.minItems ?? 0) <= 1 && JSON.stringify(from) === JSON.stringify(to.items());
  if (to.kind !== 'string') return false;
  const isAnyLength = (to.minLength ?? 0) <= 1 && to.maxLength === undefined;
  return isAnyLength && to.patterns.length + to.formats.length === 0;
}

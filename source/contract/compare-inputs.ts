import { isSameJson } from '../document/accepts.ts';
import type { ApiContent, ApiOperation } from '../document/api-operation.ts';
import type { ApiSchema } from '../document/branch.ts';
import { findOnlyBranch, toTarget, toValueBranches } from '../document/read-branches.ts';
import { recordOf, toTexts } from '../document/schema-json.ts';
import { compareChecks } from './compare-checks.ts';
import { compareFacts, compareMembers, type Fact } from './compare-facts.ts';
import { compareOtherContents } from './compare-responses.ts';
import { toRouteShape } from './compare-routes.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { ContractChange } from './contract-change.ts';
import { toChange } from './rules.ts';
import { toSortedText } from './sorted-json.ts';

/**
 * Compares all that a request carries: its values, and the place of each. A name in the path is nothing to HTTP, and a
 * number in the query is text.
 */
export function compareInputs(before: ApiOperation, after: ApiOperation): readonly ContractChange[] {
  const renamed = findRenamed(before, after);
  const [old, now] = [withNames(before.input(), renamed), after.input()];
  const isText = (name: string): boolean => [before, after].every((each) => toPlace(each, name) !== BODY);
  const isSameRoute = toRouteShape(before) === toRouteShape(after);
  const required = (now && findOnlyBranch(now)?.required) ?? new Set();
  const facts = [before, after].map((operation, index) => [
    ...toPlaceFacts(operation, required, isSameRoute).filter(({ name }) => index === 0 || !isNew(name, renamed)),
    ...toWritingFacts(operation),
  ]);
  return [
    ...renamed.map(({ from, to, place }) => {
      const message = `\`${from}\` in ${place} is called \`${to}\` now`;
      return toChange('sent-field-renamed', { at: `input.${from}`, message, before: from, after: to });
    }),
    ...compareSchemas(old, now, { at: 'input', direction: 'input' }).map((change) =>
      toTextChange(change, [old, now], isText),
    ),
    ...compareOwnChecks(before, after),
    ...compareFacts(facts[0] ?? [], facts[1] ?? []),
    ...compareBodies(before, after),
  ];
}

interface RenamedField {
  readonly from: string;
  readonly to: string;
  readonly place: string;
}

function isNew(name: string, renamed: readonly RenamedField[]): boolean {
  return renamed.some(({ to }) => name === toPlaceName(to));
}

/** The fields of the same parameter of the path, header or cookie. */
function findRenamed(before: ApiOperation, after: ApiOperation): readonly RenamedField[] {
  const [old, now] = [findFields(before.input()), findFields(after.input())];
  const isSamePath = toRouteShape(before) === toRouteShape(after);
  const ofPaths = (isSamePath ? before.params : []).map((from, index) => ({
    from,
    to: after.params[index],
    place: 'the path',
  }));
  const sent = before.parameters.filter(({ in: place }) => place === 'header' || place === 'cookie');
  const ofHeaders = sent.map(({ field: from = '', in: place, name }) => {
    const heir = after.parameters.find((each) => each.in === place && each.name === name);
    return { from, to: heir?.field, place: `the ${place} \`${name}\`` };
  });
  return [...ofPaths, ...ofHeaders].flatMap(({ from, to, place }) => {
    const isRenamed = to !== undefined && to !== from && old.has(from) && !now.has(from) && now.has(to) && !old.has(to);
    return isRenamed ? [{ from, to, place }] : [];
  });
}

function findFields(input: ApiSchema | undefined): ReadonlyMap<string, ApiSchema> {
  return (input && findOnlyBranch(input)?.fields) ?? new Map<string, ApiSchema>();
}

function withNames(input: ApiSchema | undefined, renamed: readonly RenamedField[]): ApiSchema | undefined {
  if (input === undefined || renamed.length === 0) return input;
  const { properties, required, ...json } = recordOf(toTarget(input));
  const toName = (name: string): string => renamed.find(({ from }) => from === name)?.to ?? name;
  const fields = Object.entries(recordOf(properties)).map(([name, field]) => [toName(name), field]);
  return {
    ...input,
    json: { ...json, properties: Object.fromEntries(fields), required: toTexts(required).map(toName) },
  };
}

/** A field of another type whose text still fits is the same request. */
function toTextChange(
  change: ContractChange,
  [old, now]: readonly [ApiSchema | undefined, ApiSchema | undefined],
  isText: (name: string) => boolean,
): ContractChange {
  const name = change.at.slice('input.'.length);
  const [from, to] = [findFields(old).get(name), findFields(now).get(name)];
  if (change.rule !== 'input-type-narrower' || !from || !to || !isText(name) || !takesText(from, to)) return change;
  const { at, message, before, after } = change;
  return toChange('input-text-type-changed', { at, message, before, after });
}

/** Whether the text of every value of the first is one that the second takes. */
function takesText(from: ApiSchema, to: ApiSchema): boolean {
  const only = findOnlyBranch(to);
  const isText = toValueBranches(from).every(
    ({ type, values }) => values === undefined && ['number', 'integer', 'boolean', 'string'].includes(type),
  );
  if (only === undefined || only.values !== undefined || !isText) return false;
  const { type, first, rest, counts, patterns, formats } = only;
  if (type === 'array' && first.length === 0)
    return (counts.minItems ?? 0) <= 1 && isSameJson(toTarget(from), rest && toTarget(rest));
  const isAnyLength = (counts.minLength ?? 0) <= 1 && counts.maxLength === undefined;
  return type === 'string' && isAnyLength && patterns.length + formats.length === 0;
}

/** The checks of schemas of other libraries than zod, of which the document knows no place. */
export function compareOwnChecks(
  { facts: old }: ApiOperation,
  { facts: now }: ApiOperation,
): readonly ContractChange[] {
  if (old === undefined || now === undefined) return [];
  return compareChecks(old.inputChecks ?? [], now.inputChecks ?? []).map(({ effect, message }) =>
    toChange(`input-check-${effect}`, { at: 'input', message: `the input ${message}` }),
  );
}

const BODY = 'the body';

/** The place that carries a field. */
function toPlace({ parameters }: ApiOperation, name: string): string {
  const parameter = parameters.find(({ field }) => field === name);
  if (parameter === undefined) return BODY;
  const isNamed = parameter.in === 'header' || parameter.in === 'cookie';
  return isNamed ? `the ${parameter.in} \`${parameter.name}\`` : `the ${parameter.in}`;
}

/** Another route moves the fields of its query, path and body with it. */
function toPlaceFacts(operation: ApiOperation, required: ReadonlySet<unknown>, isSameRoute: boolean): readonly Fact[] {
  return [...findFields(operation.input()).keys()].map((field) => {
    const place = toPlace(operation, field);
    const value = isSameRoute || place.includes('`') ? place : 'the route';
    const rule = required.has(field) ? 'sent-field-moved' : 'sent-field-moved-optional';
    return { at: `input.${field}`, name: toPlaceName(field), value, rule };
  });
}

function toPlaceName(field: string): string {
  return `place of \`${field}\``;
}

/** The form in which lists and objects are written in a parameter, and the parts of a form. */
function toWritingFacts({ parameters, body }: ApiOperation): readonly Fact[] {
  const ofParameters = parameters.map(({ name, in: place, style, explode }): Fact => {
    const written = style ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
    const value = `${written}${(explode ?? written === 'form') ? ', exploded' : ''}`;
    return { at: `input.${name}`, name: `style of \`${name}\` in the ${place}`, value, rule: 'input-unclear' };
  });
  const ofBodies = (body?.contents ?? []).map(({ mediaType, encoding }): Fact => {
    const value = toSortedText(encoding);
    return { at: 'body', name: `encoding of the parts of ${mediaType}`, value, rule: 'input-unclear' };
  });
  return [...ofParameters, ...ofBodies];
}

function compareBodies({ body: old, facts }: ApiOperation, { body: now }: ApiOperation): readonly ContractChange[] {
  if (old === undefined || now === undefined) return [];
  const toTypes = ({ contents }: typeof old) => contents.map(({ mediaType }) => `a body of ${mediaType}`);
  const rules = { at: 'body', added: 'body-type-added', removed: 'body-type-removed' } as const;
  const types = compareMembers(toTypes(old), toTypes(now), rules);
  if (facts !== undefined) return types;
  // The tool writes all bodies of one schema, which says of each field whether it is required. The input has what the
  // first JSON says.
  const [others, heirs] = [old, now].map(({ contents }) => contents.toSorted((a, b) => toRank(a) - toRank(b)));
  const isRequired = now.isRequired && !old.isRequired;
  return [
    ...(isRequired ? [toChange('body-became-required', { at: 'body', message: 'the body became required' })] : []),
    ...compareOtherContents(others ?? [], heirs ?? [], { at: 'body', direction: 'input' }),
    ...types,
  ];
}

function toRank({ mediaType }: ApiContent): number {
  return /[/+]json\b/i.test(mediaType) ? 0 : 1;
}

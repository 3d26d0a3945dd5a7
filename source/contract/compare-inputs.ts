import { isSameJson } from '../document/accepts.ts';
import type { ApiBody, ApiContent, ApiOperation, ApiParameter } from '../document/api-operation.ts';
import type { ApiSchema } from '../document/branch.ts';
import { findOnlyBranch, toTarget, toValueBranches } from '../document/read-branches.ts';
import { recordOf, toTexts } from '../document/schema-json.ts';
import { compareChecks } from './compare-checks.ts';
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
  const isText = (name: string): boolean => toPlace(after, name) !== BODY && toPlace(before, name) !== BODY;
  return [
    ...renamed.map(({ from, to, place }) => {
      const message = `\`${from}\` in ${place} is called \`${to}\` now`;
      return toChange('sent-field-renamed', { at: `input.${from}`, message, before: from, after: to });
    }),
    ...compareSchemas(old, now, { at: 'input', direction: 'input' }).map((change) =>
      toTextChange(change, [old, now], isText),
    ),
    ...compareOwnChecks(before, after),
    ...comparePlaces(before, after, renamed),
    ...compareStyles(before, after),
    ...compareBodies(before, after),
  ];
}

interface RenamedField {
  readonly from: string;
  readonly to: string;
  readonly place: string;
}

/** The fields of the same parameter of the path, header or cookie. */
function findRenamed(before: ApiOperation, after: ApiOperation): readonly RenamedField[] {
  const [old, now] = [findFields(before.input()), findFields(after.input())];
  const ofPath = (operation: ApiOperation): readonly string[] =>
    [...operation.path.matchAll(/[:*]([^/]+)/g)].map(([, name = '']) => name);
  const news = ofPath(after);
  const isSamePath = toRouteShape(before) === toRouteShape(after);
  const ofPaths = isSamePath ? ofPath(before).map((from, index) => ({ from, to: news[index], place: 'the path' })) : [];
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
  const [from, to] = [old, now].map((input) => findFields(input).get(name));
  if (change.rule !== 'input-type-narrower' || from === undefined || to === undefined || !isText(name)) return change;
  const { at, message, before, after } = change;
  const isSame = takesText(from, to);
  return isSame ? toChange('input-text-type-changed', { at, message, before, after }) : change;
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
function compareOwnChecks(before: ApiOperation, after: ApiOperation): readonly ContractChange[] {
  if (before.facts === undefined || after.facts === undefined) return [];
  const changes = compareChecks(before.facts.inputChecks ?? [], after.facts.inputChecks ?? []);
  return changes.map(({ effect, message }) =>
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

/** Fields that both sides have, in another place. Another route moves those of its query, path and body with it. */
function comparePlaces(
  before: ApiOperation,
  after: ApiOperation,
  renamed: readonly RenamedField[],
): readonly ContractChange[] {
  const [olds, news] = [findFields(before.input()), findFields(after.input())];
  const isSameRoute = toRouteShape(before) === toRouteShape(after);
  const { required } = (after.input() && findOnlyBranch(after.input() as ApiSchema)) ?? {};
  return [...news.keys()].flatMap((name): readonly ContractChange[] => {
    const [old, now] = [toPlace(before, name), toPlace(after, name)];
    const isNamed = [old, now].some((place) => /header|cookie/.test(place));
    if (old === now || !olds.has(name) || renamed.some(({ to }) => to === name)) return [];
    if (!isSameRoute && !isNamed) return [];
    const message = `\`${name}\` is taken from ${now}, it was from ${old}`;
    const rule = required?.has(name) === true ? 'sent-field-moved' : 'sent-field-moved-optional';
    return [toChange(rule, { at: `input.${name}`, message, before: old, after: now })];
  });
}

/** The way in which lists and objects are written in a parameter. */
function compareStyles(before: ApiOperation, after: ApiOperation): readonly ContractChange[] {
  return after.parameters.flatMap((now): readonly ContractChange[] => {
    const old = before.parameters.find((each) => each.in === now.in && each.name === now.name);
    if (old === undefined || toStyle(old) === toStyle(now)) return [];
    const message = `\`${now.name}\` is written as ${toStyle(now)}, it was as ${toStyle(old)}`;
    return [toChange('input-unclear', { at: `input.${now.name}`, message })];
  });
}

function toStyle({ style, explode, in: place }: ApiParameter): string {
  const written = style ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  return `${written}${(explode ?? written === 'form') ? ', exploded' : ''}`;
}

function compareBodies({ body: old, facts }: ApiOperation, { body: now }: ApiOperation): readonly ContractChange[] {
  if (old === undefined || now === undefined) return [];
  const [olds, news] = [toTypes(old), toTypes(now)];
  // The input has what the first JSON says.
  const [others, heirs] = [old, now].map(({ contents }) => contents.toSorted((a, b) => toRank(a) - toRank(b)));
  // What the tool wrote says of each field whether it is required.
  const isRequired = facts === undefined && now.isRequired && !old.isRequired;
  return [
    ...(isRequired ? [toChange('body-became-required', { at: 'body', message: 'the body became required' })] : []),
    ...(facts === undefined ? compareOtherContents(others ?? [], heirs ?? [], { at: 'body', direction: 'input' }) : []),
    ...[...olds]
      .filter(([type]) => !news.has(type))
      .map(([type]) => toChange('body-type-removed', { at: 'body', message: `a body of ${type} is refused` })),
    ...[...news]
      .filter(([type]) => !olds.has(type))
      .map(([type]) => toChange('body-type-added', { at: 'body', message: `a body of ${type} is taken` })),
    ...[...news].flatMap(([type, encoding]) => {
      const before = olds.get(type);
      if (before === undefined || before === encoding) return [];
      const message = `the parts of ${type} are encoded otherwise`;
      return [toChange('input-unclear', { at: 'body', message, before, after: encoding })];
    }),
  ];
}

function toRank({ mediaType }: ApiContent): number {
  return /[/+]json\b/i.test(mediaType) ? 0 : 1;
}

/** The media types with the encoding of their parts, as text. */
function toTypes({ contents }: ApiBody): ReadonlyMap<string, string> {
  return new Map(contents.map(({ mediaType, encoding }) => [mediaType, toSortedText(encoding)]));
}

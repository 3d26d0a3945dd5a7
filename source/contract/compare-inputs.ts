import { type ApiSchema, type Branch, toTarget, withFieldNames } from '../document/branch.ts';
import { isSameJson } from '../document/fits-branch.ts';
import type {
  ApiContent,
  ApiOperation,
  ApiParameter,
} from '../document/operations/api-operation.ts';
import { findOnlyBranch, findOnlyObject, toValueBranches } from '../document/read-branches.ts';
import { toSortedText } from '../document/schema-json.ts';
import {
  type ContractChange,
  compareFacts,
  compareMembers,
  type Fact,
  safeIfMore,
  toChange,
} from './changes/contract-change.ts';
import { byName } from './changes/rule.ts';
import { toRouteShape } from './compare-routes.ts';
import { compareParts, compareSchemas, pairBy, toLimitChange } from './schemas/compare-schemas.ts';
import { compareChecks } from './schemas/limits.ts';

/**
 * Compares the requests of two documents that the tool wrote: the values, and where each is sent. HTTP callers do not
 * see the names of path parameters, and send the numbers of a query as text.
 */
export function compareInputs(
  before: ApiOperation,
  after: ApiOperation,
): readonly ContractChange[] {
  const isSameRoute = toRouteShape(before) === toRouteShape(after);
  const renamed = findRenamed(before, after, isSameRoute);
  const old = withNames(before.input(), renamed);
  const now = after.input();
  const required = (now && findOnlyObject(now)?.required) ?? new Set();
  const place = { at: 'input', direction: 'input' } as const;
  const changes = compareSchemas(old, now, place);
  const toFacts = (operation: ApiOperation): readonly Fact[] =>
    toPlaceFacts(operation, required, isSameRoute);
  return [
    ...[...renamed].map(([from, to]) => {
      const message = `\`${from}\` in ${toPlace(before, from)} is called \`${to}\` now`;
      return toChange('sent-field-renamed', {
        at: `input.${from}`,
        message,
        before: from,
        after: to,
      });
    }),
    ...changes.map((change) => {
      const name = change.at.slice('input.'.length);
      const isText = [before, after].every((each) => toPlace(each, name) !== BODY);
      // A field of another type whose text still fits is the same request.
      const isSame = isText && takesText(findFields(old).get(name), findFields(now).get(name));
      return isSame && change.rule === 'input-type-narrower'
        ? { ...change, audience: byName }
        : change;
    }),
    // Checks of other libraries than zod stand at no place of the document.
    ...compareChecks(before.facts?.inputChecks, after.facts?.inputChecks).map((check) =>
      toLimitChange(check, place),
    ),
    ...compareFacts(toFacts(before), toFacts(after)),
    ...compareWriting(before, after),
    ...compareBodies(before, after),
  ];
}

function findFields(input: ApiSchema | undefined): ReadonlyMap<string, ApiSchema> {
  return (input && findOnlyObject(input)?.fields) ?? new Map<string, ApiSchema>();
}

const BODY = 'the body';

/** The place that carries a field: `the query`, ``the header `if-match` ``, `parameter 1 of the path`. */
function toPlace({ parameters, params }: ApiOperation, field: string): string {
  const parameter = parameters.find((each) => each.field === field);
  if (parameter === undefined) return BODY;
  const { in: place, name } = parameter;
  if (place === 'path') return `parameter ${params.indexOf(name) + 1} of the path`;
  return place === 'query' ? 'the query' : `the ${place} \`${name}\``;
}

/** The new names of fields in the same place of the path, header or cookie, by the old ones. */
function findRenamed(
  before: ApiOperation,
  after: ApiOperation,
  isSameRoute: boolean,
): ReadonlyMap<string, string> {
  const old = findFields(before.input());
  const now = findFields(after.input());
  const successors = new Map(
    [...now.keys()].filter((to) => !old.has(to)).map((to) => [toPlace(after, to), to]),
  );
  return new Map(
    [...old.keys()].flatMap((from) => {
      const place = toPlace(before, from);
      const to =
        now.has(from) || place === BODY || place === 'the query'
          ? undefined
          : successors.get(place);
      return to === undefined || (place.endsWith('path') && !isSameRoute)
        ? []
        : [[from, to] as const];
    }),
  );
}

function withNames(
  input: ApiSchema | undefined,
  renamed: ReadonlyMap<string, string>,
): ApiSchema | undefined {
  if (input === undefined || renamed.size === 0) return input;
  return withFieldNames(input, (name) => renamed.get(name) ?? name);
}

/** Another route moves the fields of its query, path and body with it. */
function toPlaceFacts(
  operation: ApiOperation,
  required: ReadonlySet<unknown>,
  isSameRoute: boolean,
): readonly Fact[] {
  return [...findFields(operation.input()).keys()].map((field): Fact => {
    const place = toPlace(operation, field);
    const value = isSameRoute || place.includes('`') ? place : 'the route';
    return {
      id: field,
      rule: 'sent-field-moved',
      at: `input.${field}`,
      label: `place of \`${field}\``,
      value,
      classes: required.has(field) ? {} : { other: 'risky' },
    };
  });
}

/** The tool writes all bodies of one schema, which says of each field whether it is required. */
function compareBodies(
  { body: older }: ApiOperation,
  { body: newer }: ApiOperation,
): readonly ContractChange[] {
  if (older === undefined || newer === undefined) return [];
  const toTypes = (contents: readonly ApiContent[]) =>
    contents.map(({ mediaType }) => `a body of ${mediaType}`);
  return compareMembers(toTypes(older.contents), toTypes(newer.contents), ofBodyTypes);
}

/** The changes of the media types that a body may have. */
export const ofBodyTypes = {
  at: 'body',
  added: 'input-limit-wider',
  removed: 'input-limit-narrower',
  audience: ['http'],
} as const;

/** Whether the second schema takes the text of every value of the first, since parameters are sent as text. */
export function takesText(from: ApiSchema | undefined, to: ApiSchema | undefined): boolean {
  const only = to && findOnlyBranch(to);
  if (from === undefined || only === undefined || only.values !== undefined) return false;
  const isText = toValueBranches(from).every(
    ({ type, values }) => values === undefined && single.has(type),
  );
  return isText && (takesAnyText(only) || takesOneOf(only, from));
}

const single: ReadonlySet<string> = new Set(['number', 'integer', 'boolean', 'string']);

function takesAnyText(branch: Branch): boolean {
  if (branch.type !== 'string') return false;
  const { counts, patterns, formats } = branch;
  const isAnyLength = (counts.minLength ?? 0) <= 1 && counts.maxLength === undefined;
  return isAnyLength && patterns.length + formats.length === 0;
}

/** Whether a list takes a single value as its one item. */
function takesOneOf(branch: Branch, item: ApiSchema): boolean {
  if (branch.type !== 'array') return false;
  const { first, rest, counts } = branch;
  const isOne = first.length === 0 && (counts.minItems ?? 0) <= 1;
  return isOne && isSameJson(toTarget(item), rest && toTarget(rest));
}

/** Compares the form in which lists and objects are written in a parameter, and the parts of a form. */
export function compareWriting(
  before: ApiOperation,
  after: ApiOperation,
): readonly ContractChange[] {
  const pairs = pairBy(before.parameters, after.parameters, toPlaceName);
  const ofParameters = pairs.flatMap(({ before: old, after: now }) => {
    // A single value is written in one way, exploded or not.
    const isSingle = !hasMany(now) || !hasMany(old);
    const pair = { before: old, after: now, root: after.document };
    return compareParts(pair, () =>
      compareFacts(toWritingFacts(old, isSingle), toWritingFacts(now, isSingle)),
    );
  });
  return [...ofParameters, ...compareFacts(toEncodingFacts(before), toEncodingFacts(after))];
}

function toWritingFacts(parameter: ApiParameter, isSingle: boolean): readonly Fact[] {
  const { name, in: place, takesEmpty, takesReserved } = parameter;
  const at = `input.${name}`;
  return [
    {
      id: 'style',
      rule: 'input-limit-narrower',
      at,
      label: `style of \`${name}\` in the ${place}`,
      value: toStyle(parameter, isSingle),
    },
    {
      id: 'empty',
      rule: 'input-limit-narrower',
      at,
      label: `\`${name}\` without a value`,
      value: takesEmpty,
      classes: safeIfMore,
      text: takesEmpty ? 'taken' : 'refused',
    },
    {
      id: 'reserved',
      rule: 'input-unclear',
      at,
      label: `\`${name}\` with reserved characters`,
      value: takesReserved,
      classes: safeIfMore,
      text: takesReserved ? 'taken as it is' : 'encoded',
    },
  ];
}

function toPlaceName({ in: place, name }: ApiParameter): string {
  return `${place} ${name}`;
}

function hasMany({ schema }: ApiParameter): boolean {
  return toValueBranches(schema).some(({ type }) => type === 'array' || type === 'object');
}

function toStyle({ in: place, style, explode }: ApiParameter, isSingle: boolean): string {
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple';
  const written = style ?? usual;
  const isExploded = !isSingle && (explode ?? written === 'form');
  return `${written}${isExploded ? ', exploded' : ''}`;
}

function toEncodingFacts({ body }: ApiOperation): readonly Fact[] {
  return (body?.contents ?? []).map(
    ({ mediaType, encoding }): Fact => ({
      id: mediaType,
      rule: 'input-unclear',
      at: 'body',
      label: `encoding of the parts of ${mediaType}`,
      value: toSortedText(encoding),
    }),
  );
}

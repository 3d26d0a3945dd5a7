import type { ApiContent, ApiOperation } from '../document/api-operation.ts';
import { type ApiSchema, toTarget } from '../document/branch.ts';
import { isSameJson } from '../document/fits-branch.ts';
import { findOnlyBranch, toValueBranches } from '../document/read-branches.ts';
import { recordOf, toTexts } from '../document/schema-json.ts';
import { toSortedText } from '../document/sorted-json.ts';
import { compareFacts, compareMembers, type Fact } from './compare-facts.ts';
import { compareOtherContents } from './compare-responses.ts';
import { toRouteShape } from './compare-routes.ts';
import { compareSchemas, toLimitChange } from './compare-schemas.ts';
import { compareChecks } from './limits.ts';
import { byName, type ContractChange, toChange } from './rules.ts';

/**
 * Compares all that a request carries: its values, and the place of each. A name in the path is nothing to HTTP, and a
 * number in the query is text.
 */
export function compareInputs(
  before: ApiOperation,
  after: ApiOperation,
): readonly ContractChange[] {
  const isSameRoute = toRouteShape(before) === toRouteShape(after);
  const renamed = findRenamed(before, after, isSameRoute);
  const [old, now] = [withNames(before.input(), renamed), after.input()];
  const required = (now && findOnlyBranch(now)?.required) ?? new Set();
  const place = { at: 'input', direction: 'input' } as const;
  const changes = compareSchemas(old, now, place);
  const toFacts = (operation: ApiOperation): readonly Fact[] => [
    ...toPlaceFacts(operation, required, isSameRoute),
    ...toWritingFacts(operation),
  ];
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
    // The document knows no place of the checks of other libraries than zod.
    ...compareChecks(before.facts?.inputChecks, after.facts?.inputChecks).map((check) =>
      toLimitChange(check, place),
    ),
    ...compareFacts(toFacts(before), toFacts(after)),
    ...compareBodies(before, after),
  ];
}

function findFields(input: ApiSchema | undefined): ReadonlyMap<string, ApiSchema> {
  return (input && findOnlyBranch(input)?.fields) ?? new Map<string, ApiSchema>();
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
  const [old, now] = [findFields(before.input()), findFields(after.input())];
  const heirs = new Map(
    [...now.keys()].filter((to) => !old.has(to)).map((to) => [toPlace(after, to), to]),
  );
  return new Map(
    [...old.keys()].flatMap((from) => {
      const place = toPlace(before, from);
      const to =
        now.has(from) || place === BODY || place === 'the query' ? undefined : heirs.get(place);
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
  const { properties, required, ...json } = recordOf(toTarget(input));
  const toName = (name: string): string => renamed.get(name) ?? name;
  const fields = Object.entries(recordOf(properties)).map(([name, field]) => [toName(name), field]);
  return {
    ...input,
    json: {
      ...json,
      properties: Object.fromEntries(fields),
      required: toTexts(required).map(toName),
    },
  };
}

/** Whether the text of every value of the first is one that the second takes. */
function takesText(from: ApiSchema | undefined, to: ApiSchema | undefined): boolean {
  const only = to && findOnlyBranch(to);
  if (from === undefined || only === undefined || only.values !== undefined) return false;
  const { type, first, rest, counts, patterns, formats } = only;
  const isText = toValueBranches(from).every(
    (branch) =>
      branch.values === undefined &&
      ['number', 'integer', 'boolean', 'string'].includes(branch.type),
  );
  if (type === 'array' && first.length === 0)
    return (
      isText && (counts.minItems ?? 0) <= 1 && isSameJson(toTarget(from), rest && toTarget(rest))
    );
  const isAnyLength = (counts.minLength ?? 0) <= 1 && counts.maxLength === undefined;
  return isText && type === 'string' && isAnyLength && patterns.length + formats.length === 0;
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
    const classes = required.has(field) ? {} : ({ other: 'risky' } as const);
    return ['sent-field-moved', `input.${field}`, `place of \`${field}\``, value, { classes }];
  });
}

/** The form in which lists and objects are written in a parameter, and the parts of a form. */
function toWritingFacts({ parameters, body }: ApiOperation): readonly Fact[] {
  const ofParameters = parameters.map(({ name, in: place, style, explode }): Fact => {
    const written = style ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
    const value = `${written}${(explode ?? written === 'form') ? ', exploded' : ''}`;
    return ['input-unclear', `input.${name}`, `style of \`${name}\` in the ${place}`, value];
  });
  const ofBodies = (body?.contents ?? []).map(({ mediaType, encoding }): Fact => {
    return [
      'input-unclear',
      'body',
      `encoding of the parts of ${mediaType}`,
      toSortedText(encoding),
    ];
  });
  return [...ofParameters, ...ofBodies];
}

function compareBodies(
  { body: old, facts }: ApiOperation,
  { body: now }: ApiOperation,
): readonly ContractChange[] {
  if (old === undefined || now === undefined) return [];
  const toTypes = (contents: readonly ApiContent[]) =>
    contents.map(({ mediaType }) => `a body of ${mediaType}`);
  const rules = ['input-limit-wider', 'input-limit-narrower'] as const;
  const types = compareMembers(toTypes(old.contents), toTypes(now.contents), {
    at: 'body',
    rules,
    audience: ['http'],
  });
  // The tool writes all bodies of one schema, which says of each field whether it is required.
  if (facts !== undefined) return types;
  // The input has what the first JSON says.
  const toRank = ({ mediaType }: ApiContent): number => (/[/+]json\b/i.test(mediaType) ? 0 : 1);
  const [olds = [], news = []] = [old, now].map(({ contents }) =>
    contents.toSorted((a, b) => toRank(a) - toRank(b)),
  );
  const isRequired = now.isRequired && !old.isRequired;
  return [
    ...(isRequired
      ? [toChange('input-field-required', { at: 'body', message: 'the body became required' })]
      : []),
    ...compareOtherContents(olds, news, { at: 'body', direction: 'input' }),
    ...types,
  ];
}

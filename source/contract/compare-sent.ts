import type {
  ApiBody,
  ApiContent,
  ApiOperation,
  ApiParameter,
  SharedPart,
} from '../document/operations/api-operation.ts';
import { findMainContent } from '../document/operations/to-response.ts';
import { toValueBranches } from '../document/read-branches.ts';
import { remember } from '../values/once.ts';
import { type ContractChange, compareMembers, toChange } from './changes/contract-change.ts';
import { byName } from './changes/rule.ts';
import { compareContents, toNamedContents } from './compare-contents.ts';
import { compareWriting, ofBodyTypes, takesText } from './compare-inputs.ts';
import { toRouteShape } from './compare-routes.ts';
import { compareAsField, compareParts } from './schemas/compare-schemas.ts';

/**
 * Compares the requests of documents of others, which have no input as a whole: their parameters, each at its place,
 * and the bodies of each media type.
 */
export function compareSent(before: ApiOperation, after: ApiOperation): readonly ContractChange[] {
  const ofParameters = compareParameters(before, after);
  const ofBodies = [...compareBodies(before, after)];
  return [...toMoves(ofParameters, ofBodies), ...compareWriting(before, after)];
}

interface ParameterPair {
  readonly before: ApiParameter;
  readonly after: ApiParameter;
}

function compareParameters(before: ApiOperation, after: ApiOperation): readonly ContractChange[] {
  const isSameRoute = toRouteShape(before) === toRouteShape(after);
  const older = toSent(before, after);
  const newer = toSent(after, before);
  const pairs = pairParameters(older, newer, { before, after, isSameRoute });
  const toLabel = createLabels([...older, ...newer], [before, after]);
  const root = after.document;
  const ofNames = pairs.flatMap((pair) =>
    compareParts({ ...pair, root }, () => compareNames(pair, isSameRoute)),
  );
  const ofPairs = pairs.flatMap((pair) =>
    compareParts({ ...pair, root }, (component) => {
      const label = component === undefined ? toLabel(pair.after) : pair.after.name;
      return [...compareField(pair, label), ...compareEnds(pair, label)];
    }),
  );
  const paired = new Set(pairs.flatMap((pair) => [pair.before, pair.after]));
  const lost = older.filter((each) => !paired.has(each));
  const fresh = newer.filter((each) => !paired.has(each));
  // A component whose parameter has another name is one fewer and one more.
  const compareOnly = (one: ApiParameter, others: readonly ApiParameter[], isLost: boolean) => {
    const other = others.find(({ reference }) => reference === one.reference) ?? noPart;
    const parts = isLost ? { before: one, after: other } : { before: other, after: one };
    return compareParts({ ...parts, root }, (component) => {
      const side = isLost ? { before: one } : { after: one };
      return compareField(side, component === undefined ? toLabel(one) : one.name);
    });
  };
  return [
    ...ofNames,
    ...ofPairs,
    ...lost.flatMap((each) => compareOnly(each, fresh, true)),
    ...fresh.flatMap((each) => compareOnly(each, lost, false)),
  ];
}

const noPart: SharedPart = { reference: undefined };

/** Compares a parameter like the field of an object; one that only one side has was removed or added. */
function compareField(
  { before, after }: Partial<ParameterPair>,
  label: string,
): readonly ContractChange[] {
  const toField = (parameter: ApiParameter | undefined) =>
    parameter && { ...parameter, name: label };
  const place = { at: 'input', direction: 'input' } as const;
  return compareAsField(toField(before), toField(after), place).map((change) => {
    const isWhole = change.at === `input.${label}`;
    // A parameter of another type whose text still fits is the same request.
    const isSame =
      isWhole && change.rule === 'input-type-narrower' && takesText(before?.schema, after?.schema);
    return isSame ? { ...change, audience: byName } : change;
  });
}

/** The parameters. A path parameter that only one document declares stood in the path of both, and is left out. */
function toSent({ parameters }: ApiOperation, other: ApiOperation): readonly ApiParameter[] {
  const isUndeclared = ({ name, in: place }: ApiParameter): boolean =>
    place === 'path' &&
    other.params.includes(name) &&
    other.parameters.every((each) => each.in !== 'path' || each.name !== name);
  return parameters.filter(
    (each) => !isUndeclared(each) && !(each.in === 'header' && ofEveryRequest.has(each.name)),
  );
}

/** Headers that OpenAPI ignores as parameters, since other parts of the document describe them. */
const ofEveryRequest: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

interface Sides {
  readonly before: ApiOperation;
  readonly after: ApiOperation;
  readonly isSameRoute: boolean;
}

/** Pairs parameters by place and name, those of a path by position, and the others by name alone: they moved. */
function pairParameters(
  older: readonly ApiParameter[],
  newer: readonly ApiParameter[],
  { before, after, isSameRoute }: Sides,
): readonly ParameterPair[] {
  const open = new Set(newer);
  const take = (is: (each: ApiParameter) => boolean): ApiParameter | undefined => {
    const found = [...open].find(is);
    if (found !== undefined) open.delete(found);
    return found;
  };
  // HTTP callers send path parameters by position, so two names that changed places changed their meaning.
  const findAtPosition = (old: ApiParameter): ApiParameter | undefined => {
    const position = before.params.indexOf(old.name);
    if (old.in !== 'path' || !isSameRoute || position === -1) return undefined;
    return take((each) => each.in === 'path' && after.params.indexOf(each.name) === position);
  };
  const byPlace = new Map(
    older.map((old) => [
      old,
      findAtPosition(old) ?? take((each) => each.name === old.name && each.in === old.in),
    ]),
  );
  return older.flatMap((old) => {
    const successor =
      byPlace.get(old) ?? take((each) => each.name === old.name && each.in !== 'path');
    return successor === undefined ? [] : [{ before: old, after: successor }];
  });
}

/** Makes the names of parameters in messages: with the place where two parameters share a name. */
function createLabels(
  all: readonly ApiParameter[],
  operations: readonly ApiOperation[],
): (parameter: ApiParameter) => string {
  const places = new Map<string, Set<string>>();
  for (const { name, in: place } of all) remember(places, name, () => new Set<string>()).add(place);
  for (const { body, parameters } of operations)
    for (const name of toBodyFields(body?.contents ?? []))
      if (parameters.some((each) => each.name === name)) places.get(name)?.add('body');
  return ({ name, in: place }) => {
    const isPlain = place === 'path' || place === 'query';
    return isPlain && places.get(name)?.size === 1 ? name : `${place} ${name}`;
  };
}

function toBodyFields(contents: readonly ApiContent[]): readonly string[] {
  const main = findMainContent(contents);
  return main === undefined
    ? []
    : toValueBranches(main.schema).flatMap((branch) =>
        branch.type === 'object' ? [...branch.fields.keys()] : [],
      );
}

function compareNames(
  { before, after }: ParameterPair,
  isSameRoute: boolean,
): readonly ContractChange[] {
  const texts = { at: `input.${before.name}`, before: before.name, after: after.name };
  if (before.name !== after.name) {
    const message = `\`${before.name}\` of the path is called \`${after.name}\` now`;
    return [toChange('sent-field-renamed', { ...texts, message })];
  }
  if (before.in === after.in || !isSameRoute) return [];
  const message = `place of \`${after.name}\` is the ${after.in}, it was the ${before.in}`;
  const found = { ...texts, before: before.in, after: after.in, message };
  return [
    toChange('sent-field-moved', { ...found, class: after.isRequired ? undefined : 'risky' }),
  ];
}

function compareEnds({ before, after }: ParameterPair, label: string): readonly ContractChange[] {
  if (before.isDeprecated === after.isDeprecated) return [];
  const end = after.isDeprecated ? 'became deprecated' : 'is no longer deprecated';
  const message = `\`${label}\` ${end}`;
  return [toChange('deprecation-changed', { at: `input.${label}`, message })];
}

function compareBodies(before: ApiOperation, now: ApiOperation): readonly ContractChange[] {
  const at = 'body';
  const older = before.body;
  const newer = now.body;
  if (older === undefined && newer === undefined) return [];
  if (newer === undefined)
    return [toChange('input-field-removed', { at, message: 'the body was removed' })];
  if (older === undefined) {
    const rule = newer.isRequired ? 'input-field-required' : 'input-field-added';
    const message = `a body was added, ${newer.isRequired ? 'required' : 'optional'}`;
    return [toChange(rule, { at, message })];
  }
  const pair = { before: older, after: newer, root: now.document };
  return compareParts(pair, (component) => comparePair(older, newer, component));
}

function comparePair(
  older: ApiBody,
  newer: ApiBody,
  component: string | undefined,
): readonly ContractChange[] {
  const name = component === undefined ? 'body' : `body \`${component}\``;
  const toTypes = ({ contents }: ApiBody) =>
    toNamedContents(contents).map((content) => `a ${name} of ${content.name}`);
  const word = newer.isRequired ? 'required' : 'optional';
  const message = `the ${name} became ${word}`;
  const isSameNeed = older.isRequired === newer.isRequired;
  const place = { at: component ?? 'input', direction: 'input' } as const;
  return [
    ...(isSameNeed ? [] : [toChange(`input-field-${word}`, { at: 'body', message })]),
    ...compareContents(older.contents, newer.contents, place),
    ...compareMembers(toTypes(older), toTypes(newer), ofBodyTypes),
  ];
}

const additions: readonly string[] = ['input-field-added', 'input-field-required'];

/** A field that moved from a parameter into the body, or the other way, is reported as one move. */
function toMoves(
  ofParameters: readonly ContractChange[],
  ofBodies: readonly ContractChange[],
): readonly ContractChange[] {
  const all = [...ofParameters, ...ofBodies];
  const isMoved = ({ at }: ContractChange): boolean => {
    const rules = all.filter((each) => each.at === at).map(({ rule }) => rule);
    const isLost = rules.includes('input-field-removed');
    return at.startsWith('input.') && isLost && rules.some((rule) => additions.includes(rule));
  };
  return all.flatMap((change): readonly ContractChange[] => {
    if (!isMoved(change)) return [change];
    if (!additions.includes(change.rule))
      return change.rule === 'input-field-removed' ? [] : [change];
    const isRequired = change.rule === 'input-field-required';
    const place = ofBodies.includes(change) ? 'the body' : 'a parameter';
    const message = `\`${change.at.slice('input.'.length)}\` is sent in ${place} now`;
    const found = { at: change.at, message, class: isRequired ? undefined : 'risky' } as const;
    return [toChange('sent-field-moved', found)];
  });
}

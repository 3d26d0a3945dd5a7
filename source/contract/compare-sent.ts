import { type ApiSchema, toObjectSchema } from '../document/branch.ts';
import type {
  ApiContent,
  ApiOperation,
  ApiParameter,
} from '../document/operations/api-operation.ts';
import { toValueBranches } from '../document/read-branches.ts';
import { byName, type ContractChange } from './changes/contract-change.ts';
import { toChange } from './changes/rules.ts';
import { compareContents, isJson, toNamedContents } from './compare-contents.ts';
import { compareMembers } from './compare-facts.ts';
import { compareWriting, takesText } from './compare-inputs.ts';
import { toRouteShape } from './compare-routes.ts';
import { compareSchemas } from './schemas/compare-schemas.ts';

/**
 * Compares the requests of documents of others, which have no input as a whole: their parameters, each at its place,
 * and the bodies of each media type.
 */
export function compareSent(before: ApiOperation, after: ApiOperation): readonly ContractChange[] {
  const ofParameters = compareParameters(before, after);
  const ofBodies = [...compareBodies(before, after)];
  return [...toMoves(ofParameters, ofBodies), ...compareWriting(before, after)];
}

/** A parameter with the name that it has on both sides. */
interface LabelledParameter extends ApiParameter {
  readonly label: string;
}

interface ParameterPair {
  readonly before: ApiParameter;
  readonly after: ApiParameter;
}

function compareParameters(before: ApiOperation, after: ApiOperation): readonly ContractChange[] {
  const isSameRoute = toRouteShape(before) === toRouteShape(after);
  const [older, newer] = [toSent(before, after), toSent(after, before)];
  const pairs = pairParameters(older, newer, { before, after, isSameRoute });
  const toLabel = createLabels([...older, ...newer], [before, after]);
  const labels = new Map(pairs.map((pair) => [pair.before, toLabel(pair.after)]));
  const ofOlder = older.map((each) => ({ ...each, label: labels.get(each) ?? toLabel(each) }));
  const ofNewer = newer.map((each) => ({ ...each, label: toLabel(each) }));
  const place = { at: 'input', direction: 'input' } as const;
  const [from, to] = [toFields(ofOlder, before), toFields(ofNewer, after)];
  const changes = compareSchemas(from, to, place).map((change) => {
    const name = change.at.slice('input.'.length);
    const texts = [ofOlder, ofNewer].map(
      (each) => each.find(({ label }) => label === name)?.schema,
    );
    // A parameter of another type whose text still fits is the same request.
    const isSame = change.rule === 'input-type-narrower' && takesText(texts[0], texts[1]);
    return isSame ? { ...change, audience: byName } : change;
  });
  return [
    ...pairs.flatMap((pair) => compareNames(pair, isSameRoute)),
    ...changes,
    ...pairs.flatMap((pair) => compareEnds(pair, toLabel(pair.after))),
  ];
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
  for (const { name, in: place } of all) {
    const known = places.get(name) ?? new Set();
    places.set(name, known.add(place));
  }
  for (const { body, parameters } of operations)
    for (const name of toBodyFields(body?.contents ?? []))
      if (parameters.some((each) => each.name === name)) places.get(name)?.add('body');
  return ({ name, in: place }) => {
    const isPlain = place === 'path' || place === 'query';
    return isPlain && places.get(name)?.size === 1 ? name : `${place} ${name}`;
  };
}

function toBodyFields(contents: readonly ApiContent[]): readonly string[] {
  const main = contents.find(({ mediaType }) => isJson(mediaType)) ?? contents[0];
  return main === undefined
    ? []
    : toValueBranches(main.schema).flatMap((branch) =>
        branch.type === 'object' ? [...branch.fields.keys()] : [],
      );
}

function toFields(parameters: readonly LabelledParameter[], operation: ApiOperation): ApiSchema {
  const fields = parameters.map(({ label, isRequired, schema }) => ({
    name: label,
    isRequired,
    schema,
  }));
  return { ...toObjectSchema(fields), root: operation.document };
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

function compareBodies(
  { body: older }: ApiOperation,
  { body: newer }: ApiOperation,
): readonly ContractChange[] {
  const at = 'body';
  if (older === undefined && newer === undefined) return [];
  if (newer === undefined)
    return [toChange('input-field-removed', { at, message: 'the body was removed' })];
  if (older === undefined) {
    const rule = newer.isRequired ? 'input-field-required' : 'input-field-added';
    const message = `a body was added, ${newer.isRequired ? 'required' : 'optional'}`;
    return [toChange(rule, { at, message })];
  }
  const toTypes = (contents: readonly ApiContent[]) =>
    toNamedContents(contents).map(({ name }) => `a body of ${name}`);
  const types = compareMembers(toTypes(older.contents), toTypes(newer.contents), {
    at,
    added: 'input-limit-wider',
    removed: 'input-limit-narrower',
    audience: ['http'],
  });
  return [
    ...compareNeed(older.isRequired, newer.isRequired),
    ...compareContents(older.contents, newer.contents, { at: 'input', direction: 'input' }),
    ...types,
  ];
}

function compareNeed(wasRequired: boolean, isRequired: boolean): readonly ContractChange[] {
  if (wasRequired === isRequired) return [];
  const word = isRequired ? 'required' : 'optional';
  return [toChange(`input-field-${word}`, { at: 'body', message: `the body became ${word}` })];
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

import { describeInput, toInputPlan } from '../../server-runtime/input/input-fields.ts';
import type { JsonSchema } from '../../server-runtime/schema/json-schema.ts';
import type { Lens } from '../../server-runtime/schema/lens.ts';
import { isObject, type JsonBranch, toJsonBranches } from '../../server-runtime/schema/lens.ts';
import type { Schema } from '../../server-runtime/schema/schema.ts';
import type { Listed } from '../manifest/listed.ts';
import { type Problem, toMistake } from '../manifest/problem.ts';
import { rememberByObject } from './find-unsendable-fields.ts';

/** Finds inputs that nobody can send: in a query, in a form, or under a name that never reaches a handler. */
export function findInputMistakes(capability: Listed, schema: Schema | undefined): readonly Problem[] {
  if (schema === undefined) return [];
  const { root, plan } = describeOnce(schema);
  const branches = toJsonBranches(root, root);
  const isQuery = capability.method === 'GET' || capability.method === 'DELETE';
  const [object] = branches;
  if (branches.length !== 1 || object === undefined) return [];
  if (!isObject(object)) return toNotObject(capability, object);
  const sent = new Map((capability.facts.sent ?? []).map((each) => [each.field, each.in]));
  return [
    ...(isQuery ? findRecordOfOthers(capability, object, root) : []),
    ...findSecondStream(capability, object, plan),
    ...[...object.fields].flatMap(([name, field]) => [
      ...(unsafeNames.has(name) ? [toUnsafeField(capability, name)] : []),
      ...findNameInside({ json: field, root }, isUnsafeName).map((inside) => toUnsafeField(capability, inside, name)),
      ...findInPlace(capability, {
        name,
        field: { json: field, root, takesFile: plan.inside(name)?.reading.file !== undefined },
        isQuery,
        place: capability.params.includes(name) ? 'path' : sent.get(name),
      }),
    ]),
  ];
}

const describeOnce = rememberByObject((schema: Schema) => ({
  root: describeInput(schema),
  plan: toInputPlan(schema),
}));

/** The input is validated when the first file begins, and the second one has not come then. */
function findSecondStream(capability: Listed, { fields, required }: JsonBranch, plan: Lens): readonly Problem[] {
  const [first, second] = [...fields.keys()].filter((name) => {
    const { file, list } = plan.inside(name)?.reading ?? {};
    return file?.stream === true && list === 'never' && required.has(name);
  });
  if (first === undefined || second === undefined) return [];
  const message =
    `\`${capability.key}\` must have \`${first}\` and \`${second}\`, which are both read as they arrive: when the ` +
    'first one does, the other is missing.';
  const hint = 'Leave `stream: true` out of one of them, or make a capability of each.';
  return [toMistake('second-streamed-file', capability, { message, hint })];
}

/** Dropped from every input, at any depth. */
const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

function isUnsafeName(name: string): boolean {
  return unsafeNames.has(name);
}

/** The values of a record stay texts in a query. */
function findRecordOfOthers(capability: Listed, { fields, rest }: JsonBranch, root: JsonSchema): readonly Problem[] {
  if (fields.size > 0 || rest === undefined) return [];
  const values = toJsonBranches(rest, root);
  if (values.length === 0 || values.some(takesText)) return [];
  const message =
    `\`${capability.key}\` is ${capability.method}, and takes a record of other values than texts: the values of a ` +
    'query without names stay texts.';
  const hint = 'Name the fields, or put the record into one: z.object({ filter: z.record(z.string(), z.number()) }).';
  return [toMistake('object-in-query', capability, { message, hint })];
}

/** Whether some text may fit: whatever is not a number, a boolean, a list or an object alone. */
function takesText(branch: JsonBranch): boolean {
  if (isObject(branch) || branch.kind === 'list') return branch.isRaw;
  const { type } = branch.json;
  const isOther = type === 'number' || type === 'integer' || type === 'boolean';
  return !isOther || 'const' in branch.json || 'enum' in branch.json;
}

function toNotObject(capability: Listed, { kind, json }: JsonBranch): readonly Problem[] {
  if (kind === 'any') return [];
  const type = kind === 'list' ? 'array' : ((json['type'] as string | undefined) ?? 'literal');
  const taken = `\`${capability.key}\` takes a \`${type}\` as its input`;
  const message = `${taken}, but input is always an object: nobody can send it.`;
  return [toMistake('input-not-object', capability, { message, hint: 'Give it a name: z.object({ value: … }).' })];
}

function toUnsafeField(capability: Listed, name: string, outside?: string): Problem {
  const place = outside === undefined ? '' : ` inside \`${outside}\``;
  const message =
    `\`${capability.key}\` has the field \`${name}\`${place}, which never reaches a handler: it is dropped from ` +
    'every input.';
  return toMistake('unsafe-field', capability, { message, hint: 'Give the field another name.' });
}

function findInQuery(capability: Listed, name: string, field: InputPart): readonly Problem[] {
  const { key, method } = capability;
  if (field.takesFile) {
    const message = `\`${key}\` is ${method}, and \`${name}\` is a file: a query cannot carry one.`;
    const hint =
      `Rename the capability, or give it an override with POST: '${key}': { method: 'POST', path: ` +
      `'${capability.path}' }.`;
    return [toMistake('file-in-query', capability, { message, hint })];
  }
  return findNameInside(field, (inside) => inside.includes('][')).map((unsendable) => {
    const message =
      `\`${key}\` is ${method}, and \`${name}\` has a field \`${unsendable}\`: between brackets of a query that ` +
      'name is two.';
    return toMistake('object-in-query', capability, { message, hint: 'Give the field another name.' });
  });
}

/** The schema of a field, and the whole that it refers into. */
interface InputPart {
  readonly json: JsonSchema;
  readonly root: JsonSchema;
  readonly takesFile: boolean;
}

interface PlacedField {
  readonly name: string;
  readonly field: InputPart;
  readonly isQuery: boolean;
  /** Undefined in query or body. */
  readonly place: 'path' | 'header' | 'cookie' | undefined;
}

/** A segment of a path and a cookie are one text, a header may be a list of them. */
function findInPlace(capability: Listed, { name, field, isQuery, place }: PlacedField): readonly Problem[] {
  if (place === undefined) return isQuery ? findInQuery(capability, name, field) : [];
  const branches = toJsonBranches(field.json, field.root);
  const isRefused = (branch: JsonBranch): boolean =>
    !branch.isRaw && (isObject(branch) || (branch.kind === 'list' && place !== 'header'));
  if (branches.length === 0 || !branches.every(isRefused)) return [];
  const message =
    `\`${capability.key}\` takes \`${name}\` from its ${place}, where ` +
    `${place === 'header' ? 'an object' : 'a list or an object'} cannot be sent.`;
  return [
    toMistake('object-in-query', capability, {
      message,
      hint: 'Take a text there, or take the field from the query or the body.',
    }),
  ];
}

/** The first name looked for of a field of a field, at any depth: `filter[a][b]` of a query. */
function findNameInside(
  { json, root }: Omit<InputPart, 'takesFile'>,
  isLookedFor: (name: string) => boolean,
  seen = new Set<JsonSchema>(),
): readonly string[] {
  if (seen.has(json)) return [];
  seen.add(json);
  const branches = toJsonBranches(json, root).filter(({ isRaw }) => !isRaw);
  const found = branches.flatMap((each) => (isObject(each) ? [...each.fields.keys()] : [])).find(isLookedFor);
  if (found !== undefined) return [found];
  const inside = branches.flatMap(({ kind, fields, rest }) => [
    ...fields.values(),
    ...(kind === 'list' ? [rest ?? []].flat() : []),
  ]);
  return inside.flatMap((each) => findNameInside({ json: each, root }, isLookedFor, seen)).slice(0, 1);
}

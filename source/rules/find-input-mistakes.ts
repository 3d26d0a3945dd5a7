import { describeInput, toInputPlan } from '../../server-runtime/input/input-fields.ts';
import type { JsonSchema } from '../../server-runtime/schema/json-schema.ts';
import {
  findRest,
  isObject,
  isRaw,
  type JsonBranch,
  partsOf,
  toChoices,
  toJsonBranches,
} from '../../server-runtime/schema/lens.ts';
import type { Schema } from '../../server-runtime/schema/schema.ts';
import type { Listed } from '../manifest/listed.ts';
import { type Problem, toMistake } from '../manifest/problem.ts';

/** Finds inputs that nobody can send: in a query, in a header, or under a name that never reaches a handler. */
export function findInputMistakes(capability: Listed, schema: Schema | undefined): readonly Problem[] {
  if (schema === undefined) return [];
  const root = describeInput(schema);
  const [object, ...others] = toJsonBranches(root, root);
  if (object === undefined || others.length > 0) return [];
  if (!isObject(object)) return toNotObject(capability, object);
  const plan = toInputPlan(schema);
  return Object.entries<JsonSchema>(partsOf(object)).flatMap(([name, field]) => [
    ...(unsafeNames.has(name) ? [toUnsafeField(capability, name)] : []),
    ...findUnsafeInside(field, root, new Set())
      .slice(0, 1)
      .map((inside) => toUnsafeField(capability, inside, name)),
    ...findInPlace(capability, name, toJsonBranches(field, root)),
    ...(plan.inside(name)?.reading.file === undefined ? [] : findFileInQuery(capability, name)),
  ]);
}

function toNotObject(capability: Listed, branch: JsonBranch): readonly Problem[] {
  if (branch.type === undefined && toChoices(branch).length === 0) return [];
  const { type = 'literal' } = branch;
  const taken = `\`${capability.key}\` takes a \`${type}\` as its input`;
  const message = `${taken}, but input is always an object: nobody can send it.`;
  return [toMistake('input-not-object', capability, { message, hint: 'Give it a name: z.object({ value: … }).' })];
}

/** Dropped from every input, at any depth. */
const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

function toUnsafeField(capability: Listed, name: string, outside?: string): Problem {
  const place = outside === undefined ? '' : ` inside \`${outside}\``;
  const message =
    `\`${capability.key}\` has the field \`${name}\`${place}, which never reaches a handler: it is dropped from ` +
    'every input.';
  return toMistake('unsafe-field', capability, { message, hint: 'Give the field another name.' });
}

function findUnsafeInside(json: JsonSchema, root: JsonSchema, seen: Set<JsonSchema>): readonly string[] {
  if (seen.has(json)) return [];
  seen.add(json);
  const branches = toJsonBranches(json, root).filter((branch) => !isRaw(branch));
  return branches.flatMap((branch) => {
    const [parts, rest] = [partsOf(branch), findRest(branch)];
    const unsafe = Object.keys(parts).filter((name) => unsafeNames.has(name));
    const inside = [...Object.values<JsonSchema>(parts), ...(rest === undefined ? [] : [rest])];
    return [...unsafe, ...inside.flatMap((part) => findUnsafeInside(part, root, seen))];
  });
}

/** A segment of a path and a cookie are one text, a header may be a list of them. */
function findInPlace(capability: Listed, name: string, branches: readonly JsonBranch[]): readonly Problem[] {
  const { key, params, facts } = capability;
  const place = params.includes(name) ? 'path' : facts.sent?.find(({ field }) => field === name)?.in;
  const isRefused = (branch: JsonBranch): boolean =>
    !isRaw(branch) && (isObject(branch) || (branch.type === 'array' && place !== 'header'));
  if (place === undefined || branches.length === 0 || !branches.every(isRefused)) return [];
  const what = place === 'header' ? 'an object' : 'a list or an object';
  const message = `\`${key}\` takes \`${name}\` from its ${place}, where ${what} cannot be sent.`;
  const hint = 'Take a text there, or take the field from the query or the body.';
  return [toMistake('object-in-query', capability, { message, hint })];
}

function findFileInQuery(capability: Listed, name: string): readonly Problem[] {
  const { key, method, path } = capability;
  if (method !== 'GET' && method !== 'DELETE') return [];
  const message = `\`${key}\` is ${method}, and \`${name}\` is a file: a query cannot carry one.`;
  const hint = `Rename it, or give it an override with POST: '${key}': { method: 'POST', path: '${path}' }.`;
  return [toMistake('file-in-query', capability, { message, hint })];
}

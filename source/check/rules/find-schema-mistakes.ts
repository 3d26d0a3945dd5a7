import { findNameless } from '../../../server-runtime/capability/http.ts';
import { toInputPlan } from '../../../server-runtime/input/input-fields.ts';
import type { Operation } from '../../../server-runtime/registry/compile-registry.ts';
import { describe } from '../../../server-runtime/schema/describe.ts';
import { type JsonSchema, mapSubschemas } from '../../../server-runtime/schema/json-schema.ts';
import {
  findReferred,
  isObject,
  isRaw,
  type JsonBranch,
  toJsonBranches,
} from '../../../server-runtime/schema/lens.ts';
import {
  definitionOf,
  type Schema,
  type SchemaSide,
} from '../../../server-runtime/schema/schema.ts';
import { toBareJson } from '../../../server-runtime/schema/to-json-schema.ts';
import { listOf, textOf } from '../../document/schema-json.ts';
import { type Problem, toMistake } from '../../manifest/check-rules.ts';
import type { Listed } from '../../manifest/manifest.ts';

/** Finds inputs that nobody can send, fields that never reach a handler, and answers that JSON cannot carry. */
export function findSchemaMistakes(
  capability: Listed,
  operation: Operation | undefined,
): readonly Problem[] {
  const { schema, output, answers = [] } = operation?.definition ?? {};
  const outputs = new Set([output, ...answers.map((answer) => answer.schema)]);
  return [
    ...(schema === undefined
      ? []
      : [...findUnsendable(capability, schema), ...findUnplaced(capability, schema)]),
    ...[...outputs].flatMap((each) => (each === undefined ? [] : findLossy(capability, each))),
  ];
}

/** The schemas that take the same from JSON, by zod's name of a kind of value that JSON cannot say. */
const instead: Readonly<Record<string, string>> = {
  date:
    '`z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() ' +
    '})` makes a date of a date-time text; `z.iso.datetime()` keeps the text',
  bigint:
    '`z.string().regex(/^-?\\d+$/).pipe(z.coerce.bigint())` makes one of digits; `z.int()` takes safe integers',
  map: '`z.record(z.string(), …)` takes an object; make a map of it in the handler',
  set: '`z.array(…)` takes a list; make a set of it in the handler',
  symbol: '`z.enum([…])` takes one of several texts',
  nan: '`z.number().nullable()` takes `null` for what is not a number',
  function: 'take what the function would give, or the name of one',
  undefined: 'remove the field, or say what may be sent: `z.string().optional()`',
  void: 'remove the field, or say what may be sent: `z.string().optional()`',
};

/** Finds the parts of an input that no JSON value fits, and names that are dropped from every input. */
export function findUnsendable(capability: Listed, schema: Schema): readonly Problem[] {
  const who = capability.job === undefined ? 'nobody can send it' : 'no queue can keep it';
  const toKind = ({ type, coerce }: Definition) =>
    Object.hasOwn(instead, type) && coerce !== true ? type : undefined;
  return findParts(schema, 'input', toKind).flatMap(({ path, kind }): readonly Problem[] => {
    const place = path === '' ? 'as its input' : `in \`${path}\``;
    const message = `\`${capability.key}\` takes the type \`${kind}\` ${place}, which JSON cannot say: ${who}.`;
    if (kind !== undefined)
      return [
        toMistake('unsendable-field', capability, {
          message,
          hint: `Instead: ${instead[kind] ?? ''}.`,
        }),
      ];
    if (!/(^|\.)(__proto__|constructor|prototype)$/.test(path)) return [];
    const dropped = `\`${capability.key}\` has the field \`${path}\`, which is dropped from every input.`;
    return [
      toMistake('unsafe-field', capability, {
        message: dropped,
        hint: 'Give the field another name.',
      }),
    ];
  });
}

/** The kinds of value that are sent as `{}`. */
const lossy: Readonly<Record<string, string>> = {
  map: 'Give an object: Object.fromEntries(map), declared as z.record(z.string(), …).',
  set: 'Give a list: [...set], declared as z.array(…).',
};

function findLossy(capability: Listed, schema: Schema): readonly Problem[] {
  const toKind = ({ type, coerce }: Definition) =>
    Object.hasOwn(lossy, type) && coerce !== true ? type : undefined;
  return findParts(schema, 'output', toKind).flatMap(({ path, kind }) => {
    if (kind === undefined) return [];
    const place = path === '' ? 'as its answer' : `in \`${path}\` of its answer`;
    const message = `\`${capability.key}\` gives a \`${kind}\` ${place}: it is sent as \`{}\`.`;
    return [toMistake('lossy-output', capability, { message, hint: lossy[kind] })];
  });
}

interface SchemaPart {
  /** Names from the outside in: `order.lines[].at`. */
  readonly path: string;
  /** Zod's name of its type, where it is of a kind that is looked for. */
  readonly kind: string | undefined;
}

const KIND = 'x-kind';

type Definition = ReturnType<typeof definitionOf>;

/** All parts of a schema, one for each path. A choice that has another one beside `null` is of no kind. */
function findParts(
  schema: Schema,
  io: SchemaSide,
  toKind: (definition: Definition) => string | undefined,
): readonly SchemaPart[] {
  const root = toBareJson(schema, io, (node, json) => {
    const definition = definitionOf(node);
    // `.catch()` refuses nothing, and `z.preprocess` makes of what was sent whatever it likes.
    const takesAny =
      definition.type === 'catch' || definitionOf(definition.in).type === 'transform';
    const kind = takesAny ? undefined : toKind(definition);
    if (takesAny) delete json[KIND];
    else if (kind !== undefined) json[KIND] = kind;
  });
  const found = new Map<string, SchemaPart>();
  const seen = new Set<JsonSchema>();
  const look = (json: JsonSchema, path: string): void => {
    if (seen.has(json)) return;
    seen.add(json);
    const kind = textOf(json[KIND]);
    if (found.get(path)?.kind === undefined) found.set(path, { path, kind });
    if (kind !== undefined) return;
    const { $ref: reference, $defs: _named, anyOf, ...own } = json;
    if (typeof reference === 'string') look(findReferred(root, reference), path);
    const choices = (listOf(anyOf) as readonly JsonSchema[]).filter(({ type }) => type !== 'null');
    const others = choices.filter((choice) => choice[KIND] === undefined);
    lookInside({ ...own, anyOf: others.length === 0 ? choices : others }, path, look);
  };
  look(root, '');
  return [...found.values()];
}

/** Gives each schema directly inside another one, with its path. */
export function lookInside(
  json: JsonSchema,
  path: string,
  look: (inner: JsonSchema, path: string) => void,
): void {
  mapSubschemas(json, (inner, step = '') => {
    if (typeof inner === 'object')
      look(inner, step === '' || step === '[]' || path === '' ? path + step : `${path}.${step}`);
    return inner;
  });
}

/** Finds what cannot be sent at its place: in a query, in a header, or at all. */
function findUnplaced(capability: Listed, schema: Schema): readonly Problem[] {
  const { input: root, lens } = describe(schema);
  const { key, method } = capability;
  const nameless = findNameless(key, schema);
  if (nameless !== undefined) return [toMistake('input-not-object', capability, nameless)];
  const [object, ...others] = lens.branches;
  if (object === undefined || others.length > 0 || !isObject(object)) return [];
  const plan = toInputPlan(schema);
  const isQuery = method === 'GET' || method === 'DELETE';
  const coerced = findParts(schema, 'input', ({ type, coerce }) =>
    coerce === true && (type === 'number' || type === 'bigint') ? type : undefined,
  );
  return [...lens.object.fields].flatMap(([name, field]): readonly Problem[] => {
    if (plan.inside(name)?.reading.file !== undefined && isQuery)
      return [toFileMistake(capability, name)];
    const declared = findDeclaredPlace(capability, name);
    const place = declared ?? (isQuery ? 'query' : undefined);
    if (place === undefined) return [];
    const loose = coerced.filter(
      ({ kind, path }) => kind !== undefined && path.split(/[.[]/)[0] === name,
    );
    if (loose.length > 0) return loose.map((part) => toCoercedMistake(capability, part, place));
    if (lens.object.required.has(name) && takesNull(field))
      return [toNullMistake(capability, name, place)];
    const isUnsaid = declared !== undefined && isNoText(toJsonBranches(field, root), declared);
    return isUnsaid ? [toListMistake(capability, name, declared)] : [];
  });
}

function findDeclaredPlace({ params, facts }: Listed, name: string): string | undefined {
  return params.includes(name) ? 'path' : facts.sent?.find(({ field }) => field === name)?.in;
}

function toFileMistake(capability: Listed, name: string): Problem {
  const { key, method, path } = capability;
  const message = `\`${key}\` is ${method}, and \`${name}\` is a file: a query cannot carry one.`;
  const hint = `Rename it, or give it an override with POST: '${key}': { method: 'POST', path: '${path}' }.`;
  return toMistake('file-in-query', capability, { message, hint });
}

function takesNull({ type, anyOf }: JsonSchema): boolean {
  const choices = listOf(anyOf) as readonly JsonSchema[];
  return [type, ...choices.map((choice) => choice['type'])].flat().includes('null');
}

function toNullMistake(capability: Listed, name: string, place: string): Problem {
  const message = `\`${capability.key}\` needs \`${name}\`, which may be null: no ${place} can carry that.`;
  const hint = 'Add `.optional()`, and leave the field out in place of null.';
  return toMistake('unsendable-field', capability, { message, hint });
}

function toListMistake(capability: Listed, name: string, place: string): Problem {
  const what = place === 'header' ? 'an object' : 'a list or an object';
  const message = `\`${capability.key}\` takes \`${name}\` from its ${place}, where ${what} cannot be sent.`;
  const hint = 'Take a text there, or take the field from the query or the body.';
  return toMistake('object-in-query', capability, { message, hint });
}

/** Zod makes a number of any text that `Number` reads. A schema without coercion gets what was read from decimals. */
function toCoercedMistake(capability: Listed, { path, kind }: SchemaPart, place: string): Problem {
  const how = `with \`z.coerce.${kind}()\`, which takes the empty text for 0 and \`0x10\` for 16`;
  const message = `\`${capability.key}\` reads \`${path}\` of its ${place} ${how}.`;
  const hint =
    kind === 'number'
      ? 'Instead: `z.number()`, which reads decimal numbers from text.'
      : `Instead: ${instead['bigint']}.`;
  return toMistake('coerced-text', capability, { message, hint });
}

/** A segment of a path and a cookie are one text, a header may be a list of them. */
function isNoText(branches: readonly JsonBranch[], place: string): boolean {
  const isRefused = (branch: JsonBranch): boolean =>
    !isRaw(branch) && (isObject(branch) || (branch.type === 'array' && place !== 'header'));
  return branches.length > 0 && branches.every(isRefused);
}

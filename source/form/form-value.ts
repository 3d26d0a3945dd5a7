import type { FormField } from '../document/form-field.ts';
import { findValueAt, isJsonObject, type JsonObject, type JsonPath } from '../values/json.ts';
import { findExtraNames, findPicked, NAME_MARK } from './form-rows.ts';
import {
  type FormState,
  readText,
  toExtraField,
  toItemField,
  toPathId,
  toShownText,
} from './form-state.ts';

/** Problems by the ids of rows: a value with one cannot be sent, and is something as close to it as JSON can be. */
interface FormValue {
  readonly value: unknown;
  readonly problems: ReadonlyMap<string, string>;
}

/** The value that a form, or the part of it at a path, sends; undefined where it is left out. */
export function toFormValue(field: FormField, state: FormState, path: JsonPath = []): FormValue {
  const problems = new Map<string, string>();
  const value = toSent(
    { field, path, mark: '', value: findValueAt(state.value, path) },
    { state, problems },
  );
  return { value, problems };
}

interface Place {
  readonly field: FormField;
  readonly path: JsonPath;
  readonly mark: string;
  readonly value: unknown;
}

type Reading = { readonly state: FormState; readonly problems: Map<string, string> };

function toSent(place: Place, reading: Reading): unknown {
  const { field, path, mark, value } = place;
  const { state, problems } = reading;
  const id = toPathId(path) + mark;
  const typed = state.texts[id];
  if (typed !== undefined) {
    const { problem } = readText(field, typed);
    if (problem !== undefined) problems.set(id, problem);
    return value;
  }
  if (field.kind.kind === 'union') {
    const variant = field.kind.variants[findPicked(field, value, state.picked[id]) ?? -1]?.field();
    // The picker says that the value is there, also where nothing is in it.
    return variant === undefined
      ? value
      : toSent({ ...place, field: { ...variant, isRequired: true }, mark: `${mark}#` }, reading);
  }
  if (field.kind.kind === 'group' && isJsonObject(value))
    return toSentObject({ ...place, value }, reading);
  return Array.isArray(value) && toShownText(field, value) === undefined
    ? toSentList({ ...place, value }, reading)
    : value;
}

/** Nothing where nothing is inside any more, unless it must be there. */
function toSentObject(
  { field, path, value }: Place & { readonly value: JsonObject },
  reading: Reading,
): object | undefined {
  const fields = new Map(
    field.kind.kind === 'group' ? field.kind.fields().map((each) => [each.name, each]) : [],
  );
  const entries: [string, unknown][] = [];
  for (const name of [...fields.keys(), ...findExtraNames(field, value)]) {
    if (!Object.hasOwn(value, name)) continue;
    const at = [...path, name];
    const inner = {
      field: fields.get(name) ?? toExtraField(field),
      path: at,
      mark: '',
      value: value[name],
    };
    const sent = toSent(inner, reading);
    if (sent !== undefined) entries.push([name, sent]);
    if (fields.has(name)) continue;
    const nameId = toPathId(at) + NAME_MARK;
    if (reading.state.texts[nameId] !== undefined)
      reading.problems.set(nameId, 'This name is there already.');
    if (sent === undefined)
      reading.problems.set(toPathId(at), 'Give the name a value, or make it null with Ctrl-N.');
  }
  const isEmptied =
    entries.length === 0 && Object.keys(value).length > findExtraNames(field, value).length;
  return isEmptied && !field.isRequired ? undefined : Object.fromEntries(entries);
}

function toSentList(
  { field, path, value }: Place & { readonly value: readonly unknown[] },
  reading: Reading,
): unknown {
  const sent = value.map((inner, index) =>
    toSent(
      { field: toItemField(field, index), path: [...path, index], mark: '', value: inner },
      reading,
    ),
  );
  // What a tuple need not have is left out from its end.
  const length =
    field.kind.kind === 'tuple'
      ? sent.findLastIndex((each) => each !== undefined) + 1
      : sent.length;
  return sent.slice(0, length).map((each, index) => {
    if (each !== undefined) return each;
    reading.problems.set(
      toPathId([...path, index]),
      'Give the item a value, or make it null or empty with Ctrl-N.',
    );
    return null;
  });
}

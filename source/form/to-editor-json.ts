import { type FormField, toMembers } from '../document/form-field.ts';
import {
  findValueAt,
  isJsonObject,
  type JsonPath,
  mapLeaves,
  withValueAt,
} from '../values/json.ts';
import type { FormRow } from './form-rows.ts';
import { isWithin, toPathId } from './form-state.ts';

interface EditorJsonOptions {
  readonly rows: readonly FormRow[];
  /** The problem of a row, by its id. */
  readonly problems: ReadonlyMap<string, string>;
  /** The path of the value in the form. */
  readonly path: JsonPath;
}

/**
 * The value of a form, or a part, as JSON below comments about its fields and faults. It holds no secret: `secrets` has
 * each by the text that stands in its place.
 */
export function toEditorJson(value: unknown, { rows, problems, path }: EditorJsonOptions) {
  const inside = rows.filter(({ id, role }) => role !== 'name' && isWithin(id, toPathId(path)));
  const secrets = new Map<string, string>();
  let shown = value;
  for (const { field, path: at } of inside) {
    const text = findValueAt(value, at.slice(path.length));
    if (
      field.kind.kind !== 'text' ||
      field.kind.mask === undefined ||
      typeof text !== 'string' ||
      text === ''
    )
      continue;
    const placeholder = `<secret ${secrets.size + 1}: leave it as it is to keep it>`;
    secrets.set(placeholder, text);
    shown = withValueAt(shown, at.slice(path.length), placeholder);
  }
  const comments = inside.flatMap((row) => toComments(row, problems.get(row.id)));
  return { text: [...comments, JSON.stringify(shown ?? null, null, 2), ''].join('\n'), secrets };
}

/** One line an item, unless it has problems: the items of a list are all alike. */
function toComments(
  { at, label, field, path, value }: FormRow,
  problem: string | undefined,
): readonly string[] {
  const isLater = path.some((step) => typeof step === 'number' && step > 0);
  const facts = [field.type, field.isRequired ? 'required' : '', field.note]
    .filter(Boolean)
    .join(', ');
  const name = at === '' ? label : at;
  const lines = isLater ? [] : [`${name}: ${facts}`, ...toMemberLines(field, name, value)];
  const wrong = problem === undefined ? [] : [`✗ ${name}: ${problem}`];
  return [...lines, ...wrong].flatMap((line) => line.split(/\r?\n/)).map((line) => `// ${line}`);
}

/**
 * What each object of a union has, `payment as card: kind: "card", number: string, holder?: string`, and an object that
 * is not there.
 */
function toMemberLines({ kind }: FormField, name: string, value: unknown): readonly string[] {
  const toLine = (whole: string, inside: FormField['kind']): readonly string[] => {
    const members = toMembers(inside).map(
      (each) => `${each.name}${each.isRequired ? '' : '?'}: ${each.type}`,
    );
    return members.length === 0 ? [] : [`  ${whole}: ${members.join(', ')}`];
  };
  if (kind.kind === 'group') return isJsonObject(value) ? [] : toLine(`${name} with`, kind);
  if (kind.kind !== 'union') return [];
  return kind.variants.flatMap(({ label, field }) => toLine(`${name} as ${label}`, field().kind));
}

/** A value with its secrets in place again. */
export function withSecrets(value: unknown, secrets: ReadonlyMap<string, string>): unknown {
  return mapLeaves(value, (leaf) => secrets.get(String(leaf)) ?? leaf);
}

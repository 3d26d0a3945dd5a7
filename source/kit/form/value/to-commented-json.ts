import type { FormField } from '../../../shape/form-field.ts';
import { type FormNode, findChoices, toExtraField, toFittingNode, toItemField } from '../form-node.ts';
import { type FormPath, type FormStep, findChildNode, toPathId } from '../form-path.ts';
import { toFormValue } from './form-value.ts';
import { parseExactJson } from './parse-exact-json.ts';

export interface CommentedJson {
  readonly text: string;
  /** Each secret by the text that stands in its place. */
  readonly secrets: ReadonlyMap<string, string>;
}

export interface CommentedJsonOptions {
  /** The problem of a value, by the id of its path. */
  readonly problems: ReadonlyMap<string, string>;
  /** The path of the field in the form. */
  readonly path: FormPath;
}

/** A field as JSON with comments: what each value must be, and what is wrong with it; what is left out is there as a comment. */
export function toCommentedJson(
  field: FormField,
  node: FormNode | undefined,
  { problems, path }: CommentedJsonOptions,
): CommentedJson {
  const secrets = new Map<string, string>();
  const around = { problems, secrets };
  const place = { field, node: toFittingNode(field, node), path };
  const lines = [...toComments(place, around), ...toValueLines(place, around)];
  return { text: `${lines.join('\n')}\n`, secrets };
}

/** A value with its secrets in place again. */
export function withSecrets(value: unknown, secrets: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return secrets.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => withSecrets(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withSecrets(inner, secrets)]));
}

interface ValuePlace {
  readonly field: FormField;
  readonly node: FormNode;
  readonly path: FormPath;
}

interface Around {
  readonly problems: ReadonlyMap<string, string>;
  readonly secrets: Map<string, string>;
}

function toComments({ field, path }: Pick<ValuePlace, 'field' | 'path'>, { problems }: Around): readonly string[] {
  const problem = problems.get(toPathId(path));
  const told = [field.type, field.isRequired ? 'required' : '', field.note].filter(Boolean).join(', ');
  return [...toComment(told), ...(problem === undefined ? [] : toComment(`✗ ${problem}`))];
}

function toValueLines(place: ValuePlace, around: Around): readonly string[] {
  const { field, node } = place;
  switch (node.kind) {
    case 'object':
      return toBlock('{', [...toFieldLines(place, around), ...toExtraLines(place, around)], '}');
    case 'list': {
      const items = node.items.flatMap((inner, index) =>
        toMember(toInside(place, { field: toItemField(field, index), node: inner, step: { item: index } }), '', around),
      );
      return toBlock('[', items, ']');
    }
    case 'variant': {
      const variant = field.kind.kind === 'union' ? field.kind.variants[node.index]?.field() : undefined;
      if (variant === undefined) return ['null'];
      return toValueLines(
        toInside(place, { field: variant, node: node.nodes[node.index], step: { variant: true } }),
        around,
      );
    }
    case 'text':
    case 'json':
    case 'pick':
    case 'null':
    case 'unset':
      return [toLiteral(place, around.secrets)];
  }
}

function toFieldLines(place: ValuePlace, around: Around): readonly string[] {
  const { field, node } = place;
  return (field.kind.kind === 'group' ? field.kind.fields() : []).flatMap((child) => {
    const at = toInside(place, { field: child, node: findChildNode(node, child.name), step: { field: child.name } });
    const name = JSON.stringify(child.name);
    return isSaid(at)
      ? toMember(at, `${name}: `, around)
      : [...toComments(at, around), `// ${name}: ${toSample(child)},`];
  });
}

function toExtraLines(place: ValuePlace, around: Around): readonly string[] {
  const extras = place.node.kind === 'object' ? place.node.extras : [];
  return extras.flatMap(({ name, node }, index) => {
    const at = toInside(place, { field: toExtraField(place.field), node, step: { extra: index } });
    return toMember(at, `${JSON.stringify(name.text)}: `, around);
  });
}

/** A member of an object, or an item: its comments, and its value behind its name. */
function toMember(place: ValuePlace, prefix: string, around: Around): readonly string[] {
  const [first = '', ...rest] = toValueLines(place, around);
  const value = [prefix + first, ...rest];
  return [...toComments(place, around), ...value.with(-1, `${value.at(-1)},`)];
}

interface Inside {
  readonly field: FormField;
  readonly node: FormNode | undefined;
  readonly step: FormStep;
}

function toInside({ path }: ValuePlace, { field, node, step }: Inside): ValuePlace {
  return { field, node: toFittingNode(field, node), path: [...path, step] };
}

function isSaid({ field, node, path }: ValuePlace): boolean {
  return toFormValue(field, node, path).value !== undefined;
}

/** A value that has no others in it. What is typed and cannot be sent stays as it was typed, for its problem stands beside it. */
function toLiteral({ field, node }: ValuePlace, secrets: Map<string, string>): string {
  if (node.kind === 'json' || (node.kind === 'text' && field.kind.kind === 'json'))
    return 'value' in parseExactJson(node.text) ? node.text.trim() : JSON.stringify(node.text);
  if (node.kind === 'text' && field.kind.kind === 'number')
    return /^-?\d/.test(node.text) ? node.text : JSON.stringify(node.text);
  if (node.kind === 'text' && field.kind.kind === 'text' && field.kind.mask !== undefined && node.text !== '') {
    const placeholder = `<secret ${secrets.size + 1}: leave it as it is to keep it>`;
    secrets.set(placeholder, node.text);
    return JSON.stringify(placeholder);
  }
  return JSON.stringify(toFormValue(field, node).value ?? null);
}

function toBlock(open: string, lines: readonly string[], close: string): readonly string[] {
  return lines.length === 0 ? [open + close] : [open, ...lines.map((line) => `  ${line}`), close];
}

function toComment(text: string): readonly string[] {
  return text === '' ? [] : text.split(/\r?\n/).map((line) => `// ${line}`);
}

/** An example of a value that is left out. */
function toSample(field: FormField): string {
  if (field.default !== undefined) return field.default;
  const choices = field.kind.kind === 'union' ? undefined : findChoices(field);
  if (choices !== undefined) return JSON.stringify(choices[0] ?? null);
  switch (field.kind.kind) {
    case 'text':
    case 'file':
      return JSON.stringify(field.placeholder ?? '');
    case 'number':
      return '0';
    case 'list':
    case 'tuple':
      return '[]';
    case 'group':
      return '{}';
    case 'union':
    case 'json':
    case 'toggle':
    case 'picker':
      return 'null';
  }
}

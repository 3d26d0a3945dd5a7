import { type Environment, expandVariables } from '../../cli/values/expand-variables.ts';

/** A part of the answer of another saved call: `{{login.token}}`. */
const TEMPLATE = /\{\{\s*([^{}]+?)\s*\}\}/g;

export interface TemplateValues {
  /** The body of the answer of each saved call that is needed, by its name. */
  readonly answers: ReadonlyMap<string, unknown>;
  readonly variables: Environment;
}

/** Something in a saved call for which there is nothing to put in. */
export class UnfilledTemplate extends Error {}

/** The names of the saved calls whose answers a value takes parts of. */
export function findNeededCalls(value: unknown): ReadonlySet<string> {
  const names = [...JSON.stringify(value ?? null).matchAll(TEMPLATE)].map(([, inside = '']) => toParts(inside).name);
  return new Set(names);
}

/**
 * A value with what its templates and variables stand for. A text that is nothing but a template becomes what that
 * finds, of whatever type; else it is put into the text.
 *
 * @throws UnfilledTemplate, UnsetVariable
 */
export function fillTemplates(value: unknown, values: TemplateValues): unknown {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((item) => fillTemplates(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fillTemplates(field, values)]));
}

function fillText(text: string, values: TemplateValues): unknown {
  const [whole, only] = /^\{\{\s*([^{}]+?)\s*\}\}$/.exec(text) ?? [];
  if (whole !== undefined && only !== undefined) return findValue(only, values);
  // What an answer brings is no text of the file: a variable in it is none.
  const parts = text.split(/(\{\{[^{}]+\}\})/).map((part, index) => {
    if (index % 2 === 0) return expandVariables(part, values.variables);
    const found = findValue(part.slice(2, -2).trim(), values);
    return typeof found === 'string' ? found : JSON.stringify(found);
  });
  return parts.join('');
}

/** The path is looked up in the data of the answer first, then in the whole of it. */
function findValue(inside: string, { answers }: TemplateValues): unknown {
  const { name, steps } = toParts(inside);
  if (!answers.has(name)) throw new UnfilledTemplate(`there is no answer of @${name}`);
  for (const start of [['data', ...steps], steps]) {
    const found = start.reduce(findField, answers.get(name));
    if (found !== undefined) return found;
  }
  throw new UnfilledTemplate(`the answer of @${name} has no ${steps.join('.') || 'data'}`);
}

function findField(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isObject ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** `login.ids[0]` as the call `login` and the steps `ids` and `0`. */
function toParts(inside: string): { readonly name: string; readonly steps: readonly string[] } {
  if (inside.startsWith('$')) throw new UnfilledTemplate(`{{${inside}}} is written \${${inside.slice(1)}}`);
  const [name = '', ...steps] = inside.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  return { name, steps };
}

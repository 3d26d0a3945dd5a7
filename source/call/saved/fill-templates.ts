import { query } from 'jsonpath-rfc9535';
import { toJsonPath } from '../answer/query-answer.ts';

/** The values of templates in a saved call: `{{login.token}}` is a part of an answer, `{{$NAME}}` a variable. */
const TEMPLATE = /\{\{\s*([^{}]+?)\s*\}\}/g;

export interface TemplateValues {
  /** The body of the answer of each saved call that is needed, by its name. */
  readonly answers: ReadonlyMap<string, unknown>;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Something in a saved call for which there is nothing to put in. */
export class UnfilledTemplate extends Error {}

/** The names of the saved calls whose answers a value takes parts of. */
export function findNeededCalls(value: unknown): ReadonlySet<string> {
  const names = [...JSON.stringify(value ?? null).matchAll(TEMPLATE)].map(([, inside = '']) => toParts(inside).name);
  return new Set(names.filter((name) => !name.startsWith('$')));
}

/**
 * A value with what its templates stand for. A text that is nothing but a template becomes what that finds, of whatever type; else it is put into the text.
 *
 * @throws UnfilledTemplate
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
  return text.replace(TEMPLATE, (_, inside: string) => {
    const found = findValue(inside, values);
    return typeof found === 'string' ? found : JSON.stringify(found);
  });
}

/** The path is looked up in the data of the answer first, then in the whole of it. */
function findValue(inside: string, { answers, variables }: TemplateValues): unknown {
  const { name, path } = toParts(inside);
  if (name.startsWith('$')) {
    const variable = variables[name.slice(1)];
    if (variable === undefined) throw new UnfilledTemplate(`the variable ${name.slice(1)} is not set`);
    return variable;
  }
  if (!answers.has(name)) throw new UnfilledTemplate(`there is no answer of @${name}`);
  const body = answers.get(name) as Parameters<typeof query>[0];
  for (const place of [`.data${path}`, path]) {
    try {
      const [found] = query(body, toJsonPath(place));
      if (found !== undefined) return found;
    } catch {
      throw new UnfilledTemplate(`{{${inside}}} is not a path`);
    }
  }
  throw new UnfilledTemplate(`the answer of @${name} has no ${path.replace(/^\./, '') || 'data'}`);
}

/** `login.token` as the call `login` and the path `.token`. */
function toParts(inside: string): { readonly name: string; readonly path: string } {
  const [, name = inside, path = ''] = /^([^.[\]]+)(.*)$/.exec(inside) ?? [];
  return { name, path };
}

import { looksSecret } from '../../../server-runtime/schema/received.ts';
import { parseHeader } from '../../cli/caller-values.ts';
import type { Credential } from '../../document/api-operation.ts';
import type { FormField } from '../../document/form-field.ts';
import { toGroupField, toRootField } from '../../document/root-field.ts';
import type { FormRow } from '../../kit/form/form-rows.ts';
import {
  type FormPath,
  type FormState,
  isJsonObject,
  putValue,
  toFilledForm,
  toInitialValue,
} from '../../kit/form/form-state.ts';
import { toCharacters } from '../../kit/text.ts';
import type { Listed } from '../../manifest/listed.ts';

/** Names in lower case. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** The headers that a form asks for: those of which the guards say that they look at them, and any other. */
export function toHeadersField({
  security,
  facts: { guards },
}: Pick<Listed, 'security'> & { readonly facts: Pick<Listed['facts'], 'guards'> }): FormField {
  const schemes = new Map(security.flat().map(({ name, scheme }) => [name, scheme]));
  const asking = new Map<string, string[]>();
  for (const { name: guard, credentials: [credential = ''] = [] } of guards) {
    const name = toHeaderName(schemes.get(credential));
    if (name !== undefined) asking.set(name, [...(asking.get(name) ?? []), guard]);
  }
  const named = [...asking].map(([name, names]) => ({
    ...headerLine,
    name,
    kind: { kind: 'text', mask: maskSecret, isOneLine: true } as const,
    isRequired: false,
    isItem: false,
    note: `for ${names.join(', ')}`,
    placeholder: name === 'authorization' ? 'Bearer <token>' : undefined,
  }));
  const type = named.length === 0 ? 'headers of the request' : 'more headers';
  return toGroupField([
    ...named,
    { name: MORE, kind: { kind: 'list', item: () => headerLine }, type, isRequired: false, note: '' },
  ]);
}

const MORE = 'headers';

const headerLine: FormField = {
  name: '',
  kind: { kind: 'text', mask: maskLine, isOneLine: true },
  type: 'header',
  isRequired: true,
  isItem: true,
  note: '',
  placeholder: 'name: value',
};

/** A guard that says nothing of what it looks at most likely looks at the user. */
function toHeaderName({ type, in: place, name }: Credential['scheme'] = {}): string | undefined {
  if (type !== 'apiKey') return 'authorization';
  if (place === 'cookie') return 'cookie';
  return place === 'header' ? String(name).toLowerCase() : undefined;
}

/** The headers of the form, without what is not a header. */
export function toRequestHeaders(value: unknown): RequestHeaders {
  const { [MORE]: lines, ...named } = isJsonObject(value) ? value : {};
  const more = (Array.isArray(lines) ? lines : []).map((line) => parseHeader(String(line ?? '')));
  const own = Object.entries(named).filter(([, text]) => typeof text === 'string');
  return Object.fromEntries([...more.filter((header) => header !== undefined), ...own]) as RequestHeaders;
}

/** The problems of lines that are not headers, by the ids of their rows. */
export function findHeaderProblems(rows: readonly FormRow[]): ReadonlyMap<string, string> {
  const lines = rows.flatMap(({ id, text, item }) => (item && text !== undefined ? [[id, text] as const] : []));
  const wrong = lines.filter(([, text]) => text.trim() !== '' && parseHeader(text) === undefined);
  return new Map(wrong.map(([id]) => [id, 'write it as name: value']));
}

/** The value of the form of these headers. */
export function toHeadersValue(field: FormField, headers: RequestHeaders): object {
  const fields = field.kind.kind === 'group' ? field.kind.fields() : [];
  const isNamed = ([name]: [string, string]) => name !== MORE && fields.some((each) => each.name === name);
  const all = Object.entries(headers);
  const lines = all.filter((header) => !isNamed(header)).map(([name, value]) => `${name}: ${value}`);
  return { ...Object.fromEntries(all.filter(isNamed)), ...(lines.length > 0 && { [MORE]: lines }) };
}

/** `Bearer abc` is `Bearer ***`. */
function maskSecret(text: string): string {
  const [scheme = ''] = /^[A-Za-z]+ /.exec(text) ?? [];
  return scheme + '*'.repeat(toCharacters(text.slice(scheme.length)).length);
}

/** `cookie: a=b` is `cookie: ***`; what is not a secret is shown. */
function maskLine(line: string): string {
  const [name = ''] = /^[^:]*:\s*/.exec(line) ?? [];
  return looksSecret(name) ? name + maskSecret(line.slice(name.length)) : line;
}

/** The fields of a call, which are at these paths of its form. */
export type CallField = Readonly<Record<'input' | 'headers', FormField>>;

export const inputPath: FormPath = ['input'];
export const headersPath: FormPath = ['headers'];

export function toCallField(capability: Listed): CallField {
  const shape = capability.declaredInput();
  return { input: shape === undefined ? toGroupField([]) : toRootField(shape), headers: toHeadersField(capability) };
}

/** A form that says this input, or that of a draft, and these headers. */
export function toCallForm(
  { input, headers }: CallField,
  said: { readonly input?: unknown; readonly draft?: FormState | undefined; readonly headers: RequestHeaders },
): FormState {
  const value = toHeadersValue(headers, said.headers);
  if (said.draft !== undefined)
    return { ...putValue(said.draft, { path: headersPath }, value), focus: said.draft.focus };
  return toFilledForm(input, { input: said.input === undefined ? toInitialValue(input) : said.input, headers: value });
}

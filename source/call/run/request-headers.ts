import { looksSecret } from '../../../server-runtime/schema/received.ts';
import { parseHeader } from '../../cli/caller-values.ts';
import type { Credential } from '../../document/api-operation.ts';
import type { GuardFacts } from '../../document/facts.ts';
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
  const toName = ({ credentials: [credential = ''] = [] }: GuardFacts) => toHeaderName(schemes.get(credential));
  const names = [...new Set(guards.map(toName).filter((name) => name !== undefined))];
  return toGroupField([
    ...names.map((name): FormField => {
      const asking = guards.filter((guard) => toName(guard) === name).map((guard) => guard.name);
      return {
        name,
        kind: { kind: 'text', mask: maskSecret, isOneLine: true },
        type: 'header',
        isRequired: false,
        note: `for ${asking.join(', ')}`,
        placeholder: name === 'authorization' ? 'Bearer <token>' : undefined,
      };
    }),
    {
      name: MORE,
      kind: { kind: 'list', item: () => headerLine },
      type: names.length === 0 ? 'headers of the request' : 'more headers',
      isRequired: false,
      note: '',
    },
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
  const texts: readonly unknown[] = Array.isArray(lines) ? lines : [];
  const more = texts
    .map((line) => (typeof line === 'string' ? parseHeader(line) : undefined))
    .filter((header) => header !== undefined);
  const own = Object.entries(named).filter((header): header is [string, string] => typeof header[1] === 'string');
  return Object.fromEntries([...more, ...own]);
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
  const named = fields.filter(({ name }) => name !== MORE && headers[name] !== undefined).map(({ name }) => name);
  const more = Object.entries(headers).filter(([name]) => !named.includes(name));
  const lines = more.map(([name, value]) => `${name}: ${value}`);
  const own = Object.fromEntries(named.map((name) => [name, headers[name]]));
  return more.length === 0 ? own : { ...own, [MORE]: lines };
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

/** The fields of a call. */
export interface CallField {
  /** Both, as one form. */
  readonly whole: FormField;
  readonly input: FormField;
  readonly headers: FormField;
}

export const inputPath: FormPath = ['input'];
export const headersPath: FormPath = ['headers'];

export function toCallField(capability: Listed): CallField {
  const shape = capability.declaredInput();
  const input = shape === undefined ? toGroupField([]) : toRootField(shape);
  const headers = toHeadersField(capability);
  const whole = toGroupField([
    { ...input, name: 'input' },
    { ...headers, name: 'headers' },
  ]);
  return { whole, input, headers };
}

/** A form that says this input, or that of a draft, and these headers. */
export function toCallForm(
  { whole, input, headers }: CallField,
  said: { readonly input?: unknown; readonly draft?: FormState | undefined; readonly headers: RequestHeaders },
): FormState {
  const value = toHeadersValue(headers, said.headers);
  if (said.draft !== undefined)
    return { ...putValue(said.draft, { path: headersPath }, value), focus: said.draft.focus };
  return toFilledForm(whole, { input: said.input === undefined ? toInitialValue(input) : said.input, headers: value });
}

import { looksSecret } from '../../../server-runtime/schema/looks-secret.ts';
import { type FormState, toFilledForm, toFormInput } from '../../kit/form/form-state.ts';
import { toCharacters } from '../../kit/text/text-width.ts';
import type { ManifestCapability, ManifestGuard } from '../../manifest/manifest.ts';
import type { FormField } from '../../shape/form-fields.ts';

/** Paths of the form's headers begin with it, so that a field of the input may have the name of one. */
export const headerPrefix = 'headers:';

/** Names in lower case. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** The headers that a form asks for: those of which the guards say that they look at them, and any other. */
export function toHeaderFields({ guards }: Pick<ManifestCapability, 'guards'>): readonly FormField[] {
  const names = [...new Set(guards.map(toHeaderName).filter((name) => name !== undefined))];
  return [
    ...names.map((name): FormField => {
      const asking = guards.filter((guard) => toHeaderName(guard) === name).map((guard) => guard.name);
      return {
        name,
        kind: { kind: 'text', mask: maskSecret },
        type: 'header',
        isRequired: false,
        note: `for ${asking.join(', ')}`,
        placeholder: name === 'authorization' ? 'Bearer <token>' : undefined,
      };
    }),
    {
      name: MORE,
      kind: { kind: 'list', item: headerLine },
      type: names.length === 0 ? 'of the request' : 'more of them',
      isRequired: false,
      note: '',
    },
  ];
}

const MORE = 'headers';

const headerLine: FormField = {
  name: '',
  kind: { kind: 'text', mask: maskLine },
  type: 'header',
  isRequired: false,
  note: '',
  placeholder: 'name: value',
};

/** A guard that says nothing of what it looks at most likely looks at the user. */
function toHeaderName({ security }: ManifestGuard): string | undefined {
  if (security?.type !== 'apiKey') return 'authorization';
  switch (security.in) {
    case 'header':
      return security.name.toLowerCase();
    case 'cookie':
      return 'cookie';
    case 'query':
      return undefined;
  }
}

/** What the form says, without what is not a header. */
export function toRequestHeaders(fields: readonly FormField[], form: FormState): RequestHeaders {
  const { [MORE]: lines = [], ...named } = toFormInput(fields, form, headerPrefix) as {
    readonly [MORE]?: readonly string[];
  };
  const more = lines.map(parseHeader).filter((header) => header !== undefined);
  return Object.fromEntries([...more, ...Object.entries(named as RequestHeaders)]);
}

/** What is wrong with a line that is not a header, by its path in the form. */
export function findHeaderProblems(form: FormState): ReadonlyMap<string, string> {
  const lines = Object.entries(form.texts).filter(([path]) => path.startsWith(`${headerPrefix}${MORE}.`));
  const wrong = lines.filter(([, { text }]) => text.trim() !== '' && parseHeader(text) === undefined);
  return new Map(wrong.map(([path]) => [path, 'write it as name: value']));
}

/** A form with these headers in the place of its own. */
export function withHeaders(fields: readonly FormField[], form: FormState, headers: RequestHeaders): FormState {
  const isOwn = (path: string): boolean => path.startsWith(headerPrefix);
  const others = <Value>(values: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(values).filter(([path]) => !isOwn(path)));
  const named = fields.filter(({ name }) => name !== MORE).map(({ name }) => name);
  const more = Object.entries(headers).filter(([name]) => !named.includes(name));
  const lines = more.map(([name, value]) => `${name}: ${value}`);
  const filled = toFilledForm(fields, { ...headers, [MORE]: lines }, headerPrefix);
  return {
    ...form,
    texts: { ...others(form.texts), ...filled.texts },
    counts: { ...others(form.counts), ...filled.counts },
  };
}

function parseHeader(line: string): readonly [name: string, value: string] | undefined {
  const [, name = '', value = ''] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*:\s*([^\p{Cc}]*?)\s*$/u.exec(line) ?? [];
  return name === '' ? undefined : [name.toLowerCase(), value];
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

import { looksSecret } from '../../server-runtime/schema/received.ts';
import { parseHeader } from '../cli/caller-values.ts';
import type { FormField } from '../document/form-field.ts';
import type { Credential } from '../document/operations/api-operation.ts';
import { toGroupField, toRootField } from '../document/root-field.ts';
import type { FormRow } from '../form/form-rows.ts';
import {
  type FormState,
  putValue,
  toFilledForm,
  toInitialValue,
  toPathId,
} from '../form/form-state.ts';
import { toCharacters } from '../kit/text.ts';
import type { Listed } from '../manifest/manifest.ts';
import type { RequestHeaders } from './perform-call.ts';

/** The fields of a call, which are at these paths of its form. */
export interface CallField {
  readonly input: FormField;
  /** A list of lines, `name: value`. One without a value is not sent. */
  readonly headers: FormField;
  /** Names of the headers that the guards look at, which have a line from the start. */
  readonly expected: readonly string[];
}

export const inputPath = ['input'] as const;
export const headersPath = ['headers'] as const;

export function toCallField(capability: Listed): CallField {
  const shape = capability.declaredInput();
  const input = shape === undefined ? toGroupField([]) : toRootField(shape);
  return { input, ...toHeadersField(capability) };
}

type Guarded = Pick<Listed, 'security'> & { readonly facts: Pick<Listed['facts'], 'guards'> };

export function toHeadersField({
  security,
  facts: { guards },
}: Guarded): Pick<CallField, 'headers' | 'expected'> {
  const named = security.flat().flatMap(({ scheme }) => toHeaderName(scheme) ?? []);
  // A guard that says nothing of what it looks at most likely looks at the user.
  const isSilent = guards.some(({ credentials = [] }) => credentials.length === 0);
  const headers: FormField = {
    name: 'headers',
    kind: { kind: 'list', item: () => headerLine },
    type:
      guards.length === 0
        ? 'headers of the request'
        : `for ${guards.map(({ name }) => name).join(', ')}`,
    isRequired: false,
    note: '',
  };
  return { headers, expected: [...new Set([...named, ...(isSilent ? ['authorization'] : [])])] };
}

const headerLine: FormField = {
  name: '',
  kind: { kind: 'text', mask: maskLine, isOneLine: true },
  type: 'name: value',
  isRequired: true,
  isItem: true,
  note: '',
};

function toHeaderName({ type, in: place, name }: Credential['scheme']): string | undefined {
  if (type !== 'apiKey') return 'authorization';
  if (place === 'cookie') return 'cookie';
  return place === 'header' ? String(name).toLowerCase() : undefined;
}

/** `authorization: Bearer abc` is `authorization: Bearer ***`; what is not a secret is shown. */
function maskLine(line: string): string {
  const [shown = ''] = /^[^:]*:\s*(?:[A-Za-z]+ )?/.exec(line) ?? [];
  return looksSecret(shown)
    ? shown + '*'.repeat(toCharacters(line.slice(shown.length)).length)
    : line;
}

/** The headers that the lines of a form say, without what is not a header. */
export function toRequestHeaders(lines: unknown): RequestHeaders {
  const headers = (Array.isArray(lines) ? lines : []).flatMap((line) => {
    const [name, value = ''] = parseHeader(String(line ?? '')) ?? [];
    return name === undefined || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(headers);
}

/** The problems of lines that are not headers, by the ids of their rows. */
export function findHeaderProblems(rows: readonly FormRow[]): ReadonlyMap<string, string> {
  const lines = rows.filter(({ item, text = '' }) => item !== undefined && text.trim() !== '');
  const wrong = lines.filter(({ text = '' }) => parseHeader(text) === undefined);
  return new Map(wrong.map(({ id }) => [id, 'write it as name: value']));
}

/** A form that says this input, or that of a draft, and these headers. */
export function toCallForm(
  { input, expected }: CallField,
  start: {
    readonly input?: unknown;
    readonly draft?: FormState | undefined;
    readonly headers: RequestHeaders;
  },
): FormState {
  const names = new Set([...expected, ...Object.keys(start.headers)]);
  const lines =
    names.size === 0
      ? undefined
      : [...names].map((name) => `${name}: ${start.headers[name] ?? ''}`);
  if (start.draft !== undefined)
    return { ...putValue(start.draft, { path: headersPath }, lines), focus: start.draft.focus };
  const value = {
    input: start.input === undefined ? toInitialValue(input) : start.input,
    headers: lines,
  };
  const hasInput =
    input.kind.kind !== 'group' || input.kind.fields().length > 0 || input.kind.extra !== undefined;
  return {
    ...toFilledForm(input, value),
    focus: hasInput ? undefined : toPathId([...headersPath, 0]),
  };
}

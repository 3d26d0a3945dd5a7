import { type FormPath, type FormState, putValue, toFilledForm, toInitialValue } from '../kit/form/form-state.ts';
import type { Listed } from '../manifest/listed.ts';
import { type FormField } from '../shape/form-field.ts';
import { toGroupField, toRootField } from '../shape/root-field.ts';
import { type RequestHeaders, toHeadersField, toHeadersValue } from './run/request-headers.ts';

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

import type { FormNode } from '../kit/form/form-node.ts';
import type { FormPath } from '../kit/form/form-path.ts';
import { toFilledNode } from '../kit/form/value/to-filled-node.ts';
import type { ManifestCapability } from '../manifest/manifest.ts';
import { type FormField } from '../shape/form-field.ts';
import { toShape } from '../shape/read/to-shape.ts';
import { toGroupField, toRootField } from '../shape/root-field.ts';
import { type RequestHeaders, toHeadersField, toHeadersNode } from './run/request-headers.ts';

/** The fields of a call. */
export interface CallField {
  /** Both, as one form. */
  readonly whole: FormField;
  readonly input: FormField;
  readonly headers: FormField;
}

export const inputPath: FormPath = [{ field: 'input' }];
export const headersPath: FormPath = [{ field: 'headers' }];

export function toCallField(capability: ManifestCapability): CallField {
  const input = capability.input === undefined ? toGroupField([]) : toRootField(toShape(capability.input.json));
  const headers = toHeadersField(capability);
  const whole = toGroupField([
    { ...input, name: 'input' },
    { ...headers, name: 'headers' },
  ]);
  return { whole, input, headers };
}

/** A form that says this input, or that of a draft, and these headers. */
export function toCallNode(
  { input, headers }: CallField,
  said: { readonly input?: unknown; readonly draft?: FormNode | undefined; readonly headers: RequestHeaders },
): FormNode {
  const fields = [
    { name: 'input', node: said.draft ?? toFilledNode(input, said.input) },
    { name: 'headers', node: toHeadersNode(headers, said.headers) },
  ];
  return { kind: 'object', isExplicit: true, fields, extras: [] };
}

import { toPathId } from '../kit/form/form-path.ts';
import { type FormState, toFilledForm } from '../kit/form/form-state.ts';
import { toFormValue } from '../kit/form/value/form-value.ts';
import type { GenerateOptions } from '../screens/location.ts';
import { type FormField } from '../shape/form-field.ts';
import { toGroupField } from '../shape/root-field.ts';
import type { Wish } from './plan/generate-preview.ts';

export interface FieldsOptions {
  /** Whether a file is in the way, so that there is something to replace. */
  readonly offersReplace: boolean;
}

/** The fields of the form. */
export function toGenerateField(kind: Wish['kind'], { offersReplace }: FieldsOptions): FormField {
  switch (kind) {
    case 'capability':
      return toGroupField(offersReplace ? [...capabilityFields, replaceField] : capabilityFields);
    case 'group':
      return toGroupField(groupFields);
  }
}

/** Id of the row of a field. */
export function toFieldId(name: string): string {
  return toPathId([{ field: name }]);
}

const groupFields: readonly FormField[] = [
  { name: 'name', kind: { kind: 'text', isOneLine: true }, type: 'for example shop/items', isRequired: true, note: '' },
];

const capabilityFields: readonly FormField[] = [
  {
    name: 'group',
    kind: { kind: 'text', isOneLine: true },
    type: 'for example shop/items',
    isRequired: false,
    note: '',
  },
  { name: 'name', kind: { kind: 'text', isOneLine: true }, type: 'for example getUser', isRequired: true, note: '' },
  toToggle('input', 'declares an input with an id'),
];

const replaceField = toToggle('replace', 'replaces the old file');

function toToggle(name: string, type: string): FormField {
  return { name, kind: { kind: 'toggle' }, type, isRequired: false, default: 'false', note: '' };
}

const everyField = toGroupField([...capabilityFields, replaceField]);

export interface StartFormOptions extends GenerateOptions {
  readonly group?: string | undefined;
}

/** The form as it opens: what is known already is filled in, and what comes first is asked. */
export function toStartForm(kind: Wish['kind'], { group, input = false, force = false }: StartFormOptions): FormState {
  const known = { group, ...(input ? { input } : {}), ...(force ? { replace: force } : {}) };
  const focus = toFieldId(kind === 'group' || group !== undefined ? 'name' : 'group');
  return { ...toFilledForm(everyField, known), focus };
}

/** The request with all that has been typed. */
export function toWish(kind: Wish['kind'], form: FormState): Wish {
  const { group = '', name = '', input, replace } = toFormValue(everyField, form.root).value as TypedForm;
  switch (kind) {
    case 'capability':
      return { kind, group, name, withInput: input === true, force: replace === true };
    case 'group':
      return { kind, name };
  }
}

interface TypedForm {
  readonly group?: string;
  readonly name?: string;
  readonly input?: boolean;
  readonly replace?: boolean;
}

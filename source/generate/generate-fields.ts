import { type FormState, toFilledForm, toFormInput } from '../kit/form/form-state.ts';
import type { GenerateOptions } from '../screens/location.ts';
import type { FormField } from '../shape/form-fields.ts';
import type { Wish } from './plan/generate-preview.ts';

export interface FieldsOptions {
  /** Whether a file is in the way, so that there is something to replace. */
  readonly offersReplace: boolean;
}

/** What is asked for. */
export function toGenerateFields(kind: Wish['kind'], { offersReplace }: FieldsOptions): readonly FormField[] {
  switch (kind) {
    case 'capability':
      return offersReplace ? [...capabilityFields, replaceField] : capabilityFields;
    case 'group':
      return groupFields;
  }
}

const groupFields: readonly FormField[] = [
  { name: 'name', kind: { kind: 'text' }, type: 'as shop/items', isRequired: true, note: '' },
];

const capabilityFields: readonly FormField[] = [
  { name: 'group', kind: { kind: 'text' }, type: 'as shop/items', isRequired: false, note: '' },
  { name: 'name', kind: { kind: 'text' }, type: 'as getUser', isRequired: true, note: '' },
  toToggle('input', 'with an id'),
];

const replaceField = toToggle('replace', 'the old file');

function toToggle(name: string, type: string): FormField {
  return { name, kind: { kind: 'toggle' }, type, isRequired: false, default: 'false', note: '' };
}

const allFields = toGenerateFields('capability', { offersReplace: true });

export interface StartFormOptions extends GenerateOptions {
  readonly group?: string | undefined;
}

/** The form as it opens: what is known already is filled in, and what comes first is asked. */
export function toStartForm(kind: Wish['kind'], { group, input = false, force = false }: StartFormOptions): FormState {
  const known = { group, ...(input ? { input } : {}), ...(force ? { replace: force } : {}) };
  return { ...toFilledForm(allFields, known), focus: kind === 'group' || group !== undefined ? 'name' : 'group' };
}

/** What is asked for with all that has been typed. */
export function toWish(kind: Wish['kind'], form: FormState): Wish {
  const { group = '', name = '', input, replace } = toFormInput(allFields, form) as TypedForm;
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

import type { FormField } from '../document/form-field.ts';
import { toGroupField } from '../document/root-field.ts';
import { type FormState, toFilledForm } from '../kit/form/form-state.ts';
import { toFormValue } from '../kit/form/form-value.ts';
import { type PackageManager, packageManagers } from './project/package-manager.ts';
import { type ProjectLanguage, projectLanguages } from './project/project-files.ts';

/** The answers to the questions of `capix new`. */
export interface NewAnswers {
  readonly name: string;
  readonly language: ProjectLanguage;
  readonly tests: boolean;
  readonly agents: boolean;
  readonly packageManager: PackageManager;
  readonly install: boolean;
  readonly git: boolean;
}

/** The questions of `capix new`. */
export const newField: FormField = toGroupField([
  toField('name', { kind: 'text', isOneLine: true }, 'its folder; a dot is this one'),
  toField('language', { kind: 'picker', values: projectLanguages }),
  toField('tests', { kind: 'toggle' }, 'tests of the example'),
  toField('agents', { kind: 'toggle' }, 'AGENTS.md and rules for editors'),
  toField('packageManager', { kind: 'picker', values: packageManagers }),
  toField('install', { kind: 'toggle' }, 'install the packages now'),
  toField('git', { kind: 'toggle' }, 'a repository with a first commit'),
]);

function toField(name: string, kind: FormField['kind'], type = ''): FormField {
  return { name, kind, type, isRequired: false, note: '', placeholder: 'my-api' };
}

export function toNewForm(answers: NewAnswers): FormState {
  const { name, ...picks } = answers;
  return toFilledForm(newField, name === '' ? picks : answers);
}

/** The answers; a question that was cleared has the one that it began with. */
export function toAnswers(form: FormState, first: NewAnswers): NewAnswers {
  const answers = { ...first, name: '', ...(toFormValue(newField, form).value as Partial<NewAnswers>) };
  return { ...answers, name: answers.name.trim() };
}

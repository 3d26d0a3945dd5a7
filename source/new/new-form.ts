import { type TextFieldState, toTextField } from '../kit/field/text-field-state.ts';
import { type PackageManager, packageManagers } from './project/package-manager.ts';
import type { ProjectFeature } from './project/project-features.ts';
import { type ProjectLanguage, projectLanguages } from './project/project-file.ts';

/** The questions of the wizard. */
export interface NewForm {
  readonly name: TextFieldState;
  /** The index of the picked choice of each question. */
  readonly picks: Readonly<Record<QuestionId, number>>;
  readonly focus: 'name' | QuestionId;
}

export type QuestionId = 'language' | 'tests' | 'agents' | 'packageManager' | 'git' | 'install';

export interface Question {
  readonly id: QuestionId;
  readonly label: string;
  readonly choices: readonly string[];
  readonly note: string;
}

const yesOrNo = ['yes', 'no'];

export const questions: readonly Question[] = [
  { id: 'language', label: 'Language', choices: ['TypeScript', 'JavaScript'], note: '' },
  { id: 'tests', label: 'Tests', choices: yesOrNo, note: 'for the example' },
  { id: 'agents', label: 'Agent notes', choices: yesOrNo, note: 'AGENTS.md, rules' },
  { id: 'packageManager', label: 'Installed by', choices: packageManagers, note: '' },
  { id: 'install', label: 'Install now', choices: yesOrNo, note: '' },
  { id: 'git', label: 'Git repository', choices: yesOrNo, note: 'unless inside one' },
];

export interface NewDefaults {
  readonly name?: string | undefined;
  readonly packageManager: PackageManager;
  readonly language: ProjectLanguage;
  readonly git: boolean;
  readonly install: boolean;
}

export function startForm({ name = '', packageManager, language, git, install }: NewDefaults): NewForm {
  const pick = (value: boolean): number => (value ? 0 : 1);
  return {
    name: toTextField(name),
    picks: {
      language: projectLanguages.indexOf(language),
      tests: 0,
      agents: 0,
      packageManager: packageManagers.indexOf(packageManager),
      git: pick(git),
      install: pick(install),
    },
    focus: 'name',
  };
}

export type NewFormEvent =
  | { readonly kind: 'type'; readonly name: TextFieldState }
  | { readonly kind: 'move'; readonly step: 1 | -1 }
  | { readonly kind: 'pick'; readonly step: 1 | -1 };

export function toNextForm(form: NewForm, event: NewFormEvent): NewForm {
  switch (event.kind) {
    case 'type':
      return { ...form, name: event.name };
    case 'move': {
      const order: readonly NewForm['focus'][] = ['name', ...questions.map(({ id }) => id)];
      const at = order.indexOf(form.focus) + event.step;
      return { ...form, focus: order[(at + order.length) % order.length] ?? 'name' };
    }
    case 'pick': {
      const question = questions.find(({ id }) => id === form.focus);
      if (question === undefined) return form;
      const { id, choices } = question;
      const picked = (form.picks[id] + event.step + choices.length) % choices.length;
      return { ...form, picks: { ...form.picks, [id]: picked } };
    }
  }
}

export interface NewAnswers {
  readonly name: string;
  readonly features: readonly ProjectFeature[];
  readonly language: ProjectLanguage;
  readonly packageManager: PackageManager;
  readonly git: boolean;
  readonly install: boolean;
}

export function toAnswers({ name, picks }: NewForm): NewAnswers {
  const isYes = (id: QuestionId): boolean => picks[id] === 0;
  return {
    name: name.text.trim(),
    features: (['tests', 'agents'] as const).filter(isYes),
    packageManager: packageManagers[picks.packageManager] ?? 'npm',
    language: projectLanguages[picks.language] ?? 'typescript',
    git: isYes('git'),
    install: isYes('install'),
  };
}

import { useCallback, useMemo, useState } from 'react';
import type { FormField } from '../document/form-field.ts';
import { toGroupField } from '../document/root-field.ts';
import { type FormState, toFilledForm } from '../kit/form/form-state.ts';
import { toFormValue } from '../kit/form/form-value.ts';
import { useKept, useLatest } from '../kit/use-kept.ts';
import { useScreen } from '../screens/use-screen.ts';
import { type CreatedProject, createProject, type ProjectPlan, planProject } from './create-project.ts';
import { inferPackageManager, type PackageManager, packageManagers } from './package-manager.ts';
import { type ProjectLanguage, projectLanguages } from './project-files.ts';

/** The project as the answers make it, or why they do not; neither where there is no name yet. */
export interface NewPreview {
  readonly plan?: ProjectPlan;
  readonly problem?: string | undefined;
}

/** A project from its questions to where it is made. */
export interface NewUse {
  readonly form: FormState;
  readonly onForm: (form: FormState) => void;
  readonly preview: NewPreview;
  readonly create: () => void;
  /** Lines about what happens while it is made; undefined while it is asked. */
  readonly progress: readonly string[] | undefined;
  readonly project: CreatedProject | undefined;
}

export function useNew(): NewUse {
  const { terminal, entry } = useScreen();
  const route = entry.route.screen === 'new' ? entry.route : undefined;
  const { force = false, git = true, install = true, packageManager, javascript = false } = route?.options ?? {};
  const first: NewAnswers = {
    name: route?.name ?? '',
    language: javascript ? 'javascript' : 'typescript',
    tests: true,
    agents: true,
    packageManager: packageManager ?? inferPackageManager(terminal.environment['npm_config_user_agent']),
    install,
    git,
  };
  const [form, setForm] = useKept('form', () => toNewForm(first));
  const [progress, setProgress] = useState<readonly string[]>();
  const [project, setProject] = useState<CreatedProject>();
  const [refused, setRefused] = useState<string>();
  const options = { ...toAnswers(form, first), workingDirectory: terminal.workingDirectory(), force };
  const text = JSON.stringify(options);
  const load = useCallback(() => loadPreview(JSON.parse(text) as typeof options), [text]);
  const preview = useLatest(load, {});
  const onProgress = (line: string): void => setProgress((lines = []) => [...lines, line].slice(-KEPT_LINES));
  const create = async (): Promise<void> => {
    setProgress([]);
    try {
      setProject(await createProject({ ...options, onProgress }));
    } catch (error) {
      setRefused((error as Error).message);
      setProgress(undefined);
    }
  };
  return {
    form,
    onForm: (next) => {
      setRefused(undefined);
      setForm(next);
    },
    preview: useMemo(() => (refused === undefined ? preview : { problem: refused }), [preview, refused]),
    create: () => {
      if (options.name !== '' && preview.problem === undefined) void create();
    },
    progress,
    project,
  };
}

const KEPT_LINES = 200;

async function loadPreview(options: Parameters<typeof planProject>[0]): Promise<NewPreview> {
  if (options.name === '') return {};
  try {
    return { plan: await planProject(options) };
  } catch (error) {
    return { problem: (error as Error).message.replace(' Nothing was written.', '') };
  }
}

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

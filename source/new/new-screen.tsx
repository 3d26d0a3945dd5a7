import { useAnimation, useApp } from 'ink';
import { useCallback, useState } from 'react';
import { toGroupField } from '../document/root-field.ts';
import { type NewValues, type TemplateName, templateNames } from '../flags/new-flags.ts';
import { toFilledForm, toPathId } from '../form/form-state.ts';
import { toFormValue } from '../form/form-value.ts';
import { Keys } from '../kit/keys.tsx';
import { type Line, toTextLines } from '../kit/line.ts';
import { ScrollView } from '../kit/rows-view.tsx';
import { signs } from '../kit/theme.ts';
import { useBodySize, useLatest, useMemory } from '../kit/use-ui.ts';
import { FormAndOutcome, toPlainField } from '../screens/form-and-outcome.tsx';
import { ScreenFrame } from '../screens/screen-frame.tsx';
import { useNavigation, useServices } from '../screens/use-screen.ts';
import {
  createProject,
  type ProjectOptions,
  type ProjectPlan,
  planProject,
} from './create-project.ts';
import { toFolderText, toInstallError, toNewText } from './new-command.ts';
import { inferPackageManager, packageManagers } from './package-manager.ts';
import type { ProjectAnswers } from './project-files.ts';
import { projectLanguages } from './project-templates.ts';

/** `capix new` without a name: a few questions, and the files that the answers make. The shell tells what is next. */
export default function NewScreen() {
  const { notify } = useServices();
  const { exit } = useApp();
  const [progress, setProgress] = useState<readonly string[]>();
  const create = async (options: ProjectOptions): Promise<void> => {
    setProgress([]);
    const onProgress = (line: string): void =>
      setProgress((lines = []) => [...lines, line].slice(-KEPT_LINES));
    try {
      const project = await createProject({ ...options, onProgress });
      exit(toInstallError(project) ?? { message: toNewText(project) });
    } catch (error) {
      notify((error as Error).message);
      setProgress(undefined);
    }
  };
  return (
    <ScreenFrame screen="new" isForm={progress === undefined}>
      {progress ? (
        <Creating progress={progress} />
      ) : (
        <Questions onCreate={(options) => void create(options)} />
      )}
    </ScreenFrame>
  );
}

const KEPT_LINES = 200;

const newField = toGroupField([
  {
    ...toPlainField('name', { kind: 'text', isOneLine: true }, 'its folder; a dot is this one'),
    placeholder: 'my-api',
  },
  toPlainField('template', { kind: 'picker', values: templateNames }, toTemplatesText()),
  toPlainField('language', { kind: 'picker', values: projectLanguages }),
  toPlainField('packageManager', { kind: 'picker', values: packageManagers }),
  toPlainField('install', { kind: 'toggle' }, 'install the packages now'),
  toPlainField('git', { kind: 'toggle' }, 'a repository with a first commit'),
]);

/** `minimal: one capability; items: three; …` */
function toTemplatesText(): string {
  const words: Readonly<Record<TemplateName, string>> = {
    minimal: 'one capability',
    items: 'three that share a store',
    product: "the tutorial's clinic, with a database",
  };
  return templateNames.map((name) => `${name}: ${words[name]}`).join('; ');
}

/** The project as the answers make it, or why they do not; neither where there is no name yet. */
interface Preview {
  readonly plan?: ProjectPlan;
  readonly problem?: string;
}

function Questions({ onCreate }: { readonly onCreate: (options: ProjectOptions) => void }) {
  const { terminal } = useServices();
  const { entry } = useNavigation();
  const { name, options } = entry.route.screen === 'new' ? entry.route : {};
  const startOptions: Partial<NewValues> = options ?? {};
  const first = toFirstAnswers(startOptions, terminal.environment);
  const [state, onState] = useMemory('form', () => toFilledForm(newField, { ...first, name }));
  // A question that was cleared has the answer that it began with.
  const answers = { ...first, ...(toFormValue(newField, state).value as Partial<ProjectAnswers>) };
  const { force = false } = startOptions;
  const project = {
    ...answers,
    name: answers.name.trim(),
    workingDirectory: terminal.workingDirectory(),
    force,
  };
  const text = JSON.stringify(project);
  const load = useCallback(() => loadPreview(JSON.parse(text) as ProjectOptions), [text]);
  const preview = useLatest<Preview>(load, {});
  return (
    <FormAndOutcome
      form={{ field: newField, state }}
      onState={onState}
      problems={new Map(preview.problem === undefined ? [] : [[toPathId(['name']), 'will not do']])}
      help="Create the project"
      hint="create"
      onWrite={() => project.name !== '' && preview.problem === undefined && onCreate(project)}
      toLines={(columns) => toPreviewLines(preview, columns)}
    />
  );
}

/** The answers before anything is typed: those of the command line, else what is usual. */
function toFirstAnswers(
  {
    template = 'items',
    javascript,
    packageManager,
    install = true,
    git = true,
  }: Partial<NewValues>,
  environment: Readonly<Record<string, string | undefined>>,
): ProjectAnswers {
  return {
    name: '',
    template,
    language: javascript ? 'javascript' : 'typescript',
    packageManager: packageManager ?? inferPackageManager(environment['npm_config_user_agent']),
    install,
    git,
  };
}

async function loadPreview(options: ProjectOptions): Promise<Preview> {
  if (options.name === '') return {};
  try {
    return { plan: await planProject(options) };
  } catch (error) {
    return { problem: (error as Error).message.replace(' Nothing was written.', '') };
  }
}

function toPreviewLines({ plan, problem }: Preview, columns: number): readonly Line[] {
  if (problem !== undefined) return toTextLines(problem, columns, 'danger');
  if (plan === undefined)
    return toTextLines('What is it called? A dot is this folder.', columns, 'muted');
  const files = plan.files.map(({ path }): Line => [{ text: `  ${path}` }]);
  const notice = `Enter makes ${plan.packageName} in ${toFolderText(plan)}.`;
  return [...toTextLines(notice, columns, 'success'), [], ...files];
}

function Creating({ progress }: { readonly progress: readonly string[] }) {
  const { notify } = useServices();
  const size = useBodySize();
  const { frame } = useAnimation({ interval: 80 });
  const wait = (): void => notify('Still running; q leaves it unfinished');
  const [first = 'Writing the files …', ...output] = progress;
  const shown = output
    .slice(-Math.max(1, size.rows - 2))
    .map((text): Line => [{ text, token: 'muted' }]);
  const spinner = signs.spinner[frame % signs.spinner.length] ?? '';
  const lines: readonly Line[] = [
    [{ text: `${spinner} `, token: 'accent' }, { text: first }],
    [],
    ...shown,
  ];
  return (
    <Keys actions={{ back: { help: 'Wait until it is done', hint: undefined, run: wait } }}>
      <ScrollView
        {...size}
        lines={lines}
        margin={2}
        offset={0}
        onOffset={() => {}}
        isFocused={false}
      />
    </Keys>
  );
}

import { useAnimation, useApp } from 'ink';
import { useCallback, useState } from 'react';
import type { FormField } from '../document/form-field.ts';
import { toGroupField } from '../document/root-field.ts';
import { toBindings } from '../kit/actions.ts';
import { toFilledForm, toPathId } from '../kit/form/form-state.ts';
import { toFormValue } from '../kit/form/form-value.ts';
import { type Line, toTextLines } from '../kit/line.ts';
import { ScrollView } from '../kit/rows-view.tsx';
import { signs } from '../kit/theme.ts';
import { useKept, useLatest } from '../kit/use-kept.ts';
import { useKeys } from '../kit/use-keys.ts';
import { useBodySize } from '../kit/use-ui.ts';
import { FormAndOutcome } from '../screens/form-and-outcome.tsx';
import { ScreenFrame } from '../screens/screen-frame.tsx';
import { useScreen } from '../screens/use-screen.ts';
import {
  type CreatedProject,
  createProject,
  type ProjectOptions,
  type ProjectPlan,
  planProject,
} from './create-project.ts';
import { toFolderText, toInstallError, toNewText, toNextText } from './new-command.ts';
import { inferPackageManager, packageManagers } from './package-manager.ts';
import { type ProjectAnswers, projectLanguages } from './project-files.ts';

/** `capix new` without a name: a few questions, the files that the answers make, and the way to a running server. */
export default function NewScreen() {
  const { notify } = useScreen();
  const { exit } = useApp();
  const [progress, setProgress] = useState<readonly string[]>();
  const [project, setProject] = useState<CreatedProject>();
  const onProgress = (line: string): void => setProgress((lines = []) => [...lines, line].slice(-KEPT_LINES));
  const create = async (options: ProjectOptions): Promise<void> => {
    setProgress([]);
    try {
      setProject(await createProject({ ...options, onProgress }));
    } catch (error) {
      notify((error as Error).message);
      setProgress(undefined);
    }
  };
  // What to do next stays in the terminal.
  const leave = project && ((): void => exit(toInstallError(project) ?? { message: toNewText(project) }));
  return (
    <ScreenFrame screen="new" isForm={progress === undefined} {...(leave ? { onLeave: leave } : {})}>
      {project && leave ? (
        <CreatedView project={project} onLeave={leave} />
      ) : progress ? (
        <CreatingView progress={progress} />
      ) : (
        <Questions onCreate={(options) => void create(options)} />
      )}
    </ScreenFrame>
  );
}

const KEPT_LINES = 200;

/** The questions of `capix new`. */
const newField: FormField = toGroupField([
  toField('name', { kind: 'text', isOneLine: true }, 'its folder; a dot is this one'),
  toField('language', { kind: 'picker', values: projectLanguages }),
  toField('packageManager', { kind: 'picker', values: packageManagers }),
  toField('install', { kind: 'toggle' }, 'install the packages now'),
  toField('git', { kind: 'toggle' }, 'a repository with a first commit'),
]);

function toField(name: string, kind: FormField['kind'], type = ''): FormField {
  return { name, kind, type, isRequired: false, note: '', placeholder: 'my-api' };
}

/** The project as the answers make it, or why they do not; neither where there is no name yet. */
interface Preview {
  readonly plan?: ProjectPlan;
  readonly problem?: string;
}

function Questions({ onCreate }: { readonly onCreate: (options: ProjectOptions) => void }) {
  const { terminal, entry } = useScreen();
  const { name, options: given } = entry.route.screen === 'new' ? entry.route : {};
  const first: ProjectAnswers = {
    name: '',
    language: given?.javascript ? 'javascript' : 'typescript',
    packageManager: given?.packageManager ?? inferPackageManager(terminal.environment['npm_config_user_agent']),
    install: given?.install ?? true,
    git: given?.git ?? true,
  };
  const [state, onState] = useKept('form', () => toFilledForm(newField, { ...first, name }));
  // A question that was cleared has the answer that it began with.
  const answers = { ...first, ...(toFormValue(newField, state).value as Partial<ProjectAnswers>) };
  const options: ProjectOptions = {
    ...answers,
    name: answers.name.trim(),
    workingDirectory: terminal.workingDirectory(),
    force: given?.force ?? false,
  };
  const text = JSON.stringify(options);
  const load = useCallback(() => loadPreview(JSON.parse(text) as ProjectOptions), [text]);
  const preview = useLatest<Preview>(load, {});
  return (
    <FormAndOutcome
      title="New project"
      form={{ field: newField, state }}
      onState={onState}
      problems={new Map(preview.problem === undefined ? [] : [[toPathId(['name']), 'will not do']])}
      help="Create the project"
      hint="create"
      onWrite={() => options.name !== '' && preview.problem === undefined && onCreate(options)}
      toLines={(columns) => toPreviewLines(preview, columns)}
    />
  );
}

async function loadPreview(options: ProjectOptions): Promise<Preview> {
  if (options.name === '') return {};
  try {
    return { plan: await planProject(options) };
  } catch (error) {
    return { problem: (error as Error).message.replace(' Nothing was written.', '') };
  }
}

/** Says what comes of Enter, and which files. */
function toPreviewLines({ plan, problem }: Preview, columns: number): readonly Line[] {
  if (problem !== undefined) return toTextLines(problem, columns, 'danger');
  if (plan === undefined) return toTextLines('What is it called? A dot is this folder.', columns, 'muted');
  const files = plan.files.map(({ path }): Line => [{ text: `  ${path}` }]);
  return [
    ...toTextLines(`Enter makes ${plan.packageName} in ${toFolderText(plan)}.`, columns, 'success'),
    [],
    ...files,
  ];
}

const waitBindings = toBindings(['back'], { back: { help: 'Wait until it is done', hint: undefined } });

/** Shows what the package manager says. */
function CreatingView({ progress }: { readonly progress: readonly string[] }) {
  const { notify } = useScreen();
  const { rows } = useBodySize();
  const { frame } = useAnimation({ interval: 80 });
  useKeys({
    title: 'New project',
    bindings: waitBindings,
    onAction: () => notify('Still running; q leaves it unfinished'),
  });
  const [first = 'Writing the files …', ...output] = progress;
  const shown = output.slice(-Math.max(1, rows - 2)).map((text): Line => [{ text, token: 'muted' }]);
  const spinner = signs.spinner[frame % signs.spinner.length] ?? '';
  return <Lines lines={[[{ text: `${spinner} `, token: 'accent' }, { text: first }], [], ...shown]} />;
}

const doneBindings = toBindings(['go', 'back'], {
  go: { help: 'Leave, with the next steps in the terminal', hint: 'done' },
  back: { help: 'Leave', hint: undefined },
});

/** Shows what was made and what to do next. */
function CreatedView({ project, onLeave }: { readonly project: CreatedProject; readonly onLeave: () => void }) {
  const { columns } = useBodySize();
  useKeys({ title: 'New project', bindings: doneBindings, onAction: onLeave });
  const { files, git, installation, packageManager } = project;
  const error = toInstallError(project);
  const seconds = installation.kind === 'done' ? (installation.durationMs / 1000).toFixed(1) : undefined;
  const done = [
    `${files.length} files in ${toFolderText(project)}`,
    ...(git ? ['a git repository'] : []),
    ...(seconds === undefined ? [] : [`installed by ${packageManager} in ${seconds} s`]),
  ];
  const rest = error
    ? [
        ...toTextLines(`${error.message}\n${error.frame}`, columns - 4, 'danger'),
        ...toTextLines(`${error.hint}`, columns),
      ]
    : toTextLines(toNextText(project), columns - 4);
  return (
    <Lines
      lines={[...done.map((text) => [{ text: `${signs.tick} `, token: 'success' as const }, { text }]), [], ...rest]}
    />
  );
}

function Lines({ lines }: { readonly lines: readonly Line[] }) {
  const { columns, rows } = useBodySize();
  const still = { offset: 0, onOffset: () => {}, isFocused: false } as const;
  return <ScrollView lines={lines} margin={2} columns={columns} rows={rows} {...still} />;
}

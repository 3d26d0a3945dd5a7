import { Box, useAnimation, useApp } from 'ink';
import { toBindings } from '../kit/actions.ts';
import { toPathId } from '../kit/form/form-state.ts';
import { fitLine, type Line } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { wrapText } from '../kit/text.ts';
import { signs } from '../kit/theme.ts';
import { useKeys } from '../kit/use-keys.ts';
import { useBodySize } from '../kit/use-ui.ts';
import { FormAndOutcome } from '../screens/form-and-outcome.tsx';
import { ScreenFrame } from '../screens/screen-frame.tsx';
import { useScreen } from '../screens/use-screen.ts';
import type { CreatedProject } from './create-project.ts';
import { toFolderText, toInstallError, toNewText, toNextSteps } from './new-text.ts';
import { type NewPreview, type NewUse, newField, useNew } from './use-new.ts';

/** `capix new` without a name: a few questions, the files that the answers make, and the way to a running server. */
export default function NewScreen() {
  const { exit } = useApp();
  const made = useNew();
  const { project, progress } = made;
  // What to do next stays in the terminal.
  const leave = project && ((): void => exit(toInstallError(project) ?? { message: toNewText(project) }));
  return (
    <ScreenFrame screen="new" isForm={progress === undefined} {...(leave ? { onLeave: leave } : {})}>
      {project && leave ? (
        <CreatedView project={project} onLeave={leave} />
      ) : progress ? (
        <CreatingView progress={progress} />
      ) : (
        <Questions {...made} />
      )}
    </ScreenFrame>
  );
}

function Questions({ form, onForm, preview, create }: NewUse) {
  return (
    <FormAndOutcome
      title="New project"
      form={{ field: newField, state: form }}
      onState={onForm}
      problems={new Map(preview.problem === undefined ? [] : [[toPathId(['name']), 'will not do']])}
      help="Create the project"
      hint="create"
      onWrite={create}
      toLines={(columns) => toPreviewLines(preview, columns)}
    />
  );
}

/** Says what comes of Enter, and which files. */
function toPreviewLines({ plan, problem }: NewPreview, columns: number): readonly Line[] {
  const text =
    problem ??
    (plan === undefined
      ? 'What is it called? A dot is this folder.'
      : `Enter makes ${plan.packageName} in ${toFolderText(plan)}.`);
  const token = problem !== undefined ? 'danger' : plan === undefined ? 'muted' : 'success';
  const words = wrapText(text, columns).map((part): Line => [{ text: part, token }]);
  if (plan === undefined) return words;
  const root = plan.path === '.' ? '' : `${plan.path}/`;
  return [...words, [], ...toTreeLines(plan.files.map(({ path }) => root + path))];
}

/** Paths in their order as a tree, each folder once. */
function toTreeLines(paths: readonly string[]): readonly Line[] {
  const seen = new Set<string>();
  return paths.flatMap((path) => {
    const parts = path.match(/[^/]+\/?/g) ?? [];
    return parts.flatMap((name, depth): readonly Line[] => {
      const id = parts.slice(0, depth + 1).join('');
      if (seen.has(id)) return [];
      seen.add(id);
      return [[{ text: '  '.repeat(depth) }, { text: name, token: name.endsWith('/') ? 'accent' : undefined }]];
    });
  });
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
  const spinner = signs.spinner[frame % signs.spinner.length] ?? '';
  const [first = 'Writing the files …', ...output] = progress;
  return (
    <Lines
      lines={[
        [{ text: `${spinner} `, token: 'accent' }, { text: first }],
        [],
        ...output.slice(-Math.max(1, rows - 2)).map((text): Line => [{ text, token: 'muted' }]),
      ]}
    />
  );
}

interface CreatedViewProps {
  readonly project: CreatedProject;
  readonly onLeave: () => void;
}

const doneBindings = toBindings(['go', 'back'], {
  go: { help: 'Leave, with the next steps in the terminal', hint: 'done' },
  back: { help: 'Leave', hint: undefined },
});

/** Shows what was made and what to do next. */
function CreatedView({ project, onLeave }: CreatedViewProps) {
  const { columns } = useBodySize();
  useKeys({ title: 'New project', bindings: doneBindings, onAction: onLeave });
  const { files, git, installation, packageManager } = project;
  const done = (text: string): Line => [{ text: `${signs.tick} `, token: 'success' }, { text }];
  const isBroken = installation.kind === 'failed';
  return (
    <Lines
      lines={[
        done(`${files.length} files in ${toFolderText(project)}`),
        ...(git ? [done('a git repository')] : []),
        ...(installation.kind === 'done'
          ? [done(`installed by ${packageManager} in ${(installation.durationMs / 1000).toFixed(1)} s`)]
          : []),
        ...(isBroken ? toFailureLines(installation.reason, packageManager, { columns, cross: signs.cross }) : []),
        [],
        [{ text: isBroken ? 'Fix the problem above, then run:' : 'Next:', token: 'title' }],
        ...toNextSteps(project).map((step): Line => [{ text: `  ${step}`, token: 'accent' }]),
        [],
        ...wrapText('Then http://localhost:3000/items answers.', columns - 2).map((text): Line => [{ text }]),
      ]}
    />
  );
}

function toFailureLines(
  reason: string,
  packageManager: string,
  { columns, cross }: { readonly columns: number; readonly cross: string },
): readonly Line[] {
  const lines = wrapText(reason, columns - 6).slice(0, 6);
  return [
    [{ text: `${cross} ${packageManager} could not install it:`, token: 'danger' }],
    ...lines.map((text): Line => [{ text: `    ${text}`, token: 'muted' }]),
  ];
}

function Lines({ lines }: { readonly lines: readonly Line[] }) {
  const { columns } = useBodySize();
  return (
    <Box flexDirection="column">
      {lines.map((line, row) => (
        <LineView key={row} line={fitLine([{ text: '  ' }, ...line], columns)} />
      ))}
    </Box>
  );
}

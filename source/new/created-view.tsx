import { Box, useAnimation } from 'ink';
import { toBindings } from '../kit/keys/actions.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { fitLine, type Line } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { wrapText } from '../kit/text/text-width.ts';
import { useBodySize, useUi } from '../kit/theme/use-ui.ts';
import { useScreen } from '../screens/use-screen.ts';
import type { Creation } from './creation.ts';
import { toNextSteps } from './new-text.ts';
import type { CreatedProject } from './project/create-project.ts';

const blank: Line = [{ text: ' ' }];

const waitBindings = toBindings(['back'], { back: { help: 'Wait until it is done', hint: undefined } });

/** Shows how far it is, with what the package manager says. */
export function CreatingView({ creation }: { readonly creation: Extract<Creation, { kind: 'creating' }> }) {
  const { notify } = useScreen();
  const { columns, rows } = useBodySize();
  const { symbols } = useUi();
  const { frame } = useAnimation({ interval: 80 });
  const spinner = symbols.spinner[frame % symbols.spinner.length] ?? '';
  const { fileCount, isInstalling, output } = creation;
  useKeys({
    title: 'New project',
    bindings: waitBindings,
    onAction: () => notify('Still running; q leaves it unfinished'),
  });
  const lines: readonly Line[] = [
    fileCount === undefined
      ? [{ text: `  ${spinner} `, token: 'accent' }, { text: 'Writing the files' }]
      : [{ text: `  ${symbols.tick} `, token: 'success' }, { text: `${fileCount} files written` }],
    ...(isInstalling ? [[{ text: `  ${spinner} `, token: 'accent' }, { text: 'Installing' }] as Line] : []),
    blank,
    ...output.slice(-Math.max(0, rows - 3)).map((text): Line => [{ text: `    ${text}`, token: 'muted' }]),
  ];
  return <Lines lines={lines} columns={columns} />;
}

export interface CreatedViewProps {
  readonly project: CreatedProject;
  readonly onLeave: () => void;
}

const doneBindings = toBindings(['go', 'back'], {
  go: { help: 'Leave, with the next steps in the terminal', hint: 'done' },
  back: { help: 'Leave', hint: undefined },
});

/** Shows what was made and what to do next. */
export function CreatedView({ project, onLeave }: CreatedViewProps) {
  const { columns } = useBodySize();
  const { symbols } = useUi();
  useKeys({ title: 'New project', bindings: doneBindings, onAction: onLeave });
  const { installation } = project;
  const isBroken = installation.kind === 'failed';
  const lines: readonly Line[] = [
    [
      { text: `  ${symbols.tick} `, token: 'success' },
      { text: `${project.files.length} files in ${project.path === '.' ? 'this folder' : `./${project.path}`}` },
    ],
    ...(project.git ? [[{ text: `  ${symbols.tick} `, token: 'success' }, { text: 'a git repository' }] as Line] : []),
    ...toInstallLines(project, { columns, symbols }),
    blank,
    [{ text: isBroken ? '  Fix the problem above, then run:' : '  Next:', token: 'title' }],
    ...toNextSteps(project).map((step): Line => [{ text: `    ${step}`, token: 'accent' }]),
    blank,
    ...wrapText('Then http://localhost:3000/items answers.', columns - 2).map((text): Line => [{ text: `  ${text}` }]),
  ];
  return <Lines lines={lines} columns={columns} />;
}

function toInstallLines(
  { installation, packageManager }: CreatedProject,
  { columns, symbols }: { readonly columns: number; readonly symbols: ReturnType<typeof useUi>['symbols'] },
): readonly Line[] {
  switch (installation.kind) {
    case 'skipped':
      return [];
    case 'done':
      return [
        [
          { text: `  ${symbols.tick} `, token: 'success' },
          { text: `installed by ${packageManager} in ${(installation.durationMs / 1000).toFixed(1)} s` },
        ],
      ];
    case 'failed':
      return [
        [{ text: `  ${symbols.cross} ${packageManager} could not install it:`, token: 'danger' }],
        ...wrapText(installation.reason, columns - 6)
          .slice(0, 6)
          .map((text): Line => [{ text: `      ${text}`, token: 'muted' }]),
      ];
  }
}

function Lines({ lines, columns }: { readonly lines: readonly Line[]; readonly columns: number }) {
  const { symbols } = useUi();
  return (
    <Box flexDirection="column">
      {lines.map((line, row) => (
        <LineView key={row} line={fitLine(line, columns, symbols.ellipsis)} />
      ))}
    </Box>
  );
}

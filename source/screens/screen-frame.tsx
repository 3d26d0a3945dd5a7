import type { ReactNode } from 'react';
import type { Line } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { useHeldKeys } from '../kit/use-keys.ts';
import { toOutline } from '../load/project-state.ts';
import type { ShownFailure } from './failure-banner.tsx';
import { Shell } from './shell.tsx';
import { toShellStatus } from './shell-status.ts';
import { useScreen } from './use-screen.ts';

/** In place of a body that waits for the first load; keys that are typed meanwhile are for the body. */
export function LoadingLine() {
  const { project } = useScreen();
  useHeldKeys({ isHeld: project.failure === undefined });
  const line: Line =
    project.failure === undefined
      ? [{ text: '  Loading the project …', token: 'muted' }]
      : [{ text: '  Nothing to show until it loads.', token: 'muted' }];
  return <LineView line={line} />;
}

export interface ScreenFrameProps {
  /** Name of the screen, and of what it shows. */
  readonly screen: string | readonly string[];
  /** Whether letters are text here. @default false */
  readonly isForm?: boolean;
  /** The effect of `q`. @default the end of the application */
  readonly onLeave?: () => void;
  /** The status of what the screen loads beside the project; that of the project comes first. */
  readonly failure?: ShownFailure | undefined;
  readonly children: ReactNode;
}

/** The shell around a screen of the application: what it says of the project is the same everywhere. */
export function ScreenFrame({ screen, isForm = false, onLeave, failure, children }: ScreenFrameProps) {
  const { project, findings, noProject, notice, prompt, back, commands, edit, stop } = useScreen();
  const shown = project.failure ?? failure;
  const status = toShellStatus(project);
  return (
    <Shell
      project={toOutline(project)?.project.name}
      screen={screen}
      status={noProject ? { kind: 'none' } : failure && status.kind !== 'broken' ? { kind: 'broken' } : status}
      problemCount={findings?.length ?? 0}
      failure={shown}
      onEditFailure={shown?.place && (() => edit(shown.place))}
      onStop={stop}
      trouble={project.watchTrouble}
      notice={notice}
      prompt={prompt}
      commands={commands}
      onBack={back}
      isForm={isForm}
      {...(onLeave ? { onLeave } : {})}
    >
      {children}
    </Shell>
  );
}

import type { ReactNode } from 'react';
import { toOutline } from '../../load/project-state.ts';
import { useScreen } from '../use-screen.ts';
import type { ShownFailure } from './failure-banner.tsx';
import { Shell } from './shell.tsx';
import { toShellStatus } from './shell-status.ts';

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

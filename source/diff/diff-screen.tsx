import { useApp } from 'ink';
import { useEffect } from 'react';
import { exitCodes } from '../cli/cli-errors.ts';
import { DEFAULT_CONFIG } from '../load/expect-project.ts';
import { ScreenFrame } from '../screens/screen-frame.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { reachesClass } from './diff-totals.ts';
import { DiffView } from './diff-view.tsx';
import { useSides } from './use-sides.ts';

/**
 * `capix diff`: what the open project, or another side, changes for those who call it as the first side has it, the
 * last commit where none is named.
 */
export default function DiffScreen() {
  const { entry, config, project } = useScreen();
  const { exit } = useApp();
  const { before = 'HEAD', after, failOn } = entry.route.screen === 'diff' ? entry.route : {};
  const open = useSides(before, after);
  const { judged, problem, loadedAt } = open;
  // A name of the command line is refused there.
  const refused = entry.id === 0 && loadedAt === undefined ? problem : undefined;
  useEffect(() => {
    if (refused !== undefined) exit(refused);
  });
  const fails = entry.id === 0 && judged !== undefined && reachesClass(judged.diff, failOn);
  const names = { before, after: after ?? config ?? project.manifest?.project.config ?? DEFAULT_CONFIG };
  return (
    <ScreenFrame screen="diff" {...(fails ? { onLeave: () => exit({ exitCode: exitCodes.failed }) } : {})}>
      <DiffView {...open} names={names} isNamed={after !== undefined} />
    </ScreenFrame>
  );
}

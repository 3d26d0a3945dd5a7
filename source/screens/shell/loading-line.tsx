import type { Line } from '../../kit/line.ts';
import { LineView } from '../../kit/line-view.tsx';
import { useHeldKeys } from '../../kit/use-keys.ts';
import { useScreen } from '../use-screen.ts';

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

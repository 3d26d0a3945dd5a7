import { useHeldKeys } from '../../kit/keys/use-keys.ts';
import { LineView } from '../../kit/line/line-view.tsx';
import { useUi } from '../../kit/theme/use-ui.ts';
import { useScreen } from '../use-screen.ts';

/** In place of a body that waits for the first load; keys that are typed meanwhile are for the body. */
export function LoadingLine() {
  const { project } = useScreen();
  const { symbols } = useUi();
  useHeldKeys({ isHeld: project.failure === undefined });
  const text =
    project.failure === undefined ? `Loading the project ${symbols.ellipsis}` : 'Nothing to show until it loads.';
  return <LineView line={[{ text: `  ${text}`, token: 'muted' }]} />;
}

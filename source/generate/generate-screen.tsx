import { toOutline } from '../load/project-state.ts';
import { LoadingLine } from '../screens/shell/loading-line.tsx';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { GenerateChoice } from './generate-choice.tsx';
import { GenerateForm } from './generate-form.tsx';

/** `capix generate` in a terminal: what it will be is seen before it is written. */
export default function GenerateScreen() {
  const { entry, project } = useScreen();
  const outline = toOutline(project);
  const kind = entry.route.screen === 'generate' ? entry.route.kind : undefined;
  if (kind === undefined) {
    return (
      <ScreenFrame screen="generate">
        <GenerateChoice />
      </ScreenFrame>
    );
  }
  return (
    <ScreenFrame screen={['generate', kind]} isForm>
      {outline === undefined ? <LoadingLine /> : <GenerateForm kind={kind} manifest={outline} />}
    </ScreenFrame>
  );
}

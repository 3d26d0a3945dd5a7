import { useApp } from 'ink';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { CreatedView, CreatingView } from './created-view.tsx';
import { NewFormView } from './new-form-view.tsx';
import { toNewText } from './new-text.ts';
import { toInstallError } from './project/install-error.ts';
import { type NewCreation, useCreation } from './use-creation.ts';
import { useNewForm } from './use-new-form.ts';

/** `capix new` without a name: a few questions, the files that the answers make, and the way to a running server. */
export default function NewScreen() {
  const { entry, terminal } = useScreen();
  const { exit } = useApp();
  const { options } = entry.route.screen === 'new' ? entry.route : {};
  const made = useCreation(terminal, options?.force ?? false);
  const { creation } = made;
  if (creation.kind !== 'created') {
    return (
      <ScreenFrame screen="new" isForm={creation.kind !== 'creating'}>
        {creation.kind === 'creating' ? <CreatingView creation={creation} /> : <Questions {...made} />}
      </ScreenFrame>
    );
  }
  const { project } = creation;
  // What to do next stays in the terminal.
  const leave = (): void => exit(toInstallError(project) ?? { message: toNewText(project) });
  return (
    <ScreenFrame screen="new" onLeave={leave}>
      <CreatedView project={project} onLeave={leave} />
    </ScreenFrame>
  );
}

function Questions(made: NewCreation) {
  return <NewFormView {...useNewForm(made)} />;
}

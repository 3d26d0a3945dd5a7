import { useApp } from 'ink';
import { useMemo } from 'react';
import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { keyPriority } from '../kit/keys/key-stack.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { CreatedView, CreatingView } from './created-view.tsx';
import { type NewForm, type NewFormEvent, startForm, toAnswers, toNextForm } from './new-form.ts';
import { NewFormView } from './new-form-view.tsx';
import { toNewText } from './new-text.ts';
import { toInstallError } from './project/install-error.ts';
import { inferPackageManager } from './project/package-manager.ts';
import { type NewCreation, useCreation, useNewPreview } from './use-creation.ts';

type NewAction = 'create' | 'next' | 'previous';

const bindings: readonly KeyBinding<NewAction>[] = [
  { action: 'create', keys: ['enter', 'ctrl+s'], help: 'Create the project', hint: 'create' },
  { action: 'next', keys: ['down', 'tab', 'wheeldown'], help: 'The next question', hint: 'question', shown: 'arrows' },
  { action: 'previous', keys: ['up', 'shift+tab', 'wheelup'], help: 'The previous question' },
];

const pickBindings: readonly KeyBinding<'pick' | 'pickBack'>[] = [
  { action: 'pick', keys: ['space', 'right'], help: 'The next answer', hint: 'change' },
  { action: 'pickBack', keys: ['left'], help: 'The previous answer' },
];

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

function Questions({ creation, create }: NewCreation) {
  const { terminal, entry } = useScreen();
  const route = entry.route.screen === 'new' ? entry.route : undefined;
  const { force = false, git = true, install = true, packageManager, javascript } = route?.options ?? {};
  const [form, setForm] = useKept('form', () =>
    startForm({
      name: route?.name,
      packageManager: packageManager ?? inferPackageManager(terminal.environment['npm_config_user_agent']),
      language: javascript ? 'javascript' : 'typescript',
      git,
      install,
    }),
  );
  const answers = useMemo(() => toAnswers(form), [form]);
  const preview = useNewPreview(answers, terminal, force);
  const refused = creation.kind === 'asking' ? creation.problem : undefined;
  useFormKeys(
    form,
    (event) => setForm(toNextForm(form, event)),
    () => {
      if (preview.place && preview.problem === undefined) create(preview.place, answers);
    },
  );
  return (
    <NewFormView
      form={form}
      onName={(name) => setForm(toNextForm(form, { kind: 'type', name }))}
      preview={preview}
      problem={preview.problem ?? refused}
    />
  );
}

function useFormKeys(form: NewForm, send: (event: NewFormEvent) => void, create: () => void): void {
  useKeys<NewAction>({
    title: 'New project',
    bindings,
    priority: keyPriority.field + 1,
    onAction: (action) => {
      if (action === 'create') create();
      else send({ kind: 'move', step: action === 'next' ? 1 : -1 });
    },
  });
  useKeys({
    title: 'Answer',
    scope: 'new-project',
    bindings: pickBindings,
    priority: keyPriority.field,
    isActive: form.focus !== 'name',
    onAction: (action) => send({ kind: 'pick', step: action === 'pick' ? 1 : -1 }),
  });
}

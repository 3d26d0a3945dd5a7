import { useMemo } from 'react';
import type { TextFieldState } from '../kit/field/text-field-state.ts';
import { useKept } from '../kit/kept/use-kept.ts';
import { toFormBindings } from '../kit/keys/actions.ts';
import { keyPriority } from '../kit/keys/key-stack.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { useScreen } from '../screens/use-screen.ts';
import { type NewForm, type NewFormEvent, startForm, toAnswers, toNextForm } from './new-form.ts';
import { inferPackageManager } from './project/package-manager.ts';
import { type NewCreation, type NewPreview, useNewPreview } from './use-creation.ts';

const bindings = toFormBindings(['go', 'down', 'up', 'pane'], {
  go: { help: 'Create the project', hint: 'create' },
  down: { help: 'The next question', hint: 'question' },
  up: { help: 'The previous question' },
  pane: { help: 'The next question; with Shift the previous one', hint: undefined },
});

const pickBindings = toFormBindings(['toggle', 'open', 'close'], {
  toggle: { help: 'The next answer', hint: 'change' },
  open: { help: 'The next answer' },
  close: { help: 'The previous answer' },
});

/** The questions as they are drawn. */
export interface NewFormUse {
  readonly form: NewForm;
  readonly onName: (name: TextFieldState) => void;
  readonly preview: NewPreview;
  /** The reason why it cannot be made as it is. */
  readonly problem: string | undefined;
}

/** The state of the questions of a new project, and their keys. */
export function useNewForm({ creation, create }: NewCreation): NewFormUse {
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
  return {
    form,
    onName: (name) => setForm(toNextForm(form, { kind: 'type', name })),
    preview,
    problem: preview.problem ?? refused,
  };
}

function useFormKeys(form: NewForm, send: (event: NewFormEvent) => void, create: () => void): void {
  useKeys({
    title: 'New project',
    bindings,
    priority: keyPriority.field + 1,
    onAction: (action, key) => {
      if (action === 'go') create();
      else send({ kind: 'move', step: action === 'up' || key === 'shift+tab' ? -1 : 1 });
    },
  });
  useKeys({
    title: 'Answer',
    bindings: pickBindings,
    priority: keyPriority.field,
    isActive: form.focus !== 'name',
    onAction: (action) => send({ kind: 'pick', step: action === 'close' ? -1 : 1 }),
  });
}

import { useMemo } from 'react';
import type { TextFieldState } from '../kit/field/text-field-state.ts';
import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { keyPriority } from '../kit/keys/key-stack.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { useScreen } from '../screens/use-screen.ts';
import { type NewForm, type NewFormEvent, startForm, toAnswers, toNextForm } from './new-form.ts';
import { inferPackageManager } from './project/package-manager.ts';
import { type NewCreation, type NewPreview, useNewPreview } from './use-creation.ts';

type NewAction = 'create' | 'next' | 'previous';

const bindings: readonly KeyBinding<NewAction>[] = [
  { action: 'create', keys: ['enter', 'ctrl+s'], help: 'Create the project', hint: 'create' },
  { action: 'next', keys: ['down', 'tab'], help: 'The next question', hint: 'question', shown: 'arrows' },
  { action: 'previous', keys: ['up', 'shift+tab'], help: 'The previous question' },
];

const pickBindings: readonly KeyBinding<'pick' | 'pickBack'>[] = [
  { action: 'pick', keys: ['space', 'right'], help: 'The next answer', hint: 'change' },
  { action: 'pickBack', keys: ['left'], help: 'The previous answer' },
];

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
    bindings: pickBindings,
    priority: keyPriority.field,
    isActive: form.focus !== 'name',
    onAction: (action) => send({ kind: 'pick', step: action === 'pick' ? 1 : -1 }),
  });
}

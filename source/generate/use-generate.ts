import { resolve } from 'node:path';
import { useCallback, useMemo } from 'react';
import { toTypedNode } from '../kit/form/form-node.ts';
import { toFormRows } from '../kit/form/form-rows.ts';
import { type FormState, findFocused, toFilledForm, withNodeAt } from '../kit/form/form-state.ts';
import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { keyPriority } from '../kit/keys/key-stack.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Project } from '../manifest/project.ts';
import { useScreen } from '../screens/use-screen.ts';
import { toFieldId, toGenerateField, toStartForm, toWish } from './generate-field.ts';
import { countGroups, toGroupChoices } from './group-choices.ts';
import { findClashes } from './plan/find-clashes.ts';
import { type GeneratePreview, loadGeneratePreview, type Wish } from './plan/generate-preview.ts';
import type { Generated } from './plan/generated.ts';
import { readGroups } from './plan/read-groups.ts';
import { useLatest } from './use-latest.ts';
import { useWayOn, useWrite } from './use-write.ts';

type GenerateAction = 'write' | 'pageUp' | 'pageDown';

const dryBindings: readonly KeyBinding<GenerateAction>[] = [
  { action: 'pageDown', keys: ['pagedown'], help: 'Scroll the preview down' },
  { action: 'pageUp', keys: ['pageup'], help: 'Scroll the preview up' },
];
const bindings: readonly KeyBinding<GenerateAction>[] = [
  { action: 'write', keys: ['enter', 'ctrl+s'], help: 'Write the files', hint: 'write' },
  ...dryBindings,
];

/** The state of a kind's form, its outcome, and what its keys do. */
export function useGenerate(kind: Wish['kind'], manifest: Manifest) {
  const { entry } = useScreen();
  const { group, options = {} } = entry.route.screen === 'generate' ? entry.route : {};
  const dryRun = options.dryRun ?? false;
  const [form, keepForm] = useKept<FormState>('form', () => toStartForm(kind, { group, ...options }));
  const [offset, setOffset] = useKept('offset', 0);
  const [written, setWritten] = useKept<Generated | undefined>('written', undefined);
  const project = useMemo(() => toProject(manifest), [manifest]);
  const wish = useMemo(() => toWish(kind, form), [kind, form]);
  const { preview, clashes } = usePreview(wish, { project, manifest });
  const setForm = (next: FormState): void => {
    setWritten(undefined);
    keepForm(next);
  };
  const field = toGenerateField(kind, { offersReplace: offersReplace(wish, preview) });
  const formRows = toFormRows(field, form.root);
  const write = useWrite({
    wish,
    project,
    onWritten: (generated) => {
      keepForm(toNextForm(wish));
      setOffset(0);
      setWritten(generated);
    },
  });
  useWayOn({ written, setWritten, manifest });
  useKeys<GenerateAction>({
    title: 'Generate',
    bindings: dryRun ? dryBindings : bindings,
    priority: keyPriority.field + 1,
    onAction: (action) => {
      if (action === 'write') void write();
      else if (action === 'pageUp') setOffset(Math.max(0, offset - PAGE));
      else setOffset(offset + PAGE);
    },
  });
  const groups = useGroups(manifest, project);
  const isInGroup = kind === 'capability' && findFocused(formRows, form)?.id === toFieldId('group');
  const typedGroup = wish.kind === 'capability' ? wish.group : '';
  return {
    form: { field, state: form },
    formRows,
    setForm,
    preview,
    clashes,
    written,
    dryRun,
    offset,
    setOffset,
    typedGroup,
    choices: isInGroup ? toGroupChoices(typedGroup, groups) : [],
    pickGroup: (path: string) => {
      const picked = withNodeAt({ field, state: form }, [{ field: 'group' }], () => toTypedNode(path));
      setForm({ ...picked, focus: toFieldId('name') });
    },
  };
}

/** The outcome of a wish, and what of it another capability has already. */
function usePreview(
  wish: Wish,
  { project, manifest }: { readonly project: Project; readonly manifest: Manifest },
): { readonly preview: GeneratePreview; readonly clashes: readonly string[] } {
  const preview = useLatest<GeneratePreview>(
    useCallback(() => loadGeneratePreview(wish, project), [wish, project]),
    { kind: 'none' },
  );
  const clashes = useMemo(
    () => (preview.kind === 'ready' ? findClashes(preview.generated, manifest) : []),
    [preview, manifest],
  );
  return { preview, clashes };
}

/** The groups that a capability can go into, with how many each has. */
function useGroups({ capabilities }: Manifest, project: Project): ReadonlyMap<string, number> {
  const listed = useLatest<readonly string[]>(
    useCallback(() => readGroups(project).catch(() => []), [project]),
    [],
  );
  return useMemo(() => countGroups(capabilities, listed), [capabilities, listed]);
}

/** The lines that a page key goes in the preview. */
const PAGE = 5;

function toProject({ project }: Manifest): Project {
  return { name: project.name, root: project.root, entryFile: resolve(project.root, project.config) };
}

function offersReplace(wish: Wish, preview: GeneratePreview): boolean {
  return (wish.kind === 'capability' && wish.force) || (preview.kind === 'refused' && preview.code === 'FileExists');
}

/** Ready for one more of the group. */
function toNextForm(wish: Wish): FormState {
  const said = wish.kind === 'capability' && wish.group !== '' ? { group: wish.group } : {};
  return { ...toFilledForm(toGenerateField(wish.kind, { offersReplace: false }), said), focus: toFieldId('name') };
}

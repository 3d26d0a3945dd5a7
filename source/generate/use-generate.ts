import { resolve } from 'node:path';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { Project } from '../project/find-project.ts';
import type { Manifest } from '../project/manifest.ts';
import { emptyForm, type FormState, findFocused, moveFocus, toFormRows } from '../ui/form-state.ts';
import { keyPriority } from '../ui/key-stack.ts';
import type { KeyBinding } from '../ui/key-table.ts';
import { toTextField } from '../ui/text-field-state.ts';
import { useKeys } from '../ui/use-keys.ts';
import { useKept, useScreen } from '../ui/use-screen.ts';
import { writeChanges } from './file-change.ts';
import { findClashes } from './find-clashes.ts';
import { toGenerateFields, toStartForm, toWish } from './generate-fields.ts';
import type { Generated } from './generated.ts';
import { countGroups, toGroupChoices } from './group-choices.ts';
import { readGroups } from './read-groups.ts';
import { type Preview, toPreview, type Wish } from './to-preview.ts';
import { useLatest } from './use-latest.ts';

type GenerateAction = 'write' | 'next' | 'previous' | 'pageUp' | 'pageDown';

const dryBindings: readonly KeyBinding<GenerateAction>[] = [
  { action: 'next', keys: ['tab'], help: 'To the next field', hint: 'next' },
  { action: 'previous', keys: ['shift+tab'], help: 'To the field before' },
  { action: 'pageDown', keys: ['pagedown'], help: 'On in the preview' },
  { action: 'pageUp', keys: ['pageup'], help: 'Back in the preview' },
];
const bindings: readonly KeyBinding<GenerateAction>[] = [
  { action: 'write', keys: ['enter', 'ctrl+s'], help: 'Write the files', hint: 'write' },
  ...dryBindings,
];

/** What the form of a kind keeps, what it comes to, and what its keys do. */
export function useGenerate(kind: Wish['kind'], manifest: Manifest) {
  const { entry } = useScreen();
  const { group, options = {} } = entry.route.screen === 'generate' ? entry.route : {};
  const dryRun = options.dryRun ?? false;
  const [form, keepForm] = useKept<FormState>('form', () => toStartForm(kind, { group, ...options }));
  const [offset, setOffset] = useKept('offset', 0);
  const [written, setWritten] = useKept<Generated | undefined>('written', undefined);
  const project = useMemo(() => toProject(manifest), [manifest]);
  const wish = useMemo(() => toWish(kind, form), [kind, form]);
  const preview = useLatest<Preview>(
    useCallback(() => toPreview(wish, project), [wish, project]),
    { kind: 'none' },
  );
  const setForm = (next: FormState): void => {
    setWritten(undefined);
    keepForm(next);
  };
  const formRows = toFormRows(toGenerateFields(kind, { offersReplace: offersReplace(wish, preview) }), form);
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
      else if (action === 'pageDown') setOffset(offset + PAGE);
      else setForm(moveFocus(formRows, form, action === 'next' ? 1 : -1));
    },
  });
  const listed = useLatest<readonly string[]>(
    useCallback(() => readGroups(project).catch(() => []), [project]),
    [],
  );
  const isInGroup = kind === 'capability' && findFocused(formRows, form)?.path === 'group';
  const typedGroup = wish.kind === 'capability' ? wish.group : '';
  return {
    form,
    formRows,
    setForm,
    preview,
    clashes: useMemo(
      () => (preview.kind === 'ready' ? findClashes(preview.generated, manifest) : []),
      [preview, manifest],
    ),
    written,
    dryRun,
    offset,
    setOffset,
    typedGroup,
    choices: isInGroup ? toGroupChoices(typedGroup, countGroups(manifest.capabilities, listed)) : [],
    pickGroup: (path: string) =>
      setForm({ ...form, texts: { ...form.texts, group: toTextField(path) }, focus: 'name' }),
  };
}

/** How far a page key goes in the preview, in lines. */
const PAGE = 5;

function toProject({ project }: Manifest): Project {
  return { name: project.name, root: project.root, configFile: resolve(project.root, project.config) };
}

function offersReplace(wish: Wish, preview: Preview): boolean {
  return (wish.kind === 'capability' && wish.force) || (preview.kind === 'refused' && preview.code === 'FileExists');
}

/** Ready for one more of the group. */
function toNextForm(wish: Wish): FormState {
  const texts = wish.kind === 'capability' ? { group: toTextField(wish.group) } : {};
  return { ...emptyForm, texts, focus: 'name' };
}

interface WriteOptions {
  readonly wish: Wish;
  readonly project: Project;
  readonly onWritten: (generated: Generated) => void;
}

/** Writes what is typed now: the preview may still be that of the letter before. */
function useWrite({ wish, project, onWritten }: WriteOptions): () => Promise<void> {
  const { notify } = useScreen();
  const isWriting = useRef(false);
  return async () => {
    if (isWriting.current) return;
    isWriting.current = true;
    try {
      const preview = await toPreview(wish, project);
      if (preview.kind === 'none') return notify('It needs a name');
      if (preview.kind === 'refused') return notify('Nothing was written');
      await writeChanges(preview.generated.changes);
      onWritten(preview.generated);
    } catch (error) {
      notify((error as Error).message);
    } finally {
      isWriting.current = false;
    }
  };
}

interface WayOnOptions {
  readonly written: Generated | undefined;
  readonly setWritten: (written: undefined) => void;
  readonly manifest: Manifest;
}

/** What was written leads on: a group to a capability in it, a capability to itself, as soon as the project has it. */
function useWayOn({ written, setWritten, manifest }: WayOnOptions): void {
  const { go, notify } = useScreen();
  useEffect(() => {
    if (written === undefined) return;
    const { key, route, changes } = written;
    const isGroup = route === undefined;
    if (!isGroup && manifest.capabilities.every((capability) => capability.key !== key)) return;
    setWritten(undefined);
    notify(`Wrote ${changes.map(({ path }) => path).join(', ')}`);
    go(isGroup ? { screen: 'generate', kind: 'capability', group: key.replaceAll('.', '/') } : { screen: 'show', key });
  });
}

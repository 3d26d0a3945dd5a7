import { resolve } from 'node:path';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { CliError } from '../cli/cli-error.ts';
import type { FormField } from '../document/form-field.ts';
import { findDocumentFacts } from '../document/read-operations.ts';
import { toGroupField } from '../document/root-field.ts';
import { type FormState, toFilledForm, toPathId } from '../kit/form/form-state.ts';
import { toFormValue } from '../kit/form/form-value.ts';
import { useKept, useLatest } from '../kit/use-kept.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Project } from '../manifest/project.ts';
import { useScreen } from '../screens/use-screen.ts';
import { toCapabilityName, toGroupName } from './capability-name.ts';
import { type Generated, generate, type RouteStyle, type Wish, writeChanges } from './generate.ts';

/** The outcome of what is typed. */
export type Preview =
  /** There is no name yet. */
  | { readonly kind: 'none' }
  | { readonly kind: 'ready'; readonly generated: Generated }
  /** A bad name, or something of that name is there. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly hint: string | undefined };

type Kind = 'capability' | 'group';

interface TypedForm {
  readonly kind?: Kind;
  readonly name?: string;
  readonly input?: boolean;
  readonly replace?: boolean;
}

const kindField: FormField = {
  name: 'kind',
  kind: { kind: 'picker', values: ['capability', 'group'] },
  type: 'an operation with a route, or a place for them',
  isRequired: true,
  note: '',
};
const nameField: FormField = {
  name: 'name',
  kind: { kind: 'text', isOneLine: true },
  type: 'users/getUser: groups, then the name',
  isRequired: true,
  note: '',
};
const inputField = toToggle('input', 'declares an input with an id');
const replaceField = toToggle('replace', 'replaces the old file');
const everyField = toGroupField([kindField, nameField, inputField, replaceField]);

export const nameId = toPathId(['name']);

/** The form of what is generated, and its outcome while it is typed. */
export function useGenerate(manifest: Manifest) {
  const { entry, go, notify } = useScreen();
  const { kind, group, options = {} } = entry.route.screen === 'generate' ? entry.route : {};
  const [form, setForm] = useKept<FormState>('form', () => {
    const { input = false, force = false } = options;
    return toForm({ kind: kind ?? 'capability', name: group ? `${group}/` : '', input, replace: force });
  });
  const [written, setWritten] = useKept<Generated | undefined>('written', undefined);
  const typed = toFormValue(everyField, form).value as TypedForm;
  const project = useMemo(() => toProject(manifest), [manifest]);
  const { prefix, urlCase } = findDocumentFacts(manifest.document) ?? {};
  const { groupPaths } = manifest;
  const text = JSON.stringify(typed);
  const loadNow = useCallback(
    () => load(JSON.parse(text) as TypedForm, project, { urlCase, prefix, groupPaths }),
    [text, project, urlCase, prefix, groupPaths],
  );
  const preview = useLatest<Preview>(loadNow, { kind: 'none' });
  useEffect(() => {
    // A capability leads to itself as soon as the project has it.
    if (written === undefined || !manifest.keys.includes(written.key)) return;
    setWritten(undefined);
    go({ screen: 'show', key: written.key });
  });
  const isWriting = useRef(false);
  const write = async (): Promise<void> => {
    if (isWriting.current || options.dryRun === true) return;
    isWriting.current = true;
    try {
      // The preview may still be that of the letter before.
      const now = await loadNow();
      if (now.kind !== 'ready') return notify(now.kind === 'none' ? 'Enter a name first' : 'Nothing was written');
      const { key, changes, route } = now.generated;
      await writeChanges(changes, project);
      notify(`Wrote ${changes.map(({ path }) => path).join(', ')}`);
      const groups = key.split('.').slice(0, route === undefined ? undefined : -1);
      setForm(toForm({ kind: 'capability', name: groups.map((one) => `${one}/`).join('') }));
      setWritten(now.generated);
    } catch (error) {
      notify((error as Error).message);
    } finally {
      isWriting.current = false;
    }
  };
  const offersReplace = typed.replace === true || (preview.kind === 'refused' && preview.code === 'FileExists');
  const more = typed.kind === 'group' ? [] : [inputField, ...(offersReplace ? [replaceField] : [])];
  const all = form.value as TypedForm;
  const change = (next: FormState): void => {
    setWritten(undefined);
    setForm({ ...next, value: { ...all, ...(next.value as TypedForm) } });
  };
  const fields = [kindField, nameField, ...more];
  // What was said in a field that is not asked now is still there when it is again.
  const value = Object.fromEntries(fields.map(({ name }) => [name, all[name as keyof TypedForm]]));
  return {
    form: { field: toGroupField(fields), state: { ...form, value } },
    change,
    preview,
    written,
    write,
    isDryRun: options.dryRun === true,
  };
}

function toForm(known: TypedForm): FormState {
  return { ...toFilledForm(everyField, known), focus: nameId };
}

function toToggle(name: string, type: string): FormField {
  return { name, kind: { kind: 'toggle' }, type, isRequired: false, default: 'false', note: '' };
}

function toProject({ project }: Manifest): Project {
  return { name: project.name, root: project.root, entryFile: resolve(project.root, project.config) };
}

async function load(typed: TypedForm, project: Project, style: RouteStyle): Promise<Preview> {
  const { name = '' } = typed;
  if (name.trim() === '' || (typed.kind !== 'group' && /[\\/.]\s*$/.test(name))) return { kind: 'none' };
  try {
    return { kind: 'ready', generated: await generate(project, toWish(typed), style) };
  } catch (error) {
    const { code, message, hint } = error as CliError;
    return { kind: 'refused', code, message: message.replace(/ Nothing was written\.$/, ''), hint };
  }
}

function toWish({ kind, name = '', input = false, replace = false }: TypedForm): Wish {
  if (kind === 'group') return { groups: toGroupName(name), name: undefined, withInput: false, force: false };
  return { ...toCapabilityName(undefined, name), withInput: input, force: replace };
}

import { useCallback, useEffect } from 'react';
import type { CliError } from '../cli/cli-error.ts';
import { findDocumentFacts } from '../document/facts.ts';
import { toGroupField } from '../document/root-field.ts';
import { type FormState, toFilledForm, toPathId } from '../form/form-state.ts';
import { toFormValue } from '../form/form-value.ts';
import { type Line, toTextLines } from '../kit/line.ts';
import { type Token, toMethodToken } from '../kit/theme.ts';
import { useLatest, useMemory } from '../kit/use-ui.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { type Project, toProject } from '../manifest/project.ts';
import { FormAndOutcome, toPlainField } from '../screens/form-and-outcome.tsx';
import { LoadingLine, ScreenFrame } from '../screens/screen-frame.tsx';
import { useNavigation, useProject, useServices } from '../screens/use-screen.ts';
import { toCapabilityName, toGroupName } from './capability-name.ts';
import { type Generated, generate, type RouteStyle, toNotes, writeChanges } from './generate.ts';

/** `capix generate` in a terminal: what it will be is seen before it is written. */
export default function GenerateScreen() {
  const { manifest } = useProject().project;
  return (
    <ScreenFrame screen="generate" isForm>
      {manifest === undefined ? <LoadingLine /> : <Generate manifest={manifest} />}
    </ScreenFrame>
  );
}

interface TypedForm {
  readonly kind?: (typeof kinds)[number];
  readonly name?: string;
  readonly input?: boolean;
  readonly replace?: boolean;
}

const kinds = ['capability', 'group'] as const;
const requiredFields = [
  toPlainField(
    'kind',
    { kind: 'picker', values: kinds },
    'an operation with a route, or a place for them',
  ),
  {
    ...toPlainField('name', { kind: 'text', isOneLine: true }, 'its groups, then its name'),
    placeholder: 'users/getUser',
  },
].map((field) => ({ ...field, isRequired: true }));
const groupField = toGroupField(requiredFields);
const everyField = toGroupField([
  ...requiredFields,
  toPlainField('input', { kind: 'toggle' }, 'declares an input with an id'),
  toPlainField('replace', { kind: 'toggle' }, 'replaces the old file'),
]);
const nameId = toPathId(['name']);

/** A form whose name begins with the groups of the last one; without any, an example stands there. */
function toForm(known: Omit<TypedForm, 'name'>, groups: readonly string[]): FormState {
  const name = groups.map((group) => `${group}/`).join('');
  const value = { input: false, replace: false, ...known, ...(name !== '' && { name }) };
  return { ...toFilledForm(everyField, value), focus: nameId };
}

interface Preview {
  readonly generated?: Generated;
  /** A bad name, or something of that name is there. */
  readonly refused?: CliError;
}

function Generate({ manifest }: { readonly manifest: Manifest }) {
  const { notify } = useServices();
  const { entry, go } = useNavigation();
  const {
    kind = 'capability',
    group,
    options = {},
  } = entry.route.screen === 'generate' ? entry.route : {};
  const { input = false, force = false, dryRun: isDryRun = false } = options;
  const [all, setAll] = useMemory<FormState>('form', () =>
    toForm({ kind, input, replace: force }, group ? [group] : []),
  );
  const [written, setWritten] = useMemory<Generated | undefined>('written', undefined);
  const typed = toFormValue(everyField, all).value as TypedForm;
  const load = useLoad(typed, manifest);
  const preview = useLatest<Preview>(load, {});
  useEffect(() => {
    // A capability leads to itself as soon as the project has it.
    if (written === undefined || !manifest.keys.includes(written.key)) return;
    setWritten(undefined);
    go({ screen: 'show', key: written.key });
  });
  const write = async (): Promise<void> => {
    // The preview may still be that of the letter before.
    const { generated, refused } = await load();
    if (generated === undefined)
      return notify(refused ? 'Nothing was written' : 'Enter a name first');
    const { key, changes, route } = generated;
    await writeChanges(changes, manifest.project);
    notify(`Wrote ${changes.map(({ path }) => path).join(', ')}`);
    const groups = key.split('.').slice(0, route === undefined ? undefined : -1);
    setAll(toForm({ kind: 'capability' }, groups));
    setWritten(generated);
  };
  // A group has only a name. The other fields keep their text for when the user chooses another kind again.
  const { kind: typedKind, name } = all.value as TypedForm;
  const isGroup = typed.kind === 'group';
  const state = isGroup ? { ...all, value: { kind: typedKind, name } } : all;
  const { refused } = preview;
  return (
    <FormAndOutcome
      form={{ field: isGroup ? groupField : everyField, state }}
      onState={(next) => {
        setWritten(undefined);
        setAll({ ...next, value: { ...(all.value as TypedForm), ...(next.value as TypedForm) } });
      }}
      // What is wrong stands in the preview, whole.
      problems={
        new Map(refused && [[nameId, refused.code === 'Usage' ? 'cannot be its name' : 'is taken']])
      }
      help="Write the files"
      hint="write"
      onWrite={
        isDryRun ? undefined : () => void write().catch(({ message }: Error) => notify(message))
      }
      toLines={(width) => [
        ...(isDryRun ? toTextLines('A dry run: nothing is written.', width, 'warning') : []),
        ...(written === undefined
          ? toPreviewLines(preview, width)
          : toTextLines(toNotes(written).join('\n'), width)),
      ]}
    />
  );
}

/** Gives a function that works out what is typed; the same one until something of that changes. */
function useLoad(
  typed: TypedForm,
  { project, document, groupPaths }: Manifest,
): () => Promise<Preview> {
  const { prefix, urlCase } = findDocumentFacts(document) ?? {};
  const text = JSON.stringify(typed);
  return useCallback(
    () =>
      loadPreview(JSON.parse(text) as TypedForm, toProject(project), {
        urlCase,
        prefix,
        groupPaths,
      }),
    [text, project, urlCase, prefix, groupPaths],
  );
}

async function loadPreview(
  typed: TypedForm,
  project: Project,
  style: RouteStyle,
): Promise<Preview> {
  const { kind, name = '', input: withInput, replace: force } = typed;
  const isGroup = kind === 'group';
  if (name.trim() === '' || (!isGroup && /[\\/.]\s*$/.test(name))) return {};
  try {
    const wish = isGroup
      ? { groups: toGroupName(name) }
      : { ...toCapabilityName(undefined, name), withInput, force };
    return { generated: await generate(project, wish, style) };
  } catch (error) {
    return { refused: error as CliError };
  }
}

/** Shows what comes of what is typed: key, route and file, then every file with what it gets; or why it cannot be. */
function toPreviewLines({ generated, refused }: Preview, width: number): readonly Line[] {
  const toFact = (label: string, text: string, token?: Token) =>
    toTextLines(label.padEnd(8) + text, width, token);
  if (refused !== undefined) {
    const hint = refused.hint?.includes('--force')
      ? 'Choose another name, or switch `replace` on.'
      : refused.hint;
    const message = refused.message.replace(/ Nothing was written\.$/, '');
    return [...toTextLines(message, width, 'danger'), ...toTextLines(hint ?? '', width)];
  }
  if (generated === undefined)
    return toTextLines('What will be written is shown here.', width, 'muted');
  const { key, route, changes } = generated;
  return [
    ...toFact(route ? 'Key' : 'Group', key, 'title'),
    ...(route ? toFact('Route', `${route.method} ${route.path}`, toMethodToken(route.method)) : []),
    ...(route ? toFact('File', changes[0]?.path ?? '') : []),
    ...toNotes(generated).flatMap((note) => toTextLines(note, width, 'warning')),
    ...changes.flatMap(({ kind, path, line, text }): readonly Line[] => {
      const change = line === undefined ? 'replace' : 'change';
      const verb = kind === 'created' ? 'new' : change;
      const added = (line ?? text.trimEnd()).replaceAll(/^/gm, '  + ');
      const head = toFact(verb, path, kind === 'created' ? 'added' : 'changed');
      return [[], ...head, ...toTextLines(added, width, 'added')];
    }),
  ];
}

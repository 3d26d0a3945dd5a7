import { useCallback, useEffect, useRef } from 'react';
import type { CliError } from '../cli/cli-error.ts';
import type { FormField } from '../document/form-field.ts';
import { findDocumentFacts } from '../document/read-operations.ts';
import { toGroupField } from '../document/root-field.ts';
import { type FormState, toFilledForm, toPathId } from '../kit/form/form-state.ts';
import { toFormValue } from '../kit/form/form-value.ts';
import { type Line, toTextLines } from '../kit/line.ts';
import { type Token, toMethodToken } from '../kit/theme.ts';
import { useKept, useLatest } from '../kit/use-kept.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { type Project, toProject } from '../manifest/project.ts';
import { FormAndOutcome } from '../screens/form-and-outcome.tsx';
import { LoadingLine, ScreenFrame } from '../screens/screen-frame.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { toCapabilityName, toGroupName } from './capability-name.ts';
import { type Generated, generate, type RouteStyle, type Wish, writeChanges } from './generate.ts';
import { toNotes } from './generate-command.ts';

/** `capix generate` in a terminal: what it will be is seen before it is written. */
export default function GenerateScreen() {
  const { manifest } = useScreen().project;
  return (
    <ScreenFrame screen="generate" isForm>
      {manifest === undefined ? <LoadingLine /> : <Generate manifest={manifest} />}
    </ScreenFrame>
  );
}

interface TypedForm {
  readonly kind?: 'capability' | 'group';
  readonly name?: string;
  readonly input?: boolean;
  readonly replace?: boolean;
}

/** The outcome of what is typed; neither where there is no name yet. */
interface Preview {
  readonly generated?: Generated;
  /** A bad name, or something of that name is there. */
  readonly refused?: CliError;
}

function Generate({ manifest }: { readonly manifest: Manifest }) {
  const { entry, go, notify } = useScreen();
  const { kind = 'capability', group, options = {} } = entry.route.screen === 'generate' ? entry.route : {};
  const { input = false, force = false, dryRun: isDryRun = false } = options;
  const [all, setAll] = useKept<FormState>('form', () =>
    toForm({ kind, name: group ? `${group}/` : '', input, replace: force }),
  );
  const [written, setWritten] = useKept<Generated | undefined>('written', undefined);
  const typed = toFormValue(everyField, all).value as TypedForm;
  const load = useLoad(typed, manifest);
  const preview = useLatest<Preview>(load, {});
  useEffect(() => {
    // A capability leads to itself as soon as the project has it.
    if (written === undefined || !manifest.keys.includes(written.key)) return;
    setWritten(undefined);
    go({ screen: 'show', key: written.key });
  });
  const isWriting = useRef(false);
  const write = async (): Promise<void> => {
    if (isWriting.current) return;
    isWriting.current = true;
    try {
      // The preview may still be that of the letter before.
      const { generated, refused } = await load();
      if (generated === undefined) return notify(refused ? 'Nothing was written' : 'Enter a name first');
      const { key, changes, route } = generated;
      await writeChanges(changes, manifest.project);
      notify(`Wrote ${changes.map(({ path }) => path).join(', ')}`);
      const groups = key.split('.').slice(0, route === undefined ? undefined : -1);
      setAll(toForm({ kind: 'capability', name: groups.map((one) => `${one}/`).join('') }));
      setWritten(generated);
    } catch (error) {
      notify((error as Error).message);
    } finally {
      isWriting.current = false;
    }
  };
  // What was said in a field that is not asked now is still there when it is again.
  const values = all.value as Readonly<Record<string, unknown>>;
  const asked = typed.kind === 'group' ? [kindField, nameField] : [kindField, nameField, inputField, replaceField];
  const value = Object.fromEntries(asked.map(({ name }) => [name, values[name]]));
  const { refused } = preview;
  return (
    <FormAndOutcome
      title="Generate"
      form={{ field: toGroupField(asked), state: { ...all, value } }}
      onState={(next) => {
        setWritten(undefined);
        setAll({ ...next, value: { ...values, ...(next.value as TypedForm) } });
      }}
      // What is wrong stands in the preview, whole.
      problems={new Map(refused && [[nameId, refused.code === 'Usage' ? 'cannot be its name' : 'is taken']])}
      help="Write the files"
      hint="write"
      onWrite={isDryRun ? undefined : () => void write()}
      toLines={(width) => [
        ...(isDryRun ? toTextLines('A dry run: nothing is written.', width, 'warning') : []),
        ...(written === undefined ? toPreviewLines(preview, width) : toTextLines(toNotes(written).join('\n'), width)),
      ]}
    />
  );
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

function toToggle(name: string, type: string): FormField {
  return { name, kind: { kind: 'toggle' }, type, isRequired: false, default: 'false', note: '' };
}

const nameId = toPathId(['name']);

function toForm(known: TypedForm): FormState {
  return { ...toFilledForm(everyField, known), focus: nameId };
}

/** Gives a function that works out what is typed; the same one until something of that changes. */
function useLoad(typed: TypedForm, { project, document, groupPaths }: Manifest): () => Promise<Preview> {
  const { prefix, urlCase } = findDocumentFacts(document) ?? {};
  const text = JSON.stringify(typed);
  return useCallback(
    () => loadPreview(JSON.parse(text) as TypedForm, toProject(project), { urlCase, prefix, groupPaths }),
    [text, project, urlCase, prefix, groupPaths],
  );
}

async function loadPreview(typed: TypedForm, project: Project, style: RouteStyle): Promise<Preview> {
  const { kind, name = '', input = false, replace = false } = typed;
  if (name.trim() === '' || (kind !== 'group' && /[\\/.]\s*$/.test(name))) return {};
  try {
    const wish: Wish =
      kind === 'group'
        ? { groups: toGroupName(name), name: undefined, withInput: false, force: false }
        : { ...toCapabilityName(undefined, name), withInput: input, force: replace };
    return { generated: await generate(project, wish, style) };
  } catch (error) {
    return { refused: error as CliError };
  }
}

const LABEL_WIDTH = 8;

/** Shows what comes of what is typed: key, route and file, then every file with what it gets; or why it cannot be. */
function toPreviewLines({ generated, refused }: Preview, width: number): readonly Line[] {
  const toFact = (label: string, text: string, token?: Token) =>
    toTextLines(label.padEnd(LABEL_WIDTH) + text, width, token);
  if (refused !== undefined) {
    const hint = refused.code === 'FileExists' ? 'Choose another name, or switch `replace` on.' : refused.hint;
    const message = refused.message.replace(/ Nothing was written\.$/, '');
    return [...toTextLines(message, width, 'danger'), ...toTextLines(hint ?? '', width)];
  }
  if (generated === undefined) return toTextLines('What will be written is shown here.', width, 'muted');
  const { key, route, changes } = generated;
  return [
    ...toFact(route ? 'Key' : 'Group', key, 'title'),
    ...(route ? toFact('Route', `${route.method} ${route.path}`, toMethodToken(route.method)) : []),
    ...(route ? toFact('File', changes[0]?.path ?? '') : []),
    ...toNotes(generated).flatMap((note) => toTextLines(note, width, 'warning')),
    ...changes.flatMap(({ kind, path, line, text }): readonly Line[] => {
      const verb = kind === 'created' ? 'new' : line === undefined ? 'replace' : 'change';
      const added = (line ?? text.trimEnd())
        .split(/\r?\n/)
        .flatMap((part) => toTextLines(`  + ${part}`, width, 'added'));
      return [[], ...toFact(verb, path, kind === 'created' ? 'added' : 'changed'), ...added];
    }),
  ];
}

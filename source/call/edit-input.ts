import type { FormField } from '../document/form-field.ts';
import { findFocused, putValue } from '../form/form-state.ts';
import { toFormValue } from '../form/form-value.ts';
import { parseExactJson } from '../form/parse-exact-json.ts';
import { toEditorJson, withSecrets } from '../form/to-editor-json.ts';
import { inputPath } from '../invoke/request-headers.ts';
import type { Services } from '../screens/use-screen.ts';
import type { JsonPath } from '../values/json.ts';
import type { CallStore } from './call-store.ts';

interface Edited {
  readonly value: unknown;
}

type Editing = Pick<Services, 'editText' | 'notify'>;

/** Has the whole input, or the field with the focus, edited in the user's editor, and takes over what comes back. */
export async function editInput(
  store: CallStore,
  { editText, notify }: Editing,
  isWhole: boolean,
): Promise<void> {
  const row = isWhole ? undefined : findFocused(store.typed.formRows, store.form);
  const { field, path } = row ?? { field: store.field.input, path: inputPath };
  const isText =
    row?.role === 'typed' && field.kind.kind === 'text' && !row.isJson && row.value !== null;
  const edited = isText
    ? await editPlainText(row.text ?? '', editText)
    : await editJson(store, { field, path }, editText);
  if (edited === undefined) return notify('Nothing was taken over from the editor.');
  store.change((now) => putValue(now, { path }, edited.value));
  notify('Taken over from the editor. Ctrl-Z brings back the previous input.');
}

async function editPlainText(
  before: string,
  editText: Editing['editText'],
): Promise<Edited | undefined> {
  const after = await editText({ name: 'text.txt', text: before });
  // Editors end a file with a line feed that nobody has typed.
  const value = before.endsWith('\n') ? after : after?.replace(/\r?\n$/, '');
  return value === undefined || value === before ? undefined : { value };
}

async function editJson(
  store: CallStore,
  { field, path }: { readonly field: FormField; readonly path: JsonPath },
  editText: Editing['editText'],
): Promise<Edited | undefined> {
  const { value } = toFormValue(field, store.form, path);
  const options = { rows: store.typed.formRows, problems: store.problems(), path };
  const { text, secrets } = toEditorJson(value, options);
  const edited = await editUntilRead(text, editText);
  return edited && { value: withSecrets(edited.value, secrets) };
}

const PROBLEM_MARK = '// ✗✗ ';

/** Opens the editor again, with what is wrong above its line, until it is right; undefined if unchanged. */
async function editUntilRead(first: string, edit: Editing['editText']) {
  let text = first;
  let line: number | undefined;
  for (;;) {
    const edited = await edit({ name: 'input.jsonc', text, line });
    if (edited === undefined || edited === text) return undefined;
    const lines = edited.split('\n').filter((each) => !each.startsWith(PROBLEM_MARK));
    const clean = lines.join('\n');
    const read = parseExactJson(clean, { isCommented: true });
    if ('value' in read) return read;
    line = clean.slice(0, read.offset).split('\n').length;
    text = lines.toSpliced(line - 1, 0, `${PROBLEM_MARK}${read.problem}`).join('\n');
  }
}

import type { FormField } from '../document/form-field.ts';
import type { FormRow } from '../kit/form/form-rows.ts';
import { type FormPath, type FormState, findFocused, putValue } from '../kit/form/form-state.ts';
import { toFormValue } from '../kit/form/form-value.ts';
import { parseExactJson } from '../kit/form/parse-exact-json.ts';
import { toEditorJson, withSecrets } from '../kit/form/to-editor-json.ts';
import { useScreen } from '../screens/use-screen.ts';
import { inputPath } from './run/request-headers.ts';
import type { ChangeForm } from './use-call-form.ts';

export interface EditedInputOptions {
  readonly inputField: FormField;
  readonly state: FormState;
  readonly formRows: readonly FormRow[];
  readonly problems: ReadonlyMap<string, string>;
  readonly change: ChangeForm;
}

/** Has the whole input, or the field with the focus, edited in the user's editor, and takes over what comes back. */
export function useEditedInput({ inputField, state, formRows, problems, change }: EditedInputOptions) {
  const { editText, notify } = useScreen();
  const take = (path: FormPath, value: unknown): void => {
    change((now) => putValue(now, { path }, value));
    notify('Taken over from the editor. Ctrl-Z brings back the previous input.');
  };
  const editPlainText = async (path: FormPath, before: string): Promise<void> => {
    const after = await editText({ name: 'text.txt', text: before });
    // Editors end a file with a line feed that nobody has typed.
    const text = before.endsWith('\n') ? after : after?.replace(/\r?\n$/, '');
    if (text !== undefined && text !== before) take(path, text);
  };
  const editJson = async (field: FormField, path: FormPath): Promise<void> => {
    const { value } = toFormValue(field, state, path);
    const { text, secrets } = toEditorJson(value, { rows: formRows, problems, path });
    const edited = await editUntilRead(text, editText);
    if (edited === undefined) notify('Nothing was taken over from the editor.');
    else take(path, withSecrets(edited.value, secrets));
  };
  return (what: 'whole' | 'field'): Promise<void> => {
    const focused = findFocused(formRows, state);
    if (what === 'whole' || focused === undefined) return editJson(inputField, inputPath);
    const { field, path, value, isJson, role, text = '' } = focused;
    const isText = field.kind.kind === 'text' && role === 'typed' && !isJson && value !== null;
    return isText ? editPlainText(path, text) : editJson(field, path);
  };
}

/** Begins the line that tells what cannot be read. */
const TOLD = '// ✗✗ ';

/** Opens the editor again, with what is wrong above its line, until it is right; undefined if unchanged. */
async function editUntilRead(first: string, edit: ReturnType<typeof useScreen>['editText']) {
  let text = first;
  let line: number | undefined;
  for (;;) {
    const edited = await edit({ name: 'input.jsonc', text, line });
    if (edited === undefined || edited === text) return undefined;
    const lines = edited.split('\n').filter((each) => !each.startsWith(TOLD));
    const clean = lines.join('\n');
    const read = parseExactJson(clean, { isCommented: true });
    if ('value' in read) return read;
    line = clean.slice(0, read.offset).split('\n').length;
    text = lines.toSpliced(line - 1, 0, `${TOLD}${read.problem}`).join('\n');
  }
}

import type { FormField } from '../document/form-field.ts';
import type { FormRow } from '../kit/form/form-rows.ts';
import { type FormState, findFocused, putValue } from '../kit/form/form-state.ts';
import { toFormValue } from '../kit/form/form-value.ts';
import { parseExactJson } from '../kit/form/parse-exact-json.ts';
import { toEditorJson, withSecrets } from '../kit/form/to-editor-json.ts';
import { type Services, useServices } from '../screens/use-screen.ts';
import type { JsonPath } from '../values/json.ts';
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
export function useEditedInput({
  inputField,
  state,
  formRows,
  problems,
  change,
}: EditedInputOptions) {
  const { editText, notify } = useServices();
  const editPlainText = async (before: string): Promise<{ readonly value: string } | undefined> => {
    const after = await editText({ name: 'text.txt', text: before });
    // Editors end a file with a line feed that nobody has typed.
    const value = before.endsWith('\n') ? after : after?.replace(/\r?\n$/, '');
    return value === undefined || value === before ? undefined : { value };
  };
  const editJson = async (field: FormField, path: JsonPath) => {
    const { text, secrets } = toEditorJson(toFormValue(field, state, path).value, {
      rows: formRows,
      problems,
      path,
    });
    const edited = await editUntilRead(text, editText);
    return edited && { value: withSecrets(edited.value, secrets) };
  };
  return async (isWhole: boolean): Promise<void> => {
    const row = isWhole ? undefined : findFocused(formRows, state);
    const { field, path } = row ?? { field: inputField, path: inputPath };
    const isText =
      row?.role === 'typed' && field.kind.kind === 'text' && !row.isJson && row.value !== null;
    const edited = isText ? await editPlainText(row.text ?? '') : await editJson(field, path);
    if (edited === undefined) return notify('Nothing was taken over from the editor.');
    change((now) => putValue(now, { path }, edited.value));
    notify('Taken over from the editor. Ctrl-Z brings back the previous input.');
  };
}

const TOLD = '// ✗✗ ';

/** Opens the editor again, with what is wrong above its line, until it is right; undefined if unchanged. */
async function editUntilRead(first: string, edit: Services['editText']) {
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

import type { FormField } from '../document/form-field.ts';
import type { FormRow } from '../kit/form/form-rows.ts';
import { type FormPath, type FormState, findFocused, putValue } from '../kit/form/form-state.ts';
import { toFormValue } from '../kit/form/form-value.ts';
import { parseExactJson } from '../kit/form/parse-exact-json.ts';
import { toEditorJson, withSecrets } from '../kit/form/to-editor-json.ts';
import { useScreen } from '../screens/use-screen.ts';
import { type CallField, inputPath } from './run/request-headers.ts';
import type { ChangeForm } from './use-call-form.ts';

export interface EditedInputOptions {
  readonly whole: CallField;
  readonly state: FormState;
  readonly formRows: readonly FormRow[];
  readonly problems: ReadonlyMap<string, string>;
  readonly change: ChangeForm;
}

interface EditedPlace {
  readonly field: FormField;
  readonly path: FormPath;
}

/** Has the whole input, or the field with the focus, edited in the user's editor, and takes over what comes back. */
export function useEditedInput({ whole, state, formRows, problems, change }: EditedInputOptions) {
  const { editText, notify } = useScreen();
  const take = ({ path }: EditedPlace, value: unknown): void => {
    change((now) => putValue(now, { path }, value));
    notify('Taken over from the editor. Ctrl-Z brings back the previous input.');
  };
  const editPlainText = async (place: EditedPlace, before: string): Promise<void> => {
    const after = await editText({ name: 'text.txt', text: before });
    if (after === undefined) return;
    // Editors end a file with a line feed that nobody has typed.
    const text = before.endsWith('\n') ? after : after.replace(/\r?\n$/, '');
    if (text !== before) take(place, text);
  };
  const editJson = async (place: EditedPlace): Promise<void> => {
    const { value } = toFormValue(place.field, state, place.path);
    const { text, secrets } = toEditorJson(value, { rows: formRows, problems, path: place.path });
    const edited = await editUntilRead(text, editText);
    if (edited === undefined) return notify('Nothing was taken over from the editor.');
    take(place, withSecrets(edited.value, secrets));
  };
  return (what: 'whole' | 'field'): Promise<void> => {
    const focused = findFocused(formRows, state);
    if (what === 'whole' || focused === undefined) return editJson({ field: whole.input, path: inputPath });
    const { value, isJson, role } = focused;
    const isText = focused.field.kind.kind === 'text' && role === 'typed' && !isJson && value !== null;
    return isText ? editPlainText(focused, focused.text ?? '') : editJson(focused);
  };
}

/** Opens the editor again, with what is wrong above its line, until it is right; undefined if unchanged. */
async function editUntilRead(
  first: string,
  edit: ReturnType<typeof useScreen>['editText'],
): Promise<{ readonly value: unknown } | undefined> {
  let text = first;
  let line: number | undefined;
  for (;;) {
    const edited = await edit({ name: 'input.jsonc', text, line });
    if (edited === undefined || edited === text) return undefined;
    const clean = withoutTold(edited);
    const read = parseExactJson(clean, { isCommented: true });
    if ('value' in read) return read;
    const at = clean.slice(0, read.offset).split('\n').length;
    text = clean
      .split('\n')
      .toSpliced(at - 1, 0, `${TOLD}${read.problem}`)
      .join('\n');
    line = at;
  }
}

/** Begins the line that tells what cannot be read. */
const TOLD = '// ✗✗ ';

function withoutTold(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith(TOLD))
    .join('\n');
}

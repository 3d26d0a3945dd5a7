import { ConfirmLine } from '../../kit/field/confirm-line.tsx';
import { PromptLine } from '../../kit/field/prompt-line.tsx';
import type { WriteFile } from './use-write-file.ts';

/** The questions before a file is written; no row where nothing is asked. */
export function WriteLines({ write, columns }: { readonly write: WriteFile; readonly columns: number }) {
  const { state } = write;
  if (state.kind === 'confirming') {
    return (
      <ConfirmLine
        text={`${state.path} exists.`}
        yes="replace it"
        no="keep it"
        onYes={write.replace}
        onNo={write.keep}
        columns={columns}
      />
    );
  }
  if (state.kind !== 'asking') return null;
  return (
    <PromptLine
      label={write.label}
      state={state.field}
      onState={write.type}
      onEnter={write.enter}
      onCancel={write.cancel}
      columns={columns}
      note={
        state.problem === undefined ? { text: write.note, isProblem: false } : { text: state.problem, isProblem: true }
      }
    />
  );
}

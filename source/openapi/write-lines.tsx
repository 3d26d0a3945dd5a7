import { ConfirmLine } from '../kit/field/confirm-line.tsx';
import { PromptLine } from '../kit/field/prompt-line.tsx';
import type { WriteDocument } from './use-write-document.ts';

/** The questions before the document is written; no row where nothing is asked. */
export function WriteLines({ write, columns }: { readonly write: WriteDocument; readonly columns: number }) {
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
      label="Write to"
      state={state.field}
      onState={write.type}
      onEnter={write.enter}
      onCancel={write.cancel}
      columns={columns}
      note={
        state.problem === undefined
          ? { text: 'JSON, from the folder where capix was started', isProblem: false }
          : { text: state.problem, isProblem: true }
      }
    />
  );
}

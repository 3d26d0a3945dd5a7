import { type TextFieldState, toTextField } from '../../kit/field/text-field-state.ts';

/** Writing a file: where to, may it replace what is there, and what came of it. */
export type WriteState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'asking'; readonly field: TextFieldState; readonly problem?: string | undefined }
  /** The file is there. */
  | { readonly kind: 'confirming'; readonly path: string }
  | { readonly kind: 'writing'; readonly path: string };

export type WriteEvent =
  | { readonly kind: 'open'; readonly path: string }
  | { readonly kind: 'type'; readonly field: TextFieldState }
  /** `isThere`: something has that name already. */
  | { readonly kind: 'looked'; readonly path: string; readonly isThere: boolean }
  | { readonly kind: 'replace' }
  | { readonly kind: 'keep' }
  | { readonly kind: 'written' }
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'cancel' };

export const notWriting: WriteState = { kind: 'closed' };

export function toNextWrite(state: WriteState, event: WriteEvent): WriteState {
  switch (event.kind) {
    case 'open':
      return { kind: 'asking', field: toTextField(event.path) };
    case 'type':
      return state.kind === 'asking' ? { kind: 'asking', field: event.field } : state;
    case 'looked':
      if (state.kind !== 'asking') return state;
      return { kind: event.isThere ? 'confirming' : 'writing', path: event.path };
    case 'replace':
      return state.kind === 'confirming' ? { kind: 'writing', path: state.path } : state;
    case 'keep':
      return state.kind === 'confirming' ? { kind: 'asking', field: toTextField(state.path) } : state;
    case 'failed':
      return state.kind === 'writing'
        ? { kind: 'asking', field: toTextField(state.path), problem: event.problem }
        : state;
    case 'written':
    case 'cancel':
      return notWriting;
  }
}

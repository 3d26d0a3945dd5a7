import { toFormRows } from '../form/form-rows.ts';
import type { FormState } from '../form/form-state.ts';
import { toFormValue } from '../form/form-value.ts';
import { toCallInput, withPathsFrom } from '../invoke/call-input.ts';
import {
  type CallField,
  findHeaderProblems,
  headersPath,
  inputPath,
  toRequestHeaders,
} from '../invoke/request-headers.ts';
import type { CallRouteOptions, Location } from '../screens/location.ts';
import { findValueAt } from '../values/json.ts';

export type TypedCall = ReturnType<typeof toTypedCall>;

/** The input that a form makes. Paths of files are from the project. */
export function toTypedCall(field: CallField, state: FormState, root: string) {
  const { value, problems } = toFormValue(field.input, state, inputPath);
  const inputRows = toFormRows(field.input, state, { path: inputPath });
  const headerRows = toFormRows(field.headers, state, { path: headersPath, label: 'headers' });
  return {
    inputRows,
    formRows: [...inputRows, ...headerRows],
    /** As the form has it: files are paths. */
    filled: value,
    input: toCallInput(field.input, value, root),
    headers: toRequestHeaders(findValueAt(state.value, headersPath)),
    /** The problems of what cannot be sent, by the ids of rows. */
    problems: new Map([...problems, ...findHeaderProblems(headerRows)]),
  };
}

/** The call that the command line, or another screen, has filled in. */
export interface StartedCall extends Omit<CallRouteOptions, 'input'> {
  readonly input?: unknown;
}

export function parseStart(place: Location, field: CallField, root: string): StartedCall {
  const { input, folder, ...route } = place.screen === 'call' ? place : ({} as CallRouteOptions);
  try {
    const parsed = JSON.parse(input ?? '') as unknown;
    return {
      ...route,
      input: withPathsFrom(field.input, parsed, { from: folder ?? root, to: root }),
    };
  } catch {
    return route;
  }
}

import { type JsonValue, query } from 'jsonpath-rfc9535';
import { useDeferredValue, useMemo } from 'react';
import { toBindings } from '../kit/actions.ts';
import { keyPriority } from '../kit/key-stack.ts';
import { noFilter, toRowColumns } from '../kit/list-state.ts';
import { useKept } from '../kit/use-kept.ts';
import { useKeys } from '../kit/use-keys.ts';
import { useRows } from '../kit/use-rows.ts';
import type { Listed } from '../manifest/listed.ts';
import { useScreen } from '../screens/use-screen.ts';
import { useWriteFile } from '../screens/use-write-file.ts';
import { toAnswerOutline } from './answer-outline.ts';
import type { CallState, LiveOutput } from './use-call.ts';

export interface AnswerOptions {
  readonly state: CallState;
  readonly live: LiveOutput;
  /** Absolute path of the project. */
  readonly root: string;
  /** The place of the capability. */
  readonly source: Listed['facts']['source'];
  readonly columns: number;
  readonly isFocused: boolean;
}

const bindings = toBindings(['go', 'copy', 'write', 'outside', 'edit'], {
  go: { help: 'Open or close: a part, an object, a list, a long text' },
  copy: { help: 'Copy what is selected; on the name of a part all of it' },
  write: { help: 'Write the answer, or what the query finds, to a file' },
  outside: { help: 'Open the whole answer in $PAGER', hint: 'pager' },
  edit: { help: 'Open the line that threw, or the source, in $EDITOR' },
});

/** The state of the pane of an answer, the query and the selection, and its keys. */
export function useAnswer({ state, live, root, source, columns, isFocused }: AnswerOptions) {
  const { notify, edit, openInPager, copy } = useScreen();
  const { body: whole, http, failure } = state.kind === 'answered' ? state.result : {};
  const [filter, setFilter] = useKept('answer query', noFilter);
  // Keys go on while a large answer is searched.
  const typed = useDeferredValue(filter.field.text.trim());
  const { value: body, told: found } = useMemo(() => queryAnswer(whole, typed), [whole, typed]);
  const width = toRowColumns(columns) - 2;
  const outline = useMemo(() => toAnswerOutline(state, { columns: width, live, body }), [state, width, live, body]);
  const list = useRows(outline, 'answer');
  const name = typeof whole === 'string' ? 'answer.txt' : 'answer.json';
  /** The answer, or what the query finds in it: indented JSON, or what came. */
  const toText = (): string => {
    const isText = body === whole && typeof body === 'string' && http !== undefined;
    return `${isText ? body.replace(/\n$/, '') : JSON.stringify(body ?? null, undefined, 2)}\n`;
  };
  const note = 'from the folder where capix was started';
  const write = useWriteFile({ toText, path: name, note, root, onWritten: (path) => notify(`Wrote ${path}`) });
  useKeys({
    title: 'Answer',
    bindings,
    priority: keyPriority.field + 2,
    isActive: isFocused && state.kind !== 'none' && !filter.isOpen && !list.filter.isOpen,
    onAction: (action) => {
      const { selected } = list;
      if (action === 'edit') edit(failure?.place ?? source);
      else if (action === 'go' && selected) list.toggle(selected.id);
      else if (action === 'copy' && selected?.copied) copy(selected.copied, 'the answer');
      else if (action === 'outside' && state.kind === 'answered') openInPager({ name, text: toText() });
      else if (action === 'write' && state.kind === 'answered') write();
    },
  });
  return { list, filter, setFilter, found };
}

/** The value that is shown: all that a query finds, or the only one; the whole without one. `told`: how many. */
export interface Queried {
  readonly value: unknown;
  readonly told: string;
}

/**
 * Finds values by a query: JSONPath (RFC 9535), `$.data[?@.price > 10].name`, or its beginnings as jq has them:
 * `.data[].name`, `data[0]`.
 */
export function queryAnswer(whole: unknown, text: string): Queried {
  if (text === '') return { value: whole, told: '' };
  const path = toJsonPath(text);
  try {
    const found = query(whole as JsonValue, path);
    const told = found.length === 0 ? 'nothing found' : `${found.length} found`;
    return { value: found.length === 1 ? found[0] : found, told };
  } catch (error) {
    const { location } = error as { readonly location?: { readonly start: { readonly offset: number } } };
    const rest = path.slice(location?.start.offset ?? 0);
    return { value: whole, told: rest === '' ? 'not complete yet' : `cannot be read from ${rest} on` };
  }
}

/** `.data[].name`, `data[].name` and `[].name` as JSONPath. */
export function toJsonPath(text: string): string {
  if (text.startsWith('$')) return text;
  const path = text.replaceAll('[]', '[*]').replaceAll('.[', '[').replace(/^\.$/, '');
  return /^$|^[.[]/.test(path) ? `$${path}` : `$.${path}`;
}

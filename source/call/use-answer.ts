import { type JsonValue, query } from 'jsonpath-rfc9535';
import { useDeferredValue, useMemo } from 'react';
import { readDevJournal } from '../files/server-state.ts';
import { toBindings } from '../kit/actions.ts';
import { keyPriority } from '../kit/key-stack.ts';
import { noFilter, toRowColumns } from '../kit/list-state.ts';
import { useKept } from '../kit/use-kept.ts';
import { useKeys } from '../kit/use-keys.ts';
import { useRows } from '../kit/use-rows.ts';
import { findErrorPlace, type SourcePlace } from '../manifest/find-source-place.ts';
import type { Listed } from '../manifest/listed.ts';
import { useScreen } from '../screens/use-screen.ts';
import { useWriteFile } from '../screens/use-write-file.ts';
import { toAnswerOutline } from './answer-outline.ts';
import type { CallResult } from './run/run-call.ts';
import type { CallState, LiveOutput } from './use-call.ts';

export interface AnswerOptions {
  readonly state: CallState;
  readonly live: LiveOutput;
  readonly project: { readonly root: string; readonly config: string };
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
export function useAnswer({ state, live, project, source, columns, isFocused }: AnswerOptions) {
  const { notify, edit, openInPager, copy } = useScreen();
  const result = state.kind === 'answered' ? state.result : undefined;
  const [filter, setFilter] = useKept('answer query', noFilter);
  // Keys go on while a large answer is searched.
  const text = useDeferredValue(filter.field.text.trim());
  const queried = useMemo(() => queryAnswer(result?.body, text), [result, text]);
  const { value: body } = queried;
  const width = toRowColumns(columns) - 2;
  const outline = useMemo(
    () => toAnswerOutline(state, { columns: width, live, body, file: project.config }),
    [state, width, live, body, project.config],
  );
  const list = useRows(outline, 'answer');
  const name = typeof result?.body === 'string' ? 'answer.txt' : 'answer.json';
  const file = result && { name, toText: () => toBodyText(result, body) };
  const write = useWriteFile({
    toText: () => file?.toText() ?? '',
    path: file?.name ?? '',
    note: 'from the folder where capix was started',
    root: project.root,
    onWritten: (path) => notify(`Wrote ${path}`),
  });
  useKeys({
    title: 'Answer',
    bindings,
    priority: keyPriority.field + 2,
    isActive: isFocused && state.kind !== 'none' && !filter.isOpen && !list.filter.isOpen,
    onAction: (action) => {
      if (action === 'edit') return void findThrown(result, project.root).then((place) => edit(place ?? source));
      const { selected } = list;
      if (action === 'go') return selected && list.toggle(selected.id);
      if (action === 'copy') return selected?.copied && copy(selected.copied, 'the answer');
      if (file === undefined) return undefined;
      if (action === 'outside') openInPager({ name: file.name, text: file.toText() });
      else write();
    },
  });
  return { list, filter, setFilter, found: queried.told };
}

/** An answer, or what the query finds in it, as text: indented JSON, or what came. Ends with a line feed. */
function toBodyText({ body, http }: CallResult, shown: unknown): string {
  const isText = shown === body && typeof shown === 'string' && http !== undefined;
  const text = isText ? shown : JSON.stringify(shown ?? null, undefined, 2);
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** The first status that says that the server has failed. */
const FAILED = 500;
/** The lines that a stack takes at most, with the one that names its request. */
const MAX_LINES = 40;

/** The place of the throw: here, or in the server of `capix dev`, by the log line of the request. */
async function findThrown(result: CallResult | undefined, root: string): Promise<SourcePlace | undefined> {
  const requestId = result?.http?.headers.find(([name]) => name === 'x-request-id')?.[1];
  if (result === undefined || result.status < FAILED || requestId === undefined) return result?.failure?.place;
  const events = await readDevJournal(root);
  const lines = events.flatMap(({ event, line }) => (event === 'output' && typeof line === 'string' ? [line] : []));
  const at = lines.findIndex((line) => line.includes(requestId));
  if (at === -1) return undefined;
  const next = lines.slice(at + 1, at + MAX_LINES);
  const end = next.findIndex((line) => !/^\s/.test(line));
  return findErrorPlace([lines[at], ...(end === -1 ? next : next.slice(0, end))].join('\n'), root);
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
    const rest = location === undefined ? path : path.slice(location.start.offset);
    return { value: whole, told: rest === '' ? 'not complete yet' : `cannot be read from ${rest} on` };
  }
}

/** `.data[].name`, `data[].name` and `[].name` as JSONPath. */
export function toJsonPath(text: string): string {
  const path = text.trim();
  if (path.startsWith('$')) return path;
  const inside = path
    .replace(/\[\]/g, '[*]')
    .replace(/\.(?=\[)/g, '')
    .replace(/^\.$/, '');
  return `$${inside === '' || /^[.[]/.test(inside) ? '' : '.'}${inside}`;
}

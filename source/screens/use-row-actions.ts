import { useMemo } from 'react';
import { type ActionName, type ActionWords, toBindings } from '../kit/actions.ts';
import type { Row } from '../kit/row.ts';
import { useKeys } from '../kit/use-keys.ts';
import type { Rows } from '../kit/use-rows.ts';
import { hasRoute, type Listed, NO_ROUTE } from '../manifest/listed.ts';
import type { EditorPlace } from '../system/user-programs.ts';
import type { Location } from './location.ts';
import { useNavigation, useProject, useServices } from './use-screen.ts';

/** A row that says what the keys of every screen do with it. */
export interface ActionRow extends Row {
  /** The screen that Enter leads to; without one, Enter opens and closes the row. */
  readonly route?: Location | undefined;
  /** The capability that is called, shown and copied as a curl command. */
  readonly capability?: Listed | undefined;
  readonly source?: EditorPlace | undefined;
}

const standard = ['go', 'show', 'call', 'copy', 'curl', 'edit'] as const;
type RowAction = (typeof standard)[number];

export interface RowActionsOptions<More extends ActionName> {
  readonly title: string;
  /** The actions of the screen, in the order of its key line. A constant. */
  readonly actions: readonly (RowAction | More)[];
  readonly words?: ActionWords;
  readonly isActive?: boolean;
  /** Takes an action before the standard one does; gives whether it did. */
  readonly onAction?: (action: RowAction | More) => boolean;
}

/** The actions of every screen on the selected row: go there, show it, call it, copy it, open its source. */
export function useRowActions<R extends ActionRow, More extends ActionName = never>(
  list: Rows<R>,
  { title, actions, words, isActive = true, onAction }: RowActionsOptions<More>,
): void {
  const { copy, edit, notify, terminal } = useServices();
  const { go } = useNavigation();
  const { project } = useProject();
  const bindings = useMemo(() => toBindings(actions, words), [actions, words]);
  useKeys<RowAction | More>({
    title,
    bindings,
    isActive,
    onAction: (action) => {
      if (onAction?.(action)) return;
      const { selected } = list;
      if (selected === undefined) return;
      const { route, capability, source, copied, id } = selected;
      const on: Readonly<Record<RowAction, () => void>> = {
        go: () => (route === undefined ? list.toggle(id) : go(route)),
        show: () => withCapability(capability, ({ key }) => go({ screen: 'show', key })),
        call: () => withRoute(capability, ({ key }) => go({ screen: 'call', key })),
        copy: () => {
          if (copied === undefined) notify('There is nothing to copy here');
          else copy(copied, copied.split('\n')[0] ?? copied);
        },
        curl: () => withRoute(capability, (listed) => void copyCurl(listed)),
        edit: () => edit(source),
      };
      // An action of the screen alone, which has not taken it, does nothing.
      if (isRowAction(action)) on[action]();
    },
  });
  const withCapability = (
    capability: Listed | undefined,
    use: (capability: Listed) => void,
  ): void => {
    if (capability === undefined) notify('This line is not a capability');
    else use(capability);
  };
  const withRoute = (capability: Listed | undefined, use: (capability: Listed) => void): void =>
    withCapability(capability, (listed) => (hasRoute(listed) ? use(listed) : notify(NO_ROUTE)));
  const copyCurl = async (capability: Listed): Promise<void> => {
    const root = project.manifest?.project.root ?? '';
    const { readSampleCurl } = await import('./sample-curl.ts');
    const { command, what } = await readSampleCurl(capability, { root, terminal });
    copy(command, what);
  };
}

function isRowAction(action: string): action is RowAction {
  return (standard as readonly string[]).includes(action);
}

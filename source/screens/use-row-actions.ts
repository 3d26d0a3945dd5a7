import type { KeyHandler } from '../kit/actions.ts';
import type { Row } from '../kit/row.ts';
import type { Rows } from '../kit/use-rows.ts';
import { hasRoute, type Listed, NO_ROUTE } from '../manifest/manifest.ts';
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

export type RowActions = Readonly<
  Record<'go' | 'show' | 'call' | 'copy' | 'curl' | 'edit', KeyHandler>
>;

/** The actions of every screen on the selected row: go there, show it, call it, copy it, open its source. */
export function useRowActions(list: Rows<ActionRow>): RowActions {
  const { copy, edit, notify, terminal } = useServices();
  const { go } = useNavigation();
  const { project } = useProject();
  const { route, capability, source, id } = list.selected ?? {};
  const noCapability = capability === undefined ? 'This line is not a capability' : undefined;
  const noRoute = capability === undefined || hasRoute(capability) ? noCapability : NO_ROUTE;
  const copyCurl = async (listed: Listed): Promise<void> => {
    const root = project.manifest?.project.root ?? '';
    const { readSampleCurl } = await import('./sample-curl.ts');
    const { command, what } = await readSampleCurl(listed, { root, terminal });
    copy(command, what);
  };
  return {
    go: {
      run: () => {
        if (route !== undefined) go(route);
        else if (id !== undefined) list.toggle(id);
      },
    },
    show: {
      off: noCapability,
      run: () => capability && go({ screen: 'show', key: capability.key }),
    },
    call: { off: noRoute, run: () => capability && go({ screen: 'call', key: capability.key }) },
    copy: {
      run: () => {
        // The text of a row may be long, and is made when it is read.
        const copied = list.selected?.copied;
        if (copied === undefined) notify('There is nothing to copy here');
        else copy(copied, copied.split('\n')[0] ?? copied);
      },
    },
    curl: { off: noRoute, run: () => capability && void copyCurl(capability) },
    edit: { run: () => edit(source) },
  };
}

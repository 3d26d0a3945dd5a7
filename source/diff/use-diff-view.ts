import { existsSync } from 'node:fs';
import { useMemo } from 'react';
import type { JudgedDiff } from '../contract/apply-settings.ts';
import type { ActionWords } from '../kit/actions.ts';
import { useRows } from '../kit/use-rows.ts';
import { findSource } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { useRowActions } from '../screens/use-row-actions.ts';
import { useScreen } from '../screens/use-screen.ts';
import { type DiffRow, toDiffRows } from './diff-rows.ts';

const actions = ['go', 'show', 'copy', 'edit', 'reload'] as const;
const words: ActionWords = {
  go: { help: 'Show the capability', hint: 'show' },
  show: { hint: undefined },
  edit: { help: 'Open the source in $EDITOR; of a removed capability, the old source' },
  reload: { help: 'Load the sides that were named again' },
};

export interface DiffViewOptions {
  readonly judged: JudgedDiff;
  readonly before: Manifest;
  readonly after: Manifest;
  /** Loads the sides that were named again. */
  readonly onReload: () => void;
}

/** The state of the screen of a difference, and its keys. */
export function useDiffView({ judged, before, after, onReload }: DiffViewOptions) {
  const { go, edit, notify, project, marks } = useScreen();
  const rows = useMemo(() => toDiffRows(judged, marks), [judged, marks]);
  const list = useRows<DiffRow>(rows, 'differences');
  const { key, kind } = list.selected?.changed ?? {};
  const places = { before: findSource(before, key), after: findSource(after, key) };
  useRowActions<DiffRow, 'reload'>(list, {
    title: 'Difference',
    actions,
    words,
    onAction: (action) => {
      const [{ project: of }, source] = kind === 'removed' ? [before, places.before] : [after, places.after];
      if (action === 'reload') onReload();
      else if (action === 'copy' || key === undefined) return false;
      else if (action === 'edit') {
        // The place is on either side, so that it is told with its folder.
        const file = source && (/^(\/|[a-zA-Z]:)/.test(source.file) ? source.file : `${of.root}/${source.file}`);
        if (source === undefined || file === undefined || existsSync(file))
          edit(source && { ...source, file: file ?? '' });
        else notify(`The source was removed: git show <ref>:${source.file}`);
      } else if (kind === 'removed') notify('This capability was removed, so there is nothing to show');
      else if (!project.manifest?.keys.includes(key)) notify('The project that is open has no such capability');
      else go({ screen: 'show', key });
      return true;
    },
  });
  return { list, places };
}

import { existsSync } from 'node:fs';
import { useMemo } from 'react';
import type { JudgedDiff } from '../contract/apply-settings.ts';
import type { KeyBinding } from '../kit/key-binding.ts';
import { useKeys } from '../kit/use-keys.ts';
import { useRows } from '../kit/use-rows.ts';
import { useBodySize } from '../kit/use-ui.ts';
import { findSource } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { paneBinding, useDetails } from '../screens/use-details.ts';
import { useScreen } from '../screens/use-screen.ts';
import { type DiffRow, toDiffRows } from './diff-rows.ts';

type DiffAction = 'show' | 'copy' | 'edit' | 'pane' | 'reload';

const bindings: readonly KeyBinding<DiffAction>[] = [
  { action: 'show', keys: ['enter', 's'], help: 'Show the capability', hint: 'show' },
  { action: 'copy', keys: ['y'], help: 'Copy what is selected', hint: 'copy' },
  {
    action: 'edit',
    keys: ['e'],
    help: 'Open the source in $EDITOR; of a removed capability, the old source',
    hint: 'edit',
  },
  { action: 'reload', keys: ['r'], help: 'Load the sides that were named again', hint: 'reload' },
  paneBinding,
];

/** Columns of a window in which half of a row would be the name of a class. */
const BRIEF_BELOW = 72;

export interface DiffViewOptions {
  readonly judged: JudgedDiff;
  readonly before: Manifest;
  readonly after: Manifest;
  readonly marks: ReadonlySet<string>;
  /** Loads the sides that were named again. */
  readonly onReload: () => void;
}

/** The state of the screen of a difference, and its keys. */
export function useDiffView({ judged, before, after, marks, onReload }: DiffViewOptions) {
  const { go, copy, edit, notify, project } = useScreen();
  const isBrief = useBodySize().columns < BRIEF_BELOW;
  const details = useDetails();
  const rows = useMemo(() => toDiffRows(judged, { marks, isBrief }), [judged, marks, isBrief]);
  const list = useRows<DiffRow>(rows, 'differences');
  const { selected } = list;
  useKeys<DiffAction>({
    title: 'Difference',
    bindings,
    onAction: (action) => {
      const capability = selected?.capability;
      if (action === 'pane') details.toggle();
      else if (action === 'reload') onReload();
      else if (action === 'copy' && selected?.copied !== undefined)
        copy(selected.copied, capability?.key ?? 'the change');
      else if (selected === undefined || capability === undefined) return;
      else if (action === 'edit') {
        const side = capability.kind === 'removed' ? before : after;
        const place = findPlace(side, capability.key);
        if (place === undefined || existsSync(place.file)) edit(place);
        else notify(`The source was removed: git show <ref>:${findSource(side, capability.key)?.file}`);
      } else if (capability.kind === 'removed') notify('This capability was removed, so there is nothing to show');
      else if (isElsewhere(project.manifest, capability.key)) notify('The project that is open has no such capability');
      else go({ screen: 'show', key: capability.key });
    },
  });
  const places = {
    before: findSource(before, selected?.capability?.key),
    after: findSource(after, selected?.capability?.key),
  };
  return { list, places, details };
}

/** Two sides may be compared of which neither is the open project. */
function isElsewhere(manifest: Manifest | undefined, wanted: string): boolean {
  return !manifest?.keys.includes(wanted);
}

/** A place on either side, so with an absolute path. */
function findPlace(manifest: Manifest, wanted: string) {
  const { project } = manifest;
  const source = findSource(manifest, wanted);
  if (source === undefined) return undefined;
  return { ...source, file: /^(\/|[a-zA-Z]:)/.test(source.file) ? source.file : `${project.root}/${source.file}` };
}

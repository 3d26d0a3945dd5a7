import { useEffect, useRef } from 'react';
import type { Manifest } from '../manifest/manifest.ts';
import type { Project } from '../manifest/project.ts';
import { useScreen } from '../screens/use-screen.ts';
import { writeChanges } from './plan/file-change.ts';
import { loadGeneratePreview, type Wish } from './plan/generate-preview.ts';
import type { Generated } from './plan/generated.ts';

export interface WriteOptions {
  readonly wish: Wish;
  readonly project: Project;
  readonly onWritten: (generated: Generated) => void;
}

/** Writes what is typed now: the preview may still be that of the letter before. */
export function useWrite({ wish, project, onWritten }: WriteOptions): () => Promise<void> {
  const { notify } = useScreen();
  const isWriting = useRef(false);
  return async () => {
    if (isWriting.current) return;
    isWriting.current = true;
    try {
      const preview = await loadGeneratePreview(wish, project);
      if (preview.kind === 'none') return notify('Enter a name first');
      if (preview.kind === 'refused') return notify('Nothing was written');
      await writeChanges(preview.generated.changes, project);
      onWritten(preview.generated);
    } catch (error) {
      notify((error as Error).message);
    } finally {
      isWriting.current = false;
    }
  };
}

export interface WayOnOptions {
  readonly written: Generated | undefined;
  readonly setWritten: (written: undefined) => void;
  readonly manifest: Manifest;
}

/** A written file leads on: a group to a capability in it, a capability to itself, as soon as the project has it. */
export function useWayOn({ written, setWritten, manifest }: WayOnOptions): void {
  const { go, notify } = useScreen();
  useEffect(() => {
    if (written === undefined) return;
    const { key, route, changes } = written;
    const isGroup = route === undefined;
    if (!isGroup && manifest.capabilities.every((capability) => capability.key !== key)) return;
    setWritten(undefined);
    notify(`Wrote ${changes.map(({ path }) => path).join(', ')}`);
    go(isGroup ? { screen: 'generate', kind: 'capability', group: key.replaceAll('.', '/') } : { screen: 'show', key });
  });
}

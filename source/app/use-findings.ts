import { useDeferredValue, useMemo } from 'react';
import { checkProject } from '../check/check-project.ts';
import { useSettings } from '../load/settings/use-settings.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Problem } from '../manifest/problem.ts';

/** The problems that `capix check` tells of the project: those that the project accepts are not among them. No draw waits for them. */
export function useFindings(manifest: Manifest | undefined): readonly Problem[] | undefined {
  const { check: settings } = useSettings(manifest?.project.root);
  const drawn = useDeferredValue(manifest);
  return useMemo(() => drawn && checkProject(drawn, { settings }).problems, [drawn, settings]);
}

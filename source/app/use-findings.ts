import { useDeferredValue, useMemo } from 'react';
import { checkProject } from '../check/check-project.ts';
import { useSettings } from '../load/settings/use-settings.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { ScreenContextValue } from '../screens/use-screen.ts';

/**
 * The problems that `capix check` tells of the project, found once for all screens: those that the project accepts are not among them.
 * No draw waits for them.
 */
export function useFindings(manifest: Manifest | undefined): Pick<ScreenContextValue, 'findings' | 'settingsProblem'> {
  const { check: settings, problem: settingsProblem } = useSettings(manifest?.project.root);
  const drawn = useDeferredValue(manifest);
  const findings = useMemo(() => drawn && checkProject(drawn, { settings }).problems, [drawn, settings]);
  return { findings, settingsProblem };
}

import { useEffect, useMemo, useState } from 'react';
import { useKept } from '../../kit/kept/use-kept.ts';
import { toEnvFiles } from '../../load/env-files.ts';
import { useSettings } from '../../load/settings/use-settings.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { RuleSettings } from '../../manifest/settings/rule-settings.ts';
import { useScreen } from '../../screens/use-screen.ts';
import { readHeadManifest } from '../../sides/read-head-manifest.ts';
import { type ContractBaselines, toContractAlarm } from './contract-alarm.ts';

/** The breaks of the newest code with the contract as it was when the screen was opened, and of the last commit. */
export function useContractAlarm(): readonly string[] {
  const { manifest: now } = useScreen().project;
  const [start, setStart] = useKept<Manifest | undefined>('contract', undefined);
  useEffect(() => {
    if (start === undefined && now !== undefined) setStart(now);
  }, [start, setStart, now]);
  const head = useHeadManifest(start);
  const { diff: settings } = useSettings(now?.project.root);
  return useMemo(() => toAlarmOfToday({ start, head }, now, settings), [start, head, now, settings]);
}

function toAlarmOfToday(
  baselines: ContractBaselines,
  now: Manifest | undefined,
  settings: RuleSettings,
): readonly string[] {
  return toContractAlarm(baselines, now, { settings, today: new Date().toISOString().slice(0, 10) });
}

/** Read once, after the project: the server's own start comes first. */
function useHeadManifest(project: Manifest | undefined): Manifest | undefined {
  const { terminal, envFile, entry } = useScreen();
  const { kept } = entry;
  const [head, setHead] = useState(kept.get('headContract') as Manifest | undefined);
  const root = project?.project.root;
  const config = project?.project.config;
  useEffect(() => {
    if (root === undefined || config === undefined || kept.has('headContract')) return;
    kept.set('headContract', undefined);
    const envFiles = toEnvFiles(root, { envFile, workingDirectory: terminal.workingDirectory() });
    void readHeadManifest({ root, config, envFiles }).then((manifest) => {
      kept.set('headContract', manifest);
      setHead(manifest);
    });
  }, [root, config, envFile, terminal, kept]);
  return head;
}

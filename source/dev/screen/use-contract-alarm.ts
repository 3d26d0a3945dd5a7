import { unwatchFile, watchFile } from 'node:fs';
import { useEffect, useMemo, useState } from 'react';
import * as z from 'zod';
import { readJsonCache, writeCache } from '../../files/project-cache.ts';
import { useKept } from '../../kit/use-kept.ts';
import { toEnvFiles } from '../../load/env-files.ts';
import { useSettings } from '../../load/settings/use-settings.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { RuleSettings } from '../../manifest/rule-settings.ts';
import { useScreen } from '../../screens/use-screen.ts';
import { findCommit } from '../../sides/git/find-commit.ts';
import { findHeadLog } from '../../sides/git/find-head-log.ts';
import { readHeadManifest } from '../../sides/read-head-manifest.ts';
import { type ContractBaselines, type ContractBreak, toContractAlarm } from './contract-alarm.ts';

/** The contract alarm, and what the user has done about it. */
export interface OpenAlarm {
  /** The sentences about the breaks that nobody has accepted. */
  readonly sentences: readonly string[];
  readonly acceptedCount: number;
  /** Accepts the breaks that there are until the next commit; where all are accepted, takes that back. */
  readonly toggleAccepted: () => void;
}

/**
 * The breaks of the newest code with the contract as it was when the screen was opened, and with that of the last
 * commit. After a commit that one alone is what counts.
 */
export function useContractAlarm(): OpenAlarm {
  const { manifest: now } = useScreen().project;
  const root = now?.project.root;
  const commit = useHeadCommit(root);
  const [start, setStart] = useKept<Contract | undefined>('contract', undefined);
  useEffect(() => {
    if (now === undefined) return;
    if (start === undefined || (start.commit === undefined && commit !== undefined))
      setStart({ manifest: start?.manifest ?? now, commit });
  }, [start, setStart, now, commit]);
  const head = useHeadManifest(start?.manifest, commit);
  const { diff: settings } = useSettings(root);
  const isOwnStart = start?.commit === undefined || start.commit === commit;
  const before = isOwnStart ? start?.manifest : undefined;
  const breaks = useMemo(() => toAlarmOfToday({ start: before, head }, now, settings), [before, head, now, settings]);
  return useAccepted(breaks, { root, commit });
}

function toAlarmOfToday(
  baselines: ContractBaselines,
  now: Manifest | undefined,
  settings: RuleSettings,
): readonly ContractBreak[] {
  return toContractAlarm(baselines, now, { settings, today: new Date().toISOString().slice(0, 10) });
}

/** A contract, and the last commit when it was that of the code; undefined until that is known. */
interface Contract {
  readonly manifest: Manifest | undefined;
  readonly commit: string | undefined;
}

/** Read once a commit, after the project: the server's own start comes first. */
function useHeadManifest(project: Manifest | undefined, commit: string | undefined): Manifest | undefined {
  const { terminal, envFile, entry } = useScreen();
  const { kept } = entry;
  const [head, setHead] = useState(kept.get('headContract') as Contract | undefined);
  const root = project?.project.root;
  const config = project?.project.config;
  useEffect(() => {
    const isKnown = (kept.get('headContract') as Contract | undefined)?.commit === commit;
    if (root === undefined || config === undefined || commit === undefined || isKnown) return;
    kept.set('headContract', { manifest: undefined, commit } satisfies Contract);
    const envFiles = toEnvFiles(root, { envFile, workingDirectory: terminal.workingDirectory() });
    void readHeadManifest({ root, config, envFiles }).then((manifest) => {
      const read: Contract = { manifest, commit };
      if ((kept.get('headContract') as Contract).commit !== commit) return;
      kept.set('headContract', read);
      setHead(read);
    });
  }, [root, config, commit, envFile, terminal, kept]);
  return head?.commit === commit ? head?.manifest : undefined;
}

interface AlarmPlace {
  /** Absolute path of the project; undefined until it is known. */
  readonly root: string | undefined;
  readonly commit: string | undefined;
}

function useAccepted(breaks: readonly ContractBreak[], { root, commit }: AlarmPlace): OpenAlarm {
  const [accepted, setAccepted] = useState<AcceptedBreaks>();
  useEffect(() => {
    if (root !== undefined) void readAcceptedBreaks(root).then(setAccepted);
  }, [root]);
  const ids = accepted !== undefined && accepted.commit === commit ? accepted.ids : [];
  const told = breaks.filter(({ id }) => !ids.includes(id));
  return {
    sentences: told.map(({ sentence }) => sentence),
    acceptedCount: breaks.length - told.length,
    toggleAccepted: () => {
      if (root === undefined || commit === undefined) return;
      const next = { commit, ids: told.length === 0 ? [] : breaks.map(({ id }) => id) };
      const take = (): void => setAccepted(next);
      // Said when it is kept. Where it cannot be, it holds until capix ends.
      void writeAcceptedBreaks(root, next).then(take, take);
    },
  };
}

const FILE = 'accepted-breaks.json';

const schema = z.object({ commit: z.string(), ids: z.array(z.string()) });

/**
 * The breaks that the user has accepted, by their `id`, and the commit until whose successor they are; it is empty
 * where there was none.
 */
type AcceptedBreaks = Readonly<z.output<typeof schema>>;

/** `root`: absolute path of the project. Undefined where nothing was accepted, or it cannot be read. */
async function readAcceptedBreaks(root: string): Promise<AcceptedBreaks | undefined> {
  return schema.safeParse(await readJsonCache(root, FILE)).data;
}

/** Keeps them in the project's `node_modules/.cache`; where there is none, until `capix` ends. */
function writeAcceptedBreaks(root: string, accepted: AcceptedBreaks): Promise<void> {
  return writeCache(root, FILE, `${JSON.stringify(accepted)}\n`);
}

/** Looked at this often, milliseconds: a commit changes no file of the project. */
const INTERVAL_MS = 500;

/** The last commit, kept up to date: empty where there is none, undefined until it is known. `root`: absolute path. */
function useHeadCommit(root: string | undefined): string | undefined {
  const [commit, setCommit] = useState<string>();
  useEffect(() => {
    if (root === undefined) return undefined;
    let isOver = false;
    let log: string | undefined;
    const look = (): void => {
      void findCommit('HEAD', root).then((found = '') => {
        if (!isOver) setCommit(found);
      });
    };
    void findHeadLog(root).then((file) => {
      look();
      if (file === undefined || isOver) return;
      log = file;
      watchFile(file, { interval: INTERVAL_MS, persistent: false }, look);
    });
    return () => {
      isOver = true;
      if (log !== undefined) unwatchFile(log, look);
    };
  }, [root]);
  return commit;
}

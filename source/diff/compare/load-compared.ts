import { diffManifests } from '../../contract/diff-manifests.ts';
import { applySettings } from '../../contract/rules/apply-settings.ts';
import { toEnvFiles } from '../../load/env-files.ts';
import { readSettings } from '../../load/settings/read-settings.ts';
import type { Project } from '../../manifest/project.ts';
import { loadSides } from '../../sides/load-side.ts';
import { loadSideSource, type SideSource } from '../../sides/side-source.ts';
import { toComparable } from '../../sides/to-comparable.ts';
import type { Compared } from './compared.ts';
import { expectComparedProject } from './expect-compared-project.ts';
import { expectRules } from './expect-rules.ts';

export interface LoadComparedOptions {
  readonly before: string;
  /** @default the project as it is */
  readonly after?: string | undefined;
  /** As given with `--config`. */
  readonly config?: string | undefined;
  readonly envFile: readonly string[];
  /** Absolute path. */
  readonly workingDirectory: string;
  readonly signal?: AbortSignal | undefined;
  /** ISO date. */
  readonly today: string;
}

/** Loads two sides, and compares them as the project says. */
export async function loadCompared(options: LoadComparedOptions): Promise<Compared> {
  const { before, after, today, workingDirectory, envFile, signal } = options;
  const project = expectComparedProject(options);
  const toSource = (side: string): Promise<SideSource> =>
    loadSideSource(side, { root: project.root, workingDirectory });
  const sources = [
    await toSource(before),
    after === undefined ? toWorkingTree(project) : await toSource(after),
  ] as const;
  const ofRoot = (root: string): readonly string[] => toEnvFiles(root, { envFile, workingDirectory });
  const [old, now] = toComparable(await loadSides(sources, { project, toEnvFiles: ofRoot, signal }));
  const settings = expectRules(readSettings(project.root).diff);
  const { diff, ignored } = applySettings(diffManifests(old.manifest, now.manifest, { today }), settings);
  return { before: old, after: now, diff, ignored };
}

function toWorkingTree({ entryFile }: Project): SideSource {
  return { kind: 'config', label: 'the working tree', file: entryFile };
}

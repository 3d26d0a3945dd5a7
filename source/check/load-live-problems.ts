import { diffManifests } from '../contract/diff-manifests.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Problem } from '../manifest/problem.ts';
import type { Project } from '../manifest/project.ts';
import { loadSide } from '../sides/load-side.ts';
import { toComparable } from '../sides/to-comparable.ts';

export interface LiveOptions {
  readonly project: Project;
  /** With its document. */
  readonly manifest: Manifest;
  readonly url: string;
}

/** Finds where a running server does not do what the project says: what would break callers who read the project's document and call the server. */
export async function loadLiveProblems({ project, manifest, url }: LiveOptions): Promise<readonly Problem[]> {
  const live = await loadSide({ kind: 'url', label: url, url }, { project, toEnvFiles: () => [] });
  const [said, served] = toComparable([{ label: 'the project', manifest, isDocument: false }, live]);
  const { removed, changed } = diffManifests(said.manifest, served.manifest);
  const sources = new Map(manifest.capabilities.map(({ key, source }) => [key, source]));
  return [...removed, ...changed].flatMap(({ key, changes }) =>
    changes
      .filter((change) => change.class === 'breaking')
      .map(({ message }): Problem => {
        const source = sources.get(key);
        return {
          severity: 'error',
          code: 'live-differs',
          keys: [key],
          message: `\`${key}\` on ${url} is not as the project says: ${message}.`,
          hint: 'Deploy the project, or find out which of the two is right.',
          file: source?.file,
          line: source?.line,
        };
      }),
  );
}

import { join } from 'node:path';
import { DEFAULT_CONFIG, expectProject, type FindProjectOptions, readProjectName } from '../../load/expect-project.ts';
import type { Project } from '../../manifest/project.ts';

export interface ComparedProjectOptions extends FindProjectOptions {
  readonly before: string;
  /** @default the project as it is */
  readonly after?: string | undefined;
}

/** Who names a capabilities file as the newer side names the project; two documents need none. */
export function expectComparedProject({ before, after, ...options }: ComparedProjectOptions): Project {
  if (options.config !== undefined || after === undefined) return expectProject(options);
  const config = [after, before].find((side) => /\.[cm]?[jt]sx?$/.test(side));
  try {
    return expectProject({ ...options, config });
  } catch {
    const root = options.workingDirectory;
    return { root, name: readProjectName(root), entryFile: join(root, DEFAULT_CONFIG) };
  }
}

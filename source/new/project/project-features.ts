import type { ProjectFile } from './project-file.ts';

/** The parts that a new project can do without. */
export const projectFeatures = ['tests', 'agents'] as const;
export type ProjectFeature = (typeof projectFeatures)[number];

/** The files that only a feature has. */
const featureFiles: Readonly<Record<ProjectFeature, RegExp>> = {
  tests: /\.test\.[jt]s$/,
  agents: /^(AGENTS\.md|\.mcp\.json|\.cursor\/)/,
};

/** The files of a project with these features. */
export function selectFiles(
  files: readonly ProjectFile[],
  features: readonly ProjectFeature[],
): readonly ProjectFile[] {
  const leftOut = projectFeatures.filter((feature) => !features.includes(feature));
  return files.filter(({ path }) => leftOut.every((feature) => !featureFiles[feature].test(path)));
}

import type { Manifest } from '../manifest/manifest.ts';

/** The words for a project without capabilities: which file was read, and what it should export. */
export function toNoCapabilities({ project }: Pick<Manifest, 'project'>): readonly string[] {
  return [
    `${project.config} exports no capability.`,
    'It should export groups of them, for example: `export const capabilities = { users: { getUser } };`',
  ];
}

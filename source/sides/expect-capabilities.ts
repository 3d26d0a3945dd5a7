import { createCliError } from '../cli/errors/cli-error.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { toListed } from '../manifest/operations/listed.ts';

/**
 * Gives the contract of a side back.
 *
 * @throws CliError `EmptySide` where it has no capabilities
 */
export function expectCapabilities(manifest: Manifest, side: string): Manifest {
  if (toListed(manifest).length === 0) throw createCliError('EmptySide', { side });
  return manifest;
}

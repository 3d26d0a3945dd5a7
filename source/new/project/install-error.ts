import { type CliError, createCliError } from '../../cli/errors/cli-error.ts';
import { toNextSteps } from '../new-text.ts';
import type { CreatedProject } from './create-project.ts';

/** The error that ends the command where the project is there and its dependencies are not; undefined where all went well. */
export function toInstallError(project: CreatedProject): CliError | undefined {
  const { installation, packageManager, path } = project;
  if (installation.kind !== 'failed') return undefined;
  const steps = toNextSteps(project).map((step) => `  ${step}`);
  const folder = path === '.' ? 'this folder' : `./${path}`;
  const hint = `Fix the problem above, then run:\n${steps.join('\n')}`;
  return createCliError('InstallFailed', { folder, packageManager }, { frame: installation.reason, hint });
}

#!/usr/bin/env node
import module from 'node:module';
import { findProjectCli } from './source/cli/find-project-cli.ts';
import { packageInfo } from './source/package-info.ts';

const projectCli = findProjectCli(process.cwd(), import.meta.url);
if (projectCli) {
  await import(projectCli);
} else if (['-v', '--version'].includes(process.argv[2] ?? '')) {
  process.stdout.write(`${packageInfo.version}\n`);
} else {
  (module as { enableCompileCache?: () => unknown }).enableCompileCache?.(); // Node 22.1 and newer
  const { runCli } = await import('./source/cli/run-cli.ts');
  await runCli(process.argv, import.meta);
}

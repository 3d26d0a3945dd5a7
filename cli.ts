#!/usr/bin/env node
import { enableCompileCache } from './source/cli/enable-compile-cache.ts';
import { findProjectCli } from './source/cli/find-project-cli.ts';
import { packageInfo } from './source/package-info.ts';

const projectCli = findProjectCli(process.cwd(), import.meta.url);
if (projectCli) {
  await import(projectCli);
} else if (['-v', '--version'].includes(process.argv[2] ?? '')) {
  process.stdout.write(`${packageInfo.version}\n`);
} else {
  enableCompileCache();
  const { runCli } = await import('./source/cli/run-cli.ts');
  await runCli(process.argv, import.meta);
}

import { createCliError } from '../cli/cli-error.ts';
import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { writeInProject } from '../files/write-files.ts';
import type { LockValues } from '../flags/document-flags.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { describeApi } from '../manifest/describe-api.ts';
import { loadGraphqlFacts } from '../manifest/describe-graphql.ts';
import { findLockState, LOCK_FILE, toLockText } from '../sides/lock-file.ts';

/** `capix lock`: writes the contract, or with `--check` says whether what is written is still it. */
export default async function lockCommand({
  options,
  terminal,
}: PlainProps<LockValues>): Promise<void> {
  const loaded = await loadRegistry(options, terminal);
  const { root } = loaded.project;
  const { document } = describeApi(loaded, {}, await loadGraphqlFacts(loaded));
  const state = findLockState(root, document);
  if (options.check && state !== 'fresh')
    throw createCliError('StaleLock', { file: LOCK_FILE, state });
  if (!options.check && state !== 'fresh')
    await writeInProject(root, LOCK_FILE, toLockText(document));
  const verb = state === 'fresh' ? 'is up to date' : 'was written';
  terminal.writeOut(
    options.json ? toJsonOutput({ file: LOCK_FILE, state }) : `${LOCK_FILE} ${verb}\n`,
  );
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inferRoute } from '../../../server-runtime/routing/infer/infer-route.ts';
import { toUrlCase, type UrlCase } from '../../../server-runtime/routing/infer/url-case.ts';
import { type CliError, createCliError } from '../../cli/errors/cli-error.ts';
import { type Project, toProjectPath } from '../../manifest/project.ts';
import type { CapabilityName } from './capability-name.ts';
import { expectInProject } from './file-change.ts';
import type { Generated, GeneratedRoute } from './generated.ts';
import { expectFree, type GroupChain, readGroupChain, toListing } from './group-chain.ts';
import { listsFile, readTextIfThere, toCapabilityLine } from './group-index.ts';
import { loadCapabilityText } from './load-capability-text.ts';
import { loadMissingLines } from './load-missing-lines.ts';

export interface GenerateCapabilityOptions {
  readonly project: Project;
  readonly name: CapabilityName;
  /** Whether it has an input schema with an `id`. */
  readonly withInput: boolean;
  /** Whether its file may be replaced. */
  readonly force: boolean;
}

/**
 * Works out what a new capability takes: its file, a line in the index of its group, and a line for each group that is not listed yet. Writes
 * nothing.
 *
 * @throws CliError `FileExists`, unless forced; `LeadsOutside`; as `readGroupChain`
 */
export async function generateCapability(options: GenerateCapabilityOptions): Promise<Generated> {
  const { project, name, withInput, force } = options;
  const { identifier } = name.name;
  const chain = await readGroupChain(project, name.groups);
  const fileName = toUrlCase(identifier, 'kebab');
  const file = join(chain.folder, `${fileName}${chain.extension.file}`);
  const path = toProjectPath(file, project.root);

  const isThere = (await readTextIfThere(file, path)) !== undefined;
  if (isThere && !force) throw fileExists(path);
  const listing = listsFile(chain.index.text, identifier, fileName)
    ? []
    : [toCapabilityListing(chain, identifier, project)];

  const text = await loadCapabilityText({
    project,
    identifier,
    folder: chain.folder,
    withInput,
    style: chain.index.style,
    extension: chain.extension,
  });
  const kind = isThere ? ('changed' as const) : ('created' as const);
  const changes = [{ kind, file, path, text }, ...listing, ...chain.listings];
  expectInProject(changes, project);
  return {
    key: [...chain.identifiers, identifier].join('.'),
    changes,
    route: await loadRoute(chain.identifiers, options),
    missing: await loadMissingLines(project),
  };
}

async function loadRoute(
  groups: readonly string[],
  { project, name, withInput }: GenerateCapabilityOptions,
): Promise<GeneratedRoute> {
  const { urlCase, prefix } = await readPathStyle(project);
  const { method, path } = inferRoute({ groups, name: name.name.identifier, hasId: withInput, urlCase });
  return { method, path: `${prefix}${path}`, lacksId: !withInput && path.includes(':id') };
}

/** As it is written in the capabilities file, which is not run: it may be what the user is about to mend. */
async function readPathStyle({ entryFile }: Project): Promise<PathStyle> {
  const text = await readFile(entryFile, 'utf8');
  const urlCase = /\burlCase\s*:\s*['"](kebab|snake|camel)['"]/.exec(text)?.[1] as UrlCase | undefined;
  const prefix = /\bprefix\s*:\s*['"](\/[\w/.-]*?)\/?['"]/.exec(text)?.[1] ?? '';
  return { urlCase, prefix };
}

interface PathStyle {
  readonly urlCase: UrlCase | undefined;
  /** Empty, or begins with a slash and ends with none. */
  readonly prefix: string;
}

function toCapabilityListing(
  { index }: GroupChain,
  identifier: string,
  project: Project,
): Generated['changes'][number] {
  expectFree(identifier, index, project);
  return toListing(index, toCapabilityLine(identifier, toUrlCase(identifier, 'kebab'), index.style), project);
}

function fileExists(path: string): CliError {
  return createCliError('FileExists', { path, detail: '' });
}

import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { aiContextDocument, loadAiContextText } from '../ai-context/load-ai-context-text.ts';
import checkCommand from '../check/check-command.ts';
import { CliError } from '../cli/cli-error.ts';
import type { PlainProps } from '../cli/command.ts';
import type { CommonValues } from '../cli/common-options.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { clientDocument, isStandaloneClient, loadClientText } from '../client/load-client-text.ts';
import { docsDocument, toProjectDocsText } from '../docs/docs-text.ts';
import { isSchemaObject, type SchemaJson } from '../document/schema-json.ts';
import { expectInside } from '../files/expect-inside.ts';
import { toWriteError, writeFileWhole } from '../files/write-files.ts';
import type { OwnDocument } from '../files/write-output.ts';
import type { CheckValues } from '../flags/check-flags.ts';
import { graphqlDocument, loadGraphqlText } from '../graphql/load-graphql-text.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { describeApi, toPublishedDocument } from '../manifest/describe-api.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { toProjectProblem } from '../manifest/problem.ts';
import { loadYamlText, openApiDocument, toDocumentText } from '../openapi/document-text.ts';
import { stripControl } from '../terminal/strip-control.ts';

/** `capix sync`: writes the stale files of the project again. Files without a mark of capix stay. */
export default async function syncCommand({
  options,
  terminal,
}: PlainProps<CommonValues>): Promise<void> {
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  const { root } = loaded.project;
  const stale = await findStaleFiles(loaded);
  for (const { path, text } of stale) {
    const file = join(root, path);
    expectInside([file], { folder: root, called: 'the project' });
    try {
      await writeFileWhole(file, text);
    } catch (error) {
      throw toWriteError(error, { from: root });
    }
  }
  const files = stale.map(({ path }) => path);
  const lines =
    files.length === 0
      ? ['Every written file is up to date']
      : files.map((file) => `${file} updated`);
  terminal.writeOut(options.json ? toJsonOutput({ files }) : stripControl(`${lines.join('\n')}\n`));
}

/** `capix check` with a look at the files that other features write. */
export async function wholeCheckCommand(props: PlainProps<CheckValues>): Promise<number> {
  return checkCommand(props, async (loaded) =>
    (await findStaleFiles(loaded)).map(({ path: file, command }) => {
      const message = `${file} is not what \`capix ${command}\` would write for the capabilities now.`;
      return toProjectProblem('stale-file', {
        message,
        hint: 'Run `capix sync`, which writes such files again.',
        file,
      });
    }),
  );
}

/** The files that commands have written from the project's capabilities, with the texts that they would write now. */
async function findStaleFiles(loaded: LoadedRegistry) {
  const { root } = loaded.project;
  const found = await Promise.all(
    (await findFiles(root, 0)).map(async (file) => {
      const before = await readFile(file, 'utf8').catch(() => '');
      const text = before.replaceAll('\r\n', '\n');
      const own = kinds.find(({ document, names }) => names.test(file) && document.mark.test(text));
      const after = await own?.load(loaded, text, file).catch(passOver);
      if (own === undefined || after === undefined || after === text) return [];
      return [
        {
          path: relative(root, file).replaceAll('\\', '/'),
          text: after,
          command: own.document.command,
        },
      ];
    }),
  );
  return found.flat();
}

/** Nothing is written of routes that no server starts with, and where a text is not what its mark says. */
function passOver(error: unknown): undefined {
  if (!(error instanceof CliError || error instanceof SyntaxError)) throw error;
}

interface FileKind {
  readonly document: OwnDocument;
  readonly names: RegExp;
  /** The text as the command would write it in the place of one that is there. */
  readonly load: (loaded: LoadedRegistry, text: string, file: string) => Promise<string>;
}

const kinds: readonly FileKind[] = [
  { document: aiContextDocument, names: /\.json$/, load: loadAiContextText },
  { document: docsDocument, names: /\.md$/, load: async (loaded) => toProjectDocsText(loaded) },
  {
    document: graphqlDocument,
    names: /\.(graphqls?|gql)$/,
    load: async (loaded) => (await loadGraphqlText(loaded)).text,
  },
  {
    document: clientDocument,
    names: /\.[cm]?[jt]s$/,
    load: (loaded, text, file) =>
      loadClientText(loaded, { file, isStandalone: isStandaloneClient(text) }),
  },
  {
    document: openApiDocument,
    names: /\.(json|ya?ml)$/,
    load: async (loaded, text, file) => {
      if (file.endsWith('.json')) return toDocumentText(toDocument(loaded, JSON.parse(text)));
      return loadYamlText(toDocument(loaded, (await import('yaml')).default.parse(text)));
    },
  },
];

/** The document that would be written, with the options of the command line applied. */
function toDocument(loaded: LoadedRegistry, before: unknown): object {
  const { info = {}, servers }: SchemaJson = isSchemaObject(before) ? before : {};
  const { title, version, description } = info as Readonly<Record<string, string | undefined>>;
  const knownServers = servers as readonly { readonly url: string }[] | undefined;
  return toPublishedDocument(
    describeApi(loaded, { title, version, description, servers: knownServers }),
    loaded.restOptions,
  );
}

const MAX_DEPTH = 5;

/** Folders of others are passed over, and hidden ones. */
async function findFiles(folder: string, depth: number): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files = entries.filter(
    (entry) => entry.isFile() && kinds.some(({ names }) => names.test(entry.name)),
  );
  const folders = entries.filter(
    (entry) => entry.isDirectory() && !/^(\.|(node_modules|dist|build|coverage)$)/.test(entry.name),
  );
  const below =
    depth < MAX_DEPTH ? folders.map(({ name }) => findFiles(join(folder, name), depth + 1)) : [];
  return [...files.map(({ name }) => join(folder, name)), ...(await Promise.all(below)).flat()];
}

import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { CliError } from '../cli/cli-error.ts';
import { isSchemaObject, type SchemaJson } from '../document/schema-json.ts';
import { findFiles } from '../files/find-files.ts';
import type { OwnDocument } from '../files/write-output.ts';
import { describeApi, toPublishedDocument } from '../manifest/describe-api.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { clientDocument, isStandaloneClient, loadClientText } from './client/load-client-text.ts';
import { docsDocument, toProjectDocsText } from './docs/docs-text.ts';
import { loadYamlText, openApiDocument, toDocumentText } from './document-text.ts';
import { aiContextDocument, loadAiContextText } from './load-ai-context-text.ts';
import { graphqlDocument, loadGraphqlText } from './load-graphql-text.ts';

/** The files that commands have written from the project's capabilities, with the texts that they would write now. */
export async function findStaleFiles(loaded: LoadedRegistry) {
  const { root } = loaded.project;
  const found = await Promise.all(
    (await findFiles(root, isWritten)).map(async (file) => {
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

function isWritten(name: string): boolean {
  return kinds.some(({ names }) => names.test(name));
}

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

import type { PlainProps } from '../cli/command.ts';
import { writeOutput } from '../files/write-output.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { describeApi } from '../manifest/describe-api.ts';
import { openApiDocument, toDocumentText } from './document-text.ts';

export interface OpenApiCommandOptions {
  readonly config?: string | undefined;
  readonly envFile: readonly string[];
  readonly output?: string | undefined;
  readonly force: boolean;
  readonly json: boolean;
  readonly title: string;
  readonly apiVersion: string;
  readonly description?: string | undefined;
  readonly server?: string | undefined;
  readonly urlCase?: 'kebab' | 'camel' | 'snake' | undefined;
}

/** `capix openapi`: the document, to stdout or a file. */
export default async function openapiCommand({ options, terminal }: PlainProps<OpenApiCommandOptions>): Promise<void> {
  const { title, apiVersion, description, server, urlCase, output, force } = options;
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  const servers = server === undefined ? undefined : [{ url: server }];
  const { document } = describeApi(loaded, { title, version: apiVersion, description, servers, urlCase });
  await writeOutput({
    terminal,
    output,
    text: toDocumentText(document),
    root: loaded.project.root,
    document: openApiDocument,
    force,
    asJson: options.json,
  });
}

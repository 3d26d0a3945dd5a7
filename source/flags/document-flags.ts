import { commonOptions, type OptionValues, option } from '../cli/common-options.ts';

/** The options of the commands that write a document: `docs`, `graphql`, `ai-context`. */
export const documentFlags = {
  ...commonOptions,
  output: option.text(
    'File to write, replaced where this command wrote it (default: stdout)',
    'file',
  ),
  force: option.flag('Replace the file of --output, even if another program wrote it'),
};

export type DocumentValues = OptionValues<typeof documentFlags>;

/** The options of `capix client`. */
export const clientFlags = {
  ...documentFlags,
  standalone: option.flag(
    "Carry the runtime in the file, in place of importing it from 'capix/client'",
  ),
};

export type ClientValues = OptionValues<typeof clientFlags>;

/** The options of `capix openapi`. */
export const openApiFlags = {
  ...documentFlags,
  format: option.choice(
    ['json', 'yaml'],
    'Format (default: by the name of the file, else json)',
    'format',
  ),
  title: option.text('API title (default: restOptions.docs.title, else Capix API)', 'title'),
  apiVersion: option.text('API version (default: restOptions.docs.version, else 0.1.0)', 'version'),
  description: option.text('API description', 'text'),
  server: option.text('Server URL in the document', 'url'),
  urlCase: option.choice(
    ['kebab', 'camel', 'snake'],
    'Case of paths, as the server has it (default: restOptions.urlCase, else kebab)',
    'case',
  ),
};

export type OpenApiValues = OptionValues<typeof openApiFlags>;

/** The options of `capix lock`. */
export const lockFlags = {
  config: commonOptions.config,
  envFile: commonOptions.envFile,
  json: commonOptions.json,
  check: option.flag('Write nothing, and exit with 1 where the file is stale or missing'),
};

export type LockValues = OptionValues<typeof lockFlags>;
